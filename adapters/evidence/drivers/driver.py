"""What must be offered to drive a real host."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from adapters.evidence.drivers.lines import Line
from adapters.evidence.lab import Lab
from adapters.evidence.model.wire import Wire
from adapters.evidence.scenario import Call, Place, Run


class Driver(Protocol):
    """A module that satisfies this drives a host."""

    NAME: str
    WIRE: Wire
    EVENTS: Sequence[str]
    """Every hook event that the host is known to accept."""
    PLACES: Sequence[Place]
    """Where this host takes hooks from."""

    def prepare(self, lab: Lab, url: str) -> None:
        """Write the host's own files into the private home: the model's address and the recording hooks."""

    def environment(self, lab: Lab, url: str) -> dict[str, str]:
        """Return the variables that the host needs besides the lab's own."""

    def command(self, binary: Path, lab: Lab, run: Run, conversation: str) -> list[str]:
        """Return the command line of one run; `conversation` is the one to resume or to fork, or empty."""

    def shell(self, command: str, lab: Lab) -> Call:
        """Return the tool call that runs a shell command, as this host's model makes it."""

    def transcripts(self, lab: Lab) -> dict[str, list[Line]]:
        """Return the tool-related lines of each transcript in the home, by its path."""

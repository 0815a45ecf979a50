"""What an adapter of a reader must offer."""

from typing import Protocol

from contracts.outcome import Skipped
from contracts.read import Read


class Reader(Protocol):
    """A module that satisfies this is a reader; `adapters.readers` lists them all."""

    NAME: str
    WORDS: tuple[str, ...]
    """Words that every command of this reader holds in this order, each before a blank or a quote: what a
    shell can look for in a payload before it starts a process."""
    AGAIN: str
    """How an agent reads an item again, for the briefing."""

    def concerns(self, command: str) -> bool:
        """Whether the command text mentions this reader's way of reading an item, however wrapped."""

    def confirm(self, command: str, output: str) -> Read | Skipped:
        """Prove the read from the command that ran and the output it gave, or refuse by name.

        Gates are asked in the order direct, result; never raises on any text.
        """

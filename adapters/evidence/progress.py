"""What has come of a run so far, and the wait until more has."""

from collections.abc import Callable

import msgspec

from adapters.evidence import collect
from adapters.evidence.lab import Lab
from adapters.evidence.process import Watch
from adapters.evidence.scenario import Key, Line


class Progress(msgspec.Struct, frozen=True):
    """Counts of one run: `hooks` of the events of a name, `tools` of the starts of the reader."""

    hooks: Callable[[str], int]
    tools: Callable[[], int]

    def wait(self, awaited: Key | Line, watch: Watch) -> None:
        """Wait for the event and for the starts of the reader that are named; raises Ended."""
        if (event := awaited.event) is not None:
            watch.wait(lambda: self.hooks(event) >= awaited.times, f"{event} for the {awaited.times}. time")
        if awaited.tools:
            watch.wait(lambda: self.tools() >= awaited.tools, f"start {awaited.tools} of the reader")


def since_now(lab: Lab) -> Progress:
    """Count what comes in a lab from now on."""
    hooks, tools = collect.counts(lab), collect.tools(lab)
    return Progress(
        lambda event: collect.counts(lab)[event] - hooks[event], lambda: collect.tools(lab) - tools
    )

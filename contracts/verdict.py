"""What recorded evidence says of a host: which gates it passes, and in which scenarios that shows."""

from typing import Literal

import msgspec

from contracts.reasons import GATES, Gate

Shown = Literal["passed", "failed", "not-shown"]
"""What the recordings of one version show of one gate."""


class GateVerdict(msgspec.Struct, frozen=True):
    """One gate's state with the scenarios that show it."""

    state: Shown
    scenarios: tuple[str, ...] = ()


class Verdict(msgspec.Struct, frozen=True):
    """All gates of one host version.

    `recordings` names all that it was computed from, so that one that is gone is missed; first/NAME is one
    of the earlier ones.
    """

    host: str
    version: str
    gates: dict[Gate, GateVerdict]
    recordings: tuple[str, ...] = ()

    @property
    def shut(self) -> dict[Gate, Shown]:
        """The gates that are not passed, in their order, with how they stand."""
        said = {gate: self.gates.get(gate, GateVerdict("not-shown")).state for gate in GATES}
        return {gate: state for gate, state in said.items() if state != "passed"}

    @property
    def passing(self) -> bool:
        """Whether every gate of the design is passed."""
        return not self.shut

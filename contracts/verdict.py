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
    """All gates of one host version."""

    host: str
    version: str
    gates: dict[Gate, GateVerdict]

    @property
    def passing(self) -> bool:
        """Whether every gate of the design is passed."""
        return all(gate in self.gates and self.gates[gate].state == "passed" for gate in GATES)

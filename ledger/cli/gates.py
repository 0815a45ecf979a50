"""The gates of proof as programs and people are told of them."""

from contracts.reasons import GATES, Gate
from contracts.report.hosts import GateReport
from contracts.verdict import GateVerdict, Verdict
from ledger.cli.output import symbol

SIGNS = {
    "passed": ("✓", "+"),
    "failed": ("✗", "x"),
    "waiting": ("…", "~"),
    "not-shown": ("?", "?"),
    "not-asked": ("-", "-"),
}
"""What stands before a gate's state, and what does where standard output cannot say it."""


def sign(state: str) -> str:
    """Return the sign of a gate's state."""
    return symbol(*SIGNS[state])


def reported(verdict: Verdict) -> dict[Gate, GateReport]:
    """Return every gate in its order; one that a verdict says nothing of is not shown."""
    said = {gate: verdict.gates.get(gate, GateVerdict("not-shown")) for gate in GATES}
    return {gate: GateReport(one.state, list(one.scenarios)) for gate, one in said.items()}

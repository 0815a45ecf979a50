"""A host is on only while its evidence passes every gate."""

from __future__ import annotations

import pytest

from contracts.reasons import GATES, Gate
from contracts.verdict import GateVerdict, Verdict


def verdict(gates: dict[Gate, GateVerdict]) -> Verdict:
    """Return a verdict with these gates."""
    return Verdict("codex", "1", gates)


def test_a_host_passes_when_every_gate_passed() -> None:
    """All seven, none left out."""
    assert verdict({gate: GateVerdict("passed") for gate in GATES}).passing


@pytest.mark.parametrize("gate", GATES)
@pytest.mark.parametrize("state", ["failed", "not-shown", None])
def test_one_gate_that_did_not_pass_keeps_a_host_off(gate: Gate, state: str | None) -> None:
    """A gate that nobody asked counts as shut."""
    gates = {other: GateVerdict("passed") for other in GATES if other != gate}
    if state is not None:
        gates[gate] = GateVerdict(state)
    assert not verdict(gates).passing
    assert verdict(gates).shut == {gate: state or "not-shown"}

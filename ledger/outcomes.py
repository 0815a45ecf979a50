"""What came of a payload, in our own names: for the diagnostics and, gate by gate, for a person."""

from contracts.outcome import Life, Noted, Repeated, Settled, Skipped, Unavailable
from contracts.reasons import GATES, REFUSALS, Gate, GateState
from ledger.diagnostics import Summary
from ledger.pipeline import Briefed, Handled


def _word(handled: Handled) -> tuple[str, str, str]:
    match handled.outcome:
        case Skipped(reason, detail):
            return "skipped", reason, detail
        case Unavailable(reason, detail):
            return "unavailable", reason, detail
        case Noted():
            return "pending", "", ""
        case Repeated():
            return "repeated", "", ""
        case Briefed(text):
            unkept = handled.unkept or Unavailable("")
            return ("briefed" if text else "nothing-to-brief"), unkept.reason, unkept.detail
        case Life():
            return handled.event.lower(), "", ""
        case _:
            return "ignored", "", ""


def summary(handled: Handled) -> Summary:
    """Sum up one payload; a ledger that could not settle is named where nothing else is wrong."""
    outcome, reason, detail = _word(handled)
    settled = handled.settled
    if isinstance(settled, Settled):
        if outcome == "ignored" and (settled.recorded or settled.withdrawn):
            # The event itself asks nothing, yet it did the main work.
            outcome = "recorded" if settled.recorded else "withdrawn"
        return Summary(outcome, reason, detail, len(settled.recorded), len(settled.withdrawn))
    if reason:
        return Summary(outcome, reason, detail)
    return Summary(outcome, settled.reason, settled.detail)


def gates(handled: Handled) -> dict[Gate, GateState] | None:
    """Tell how a read fared at each gate, or None if the payload is not about a read.

    Gates are asked in their order and the first that stays shut ends it; a pending read waits at delivery.
    """
    proof: list[Gate] = [gate for gate in GATES if gate != "visible"]
    if isinstance(handled.outcome, Noted):
        return {gate: "waiting" if gate == "delivery" else "passed" for gate in proof}
    if not isinstance(handled.outcome, Skipped):
        return None
    shut = REFUSALS[handled.outcome.reason].gate
    if shut is None:
        return None
    # A call without an id is refused before anything is asked of its result.
    at = proof.index("success" if handled.outcome.reason == "delivery-unproven" else shut)
    return {
        gate: "failed" if gate == shut else "passed" if place < at else "not-asked"
        for place, gate in enumerate(proof)
    }

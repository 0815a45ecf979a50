"""What came of a payload, in our own names: for the diagnostics and, gate by gate, for a person."""

from contracts.outcome import Life, Noted, Repeated, Settled, Skipped, Unavailable, Withdrawn
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


def _lost(withdrawn: Withdrawn) -> tuple[str, str]:
    """Return why a read was withdrawn, and of which file: what else names an item comes from a payload."""
    file = withdrawn.read.file
    return withdrawn.why.reason, withdrawn.why.detail or ("" if file is None else file.path)


def summary(handled: Handled) -> Summary:
    """Sum up one payload; where nothing else is wrong, it names what went wrong with earlier reads."""
    outcome, reason, detail = _word(handled)
    settled = handled.settled
    if isinstance(settled, Settled):
        if outcome == "ignored" and (settled.recorded or settled.withdrawn):
            # The event itself asks nothing, yet it did the main work.
            outcome = "recorded" if settled.recorded else "withdrawn"
        if settled.withdrawn and not reason:
            reason, detail = _lost(settled.withdrawn[0])
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

"""What becomes of a pending read, by what its host has shown as sent to the model; pure functions."""

from collections.abc import Mapping, Sequence
from functools import reduce

import msgspec

from contracts.conversation import Conversation
from contracts.limits import Limits
from contracts.lines import common, comparable, united
from contracts.outcome import Skipped
from contracts.read import PendingRead, Read, Settlement
from ledger.rules import expired, refused

Said = Mapping[str, Sequence[Settlement]]
"""What a host has shown of calls, by event id."""


def said(settlements: Sequence[Settlement]) -> Said:
    """Return settlements by the event that they are of."""
    found: dict[str, list[Settlement]] = {}
    for one in settlements:
        found.setdefault(one.event_id, []).append(one)
    return found


def delivered(
    conversation: Conversation, pending: PendingRead, said: Said, now: int, limits: Limits
) -> tuple[Read | Skipped, ...]:
    """Return of each item of a pending read what the model got of it, or why it becomes no candidate.

    The answer is empty while it waits; one that nothing is said of is forgotten after its time. What the host
    shows counts however late it is looked at: Codex shows it at once, and no event of that conversation may
    come for hours.
    """
    if pending.event_id in said:
        got = (_got(read, said[pending.event_id]) for read in pending.reads)
        # The bounds may have been lowered since it was noted.
        return tuple(
            one if isinstance(one, Skipped) else refused(conversation, one, pending.event_id, limits) or one
            for one in got
        )
    if expired(now, pending.noted_at, limits):
        return (Skipped("delivery-expired"),) * len(pending.reads)
    return ()


def _got(read: Read, settlements: Sequence[Settlement]) -> Read | Skipped:
    """Return the lines of an item that every settlement of its call holds, and never more than was noted."""
    lines = read.lines
    for settlement in settlements:
        same = [one.lines for one in settlement.reads if _same(one, read)]
        if not same:
            return Skipped("delivery-refuted")
        lines = common(lines, reduce(united, same))
    if lines is not None and not lines.shown:
        return Skipped("delivery-refuted")
    return msgspec.structs.replace(read, lines=lines)


def _same(one: Read, other: Read) -> bool:
    """Whether two reads are of one content of one item, by one count of its lines."""
    keys = ((read.reader, read.store_scope, read.item_id, read.content_digest) for read in (one, other))
    return len(set(keys)) == 1 and comparable(one.lines, other.lines)

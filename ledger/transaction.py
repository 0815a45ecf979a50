"""What one write does to the rows, by the rules; it runs whole or not at all."""

from collections.abc import Sequence

import apsw

from contracts.conversation import Conversation
from contracts.limits import Limits
from contracts.outcome import Life, Noted, Pruned, Recorded, Repeated, Settled, Skipped, Told, Withdrawn
from contracts.read import Candidate, PendingRead, Read, Settlement
from ledger import delivery, rules
from ledger.rows import conversations, held, tables
from ledger.rows.conversations import Row
from ledger.uncertain import Marks, digest_of

PURGED_AT_ONCE = 16
"""How many conversations one write purges on its way, lapsed ones and then ones over the bound.

All 512 at once took 0.8 s (of 64 candidates of 1 KiB each), which a hook does not have; 16 took 0.04 s.
"""


class Transaction:
    """The operations of one write; `now` is its time in milliseconds since the epoch."""

    def __init__(self, db: apsw.Connection, limits: Limits, now: int) -> None:
        """Work on an open transaction."""
        self._db = db
        self._limits = limits
        self._now = now

    def carry_out(self, marks: Marks) -> None:
        """Clear what is marked as cleared; an unclear mark may have named any conversation."""
        if marks.everything or marks.unclear:
            self.clear_all()
        for digest in marks.digests:
            self._clear(digest, None)

    def note(
        self, conversation: Conversation, pending: PendingRead, withdrawn: tuple[Withdrawn, ...]
    ) -> Noted | Repeated | Skipped:
        """Keep what a call read until its delivery is shown; what is `withdrawn` of it only comes back."""
        row = conversations.find(self._db, digest_of(conversation))
        if row is not None and (stays := self._closed_to(row, pending.event_id)):
            return stays
        row = self._active(row, conversation)
        number = held.remember(self._db, row, pending.event_id, rules.remembered(self._limits))
        self._bound_pending(row, room_for=1)
        held.note(self._db, row, number, pending)
        conversations.save(self._db, row)
        return Noted(pending.reads, withdrawn)

    def record(
        self, conversation: Conversation, read: Read, event_id: str | None
    ) -> Recorded | Repeated | Skipped:
        """Keep a read as a candidate."""
        row = conversations.find(self._db, digest_of(conversation))
        if row is not None and (stays := self._closed_to(row, event_id)):
            return stays
        row = self._active(row, conversation)
        if event_id is not None:
            held.remember(self._db, row, event_id, rules.remembered(self._limits))
        recorded = self._candidate(row, read)
        conversations.save(self._db, row)
        return recorded

    def settle(self, conversation: Conversation, settlements: Sequence[Settlement]) -> Settled:
        """Let each pending read become candidates, go, or wait on; nothing changes if all wait on."""
        row = conversations.find(self._db, digest_of(conversation))
        if row is None:
            return Settled()
        said = delivery.said(settlements)
        waiting = held.pending(self._db, row, self._limits.candidates)
        fates = [
            (number, pending, fate)
            for number, pending in waiting
            if (fate := delivery.delivered(conversation, pending, said, self._now, self._limits))
        ]
        if not fates:
            return Settled()
        row = self._active(row, conversation)
        recorded: list[Recorded] = []
        withdrawn: list[Withdrawn] = []
        for number, pending, fate in fates:
            held.drop_pending(self._db, row, number)
            for noted, got in zip(pending.reads, fate, strict=True):
                if isinstance(got, Skipped):
                    withdrawn.append(Withdrawn(noted, got))
                else:
                    recorded.append(self._candidate(row, got))
        conversations.save(self._db, row)
        return Settled(tuple(recorded), tuple(withdrawn))

    def tell(
        self, conversation: Conversation, incarnation: int, items: Sequence[str], left_out: int
    ) -> Told | None:
        """Keep what a subagent was told, unless the life that it was told of has ended meanwhile."""
        row = conversations.find(self._db, digest_of(conversation))
        if row is None or row.cleared or row.incarnation != incarnation:
            return None
        self._activate(row, conversation)
        told = Told(self._now, tuple(items), left_out)
        held.tell(self._db, row, told, rules.TOLD)
        conversations.save(self._db, row)
        return told

    def claim(self, conversation: Conversation, event_id: str) -> Repeated | None:
        """Remember an event of a known, open conversation, unless it is remembered already."""
        row = conversations.find(self._db, digest_of(conversation))
        if row is None or row.cleared:
            return None
        if held.seen(self._db, row, event_id):
            return Repeated()
        held.remember(self._db, row, event_id, rules.remembered(self._limits))
        conversations.save(self._db, row)
        return None

    def begin(self, conversation: Conversation) -> Life:
        """Start a new, empty life of a known conversation."""
        row = conversations.find(self._db, digest_of(conversation))
        return self._turned(row, conversation, rules.begun(_standing(row)))

    def resume(self, conversation: Conversation) -> Life:
        """Go on with a known conversation."""
        row = conversations.find(self._db, digest_of(conversation))
        idle = row is not None and rules.idle(self._now, row.last_active_at, self._limits)
        return self._turned(row, conversation, rules.resumed(_standing(row), idle=idle))

    def clear(self, conversation: Conversation) -> Life:
        """End the life of a conversation, known or not."""
        return self._clear(digest_of(conversation), conversation)

    def clear_all(self) -> Pruned:
        """End the life of every conversation; they keep their place in the order of eviction."""
        live = 0
        removed = conversations.NOTHING
        for row in conversations.every(self._db):
            live += not row.cleared
            removed = _sum(removed, conversations.empty(self._db, row.id))
            row.cleared = True
            row.last_active_at = self._now
            conversations.save(self._db, row)
        return Pruned(live, removed.candidates, removed.pending)

    def prune(self) -> Pruned:
        """Remove what is out of sight: idle conversations, expired pending reads, what is over a bound."""
        removed = conversations.NOTHING
        kept: list[Row] = []
        for row in conversations.every(self._db):
            over = len(kept) >= self._limits.conversations
            if over or rules.idle(self._now, row.last_active_at, self._limits):
                removed = _sum(removed, conversations.forget(self._db, row.id))
            else:
                kept.append(row)
        for row in kept:
            candidates, pending = (
                tables.count(self._db, table, row.id) for table in ("candidate", "pending")
            )
            self._bound_candidates(row)
            self._bound_pending(row)
            for number, waiting in held.pending(self._db, row, self._limits.candidates):
                if rules.expired(self._now, waiting.noted_at, self._limits):
                    held.drop_pending(self._db, row, number)
            candidates -= tables.count(self._db, "candidate", row.id)
            pending -= tables.count(self._db, "pending", row.id)
            removed = _sum(removed, Pruned(0, candidates, pending))
        return removed

    def _closed_to(self, row: Row, event_id: str | None) -> Repeated | Skipped | None:
        if row.cleared:
            return Skipped("conversation-cleared")
        if event_id is not None and held.seen(self._db, row, event_id):
            return Repeated()
        return None

    def _clear(self, digest: bytes, conversation: Conversation | None) -> Life:
        row = conversations.find(self._db, digest)
        turn = rules.cleared(_standing(row))
        return self._turned(row or conversations.unknown(digest, conversation, self._now), conversation, turn)

    def _turned(self, row: Row | None, conversation: Conversation | None, turn: rules.Turn | None) -> Life:
        if turn is None or row is None:
            return Life(0 if row is None else row.incarnation)
        dropped = conversations.empty(self._db, row.id).candidates if turn.emptied else 0
        self._activate(row, conversation)
        row.incarnation = turn.standing.incarnation
        row.cleared = turn.standing.cleared
        conversations.save(self._db, row)
        return Life(row.incarnation, dropped)

    def _active(self, row: Row | None, conversation: Conversation) -> Row:
        row = row or conversations.unknown(digest_of(conversation), conversation, self._now)
        self._activate(row, conversation)
        return row

    def _activate(self, row: Row, conversation: Conversation | None) -> None:
        """Touch a conversation, so that it cannot lapse under its own write, and hold the bounds.

        Room is made before it is needed: on a full disk the space of what goes is used again.
        """
        limits = self._limits
        row.activity = conversations.next_activity(self._db)
        row.last_active_at = self._now
        if conversation is not None:
            row.host, row.reference = conversation.host, conversation.reference
        earliest, _ = rules.awake(self._now, limits)
        for lapsed in conversations.lapsed(self._db, earliest, besides=row.id, most=PURGED_AT_ONCE):
            conversations.forget(self._db, lapsed)
        total = tables.count(self._db, "conversation") + (not row.id)
        # No more at once than a hook has time for; what is over the bound is out of sight meanwhile.
        over = min(rules.surplus(total, limits.conversations), PURGED_AT_ONCE)
        for least in conversations.least_active(self._db, besides=row.id, most=over) if over else ():
            conversations.forget(self._db, least)
        if row.id:
            self._bound_candidates(row)
            self._bound_pending(row)
        else:
            conversations.save(self._db, row)

    def _bound_candidates(self, row: Row, room_for: int = 0) -> None:
        total, largest = held.sizes(self._db, row)
        if largest > self._limits.candidate_bytes:
            total -= held.drop_large(self._db, row, self._limits.candidate_bytes)
        if over := rules.surplus(total + room_for, self._limits.candidates):
            held.drop_lowest(self._db, row, over)

    def _bound_pending(self, row: Row, room_for: int = 0) -> None:
        total = tables.count(self._db, "pending", row.id)
        if over := rules.surplus(total + room_for, self._limits.candidates):
            held.drop_oldest_pending(self._db, row, over)

    def _candidate(self, row: Row, read: Read) -> Recorded:
        previous = held.take(self._db, row, read)
        self._bound_candidates(row, room_for=1)
        kept, change = rules.met(previous, read, self._limits)
        candidate = Candidate(kept, recorded_at=self._now, ordinal=row.next_ordinal)
        row.next_ordinal += 1
        held.put(self._db, row, candidate, rules.metadata_bytes(kept))
        return Recorded(candidate, change)


def _standing(row: Row | None) -> rules.Standing | None:
    return None if row is None else rules.Standing(row.incarnation, row.cleared)


def _sum(one: Pruned, other: Pruned) -> Pruned:
    return Pruned(
        one.conversations + other.conversations,
        one.candidates + other.candidates,
        one.pending + other.pending,
    )

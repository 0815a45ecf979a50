"""What a read shows: never what is cleared, marked, idle, expired, or over a bound, purged or not."""

from collections.abc import Iterator

import apsw
import msgspec

from contracts.conversation import Conversation
from contracts.limits import Limits
from contracts.outcome import Conversed
from contracts.read import PendingRead
from ledger import rules
from ledger.rows import conversations, held, tables
from ledger.rows.conversations import Row
from ledger.uncertain import Marks, digest_of


class Counts(msgspec.Struct, frozen=True):
    """What the tables hold, visible or not, and whether SQLite finds the file intact."""

    live: int
    cleared: int
    candidates: int
    pending: int
    intact: bool
    told: int = 0


class View:
    """One consistent look at the ledger; `now` is its time in milliseconds since the epoch.

    `schema` is the file's, which may be an older one.
    """

    def __init__(self, db: apsw.Connection, schema: int, limits: Limits, now: int, marks: Marks) -> None:
        """Look through an open transaction."""
        self.schema = schema
        self._db = db
        self._limits = limits
        self._now = now
        self._marks = marks

    def all(self, host: str | None, reference: str | None) -> Iterator[Conversed]:
        """Return the conversations that have something to show, most recently active first; None: any."""
        within = 0
        for row in conversations.every(self._db):
            # Rows are counted as the next write would: what lapses makes room, what is cleared takes it.
            within += not self._idle(row)
            if within > self._limits.conversations:
                break
            if host in {None, row.host} and reference in {None, row.reference} and self._open(row):
                yield from self._conversed(row)

    def one(self, conversation: Conversation) -> tuple[Conversed, ...]:
        """Return one conversation, if it has something to show."""
        row = self._found(conversation)
        return () if row is None else self._conversed(row)

    def pending(self, conversation: Conversation) -> tuple[PendingRead, ...]:
        """Return the pending reads of a conversation, in the order of noting, those over their time too.

        The host may have shown the delivery of one long ago.
        """
        row = self._found(conversation)
        if row is None:
            return ()
        return tuple(waiting for _, waiting in self._noted(row))

    def counts(self) -> Counts:
        """Count what there is and check the file, which takes time in proportion to its size."""
        cleared = sum(row.cleared for row in conversations.every(self._db))
        return Counts(
            live=tables.count(self._db, "conversation") - cleared,
            cleared=cleared,
            candidates=tables.count(self._db, "candidate"),
            pending=tables.count(self._db, "pending"),
            intact=tables.intact(self._db),
            told=tables.count(self._db, "told") if self.schema >= held.SINCE_TELL else 0,
        )

    def _idle(self, row: Row) -> bool:
        return rules.idle(self._now, row.last_active_at, self._limits)

    def _open(self, row: Row) -> bool:
        hidden = self._marks.everything or row.digest in self._marks.digests
        return not (hidden or row.cleared or self._idle(row))

    def _found(self, conversation: Conversation) -> Row | None:
        row = conversations.find(self._db, digest_of(conversation))
        if row is None or not self._open(row):
            return None
        ahead = conversations.rank(self._db, row, *rules.awake(self._now, self._limits))
        return row if ahead < self._limits.conversations else None

    def _noted(self, row: Row) -> list[tuple[int, PendingRead]]:
        return held.pending(self._db, row, self._limits.candidates, self.schema)

    def _waiting(self, row: Row) -> int:
        return sum(
            not rules.expired(self._now, waiting.noted_at, self._limits) for _, waiting in self._noted(row)
        )

    def _conversed(self, row: Row) -> tuple[Conversed, ...]:
        limits = self._limits
        candidates = held.candidates(self._db, row, limits.candidate_bytes, limits.candidates, self.schema)
        pending = self._waiting(row)
        if row.host is None or row.reference is None or not (candidates or pending):
            return ()
        conversation = Conversation(row.host, row.reference)
        told = held.told(self._db, row, rules.TOLD) if self.schema >= held.SINCE_TELL else ()
        return (Conversed(conversation, row.incarnation, row.last_active_at, candidates, pending, told),)

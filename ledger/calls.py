"""The calls to the ledger: values in, values out; every trouble of the store is a value, too."""

from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import msgspec

from contracts.conversation import Conversation
from contracts.limits import Limits
from contracts.outcome import (
    Life,
    Noted,
    Pruned,
    Ready,
    Recorded,
    Repeated,
    Settled,
    Skipped,
    Told,
    Unavailable,
)
from contracts.read import PendingRead, Read, Settlement
from ledger import rules, uncertain
from ledger.errors import ReadmarkError
from ledger.private import ensure_private
from ledger.rows.conversations import NOTHING
from ledger.store import Store
from ledger.transaction import Transaction
from ledger.trouble import translated
from ledger.view import Counts, View

T = TypeVar("T")

CLAIM_MS = 100
"""Longest wait for other processes to claim a subagent's start, which waits for that itself."""
TELLING_MS = 300
"""Longest wait for other processes to keep what a subagent was told, which waits for that itself."""
HIDDEN = "hidden until a later write clears it"


class Stats(msgspec.Struct, frozen=True):
    """The state of the store: its schema's version, its size in bytes, and what it holds.

    The version is 0 where there is no store yet, and an older one where nothing was written since an update.
    """

    schema: int
    bytes: int
    counts: Counts


class Ledger:
    """The ledger in one state folder, within limits.

    `clock` gives milliseconds since the epoch; `patience_ms` is the longest wait for other processes in
    one call. Nothing is opened before the first call, and nothing is made by a call that only reads.
    No call raises but for a bug of ours. Not for use by two threads at once.
    """

    def __init__(
        self, folder: Path, limits: Limits, clock: Callable[[], int], patience_ms: int = 1500
    ) -> None:
        """Remember where the ledger is and what it may hold."""
        self.folder = folder
        self.limits = limits
        self.clock = clock
        self._store = Store(folder, clock, patience_ms)

    def __enter__(self) -> Self:
        """Return the ledger itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file."""
        self.close()

    def close(self) -> None:
        """Close the file; the next call opens it again."""
        self._store.close()

    def pending(self, conversation: Conversation) -> tuple[PendingRead, ...] | Unavailable:
        """Return the reads whose delivery is not shown yet, in the order of noting."""
        if not rules.proven(conversation):
            return ()
        return self._read(lambda view: view.pending(conversation), ())

    def note(
        self, conversation: Conversation, pending: PendingRead
    ) -> Noted | Repeated | Skipped | Unavailable:
        """Keep what a call read until the host shows that its result was delivered.

        Items that can never be kept are withdrawn at once; where none is left, the first one's reason is the
        answer.
        """
        found = rules.noted(conversation, pending, self.limits)
        if isinstance(found, Skipped):
            return found
        kept, withdrawn = found
        return self._write(lambda write: write.note(conversation, kept, withdrawn))

    def record(
        self, conversation: Conversation, read: Read, event_id: str | None
    ) -> Recorded | Repeated | Skipped | Unavailable:
        """Keep a confirmed read as a candidate; without an event id nothing can be a repetition."""
        read = rules.ordered(read)
        refusal = rules.refused(conversation, read, event_id, self.limits)
        if refusal is not None:
            return refusal
        return self._write(lambda write: write.record(conversation, read, event_id))

    def settle(self, conversation: Conversation, settlements: Sequence[Settlement]) -> Settled | Unavailable:
        """Turn delivered pending reads into candidates as they were noted; drop refuted and expired ones.

        Of each item only the lines count that were noted and that every settlement of its call holds. An
        id that is not pending (any more) does nothing.
        """
        if not rules.proven(conversation):
            return Settled()
        return self._write_known(lambda write: write.settle(conversation, settlements), Settled())

    def tell(
        self, conversation: Conversation, incarnation: int, items: Sequence[str], left_out: int
    ) -> Told | Unavailable | None:
        """Keep what a subagent was told of a conversation's life; that is activity, too.

        None, with nothing changed, where that life is over. It waits for others no longer than TELLING_MS.
        """
        if not rules.proven(conversation):
            return None
        return self._write_known(
            lambda write: write.tell(conversation, incarnation, items, left_out), None, TELLING_MS
        )

    def claim(self, conversation: Conversation, event_id: str) -> Repeated | Unavailable | None:
        """Ask whether another call has claimed an event, and claim it if none has.

        It waits for others no longer than CLAIM_MS; where that is not enough, or the ledger takes no
        writes, the event is nobody's, and the answer says why.
        """
        return self._write_known(lambda write: write.claim(conversation, event_id), None, CLAIM_MS)

    def begin(self, conversation: Conversation) -> Life | Unavailable:
        """Start a new, empty life of a conversation, unless it is cleared or not known."""
        if not rules.proven(conversation):
            return Life(0)
        return self._write_known(lambda write: write.begin(conversation), Life(0))

    def resume(self, conversation: Conversation) -> Life | Unavailable:
        """Go on with a known conversation: with all it holds, or with nothing after a clear or idle time."""
        if not rules.proven(conversation):
            return Life(0)
        return self._write_known(lambda write: write.resume(conversation), Life(0))

    def clear(self, conversation: Conversation) -> Life | Unavailable:
        """End a conversation's life: nothing of it is shown again, and late events of it are refused.

        That holds even where the answer is Unavailable, as long as the state folder takes a file.
        """
        if not rules.proven(conversation):
            return Life(0)
        return self._clear(conversation, lambda write: write.clear(conversation))

    def clear_all(self) -> Pruned | Unavailable:
        """End the life of every conversation; says how many were live and what they held."""
        unknown = self._unknown()
        if unknown is not False:
            return NOTHING if unknown is True else unknown
        return self._clear(None, lambda write: write.clear_all())

    def prune(self) -> Pruned | Unavailable:
        """Remove for good what is idle, expired or over a bound, in all conversations."""
        return self._write_known(lambda write: write.prune(), NOTHING)

    def list(self, host: str | None = None, reference: str | None = None) -> Ready | Unavailable:
        """Return what was read, in all conversations or in those of a host or reference.

        Most recently active conversation first, newest candidate first; conversations that hold neither
        candidates nor pending reads are left out, whatever their subagents were told.
        """
        if host is None or reference is None:
            return self._read(lambda view: Ready(tuple(view.all(host, reference))), Ready(()))
        conversation = Conversation(host, reference)
        if not rules.proven(conversation):
            return Ready(())
        return self._read(lambda view: Ready(view.one(conversation)), Ready(()))

    def stats(self) -> Stats | Unavailable:
        """Return the state of the store, after a check of the whole file."""
        return self._read(
            lambda view: Stats(view.schema, self._store.bytes(), view.counts()),
            Stats(0, 0, Counts(0, 0, 0, 0, intact=True)),
        )

    def _read(self, look: Callable[[View], T], nothing: T) -> T | Unavailable:
        try:
            marks = self._waiting(None)
            if marks.unclear:
                return Unavailable("store-failed", "a clear is unfinished and its mark cannot be read")
            found = self._store.read(
                lambda db, schema: look(View(db, schema, self.limits, self.clock(), marks))
            )
        except ReadmarkError as error:
            return Unavailable(error.reason, error.detail)
        return nothing if found is None else found

    def _write(
        self, act: Callable[[Transaction], T], own: Path | None = None, patience_ms: int | None = None
    ) -> T | Unavailable:
        """Act in one transaction, after all marks but one's own have been carried out; then remove those."""
        done: list[Path] = []

        def work(transaction: Transaction) -> T:
            marks = self._waiting(own)
            done[:] = marks.files
            transaction.carry_out(marks)
            return act(transaction)

        try:
            outcome = self._store.write(
                lambda db: work(Transaction(db, self.limits, self.clock())), patience_ms
            )
        except ReadmarkError as error:
            return Unavailable(error.reason, error.detail)
        uncertain.remove(done)
        return outcome

    def _write_known(
        self, act: Callable[[Transaction], T], nothing: T, patience_ms: int | None = None
    ) -> T | Unavailable:
        """Act unless nothing is known; then there is nothing to act on, and no ledger is made."""
        unknown = self._unknown()
        if unknown is not False:
            return nothing if unknown is True else unknown
        return self._write(act, patience_ms=patience_ms)

    def _unknown(self) -> bool | Unavailable:
        """Whether there is no ledger yet, nor a clear that waits for one."""
        try:
            return self._store.absent() and not self._waiting(None).files
        except ReadmarkError as error:
            return Unavailable(error.reason, error.detail)

    def _clear(self, conversation: Conversation | None, act: Callable[[Transaction], T]) -> T | Unavailable:
        """Mark first, then clear, so that a failure or a kill in between leaves the mark."""
        own: Path | None = None
        marked = True
        try:
            ensure_private(self.folder)
            own = uncertain.mark(self.folder, conversation)
        except ReadmarkError as error:
            return Unavailable(error.reason, error.detail)
        except OSError:
            # A folder that takes no mark may still have a ledger that takes the clear.
            marked = False
        outcome = self._write(act, own)
        if not isinstance(outcome, Unavailable):
            uncertain.remove([own] if own is not None else [])
            return outcome
        return Unavailable(outcome.reason, "; ".join([outcome.detail, *[HIDDEN] * marked]))

    def _waiting(self, own: Path | None) -> uncertain.Marks:
        try:
            return uncertain.waiting(self.folder, besides=own)
        except OSError as error:
            raise translated(error, None) from None

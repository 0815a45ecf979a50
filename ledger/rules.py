"""The rules of the ledger, as pure functions: what is refused, what ends a life, what goes and when."""

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from contracts.conversation import REFERENCE_BYTES, Conversation
from contracts.limits import Limits
from contracts.outcome import Change, Skipped
from contracts.read import EVENT_ID_BYTES, File, PendingRead, Read, Settlement
from ledger.escape import encodable

LOCATOR_BYTES = 4096
"""Longest path of a transcript that is kept, in bytes of UTF-8: the longest that Linux opens."""
REMEMBERED = 4
"""How many event ids a conversation remembers, for each candidate that it may hold."""

TOLD = 32
"""How many briefings of its life a conversation keeps, the last ones: more subagents than start for one
request of a person. Each is smaller than its briefing, so all of them (9,000 bytes each at the very most)
take about what the candidates may take by default."""
LARGEST = 2**63 - 1
"""Largest whole number that SQLite keeps."""


class Standing(msgspec.Struct, frozen=True):
    """Which life a conversation is in, and whether a clear has ended it."""

    incarnation: int
    cleared: bool


class Turn(msgspec.Struct, frozen=True):
    """What a lifecycle event makes of a conversation; `emptied` says that all it held goes."""

    standing: Standing
    emptied: bool


def begun(standing: Standing | None) -> Turn | None:
    """Start a new, empty life; None leaves everything as it is.

    A stray start of an unknown conversation makes nothing that could push out another one, and
    a cleared conversation stays cleared.
    """
    if standing is None or standing.cleared:
        return None
    return Turn(Standing(standing.incarnation + 1, cleared=False), emptied=True)


def resumed(standing: Standing | None, *, idle: bool) -> Turn | None:
    """Go on with a life; one that was cleared or idle goes on as a new, empty one. None: nothing is known."""
    if standing is None:
        return None
    if standing.cleared or idle:
        return Turn(Standing(standing.incarnation + 1, cleared=False), emptied=True)
    return Turn(standing, emptied=False)


def cleared(standing: Standing | None) -> Turn:
    """End a life. An unknown conversation gets its mark too: a late event of it must be refused."""
    incarnation = 1 if standing is None else standing.incarnation
    return Turn(Standing(incarnation, cleared=True), emptied=True)


def awake(now: int, limits: Limits) -> tuple[int, int]:
    """Return the earliest and the latest last activity of a conversation that is not idle, in milliseconds.

    A stamp from the far future counts as idle too, so that no clock can make one live for ever. Yet any write
    may purge only what is before the earliest: a process whose own clock is behind must not purge what others
    write.
    """
    span = limits.idle_seconds * 1000
    return now - span, now + span


def idle(now: int, last_active_at: int, limits: Limits) -> bool:
    """Whether a conversation is out of sight; times in milliseconds."""
    earliest, latest = awake(now, limits)
    return not earliest <= last_active_at <= latest


def expired(now: int, noted_at: int, limits: Limits) -> bool:
    """Whether a pending read has waited too long, or bears a stamp as far in the future; in milliseconds."""
    return abs(now - noted_at) > limits.pending_seconds * 1000


def surplus(count: int, bound: int) -> int:
    """How many must go over a bound.

    Of candidates the lowest ordinal goes first (ties by item id), of pending reads the oldest, of
    conversations the least recently active.
    """
    return max(0, count - bound)


def remembered(limits: Limits) -> int:
    """How many event ids of a conversation are remembered, newest first to stay."""
    return REMEMBERED * limits.candidates


def change(previous: str | None, digest: str) -> Change:
    """How a read meets the digest that its item had before."""
    if previous is None:
        return "new"
    return "again" if previous == digest else "replaced"


def ordered(read: Read) -> Read:
    """Return the read with its sources in their fixed order, none twice."""
    sources = tuple(sorted(set(read.sources)))
    return read if sources == read.sources else msgspec.structs.replace(read, sources=sources)


def _texts(read: Read) -> tuple[str, ...]:
    own = (
        read.reader,
        read.store_scope,
        read.item_id,
        read.content_digest,
        read.title,
        read.applies_when,
    )
    file = () if read.file is None else (read.file.root, read.file.path)
    return own + file + tuple(text for source in read.sources for text in (source.pack, source.path))


def metadata_bytes(read: Read) -> int:
    """Size of what a candidate keeps, in bytes of UTF-8, its sources and its file included."""
    return sum(len(text.encode()) for text in _texts(read))


def _countable(file: File) -> bool:
    return 0 <= file.size <= LARGEST and -LARGEST <= file.mtime_ns <= LARGEST


def proven(conversation: Conversation) -> bool:
    """Whether the conversation has a reference that the ledger would ever accept."""
    if not encodable(conversation.host, conversation.reference):
        return False
    return 0 < len(conversation.reference.encode()) <= REFERENCE_BYTES


def refused(conversation: Conversation, read: Read, event_id: str | None, limits: Limits) -> Skipped | None:
    """Refuse what can never be kept, whatever the ledger holds; an event id of None is none, and fine."""
    texts = (conversation.host, conversation.reference, event_id or "", *_texts(read))
    if not encodable(*texts):
        return Skipped("result-malformed", "lone surrogate")
    if read.file is not None and not _countable(read.file):
        return Skipped("result-malformed", "size or time of the file")
    if not proven(conversation):
        return Skipped("conversation-unproven", f"reference of {len(conversation.reference.encode())} bytes")
    if event_id is not None and not 0 < len(event_id.encode()) <= EVENT_ID_BYTES:
        return Skipped("delivery-unproven", f"event id of {len(event_id.encode())} bytes")
    size = metadata_bytes(read)
    if size > limits.candidate_bytes:
        return Skipped("candidate-too-large", f"{size} of {limits.candidate_bytes} bytes")
    return None


def refused_pending(conversation: Conversation, pending: PendingRead, limits: Limits) -> Skipped | None:
    """Refuse a pending read that can never be kept or never be found again."""
    path = "" if pending.locator is None else pending.locator.path
    if not encodable(path, pending.result_digest):
        return Skipped("result-malformed", "lone surrogate")
    found = refused(conversation, pending.read, pending.event_id, limits)
    if found is None and len(path.encode()) > LOCATOR_BYTES:
        return Skipped("delivery-unproven", f"locator of {len(path.encode())} bytes")
    return found


Fate = Literal["waits", "delivered", "delivery-refuted", "delivery-expired"]


def verdicts(settlements: Sequence[Settlement]) -> dict[str, bool]:
    """Return what was settled by event id; where settlements contradict each other, "not delivered" wins."""
    said: dict[str, bool] = {}
    for settlement in settlements:
        said[settlement.event_id] = settlement.delivered and said.get(settlement.event_id, True)
    return said


def fate(pending: PendingRead, said: Mapping[str, bool], now: int, limits: Limits) -> Fate:
    """Say what becomes of a pending read; one that nothing is said of is forgotten after its time.

    What the host shows counts however late it is looked at: Codex shows it at once, and no event of
    that conversation may come for hours.
    """
    if pending.event_id in said:
        return "delivered" if said[pending.event_id] else "delivery-refuted"
    return "delivery-expired" if expired(now, pending.noted_at, limits) else "waits"

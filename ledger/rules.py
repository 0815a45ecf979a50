"""The rules of the ledger, as pure functions: what is refused, what ends a life, what goes and when."""

import msgspec

from contracts.conversation import REFERENCE_BYTES, Conversation
from contracts.limits import Limits
from contracts.lines import Lines, comparable, united
from contracts.outcome import Change, Skipped, Withdrawn
from contracts.read import EVENT_ID_BYTES, File, PendingRead, Read
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


class Known(msgspec.Struct, frozen=True):
    """What there is of an item before it is read again: a content, and which lines of it, None for all."""

    content_digest: str
    lines: Lines | None


def met(previous: Known | None, read: Read, limits: Limits) -> tuple[Read, Change]:
    """Return what is kept of an item that is read, and how that meets what there was of it before.

    Lines of one content come together; other content starts anew. Where both do not fit the bound of a
    candidate, the lines of before go: a claim may shrink.
    """
    if previous is None:
        return read, "new"
    if previous.content_digest != read.content_digest or not comparable(previous.lines, read.lines):
        return read, "replaced"
    both = msgspec.structs.replace(read, lines=united(previous.lines, read.lines))
    if metadata_bytes(both) > limits.candidate_bytes:
        return read, "replaced"
    return both, "again" if both.lines == previous.lines else "extended"


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
    """Size of what a candidate keeps, in bytes of UTF-8: sources, file and lines included."""
    lines = b"" if read.lines is None else msgspec.json.encode(read.lines)
    return sum(len(text.encode()) for text in _texts(read)) + len(lines)


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
    if read.lines is not None and not read.lines.shown:
        return Skipped("result-malformed", "no lines")
    if not proven(conversation):
        return Skipped("conversation-unproven", f"reference of {len(conversation.reference.encode())} bytes")
    if event_id is not None and not 0 < len(event_id.encode()) <= EVENT_ID_BYTES:
        return Skipped("delivery-unproven", f"event id of {len(event_id.encode())} bytes")
    size = metadata_bytes(read)
    if size > limits.candidate_bytes:
        return Skipped("candidate-too-large", f"{size} of {limits.candidate_bytes} bytes")
    return None


def noted(
    conversation: Conversation, pending: PendingRead, limits: Limits
) -> tuple[PendingRead, tuple[Withdrawn, ...]] | Skipped:
    """Return what can be noted of a call, and the items that can never be kept.

    It is refused where none is left, for the first item's reason, or where it could never be found again.
    """
    path = "" if pending.locator is None else pending.locator.path
    if not encodable(path, pending.result_digest):
        return Skipped("result-malformed", "lone surrogate")
    kept: list[Read] = []
    withdrawn: list[Withdrawn] = []
    for read in map(ordered, pending.reads):
        why = refused(conversation, read, pending.event_id, limits)
        if why is None:
            kept.append(read)
        else:
            withdrawn.append(Withdrawn(read, why))
    if not kept:
        return withdrawn[0].why
    if len(path.encode()) > LOCATOR_BYTES:
        return Skipped("delivery-unproven", f"locator of {len(path.encode())} bytes")
    return msgspec.structs.replace(pending, reads=tuple(kept)), tuple(withdrawn)

"""What was read, and what the ledger keeps of it."""

from collections.abc import Callable
from hashlib import sha256

import msgspec

from contracts.lines import Lines

EVENT_ID_BYTES = 256
"""Longest host event id that is accepted, in bytes of UTF-8."""


class Source(msgspec.Struct, frozen=True, order=True):
    """Where a part of an item came from: a pack and a path inside it, never an absolute path."""

    pack: str
    path: str


class File(msgspec.Struct, frozen=True):
    """The file that a read came from.

    `root` is an absolute folder on this machine, private to the ledger and never shown to an agent; `path` is
    the file's place in it with `/`, and `size` (bytes) and `mtime_ns` (nanoseconds since the epoch) are what
    one stat said when it was read.
    """

    root: str
    path: str
    size: int
    mtime_ns: int


class Read(msgspec.Struct, frozen=True):
    """One item that a reader returned, or a part of one that is a file, without its body.

    `store_scope` is an opaque id of the store that the item came from.
    `content_digest` names the item's content as the reader states it, as `algorithm:hex`.
    `sources` are all of them, sorted and without repeats.
    `file` is None where the reader knows of no single file.
    `lines` are those of the file that the model got, None where it got all of them.
    """

    reader: str
    store_scope: str
    item_id: str
    content_digest: str
    title: str
    applies_when: str
    sources: tuple[Source, ...]
    file: File | None = None
    lines: Lines | None = None


class Candidate(msgspec.Struct, frozen=True):
    """A confirmed read as the ledger keeps it.

    `recorded_at` is in milliseconds since the epoch and orders nothing; `ordinal` does.
    """

    read: Read
    recorded_at: int
    ordinal: int


class Locator(msgspec.Struct, frozen=True):
    """Where a host will show what it sent to the model: a byte offset in one of its own transcripts."""

    path: str
    offset: int


class PendingRead(msgspec.Struct, frozen=True):
    """What one call read, proven but for delivery: the host has not yet shown that the model got the result.

    `reads` are its items in the order in which the result shows them, at least one.
    `result_digest` lets an adapter recognise the result's text again without keeping it.
    """

    event_id: str
    reads: tuple[Read, ...]
    result_digest: str
    locator: Locator | None
    noted_at: int


class Settlement(msgspec.Struct, frozen=True):
    """What the model got of a pending read, with the lines that it got; no `reads` if it got nothing."""

    event_id: str
    reads: tuple[Read, ...] = ()


Sent = Callable[[PendingRead, str], tuple[Read, ...]]
"""Tells what of a pending read a text proves that a host sent to the model: items with the lines in it."""


def result_digest(text: str) -> str:
    """Return the SHA-256, in hex, of a result's text; white space around the text does not count."""
    return sha256(text.strip().encode()).hexdigest()

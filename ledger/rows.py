"""The rows of the ledger: every statement that reads or changes them, inside a transaction of the store."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import apsw
import msgspec

from contracts.conversation import Conversation
from contracts.outcome import Pruned, Told
from contracts.read import Candidate, File, Locator, PendingRead, Read, Source

NOTHING = Pruned(0, 0, 0)
SINCE_TELL = 2
"""The schema from which on there are told rows, and files of candidates."""

_sources = msgspec.json.Decoder(tuple[Source, ...])
_read = msgspec.json.Decoder(Read)
_file = msgspec.json.Decoder(File)
_items = msgspec.json.Decoder(tuple[str, ...])

_CONVERSATION = (
    "SELECT id, digest, host, reference, incarnation, cleared, next_ordinal, next_event, activity,"
    " last_active_at FROM conversation"
)
FIND = f"{_CONVERSATION} WHERE digest = ?"
ALL = f"{_CONVERSATION} ORDER BY activity DESC"
RANK = "SELECT count(*) FROM conversation WHERE activity > ? AND last_active_at BETWEEN ? AND ?"
ADD = "INSERT INTO conversation VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id"
SAVE = (
    "UPDATE conversation SET host = ?, reference = ?, incarnation = ?, cleared = ?, next_ordinal = ?,"
    " next_event = ?, activity = ?, last_active_at = ? WHERE id = ?"
)
NEXT_ACTIVITY = "SELECT coalesce(max(activity), 0) + 1 FROM conversation"
LAPSED = "SELECT id FROM conversation WHERE last_active_at < ? AND id <> ? ORDER BY last_active_at LIMIT ?"
LEAST_ACTIVE = "SELECT id FROM conversation WHERE id <> ? ORDER BY activity LIMIT ?"
SIZES = "SELECT count(*), max(bytes) FROM candidate WHERE conversation = ?"
DROP_LARGE = "DELETE FROM candidate WHERE conversation = ? AND bytes > ?"
LOWEST = "SELECT ordinal FROM candidate WHERE conversation = ? ORDER BY ordinal, item_id LIMIT ?"
DROP_CANDIDATE = "DELETE FROM candidate WHERE conversation = ? AND ordinal = ?"
TAKE = (
    "DELETE FROM candidate WHERE conversation = ? AND store_scope = ? AND item_id = ?"
    " RETURNING content_digest"
)
PUT = "INSERT INTO candidate VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_CANDIDATES = (
    "SELECT reader, store_scope, item_id, content_digest, title, applies_when, sources, {file},"
    " recorded_at, ordinal FROM candidate WHERE conversation = ? AND bytes <= ? ORDER BY ordinal DESC LIMIT ?"
)
CANDIDATES = _CANDIDATES.format(file="file")
CANDIDATES_OF_SCHEMA_1 = _CANDIDATES.format(file="NULL")
OLDEST_PENDING = "SELECT number FROM pending WHERE conversation = ? ORDER BY number LIMIT ?"
DROP_PENDING = "DELETE FROM pending WHERE conversation = ? AND number = ?"
NOTE = "INSERT INTO pending VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
PENDING = (
    "SELECT number, event_id, read, result_digest, locator_path, locator_offset, noted_at FROM pending"
    " WHERE conversation = ? ORDER BY number DESC LIMIT ?"
)
TOLD = "SELECT told_at, items, left_out FROM told WHERE conversation = ? ORDER BY number DESC LIMIT ?"
NEXT_TOLD = "SELECT coalesce(max(number), 0) + 1 FROM told WHERE conversation = ?"
FORGET_TOLD = "DELETE FROM told WHERE conversation = ? AND number <= ?"
TELL = "INSERT INTO told VALUES (?, ?, ?, ?, ?)"
SEEN = "SELECT 1 FROM seen WHERE conversation = ? AND digest = ?"
REMEMBER = "INSERT INTO seen VALUES (?, ?, ?)"
FORGET_EVENTS = "DELETE FROM seen WHERE conversation = ? AND number <= ?"


class Row(msgspec.Struct):
    """A conversation as it stands in the table; change it and `save` it. `id` is 0 before it is added."""

    id: int
    digest: bytes
    host: str | None
    reference: str | None
    incarnation: int
    cleared: bool
    next_ordinal: int
    next_event: int
    activity: int
    last_active_at: int


def _all(db: apsw.Connection, statement: str, *values: Any) -> list[Any]:
    return db.execute(statement, values).fetchall()


def _row(values: Any) -> Row:
    return Row(*(*values[:5], bool(values[5]), *values[6:]))


def unknown(digest: bytes, conversation: Conversation | None, now: int) -> Row:
    """Return the first life of a conversation without a row; nameless if only its digest is known."""
    host, reference = (None, None) if conversation is None else (conversation.host, conversation.reference)
    return Row(0, digest, host, reference, 1, False, 1, 1, 0, now)


def find(db: apsw.Connection, digest: bytes) -> Row | None:
    """Return the conversation of this digest."""
    found = db.execute(FIND, (digest,)).get
    return None if found is None else _row(found)


def every(db: apsw.Connection) -> Iterator[Row]:
    """Return all conversations as they are now, most recently active first."""
    return map(_row, _all(db, ALL))


def rank(db: apsw.Connection, row: Row, earliest: int, latest: int) -> int:
    """How many conversations were active after this one, of those with a stamp in a span of time."""
    return int(db.execute(RANK, (row.activity, earliest, latest)).get)


def next_activity(db: apsw.Connection) -> int:
    """Return a number above that of every conversation."""
    return int(db.execute(NEXT_ACTIVITY).get)


def save(db: apsw.Connection, row: Row) -> None:
    """Write a conversation's row, as a new one if it has no id yet."""
    values = (
        row.host,
        row.reference,
        row.incarnation,
        int(row.cleared),
        row.next_ordinal,
        row.next_event,
        row.activity,
        row.last_active_at,
    )
    if row.id:
        db.execute(SAVE, (*values, row.id))
    else:
        row.id = int(db.execute(ADD, (row.digest, *values)).get)


def count(db: apsw.Connection, table: str, row: Row | None = None) -> int:
    """Count a table of ours, in one conversation or in all."""
    if row is None:
        return int(db.execute(f"SELECT count(*) FROM {table}").get)  # noqa: S608 - a name of ours
    counted = db.execute(f"SELECT count(*) FROM {table} WHERE conversation = ?", (row.id,))  # noqa: S608 - same
    return int(counted.get)


def empty(db: apsw.Connection, conversation: int) -> Pruned:
    """Drop all that a life of a conversation holds; its row stays, and so do the ids of its events.

    An event of a life that has ended must not count again in the next one.
    """
    removed = []
    for table in ("candidate", "pending"):
        db.execute(f"DELETE FROM {table} WHERE conversation = ?", (conversation,))  # noqa: S608 - a name of ours
        removed.append(db.changes())
    db.execute("DELETE FROM told WHERE conversation = ?", (conversation,))
    return Pruned(0, removed[0], removed[1])


def forget(db: apsw.Connection, conversation: int) -> Pruned:
    """Drop a conversation with everything that it holds."""
    removed = empty(db, conversation)
    db.execute("DELETE FROM seen WHERE conversation = ?", (conversation,))
    db.execute("DELETE FROM conversation WHERE id = ?", (conversation,))
    return msgspec.structs.replace(removed, conversations=1)


def lapsed(db: apsw.Connection, before: int, besides: int, most: int) -> list[int]:
    """Return ids of conversations that were last active before a time, the oldest first."""
    return [found for (found,) in _all(db, LAPSED, before, besides, most)]


def least_active(db: apsw.Connection, besides: int, most: int) -> list[int]:
    """Return ids of conversations in the order of eviction."""
    return [found for (found,) in _all(db, LEAST_ACTIVE, besides, most)]


def sizes(db: apsw.Connection, row: Row) -> tuple[int, int]:
    """Return the number of a conversation's candidates and the bytes of the largest."""
    found = db.execute(SIZES, (row.id,)).get
    return found[0], found[1] or 0


def drop_large(db: apsw.Connection, row: Row, limit: int) -> int:
    """Drop candidates above a size and return how many went."""
    db.execute(DROP_LARGE, (row.id, limit))
    return db.changes()


def drop_lowest(db: apsw.Connection, row: Row, number: int) -> None:
    """Drop the candidates that go first."""
    for (ordinal,) in _all(db, LOWEST, row.id, number):
        db.execute(DROP_CANDIDATE, (row.id, ordinal))


def take(db: apsw.Connection, row: Row, read: Read) -> str | None:
    """Take an item's candidate out and return its digest, or None if there is none."""
    found = _all(db, TAKE, row.id, read.store_scope, read.item_id)
    return found[0][0] if found else None


def put(db: apsw.Connection, row: Row, candidate: Candidate, size: int) -> None:
    """Add a candidate whose item has none."""
    read = candidate.read
    db.execute(
        PUT,
        (
            row.id,
            read.store_scope,
            read.item_id,
            candidate.ordinal,
            size,
            candidate.recorded_at,
            read.reader,
            read.content_digest,
            read.title,
            read.applies_when,
            msgspec.json.encode(read.sources).decode(),
            None if read.file is None else msgspec.json.encode(read.file).decode(),
        ),
    )


def candidates(db: apsw.Connection, row: Row, largest: int, most: int, schema: int) -> tuple[Candidate, ...]:
    """Return a conversation's candidates up to a size and a number, newest first."""
    statement = CANDIDATES if schema >= SINCE_TELL else CANDIDATES_OF_SCHEMA_1
    return tuple(
        Candidate(
            Read(*(*values, _sources.decode(sources), None if file is None else _file.decode(file))),
            recorded_at,
            ordinal,
        )
        for *values, sources, file, recorded_at, ordinal in _all(db, statement, row.id, largest, most)
    )


def told(db: apsw.Connection, row: Row, most: int) -> tuple[Told, ...]:
    """Return what a conversation's subagents were told, the last first."""
    return tuple(Told(at, _items.decode(items), left) for at, items, left in _all(db, TOLD, row.id, most))


def tell(db: apsw.Connection, row: Row, told: Told, most: int) -> None:
    """Add what a subagent was told, after the oldest over a number have gone."""
    number = int(db.execute(NEXT_TOLD, (row.id,)).get)
    db.execute(FORGET_TOLD, (row.id, number - most))
    items = msgspec.json.encode(told.items).decode()
    db.execute(TELL, (row.id, number, told.at, items, told.left_out))


def note(db: apsw.Connection, row: Row, number: int, pending: PendingRead) -> None:
    """Add a pending read under the number of its event."""
    path, offset = (None, None) if pending.locator is None else (pending.locator.path, pending.locator.offset)
    db.execute(
        NOTE,
        (
            row.id,
            number,
            pending.noted_at,
            pending.event_id,
            pending.result_digest,
            path,
            offset,
            msgspec.json.encode(pending.read).decode(),
        ),
    )


def pending(db: apsw.Connection, row: Row, most: int) -> list[tuple[int, PendingRead]]:
    """Return the newest pending reads with their numbers, in the order of noting."""
    return [
        (
            number,
            PendingRead(
                event_id,
                _read.decode(read),
                digest,
                None if path is None else Locator(path, offset),
                noted_at,
            ),
        )
        for number, event_id, read, digest, path, offset, noted_at in reversed(
            _all(db, PENDING, row.id, most)
        )
    ]


def drop_pending(db: apsw.Connection, row: Row, number: int) -> None:
    """Drop one pending read by its number."""
    db.execute(DROP_PENDING, (row.id, number))


def drop_oldest_pending(db: apsw.Connection, row: Row, number: int) -> None:
    """Drop the pending reads that go first."""
    for (oldest,) in _all(db, OLDEST_PENDING, row.id, number):
        drop_pending(db, row, oldest)


def _digest(event_id: str) -> bytes:
    return sha256(event_id.encode()).digest()


def seen(db: apsw.Connection, row: Row, event_id: str) -> bool:
    """Whether the conversation remembers this event."""
    return db.execute(SEEN, (row.id, _digest(event_id))).get is not None


def remember(db: apsw.Connection, row: Row, event_id: str, most: int) -> int:
    """Remember an event, forget the oldest over a number, and return the event's own number."""
    number = row.next_event
    row.next_event += 1
    db.execute(REMEMBER, (row.id, _digest(event_id), number))
    db.execute(FORGET_EVENTS, (row.id, number - most))
    return number

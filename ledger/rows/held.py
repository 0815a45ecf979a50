"""The rows of what a conversation holds: candidates, pending reads, what was told, remembered events."""

from hashlib import sha256

import apsw
import msgspec

from contracts.lines import Lines
from contracts.outcome import Told
from contracts.read import Candidate, File, Locator, PendingRead, Read, Source
from ledger.rows.conversations import Row
from ledger.rows.tables import fetched
from ledger.rules import Known

SINCE_TELL = 2
"""The schema from which on there are told rows, and files of candidates."""
SINCE_LINES = 3
"""The schema from which on there are lines of candidates, and several reads in a pending row."""

_sources = msgspec.json.Decoder(tuple[Source, ...])
_reads = msgspec.json.Decoder(tuple[Read, ...])
_file = msgspec.json.Decoder(File)
_lines = msgspec.json.Decoder(Lines)
_items = msgspec.json.Decoder(tuple[str, ...])


SIZES = "SELECT count(*), max(bytes) FROM candidate WHERE conversation = ?"
DROP_LARGE = "DELETE FROM candidate WHERE conversation = ? AND bytes > ?"
LOWEST = "SELECT ordinal FROM candidate WHERE conversation = ? ORDER BY ordinal, item_id LIMIT ?"
DROP_CANDIDATE = "DELETE FROM candidate WHERE conversation = ? AND ordinal = ?"
TAKE = (
    "DELETE FROM candidate WHERE conversation = ? AND store_scope = ? AND item_id = ?"
    " RETURNING content_digest, lines"
)
PUT = "INSERT INTO candidate VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_CANDIDATES = (
    "SELECT reader, store_scope, item_id, content_digest, title, applies_when, sources, {file}, {lines},"
    " recorded_at, ordinal FROM candidate WHERE conversation = ? AND bytes <= ? ORDER BY ordinal DESC LIMIT ?"
)
CANDIDATES = _CANDIDATES.format(file="file", lines="lines")
CANDIDATES_OF_SCHEMA_2 = _CANDIDATES.format(file="file", lines="NULL")
CANDIDATES_OF_SCHEMA_1 = _CANDIDATES.format(file="NULL", lines="NULL")
OLDEST_PENDING = "SELECT number FROM pending WHERE conversation = ? ORDER BY number LIMIT ?"
DROP_PENDING = "DELETE FROM pending WHERE conversation = ? AND number = ?"
NOTE = "INSERT INTO pending VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_PENDING = (
    "SELECT number, event_id, {reads}, result_digest, locator_path, locator_offset, noted_at FROM pending"
    " WHERE conversation = ? ORDER BY number DESC LIMIT ?"
)
PENDING = _PENDING.format(reads="reads")
PENDING_OF_SCHEMA_2 = _PENDING.format(reads="'[' || read || ']'")
TOLD = "SELECT told_at, items, left_out FROM told WHERE conversation = ? ORDER BY number DESC LIMIT ?"
NEXT_TOLD = "SELECT coalesce(max(number), 0) + 1 FROM told WHERE conversation = ?"
FORGET_TOLD = "DELETE FROM told WHERE conversation = ? AND number <= ?"
TELL = "INSERT INTO told VALUES (?, ?, ?, ?, ?)"
SEEN = "SELECT 1 FROM seen WHERE conversation = ? AND digest = ?"
REMEMBER = "INSERT INTO seen VALUES (?, ?, ?)"
FORGET_EVENTS = "DELETE FROM seen WHERE conversation = ? AND number <= ?"


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
    for (ordinal,) in fetched(db, LOWEST, row.id, number):
        db.execute(DROP_CANDIDATE, (row.id, ordinal))


def take(db: apsw.Connection, row: Row, read: Read) -> Known | None:
    """Take an item's candidate out and return what it held, or None if there is none."""
    for digest, lines in fetched(db, TAKE, row.id, read.store_scope, read.item_id):
        return Known(digest, None if lines is None else _lines.decode(lines))
    return None


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
            None if read.lines is None else msgspec.json.encode(read.lines).decode(),
        ),
    )


def candidates(db: apsw.Connection, row: Row, largest: int, most: int, schema: int) -> tuple[Candidate, ...]:
    """Return a conversation's candidates up to a size and a number, newest first."""
    statement = CANDIDATES_OF_SCHEMA_1
    if schema >= SINCE_TELL:
        statement = CANDIDATES if schema >= SINCE_LINES else CANDIDATES_OF_SCHEMA_2
    found = fetched(db, statement, row.id, largest, most)
    return tuple(
        Candidate(
            Read(
                *(
                    *values,
                    _sources.decode(sources),
                    None if file is None else _file.decode(file),
                    None if lines is None else _lines.decode(lines),
                )
            ),
            recorded_at,
            ordinal,
        )
        for *values, sources, file, lines, recorded_at, ordinal in found
    )


def told(db: apsw.Connection, row: Row, most: int) -> tuple[Told, ...]:
    """Return what a conversation's subagents were told, the last first."""
    return tuple(Told(at, _items.decode(items), left) for at, items, left in fetched(db, TOLD, row.id, most))


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
            msgspec.json.encode(pending.reads).decode(),
        ),
    )


def pending(
    db: apsw.Connection, row: Row, most: int, schema: int = SINCE_LINES
) -> list[tuple[int, PendingRead]]:
    """Return the newest pending reads with their numbers, in the order of noting."""
    statement = PENDING if schema >= SINCE_LINES else PENDING_OF_SCHEMA_2
    return [
        (
            number,
            PendingRead(
                event_id,
                _reads.decode(reads),
                digest,
                None if path is None else Locator(path, offset),
                noted_at,
            ),
        )
        for number, event_id, reads, digest, path, offset, noted_at in reversed(
            fetched(db, statement, row.id, most)
        )
    ]


def drop_pending(db: apsw.Connection, row: Row, number: int) -> None:
    """Drop one pending read by its number."""
    db.execute(DROP_PENDING, (row.id, number))


def drop_oldest_pending(db: apsw.Connection, row: Row, number: int) -> None:
    """Drop the pending reads that go first."""
    for (oldest,) in fetched(db, OLDEST_PENDING, row.id, number):
        drop_pending(db, row, oldest)


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


def _digest(event_id: str) -> bytes:
    return sha256(event_id.encode()).digest()

"""The rows of conversations, and what goes with one of them."""

from collections.abc import Iterator
from typing import Any

import apsw
import msgspec

from contracts.conversation import Conversation
from contracts.outcome import Pruned
from ledger.rows.tables import fetched

NOTHING = Pruned(0, 0, 0)

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
    return map(_row, fetched(db, ALL))


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
    return [found for (found,) in fetched(db, LAPSED, before, besides, most)]


def least_active(db: apsw.Connection, besides: int, most: int) -> list[int]:
    """Return ids of conversations in the order of eviction."""
    return [found for (found,) in fetched(db, LEAST_ACTIVE, besides, most)]

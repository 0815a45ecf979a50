"""What can be asked of any table of the ledger."""

from typing import Any

import apsw


def fetched(db: apsw.Connection, statement: str, *values: Any) -> list[Any]:
    """Return all rows that a statement gives."""
    return db.execute(statement, values).fetchall()


def count(db: apsw.Connection, table: str, conversation: int | None = None) -> int:
    """Count the rows of a table of ours, in one conversation or in all."""
    if conversation is None:
        return int(db.execute(f"SELECT count(*) FROM {table}").get)  # noqa: S608 - a name of ours
    counted = db.execute(f"SELECT count(*) FROM {table} WHERE conversation = ?", (conversation,))  # noqa: S608 - same
    return int(counted.get)


def intact(db: apsw.Connection) -> bool:
    """Whether SQLite finds nothing wrong with the whole file; that takes time in proportion to its size."""
    return bool(db.execute("PRAGMA integrity_check(1)").get == "ok")

"""The ledger's one file: opened, checked, locked, and read or written in one transaction with a deadline."""

import contextlib
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import apsw

from ledger import schema
from ledger.errors import StoreError
from ledger.private import (
    LEDGER,
    Identity,
    checked_file,
    checked_folder,
    create_file,
    ensure_private,
    identity,
    tighten_files,
)
from ledger.trouble import CAUGHT, translated

T = TypeVar("T")

UNTOUCHED = frozenset({"store-corrupt", "store-newer"})
"""Why a file, with what lies beside it, is not even tidied up at closing."""

LONGEST_NAP = 0.025
"""Seconds between two looks at a lock."""

SETTINGS = """
PRAGMA secure_delete = ON;      -- what was cleared leaves the file
PRAGMA temp_store = MEMORY;     -- nothing goes to a temporary file
PRAGMA trusted_schema = OFF;    -- a schema that someone else wrote runs nothing
"""


class _LookAgain(Exception):  # noqa: N818 - no error, only a reason to try again
    """The name stands for another file now, or the file has another schema."""


def _run(connection: apsw.Connection, statements: str) -> None:
    # apsw stops at the first statement that returns a row, as some pragmas do, until it is fetched.
    connection.execute(statements).fetchall()


def _schema_of(connection: apsw.Connection) -> int:
    """Return the number of migrations that the file has had; 0 for an empty file.

    Raises StoreError("store-newer") with both versions, or StoreError("store-corrupt").
    """
    application, version, found = connection.execute(
        "SELECT application_id, user_version, (SELECT group_concat(name, '/') FROM sqlite_schema"
        " WHERE type = 'table' AND name NOT LIKE 'sqlite@_%' ESCAPE '@')"
        " FROM pragma_application_id, pragma_user_version"
    ).get
    tables = frozenset(found.split("/")) if found else frozenset()
    if not application and not version and not tables:
        return 0
    if application != schema.APPLICATION_ID:
        raise StoreError("store-corrupt", "not a ledger")
    known = len(schema.MIGRATIONS)
    if version > known:
        raise StoreError("store-newer", f"schema {version}, this readmark knows up to {known}")
    if version < 1 or tables != schema.MIGRATIONS[version - 1].tables:
        raise StoreError("store-corrupt", f"not the tables of schema {version}")
    return int(version)


class Store:
    """The ledger's file in one state folder; nothing is opened before the first call.

    `clock` gives milliseconds since the epoch, `patience_ms` the longest wait for other processes in one
    call. Not for use by two threads at once. Both ways in raise HomeError or StoreError, and then hold
    nothing open.
    """

    def __init__(self, folder: Path, clock: Callable[[], int], patience_ms: int) -> None:
        """Remember where the ledger is."""
        self._folder = folder
        self._clock = clock
        self._patience = patience_ms / 1000
        self._file = folder / LEDGER
        self._until = 0.0
        self._connection: apsw.Connection | None = None
        self._identity: Identity | None = None
        self._access = apsw.SQLITE_OPEN_READONLY
        self._suspect = False

    def close(self) -> None:
        """Close the file; an open transaction is rolled back. The next call opens it again."""
        connection, self._connection, self._identity = self._connection, None, None
        if connection is not None:
            with contextlib.suppress(apsw.Error):
                connection.close(force=True)

    def absent(self) -> bool:
        """Whether there is no ledger yet; raises as a read would."""
        try:
            return checked_folder(self._folder) is None or checked_file(self._path()) is None
        except OSError as error:
            raise translated(error, None) from None

    def write(self, work: Callable[[apsw.Connection], T], patience_ms: int | None = None) -> T:
        """Do the work in one transaction, on a file that is made if it must be; all of it or none.

        A file of an older schema is brought up in the same transaction. A damaged file is moved aside, and
        the next write starts afresh. `patience_ms` is for a write that is worth less of a wait than others.
        """
        ensure_private(self._folder)
        patience = self._patience if patience_ms is None else min(self._patience, patience_ms / 1000)
        return self._patiently(lambda: self._write(work), patience, mend=True)

    def read(self, work: Callable[[apsw.Connection, int], T]) -> T | None:
        """Do the work on one consistent view of the file; None if there is no ledger yet.

        The work is told the file's schema, which may be an older one: nothing is written, but for what
        SQLite itself must do to read after a crash.
        """
        if checked_folder(self._folder) is None:
            return None
        return self._patiently(lambda: self._read(work), self._patience, mend=False)

    def bytes(self) -> int:
        """Return the size of the file, within a read."""
        return self._file.stat().st_size

    def _path(self) -> Path:
        # SQLite refuses a link anywhere in the path; links above the folder are the user's choice.
        return Path(os.path.realpath(self._folder.parent), self._folder.name, LEDGER)

    def _wait(self, tries: int) -> bool:
        """Sleep a little; False if there is no time left for another try."""
        left = self._until - time.monotonic()
        if left <= 0:
            return False
        time.sleep(min(0.001 * (tries + 1), LONGEST_NAP, left))
        return True

    def _patiently(self, once: Callable[[], T], patience: float, *, mend: bool) -> T:
        """Try until it works, fails for good, or the patience ends; translate what goes wrong."""
        self._file = self._path()
        self._until = time.monotonic() + patience
        tries = 0
        while True:
            try:
                try:
                    return once()
                except CAUGHT as error:
                    raise translated(error, self._connection) from None
            except StoreError as error:
                diagnosed = self._identity
                if error.reason in UNTOUCHED and self._connection is not None:
                    # What lies beside such a file stays as it is.
                    self._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
                self.close()
                if error.reason == "store-locked" and self._wait(tries):
                    tries += 1
                    continue
                # A damaged page may lie where no write ever looks; a read that met it is not forgotten.
                self._suspect = error.reason == "store-corrupt" and not mend
                if error.reason == "store-corrupt" and mend and diagnosed is not None:
                    raise StoreError(error.reason, self._mended(diagnosed) or error.detail) from None
                raise
            except _LookAgain:
                self.close()
                if not self._wait(tries):
                    raise StoreError("store-locked", "the file keeps changing") from None
                tries += 1
            except BaseException:
                self.close()
                raise

    def _mended(self, diagnosed: Identity) -> str:
        from ledger.quarantine import move_aside  # noqa: PLC0415 - only a damaged ledger needs it

        try:
            aside = move_aside(self._file.parent, diagnosed, lambda: self._wait(0))
        except OSError:
            return ""
        return f"moved aside as {aside}" if aside else ""

    def _opened(self, access: int, *, make: bool = False) -> apsw.Connection | None:
        """Return a connection to the file that is there now, or None if none is and none may be made."""
        path = self._file
        found = checked_file(path)
        if self._connection is not None:
            if found == self._identity and self._access in {access, apsw.SQLITE_OPEN_READWRITE}:
                return self._connection
            self.close()
        if found is None and make:
            create_file(path)
            found = checked_file(path)
        if found is None:
            return None
        if access == apsw.SQLITE_OPEN_READWRITE:
            tighten_files(path)
        self._identity, self._access = found, access
        try:
            self._connection = apsw.Connection(str(path), flags=access | apsw.SQLITE_OPEN_NOFOLLOW)
        except apsw.CantOpenError:
            if identity(path) != found:
                raise _LookAgain from None
            raise
        # Before anything else: without it, processes that open a fresh file together fail at once.
        self._connection.set_busy_handler(self._wait)
        _run(self._connection, SETTINGS)
        return self._connection

    def _begun(self, connection: apsw.Connection, how: str) -> int:
        """Begin a transaction on the ledger's present file and return its schema."""
        connection.execute(f"BEGIN {how}")
        version = _schema_of(connection)
        # The file cannot be moved while we hold a lock on it, so this holds to the end.
        if identity(self._file) != self._identity:
            raise _LookAgain
        return version

    def _writer(self, *, make: bool) -> apsw.Connection:
        connection = self._opened(apsw.SQLITE_OPEN_READWRITE, make=make)
        if connection is None:
            raise _LookAgain
        return connection

    def _write(self, work: Callable[[apsw.Connection], T]) -> T:
        connection = self._writer(make=True)
        version = self._begun(connection, "IMMEDIATE")
        for number, step in enumerate(schema.MIGRATIONS[version:], version + 1):
            self._migrate(connection, number, step)
        if self._suspect and connection.execute("PRAGMA quick_check(1)").get != "ok":
            raise StoreError("store-corrupt", "a read met damage")
        outcome = work(connection)
        connection.execute("COMMIT")
        return outcome

    def _migrate(self, connection: apsw.Connection, number: int, step: schema.Migration) -> None:
        _run(connection, step.sql)
        connection.execute("INSERT INTO migration VALUES (?, ?)", (step.name, self._clock()))
        _run(
            connection,
            f"PRAGMA application_id = {schema.APPLICATION_ID}; PRAGMA user_version = {number}",
        )

    def _read(self, work: Callable[[apsw.Connection, int], T]) -> T | None:
        connection = self._opened(apsw.SQLITE_OPEN_READONLY)
        if connection is None:
            return None
        try:
            version = self._begun(connection, "DEFERRED")
        except (apsw.ReadOnlyError, apsw.CantOpenError):
            # A crash left a journal that must be played back first, which needs a hand that may write.
            self.close()
            connection = self._writer(make=False)
            version = self._begun(connection, "DEFERRED")
        outcome = work(connection, version) if version else None
        connection.execute("COMMIT")
        return outcome

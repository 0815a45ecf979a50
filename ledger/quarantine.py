"""Moving a damaged ledger aside, so that a fresh one can start and nothing is lost that a person may want."""

import contextlib
import fcntl
import os
from collections.abc import Callable
from pathlib import Path

from ledger.private import COMPANIONS, LEDGER, Identity, identity

KEPT = 3
"""How many damaged ledgers are kept; the oldest goes."""
PREFIX = "ledger.corrupt-"
LOCK_BYTES = (0x4000_0000, 512)
"""Start and length of the bytes by which SQLite locks a database (its file format, "the lock-byte page")."""


def _number(name: str) -> int | None:
    """Return the number of a ledger that was moved aside, from its name or a companion's."""
    for ending in (".db", *(f".db{companion}" for companion in COMPANIONS)):
        number = name.removeprefix(PREFIX).removesuffix(ending)
        if name == f"{PREFIX}{number}{ending}" and number.isascii() and number.isdigit():
            return int(number)
    return None


def _numbers(folder: Path) -> list[int]:
    return sorted({n for n in map(_number, os.listdir(folder)) if n is not None})  # noqa: PTH208 - names alone


def _lock_all(file: int, wait: Callable[[], bool]) -> bool:
    """Take the lock that SQLite takes to write, so that no reader, writer or other mover is in the file."""
    start, length = LOCK_BYTES
    while True:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, length, start)
        except OSError:
            if not wait():
                return False
        else:
            return True


def _move(folder: Path) -> str:
    numbers = _numbers(folder)
    aside = f"{PREFIX}{(numbers or [0])[-1] + 1}.db"
    # Companions first: a journal that stayed behind alone would be played into the fresh ledger.
    for ending in (*COMPANIONS, ""):
        with contextlib.suppress(FileNotFoundError):
            (folder / f"{LEDGER}{ending}").rename(folder / f"{aside}{ending}")
    for old in _numbers(folder)[:-KEPT]:
        for ending in ("", *COMPANIONS):
            with contextlib.suppress(FileNotFoundError):
                (folder / f"{PREFIX}{old}.db{ending}").unlink()
    return aside


def move_aside(folder: Path, diagnosed: Identity, wait: Callable[[], bool]) -> str:
    """Move the ledger's file away if it is still the one that was found damaged; return its new name.

    Two processes can find the damage at once. Both must hold the file's own lock to move it, and must
    then find that the name still stands for the damaged file; so the slower one sees that it is gone
    (or that a fresh one is there) and moves nothing. `wait` says whether there is time for another try.
    Returns "" if nothing was moved. Raises OSError.
    """
    path = folder / LEDGER
    file = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        if _lock_all(file, wait) and identity(path) == diagnosed:
            return _move(folder)
    finally:
        os.close(file)
    return ""

"""The bounded file that says what hooks did: host, event, outcome and reason, never a payload's text."""

import errno
import os
import stat
from pathlib import Path

import msgspec

from contracts.wire import Malformed, decode
from ledger.private import FILE_MODE, OTHERS

FILE = "diagnostics.jsonl"
OLDER = "diagnostics.1.jsonl"
BYTES = 131_072
"""Size at which the file becomes the older one; the two together hold at most about twice that."""

_SAFELY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
"""Neither a link nor a pipe in the file's place leads or holds us anywhere; Windows has no such flags."""


class Summary(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came of one payload: all names are our own, `detail` holds numbers and such names.

    `recorded` and `withdrawn` count the items of pending reads that settled on the way.
    """

    outcome: str
    reason: str = ""
    detail: str = ""
    recorded: int = 0
    withdrawn: int = 0


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One hook call. `at` is in milliseconds since the epoch, `ms` how long the call took.

    `event` is the host's name of a registered event, or "other"; `version` is the host's, where it is known.
    """

    at: int
    host: str
    event: str
    ms: int
    summary: Summary
    version: str = ""


def append(folder: Path, entry: Entry) -> None:
    """Add one line; a folder that does not exist or cannot be written is left as it is.

    One write of one short line with O_APPEND keeps lines of parallel hooks whole. Where the last line was
    cut, by a full disk or a kill, the new one begins on a line of its own.
    """
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | _SAFELY
    try:
        file = os.open(folder / FILE, flags, FILE_MODE)
    except OSError:
        return
    try:
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode) or status.st_nlink != 1:
            return
        if status.st_mode & OTHERS:
            os.fchmod(file, FILE_MODE)
        if status.st_size >= BYTES:
            (folder / FILE).replace(folder / OLDER)
        torn = status.st_size > 0 and os.pread(file, 1, status.st_size - 1) != b"\n"
        os.write(file, b"\n" * torn + msgspec.json.encode(entry) + b"\n")
    except OSError:
        return
    finally:
        os.close(file)


class Damage(msgspec.Struct, frozen=True):
    """What keeps one of the files from being read or written: its name, and what it is, in our own words."""

    name: str
    what: str


class Said(msgspec.Struct, frozen=True):
    """What the files hold, oldest first, and what is wrong with them."""

    entries: list[Entry]
    damage: tuple[Damage, ...] = ()


def entries(folder: Path) -> list[Entry]:
    """Return what the files hold, oldest first; lines that are no entries are passed over."""
    return said(folder).entries


def said(folder: Path) -> Said:
    """Return what the files hold and what is wrong with them; one that is not there is as good as empty.

    A line that a full disk cut is no damage: a file counts as damaged where most of it is no entries.
    """
    found: list[Entry] = []
    damage: list[Damage] = []
    for name in (OLDER, FILE):
        data = _read(folder / name)
        if isinstance(data, str):
            damage.append(Damage(name, data))
            continue
        lost = 0
        for line in data.splitlines():
            entry = decode(line, Entry)
            if isinstance(entry, Malformed):
                lost += len(line)
            else:
                found.append(entry)
        if 2 * lost > len(data):
            damage.append(Damage(name, "most of it is no diagnostics"))
    return Said(found, tuple(damage))


def _read(path: Path) -> bytes | str:
    """Return what a file holds, or what it is instead of a file that hooks can write and others read."""
    try:
        file = os.open(path, os.O_RDONLY | _SAFELY)
    except (FileNotFoundError, NotADirectoryError):
        return b""
    except OSError as error:
        return "it is a link" if error.errno == errno.ELOOP else _unreadable(error)
    try:
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode):
            return "it is no regular file"
        if status.st_nlink > 1:
            return "it has hard links"
        return os.read(file, 4 * BYTES)
    except OSError as error:
        return _unreadable(error)
    finally:
        os.close(file)


def _unreadable(error: OSError) -> str:
    return f"it cannot be read ({type(error).__name__})"


def opened(path: Path) -> int | None:
    """Return a descriptor to read one of the files, or None where there is no regular file to be read."""
    try:
        file = os.open(path, os.O_RDONLY | _SAFELY)
    except OSError:
        return None
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        return None
    return file

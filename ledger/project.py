"""Which project a folder belongs to, and what the project's own file says: on or off, and two lists.

The file comes with a project and may be of anybody's making: it is read within bounds, no link is followed,
nothing but a regular file is opened, and one with a fault keeps readmark out of the project.
"""

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from contracts.outcome import Skipped, Unavailable
from ledger.patterns import LISTS, Patterns, Wrong, take
from ledger.settings import Fault, without_mark

FILE = ".readmark.toml"
ENABLED = "enabled"
SCOPE = "scope"
SCOPE_BYTES = 256
"""Longest name of a store, in bytes of UTF-8."""
FILE_BYTES = 32_768
"""Largest project file that is read; two full lists of short patterns have a few KiB."""
LINE_DOTS = 256
"""How many dots a line may have: Python's TOML takes 34 s for one key of 30,000 parts."""
LEVELS = 128
"""How deep a folder may lie; one that lies deeper cannot be told on or off."""

_ABSENT = {errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG}
_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_KEYS = (ENABLED, SCOPE, *LISTS)


class Contents(msgspec.Struct, frozen=True):
    """What a project's file says; what it does not say holds by default.

    `scope` is a name by which all checkouts of the project are one store; without it each is one of its own.
    """

    enabled: bool = True
    patterns: Patterns = Patterns()
    scope: str = ""


class Project(msgspec.Struct, frozen=True):
    """The project of a folder: its root, its file if it has one, and what that says or is wrong with it."""

    root: Path
    file: Path | None = None
    contents: Contents = Contents()
    fault: Fault | None = None


def find(folder: Path) -> Project:
    """Return the project of a folder, which need not exist; never raises.

    The root is the nearest folder at or above it that holds `.readmark.toml`, else the nearest that holds
    `.git`, else the folder itself. The home and `/` count as any other folder. Links in the folder's own
    path are resolved first, as by the system where a program works in it.
    """
    levels = _levels(folder)
    if isinstance(levels, Project):
        return levels
    for project in _with_files(levels):
        return project
    repository = (level for level in levels if os.path.lexists(level / ".git"))
    return Project(next(repository, levels[0]))


def around(folder: Path, below: Path | None = None) -> Iterator[Project]:
    """Yield each project with a file at or above a folder, the nearest first; never raises.

    With `below`, only those whose roots lie below that folder; it itself has been asked already then.
    """
    levels = _levels(folder)
    for one in (levels,) if isinstance(levels, Project) else _with_files(levels):
        if below is None or below in one.root.parents:
            yield one


def why_not(folder: Path, below: Path | None = None) -> Skipped | Unavailable | None:
    """Return why nothing may be recorded or briefed in this folder, or None.

    What lies in a project that is off is off too, whatever a file nearer to it says. See `around`.
    """
    project = off(folder, below)
    if project is None:
        return None
    if project.fault is not None:
        return Unavailable("project-invalid", project.fault.place)
    return Skipped("project-off")


def off(folder: Path, below: Path | None = None) -> Project | None:
    """Return the nearest project around a folder that is switched off, or whose file has a fault."""
    shut = (one for one in around(folder, below) if one.fault is not None or not one.contents.enabled)
    return next(shut, None)


def _levels(folder: Path) -> Sequence[Path] | Project:
    """Return a folder and all above it, links resolved, or the project of one in which nobody can look."""
    try:
        start = Path(os.path.realpath(folder))
    except (OSError, ValueError) as error:
        return Project(folder, fault=Fault("folder", f"cannot be looked at ({type(error).__name__})"))
    levels = (start, *start.parents)
    if len(levels) > LEVELS:
        return Project(start, fault=Fault("folder", f"lies more than {LEVELS} levels deep"))
    return levels


def _with_files(levels: Sequence[Path]) -> Iterator[Project]:
    for level in levels:
        file = level / FILE
        try:
            status = file.lstat()
        except OSError as error:
            if error.errno not in _ABSENT:
                yield Project(level, file, fault=_unreadable(error))
            continue
        found = _read(file, status)
        yield Project(level, file, fault=found) if isinstance(found, Fault) else Project(level, file, found)


def understood(data: bytes) -> Contents | Fault:
    """Return what the bytes of a project's file say, or their first fault."""
    if len(data) > FILE_BYTES:
        return Fault(FILE, f"is larger than {FILE_BYTES} bytes")
    if any(line.count(b".") > LINE_DOTS for line in data.split(b"\n")):
        return Fault(FILE, f"has a line with more than {LINE_DOTS} dots")
    try:
        return _checked(msgspec.toml.decode(without_mark(data)))
    except RecursionError:
        return Fault(FILE, "is nested too deeply")
    except (msgspec.MsgspecError, ValueError) as error:
        return Fault(FILE, f"is no valid TOML: {error}")


def _checked(found: dict[str, Any]) -> Contents | Fault:
    unknown = found.keys() - set(_KEYS)
    if unknown:
        return Fault(
            FILE, f"has the unknown key {min(unknown)[:64]!r}; the known ones are {', '.join(_KEYS)}"
        )
    enabled = found.get(ENABLED, True)
    if not isinstance(enabled, bool):
        return Fault(f"{FILE}: {ENABLED}", "must be true or false")
    patterns = take(found)
    if isinstance(patterns, Wrong):
        return Fault(f"{FILE}: {patterns.place}", patterns.message)
    scope = found.get(SCOPE, "")
    if not isinstance(scope, str) or not scope.isprintable() or len(scope.encode()) > SCOPE_BYTES:
        return Fault(
            f"{FILE}: {SCOPE}", f"must be a text of at most {SCOPE_BYTES} bytes, all of them printable"
        )
    return Contents(enabled, patterns, scope)


def _unreadable(error: OSError) -> Fault:
    return Fault(FILE, f"cannot be read ({type(error).__name__})")


def _read(file: Path, status: os.stat_result) -> Contents | Fault:
    # Asked before it is opened: to open a device can already do something.
    if not stat.S_ISREG(status.st_mode):
        return Fault(FILE, "is no regular file")
    try:
        opened = os.open(file, _FLAGS)
        try:
            data = os.read(opened, FILE_BYTES + 1) if stat.S_ISREG(os.fstat(opened).st_mode) else None
        finally:
            os.close(opened)
    except OSError as error:
        return _unreadable(error)
    return Fault(FILE, "is no regular file") if data is None else understood(data)

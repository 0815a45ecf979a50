"""Whether the next write to the ledger could succeed, found out without changing anything."""

import os
import stat
from pathlib import Path

from contracts.outcome import Unavailable
from ledger.private import LEDGER, OTHERS, OURS

FULL = Unavailable("store-full")


def _may(path: Path, how: int) -> bool:
    # A file system that is mounted read-only answers no here too, even to root.
    return os.access(path, how, effective_ids=os.access in os.supports_effective_ids)


def _nearest(folder: Path) -> Path:
    """Return the folder itself or the first one above it that exists; raises OSError."""
    while True:
        try:
            folder.stat()
        except FileNotFoundError:
            folder = folder.parent
        else:
            return folder


def _full(folder: Path) -> bool:
    """Whether the file system is out of space or of places for files; one without a size never is."""
    found = os.statvfs(folder)
    return bool((found.f_blocks and not found.f_bavail) or (found.f_files and not found.f_favail))


def _above(folder: Path) -> Unavailable | None:
    """Say why no state folder can be made below this one."""
    status = folder.stat()
    if not stat.S_ISDIR(status.st_mode) or not _may(folder, os.W_OK | os.X_OK):
        return Unavailable("home-unusable", "nothing can be made in the folder above it")
    if status.st_uid not in {os.geteuid(), 0}:
        return Unavailable("home-foreign", f"owner {status.st_uid} of the folder above it")
    return None


def _inside(folder: Path) -> Unavailable | None:
    """Say why nothing can be written in this state folder."""
    if not _may(folder, os.W_OK | os.X_OK):
        return Unavailable("store-read-only", "the state folder")
    mode = folder.stat().st_mode
    names = os.listdir(folder)  # noqa: PTH208 - names are all that is asked for
    strangers = bool(names) and not any(name.startswith(OURS) for name in names)
    if mode & OTHERS and (mode & stat.S_ISVTX or strangers):
        return Unavailable("home-unusable", "the folder is shared and no state folder")
    if LEDGER in names and not _may(folder / LEDGER, os.W_OK):
        return Unavailable("store-read-only", "the file")
    return None


def unwritable(folder: Path) -> list[Unavailable]:
    """Return why the next write to the ledger in this state folder would fail; nothing if it should not."""
    try:
        place = _nearest(folder)
        trouble = _inside(folder) if place == folder else _above(place)
        return [*([trouble] if trouble is not None else []), *([FULL] if _full(place) else [])]
    except OSError as error:
        return [Unavailable("home-unusable", type(error).__name__)]

"""The state folder and its files as this user's alone: made so, checked, and tightened.

POSIX only: on Windows a user's profile is private already, and owners have no numbers.
"""

import contextlib
import os
import stat
from pathlib import Path

from ledger.errors import HomeError, StoreError

LEDGER = "ledger.db"
COMPANIONS = ("-journal", "-wal", "-shm")
"""What SQLite adds to a database's name for the files that it keeps beside it."""
OURS = ("ledger.", "diagnostics.", "config.toml")
"""How names of files start that mark a folder as a state folder."""

FOLDER_MODE = 0o700
FILE_MODE = 0o600
OTHERS = 0o077
"""Permissions of everyone else. Those of the owner stay: who made a ledger read-only meant it."""

Identity = tuple[int, int]
"""Device and inode: whether a name still stands for the very file that was opened."""


def _unusable(error: OSError) -> HomeError:
    return HomeError("home-unusable", type(error).__name__)


def _owned(status: os.stat_result) -> bool:
    return status.st_uid == os.geteuid()


def _may_build_below(status: os.stat_result) -> bool:
    # For root this leaves root alone: under sudo, HOME may still be another user's.
    return status.st_uid in {os.geteuid(), 0}


def _make(folder: Path) -> None:
    """Make a missing folder and its missing parents, all of them 0700."""
    missing = [folder]
    while True:
        above = missing[-1].parent
        try:
            status = above.stat()
        except FileNotFoundError:
            missing.append(above)
            continue
        break
    if not _may_build_below(status):
        raise HomeError("home-foreign", f"owner {status.st_uid}")
    for part in reversed(missing):
        with contextlib.suppress(FileExistsError):
            part.mkdir(FOLDER_MODE)
            part.chmod(FOLDER_MODE)


def _holds_only_strangers(folder: Path) -> bool:
    names = os.listdir(folder)  # noqa: PTH208 - names are all that is asked for
    return bool(names) and not any(name.startswith(OURS) for name in names)


def checked_folder(folder: Path) -> os.stat_result | None:
    """Return the folder's status, or None if it does not exist; changes nothing.

    Raises HomeError: "home-foreign" with the owner's uid, or "home-unusable" for a symbolic link, for
    no folder, for a relative path, and for a path that cannot be looked at.
    """
    if not folder.is_absolute():
        raise HomeError("home-unusable", "the path is not absolute")
    try:
        status = folder.lstat()
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise HomeError("home-unusable", type(error).__name__) from None
    if not stat.S_ISDIR(status.st_mode):
        raise HomeError("home-unusable", "the state folder is a symbolic link or no folder")
    if not _owned(status):
        raise HomeError("home-foreign", f"owner {status.st_uid}")
    return status


def ensure_private(folder: Path) -> None:
    """Make the state folder, or check it, so that it is this user's and closed to others.

    Nothing is made below the folder of another user (root's is fine), nor, for root, below anyone's but
    root's own. A folder that is open to others is tightened only if it is empty or holds files of ours:
    a slip in READMARK_HOME must not lock others out of a shared folder. Raises HomeError.
    """
    try:
        status = checked_folder(folder)
        if status is None:
            _make(folder)
            status = checked_folder(folder) or folder.lstat()
        mode = stat.S_IMODE(status.st_mode)
        if not mode & OTHERS:
            return
        if mode & stat.S_ISVTX or _holds_only_strangers(folder):
            raise HomeError("home-unusable", "the folder is shared and no state folder")
        # What its owner took from itself stays taken.
        folder.chmod(mode & FOLDER_MODE)
    except OSError as error:
        raise _unusable(error) from None


def identity(file: Path) -> Identity | None:
    """Return which file the name stands for now, or None if there is none."""
    try:
        status = file.lstat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def checked_file(file: Path) -> Identity | None:
    """Return the identity of the ledger's file, or None if there is none; never opens it.

    Opening and closing it here would drop the locks that SQLite holds on it in this process.
    Raises StoreError("store-foreign") with the owner's uid, or StoreError("store-linked").
    """
    try:
        status = file.lstat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise StoreError("store-linked", "no regular file")
    if not _owned(status):
        raise StoreError("store-foreign", f"owner {status.st_uid}")
    if status.st_nlink != 1:
        raise StoreError("store-linked", f"{status.st_nlink} hard links")
    return status.st_dev, status.st_ino


def create_file(file: Path) -> None:
    """Make an empty private file; one that is there already is left alone. Raises OSError."""
    with contextlib.suppress(FileExistsError):
        opened = os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, FILE_MODE)
        try:
            os.fchmod(opened, FILE_MODE)
        finally:
            os.close(opened)


def tighten_files(file: Path) -> None:
    """Close the ledger's file and its companions to others, whatever umask made them. Raises OSError."""
    for name in (file, *(file.with_name(file.name + companion) for companion in COMPANIONS)):
        with contextlib.suppress(FileNotFoundError):
            status = name.lstat()
            if status.st_mode & OTHERS and stat.S_ISREG(status.st_mode) and _owned(status):
                name.chmod(FILE_MODE)

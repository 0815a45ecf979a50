"""The host's file on the disk: read whole, backed up, written beside and renamed into its place.

POSIX only, as `ledger.private` is.
"""

import contextlib
import os
import secrets
import stat
from collections.abc import Sequence
from pathlib import Path

import msgspec

from ledger.install.likeness import Unkept, liken
from ledger.private import FILE_MODE, FOLDER_MODE, Identity

FILE_BYTES = 512 * 1024
"""Largest file that is read; what people write there by hand has a few KiB."""
BACKUP = ".readmark-backup"
BOM = b"\xef\xbb\xbf"


class Refusal(msgspec.Struct, frozen=True):
    """Why a file was left as it is; `line` and `column` are 0 where the fault has no place in a text.

    `by_hand` says that a person may do the same in an editor, which is then the other way out.
    """

    message: str
    remedy: str
    line: int = 0
    column: int = 0
    by_hand: bool = False


class Found(msgspec.Struct, frozen=True):
    """A file as it was read: its very bytes, and whose it is; without a status there is none."""

    target: Path
    data: bytes = b""
    status: os.stat_result | None = None

    @property
    def identity(self) -> tuple[Identity, int, int] | None:
        """What changes when somebody else writes the file."""
        return None if self.status is None else _identity(self.status)


class Changed(Exception):  # noqa: N818 - a reason to look again
    """The file became another one while we worked on it."""


def read(file: Path) -> Found | Refusal:
    """Read the file that a name stands for, through every symbolic link; changes nothing."""
    target = Path(os.path.realpath(file))
    try:
        status = target.stat()
        if not stat.S_ISREG(status.st_mode):
            return Refusal("It is no regular file.", "Move it away.")
        if status.st_size > FILE_BYTES:
            return Refusal(f"It has more than {FILE_BYTES:,} bytes.", "Make it smaller.", by_hand=True)
        data = target.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return Found(target)
    except OSError as error:
        return failed(error, target)
    return Found(target, data, status)


def unkept(error: Unkept) -> Refusal:
    """Return which attribute cannot be kept, as a refusal."""
    return Refusal(
        f"Its extended attribute {error.args[0]} could not be kept: {error.args[1]}.",
        "Remove the attribute.",
        by_hand=True,
    )


def failed(error: OSError, target: Path | None = None) -> Refusal:
    """Return what the system said, as a refusal; another file than the target is named.

    What is written beside the target, to take its place, stands for the target itself.
    """
    words = error.strerror or type(error).__name__
    named = error.filename2 or error.filename
    remedy = "See that you may read and write it."
    if target is None or not isinstance(named, str | os.PathLike):
        return Refusal(f"{words}.", remedy)
    other = Path(named)
    same = other == target or (other.parent == target.parent and other.name.startswith(_draft(target)))
    return Refusal(f"{words}." if same else f"{words}: {other}.", remedy)


def unwritable(found: Found) -> Refusal | None:
    """Return why a file must not be written, or None; asks also where root could do as it likes."""
    status = found.status
    if status is not None:
        if status.st_nlink != 1:
            return Refusal(
                "It has a second name (a hard link), which would keep the old text.",
                "Use a symbolic link instead.",
            )
        if not _may_write(found.target, status):
            return Refusal("It is read-only.", "Make it writable, if you want it changed.")
    folder, above = _nearest(found.target.parent)
    if not stat.S_ISDIR(above.st_mode):
        return Refusal(f"{folder} is no folder.", "Move it away.")
    if not _may_write(folder, above):
        return Refusal(f"The folder {folder} is read-only.", "Make it writable, if you want it changed.")
    if status is None and above.st_uid not in {os.geteuid(), 0}:
        # What root makes in another's home, its owner could not change any more.
        return Refusal(f"The folder {folder} belongs to another user.", "Run this as that user.")
    return None


def write(found: Found, data: bytes) -> tuple[Path, ...]:
    """Put other bytes in the place of a file, whole or not at all, with all that it has besides.

    That is its mode, its owner, and where the system lets Python (Linux) its extended attributes, access
    lists among them. Returns the folders that were made for it, the outermost first; where it fails they
    go again. Raises OSError, Unkept, and Changed where the file is not the one that was found any more.
    """
    made = _make(found.target.parent)
    try:
        _put(found.target, data, found, found)
    except BaseException:
        unmake(made)
        raise
    return made


def backup_of(target: Path) -> Path:
    """Return where the backup of a file is, or would be."""
    return target.with_name(target.name + BACKUP)


def no_room(found: Found) -> Refusal | None:
    """Return why the backup cannot be made, or None: what stands in its place is somebody's."""
    kept = backup_of(found.target)
    if os.path.lexists(kept) and not stat.S_ISREG(kept.lstat().st_mode):
        return Refusal(
            f"The place of its backup, {kept}, is taken by what is no regular file.", "Move that away."
        )
    return None


def back_up(found: Found) -> Path:
    """Write the bytes that were found beside the file, over an earlier backup; raises OSError."""
    kept = backup_of(found.target)
    _put(kept, found.data, found, None)
    return kept


def backup(found: Found) -> bytes | None:
    """Return what the backup holds, or None where there is none that is a file; raises OSError."""
    kept = backup_of(found.target)
    try:
        return kept.read_bytes() if stat.S_ISREG(kept.lstat().st_mode) else None
    except FileNotFoundError:
        return None


def take_back(found: Found, before: bytes | None) -> None:
    """Let the backup be again what it was before, or none, as far as that can be done."""
    with contextlib.suppress(OSError):
        if before is None:
            drop_backup(found)
        else:
            _put(backup_of(found.target), before, found, None)


def drop_backup(found: Found) -> None:
    """Remove the backup; raises OSError."""
    backup_of(found.target).unlink()


def remove(found: Found) -> None:
    """Remove a file that holds nothing any more; raises OSError, and Changed."""
    _check(found)
    found.target.unlink()


def _identity(status: os.stat_result) -> tuple[Identity, int, int]:
    return (status.st_dev, status.st_ino), status.st_size, status.st_mtime_ns


def _check(found: Found) -> None:
    try:
        now = _identity(found.target.stat())
    except FileNotFoundError:
        now = None
    if now != found.identity:
        raise Changed


def _may_write(path: Path, status: os.stat_result) -> bool:
    # What has gone since it was looked at is in nobody's way.
    return bool(status.st_mode & stat.S_IWUSR) and (os.access(path, os.W_OK) or not path.exists())


def _nearest(folder: Path) -> tuple[Path, os.stat_result]:
    """Return the nearest folder that there is."""
    while True:
        try:
            return folder, folder.stat()
        except (FileNotFoundError, NotADirectoryError):
            folder = folder.parent


def unmake(folders: Sequence[Path]) -> None:
    """Remove folders that are empty, the innermost first; what is in use, or is gone, stays so."""
    for folder in reversed(folders):
        with contextlib.suppress(OSError):
            folder.rmdir()


def missing(folder: Path) -> tuple[Path, ...]:
    """Return the folders that would have to be made for a folder to be there, the outermost first."""
    found: list[Path] = []
    while not folder.exists():
        found.append(folder)
        folder = folder.parent
    return tuple(reversed(found))


def _make(folder: Path) -> tuple[Path, ...]:
    made = missing(folder)
    for part in made:
        with contextlib.suppress(FileExistsError):
            part.mkdir(FOLDER_MODE)
            part.chmod(FOLDER_MODE)  # whatever the umask took
    return made


def _draft(target: Path) -> str:
    """Return how the names of files begin that are to take the place of a file."""
    return f".{target.name}.readmark-"


def _put(target: Path, data: bytes, like: Found, found: Found | None) -> None:
    draft = target.with_name(_draft(target) + secrets.token_hex(6))
    opened = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, FILE_MODE)
    try:
        with os.fdopen(opened, "wb") as file:
            file.write(data)
            file.flush()
            if like.status is None:
                os.fchmod(opened, FILE_MODE)  # whatever the umask took
            else:
                liken(opened, like.target, like.status)
            os.fsync(opened)
        if found is not None:
            _check(found)
        os.replace(draft, target)  # noqa: PTH105 - the name says that it replaces
    except BaseException:
        draft.unlink()
        raise

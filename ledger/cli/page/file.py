"""The page's way into a file: private, whole or not at all."""

import contextlib
import os
import secrets
import stat
from pathlib import Path

from ledger.private import FILE_MODE

NAME = "show.html"
"""The page's name in the state folder."""


def aimed(named: Path) -> Path | str:
    """Return the file that a name given by a person stands for, or why the page must not go there.

    A link is followed, unless another user put it there: that could lead the page, or the loss of a file,
    anywhere. A file that its owner made read-only stays, for root too; nothing but a regular file is
    replaced, and none is opened. Raises OSError.
    """
    target = Path(os.path.realpath(named))
    try:
        link = named.lstat()
        if stat.S_ISLNK(link.st_mode) and link.st_uid not in {os.geteuid(), 0}:
            return "it is a link of another user"
        status = named.stat()
    except FileNotFoundError:
        return target
    if stat.S_ISDIR(status.st_mode):
        return "it is a folder"
    if not stat.S_ISREG(status.st_mode):
        return "it is no regular file; - is standard output"
    if status.st_uid != os.geteuid():
        return "it belongs to another user"
    if not (status.st_mode & stat.S_IWUSR and os.access(target, os.W_OK)):
        return "it is read-only"
    return target


def put(file: Path, data: bytes) -> None:
    """Write a file in one step, for its owner alone; raises OSError.

    A link in its place is replaced, not followed: nobody can lead the page elsewhere. Nothing that is there
    is opened: a pipe without a reader would never let go.
    """
    draft = file.with_name(f".{NAME}.{secrets.token_hex(6)}")
    opened = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, FILE_MODE)
    try:
        with os.fdopen(opened, "wb") as out:
            os.fchmod(opened, FILE_MODE)
            out.write(data)
        os.replace(draft, file)  # noqa: PTH105 - the name says that it replaces
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise


def forget(folder: Path) -> None:
    """Remove the page from the state folder: it shows what was there before. Raises OSError."""
    (folder / NAME).unlink(missing_ok=True)

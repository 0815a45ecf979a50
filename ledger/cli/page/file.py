"""The page's way into a file: private, whole or not at all."""

import contextlib
import os
import secrets
import stat
from pathlib import Path

from ledger.private import FILE_MODE

NAME = "show.html"
"""The page's name in the state folder."""


def put(file: Path, data: bytes) -> None:
    """Write a file in one step, for its owner alone; raises OSError.

    A link in its place is replaced, not followed: nobody can lead the page elsewhere. What is no regular
    file (a pipe, a device) is written into as it is.
    """
    try:
        kind = file.lstat().st_mode
    except FileNotFoundError:
        kind = stat.S_IFREG
    if not (stat.S_ISREG(kind) or stat.S_ISLNK(kind) or stat.S_ISDIR(kind)):
        file.write_bytes(data)
        return
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

"""Whether the file that a read came from is still what was read."""

import os
from hashlib import sha256
from pathlib import Path
from stat import S_ISLNK, S_ISREG
from typing import Literal

from contracts.read import Candidate, Read

BYTES = 1024 * 1024
"""Most of a file that is read: the bound of what a reader of files accepts."""

State = Literal["same", "changed", "gone"]
"""`same` too for what has no file: its reader alone knows."""


def state(read: Read) -> State:
    """Look at the file: one stat where nothing was written since, else its bytes if the size is the same.

    What cannot be looked at counts as gone. Never raises.
    """
    if read.file is None:
        return "same"
    try:
        path = Path(read.file.root, read.file.path)
        found = path.lstat()
        if S_ISLNK(found.st_mode):
            # Whether it may be one is said before (`ledger.reach`).
            path = path.resolve()
            found = path.lstat()
        if not S_ISREG(found.st_mode):
            return "gone"
        if found.st_size != read.file.size:
            return "changed"
        if found.st_mtime_ns == read.file.mtime_ns or _digest(path) == read.content_digest:
            return "same"
    except (OSError, ValueError):
        return "gone"
    return "changed"


def standing(candidates: tuple[Candidate, ...]) -> tuple[tuple[Candidate, State], ...]:
    """Return those whose files are still there, each with how its file is, in their order."""
    looked = ((candidate, state(candidate.read)) for candidate in candidates)
    return tuple((candidate, how) for candidate, how in looked if how != "gone")


def _digest(path: Path) -> str:
    """Return the digest of a regular file that had the size of a read one when it was looked at."""
    file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        # No pipe has a place to read at, so what became one meanwhile is an error.
        return f"sha256:{sha256(os.pread(file, BYTES, 0)).hexdigest()}"
    finally:
        os.close(file)

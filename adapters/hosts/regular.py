"""Reads a bounded part of a regular file, whatever lies there; a pipe without a writer does not block."""

import os
from pathlib import Path
from stat import S_ISREG

_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


def read(path: str | Path, limit: int, offset: int = 0, *, links: bool = False) -> bytes | None:
    """Return at most `limit` bytes of a file from `offset` on; `links` says whether it may be a link.

    None where it is missing, no regular file, or cannot be read. Never raises.
    """
    try:
        file = os.open(path, _FLAGS | (0 if links else os.O_NOFOLLOW))
    except (OSError, ValueError):
        return None
    try:
        return os.pread(file, limit, offset) if S_ISREG(os.fstat(file).st_mode) else None
    except (OSError, ValueError, OverflowError):
        return None
    finally:
        os.close(file)

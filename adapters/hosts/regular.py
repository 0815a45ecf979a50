"""Reads parts of a regular file, whatever lies in its place; a pipe without a writer does not block."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from stat import S_ISREG

import msgspec

_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class File(msgspec.Struct):
    """A file that is open; `size` is what it had then, in bytes."""

    descriptor: int
    size: int

    def read(self, size: int, offset: int) -> bytes:
        """Return what is there, nothing where it cannot be read."""
        try:
            return os.pread(self.descriptor, size, offset)
        except (OSError, ValueError, OverflowError):
            return b""


@contextmanager
def opened(path: str | Path, *, links: bool = False) -> Iterator[File | None]:
    """Open a regular file at an absolute path, or give None; `links` says whether it may be a link."""
    descriptor = file = None
    try:
        if Path(path).is_absolute():
            descriptor = os.open(path, _FLAGS | (0 if links else os.O_NOFOLLOW))
            status = os.fstat(descriptor)
            file = File(descriptor, status.st_size) if S_ISREG(status.st_mode) else None
    except (OSError, ValueError):
        # ValueError: a NUL or a lone surrogate in the path.
        file = None
    try:
        yield file
    finally:
        if descriptor is not None:
            os.close(descriptor)


def read(path: str | Path, limit: int, offset: int = 0, *, links: bool = False) -> bytes | None:
    """Return at most `limit` bytes of a file from `offset` on, None where it cannot be opened."""
    with opened(path, links=links) as file:
        return None if file is None else file.read(limit, offset)

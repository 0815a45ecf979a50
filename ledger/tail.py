"""Follows the diagnostics as hooks write them: through every change of the file, and before there is one."""

import os
from pathlib import Path
from typing import Self

from contracts.wire import Malformed, decode
from ledger.diagnostics import FILE, Entry, opened
from ledger.private import Identity

BLOCK = 1 << 16
LINE = 4096
"""Longest piece of a line that is kept until its end comes; ours have a few hundred bytes."""


class Tail:
    """What hooks write from now on; look at it again and again, each look costs two calls of the system."""

    def __init__(self, folder: Path) -> None:
        """Begin at the end of the file that is there now; a folder that does not exist yet is empty."""
        self._folder = folder
        self._now = _Followed.at(folder, from_end=True)
        self._before: _Followed | None = None

    def __enter__(self) -> Self:
        """Return the tail itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close what is open."""
        self.close()

    def close(self) -> None:
        """Close what is open."""
        for one in (self._now, self._before):
            if one is not None:
                one.close()
        self._now = self._before = None

    def new(self) -> list[Entry]:
        """Return what was written since the last look, oldest first."""
        lines: list[bytes] = []
        if self._before is not None:
            # A hook may have opened the file just before it was moved away.
            lines += self._before.lines()
            self._before.close()
            self._before = None
        if self._now is not None:
            lines += self._now.lines()
        if self._moved():
            found = _Followed.at(self._folder)
            if found is not None:
                self._before, self._now = self._now, found
                lines += self._now.lines()
        entries = [decode(line, Entry) for line in lines]
        return [entry for entry in entries if not isinstance(entry, Malformed)]

    def _moved(self) -> bool:
        """Whether another file stands in the place of the one that is followed."""
        try:
            status = (self._folder / FILE).lstat()
        except OSError:
            return False
        return self._now is None or (status.st_dev, status.st_ino) != self._now.identity


class _Followed:
    """One file, read on from where the last look ended."""

    def __init__(self, file: int, *, from_end: bool) -> None:
        status = os.fstat(file)
        self.identity: Identity = (status.st_dev, status.st_ino)
        self._file = file
        self._at = status.st_size if from_end else 0
        self._piece = b""

    @classmethod
    def at(cls, folder: Path, *, from_end: bool = False) -> "_Followed | None":
        file = opened(folder / FILE)
        return None if file is None else cls(file, from_end=from_end)

    def lines(self) -> list[bytes]:
        try:
            return self._read()
        except OSError:
            # A file system that fails: what it holds comes with a later look.
            return []

    def _read(self) -> list[bytes]:
        if os.fstat(self._file).st_size < self._at:
            # Somebody emptied it.
            self._at, self._piece = 0, b""
        lines: list[bytes] = []
        while block := os.pread(self._file, BLOCK, self._at):
            self._at += len(block)
            *whole, piece = (self._piece + block).split(b"\n")
            self._piece = piece if len(piece) <= LINE else b""
            lines += whole
        return lines

    def close(self) -> None:
        os.close(self._file)

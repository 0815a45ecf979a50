"""A pseudo terminal with a screen: a host's terminal interface runs in it as before a person."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pyte

from adapters.evidence import attach
from adapters.evidence.lab import PYTHON
from adapters.evidence.process import end

COLUMNS, ROWS = 120, 40

QUERIES = {
    b"\x1b[c": b"\x1b[?62;c",
    b"\x1b]10;?": b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
    b"\x1b]11;?": b"\x1b]11;rgb:0000/0000/0000\x1b\\",
    b"\x1b[?u": b"",
}
"""What a host asks its terminal, and the answer; the place of the cursor (`CSI 6n`) is answered apart."""

_CURSOR = b"\x1b[6n"
_FOREIGN = re.compile(rb"\x1b\[(?:[<>=][0-9;:]*[ -/]*[@-~]|\?[0-9;:]*[ -/]*[mnucp])|\x1b[P_^][^\x1b]*\x1b\\")
"""Sequences that the screen does not know: keyboard modes, queries, device strings."""
_PARTIAL = re.compile(rb"\x1b(?:\[[0-9;:<=>?]*[ -/]*|[P_^\]][^\x07\x1b]*)?$")


class Terminal:
    """One process in a terminal; safe to ask from several threads."""

    def __init__(self, master: int, process: subprocess.Popen[bytes]) -> None:
        """Take the terminal's own side and the process that runs in it."""
        self.process = process
        self._master = master
        self._screen: Any = pyte.Screen(COLUMNS, ROWS)
        self._stream: Any = pyte.ByteStream(self._screen)
        self._lock = threading.Lock()
        self._changed = time.monotonic()
        self._rest = b""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def text(self) -> str:
        """What the screen shows now, line by line."""
        with self._lock:
            return "\n".join(line.rstrip() for line in self._screen.display)

    @property
    def still(self) -> float:
        """For how long the screen has stayed the same, in seconds."""
        return time.monotonic() - self._changed

    @staticmethod
    def now() -> float:
        """Return the time on the clock of `still`, in seconds."""
        return time.monotonic()

    def send(self, text: str) -> None:
        """Send characters as if they were typed."""
        with suppress(OSError):
            os.write(self._master, text.encode())

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._master, 1 << 16)
            except OSError:
                return
            if not data:
                return
            with self._lock:
                before = list(self._screen.display)
                self._feed(data)
                if self._screen.display != before:
                    self._changed = time.monotonic()

    def _feed(self, data: bytes) -> None:
        data = self._rest + data
        partial = _PARTIAL.search(data)
        cut = partial.start() if partial else len(data)
        data, self._rest = data[:cut], data[cut:]
        for query, answer in QUERIES.items():
            for _ in range(data.count(query)):
                self.send(answer.decode())
        # Where the cursor is asked for, all before the question counts.
        for index, part in enumerate(data.split(_CURSOR)):
            if index:
                self.send(f"\x1b[{self._screen.cursor.y + 1};{self._screen.cursor.x + 1}R")
            with suppress(TypeError, ValueError, IndexError):
                # A sequence that the screen library trips over only spoils the picture.
                self._stream.feed(_FOREIGN.sub(b"", part))


@contextmanager
def opened(command: Sequence[str], folder: Path, environment: dict[str, str]) -> Iterator[Terminal]:
    """Start a program in a terminal of its own; at the end, end its process group."""
    master, slave = pty.openpty()
    try:
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        process = subprocess.Popen(  # noqa: S603 - the host's binary that the person named
            [*PYTHON, attach.__file__, *command],
            cwd=folder,
            env=environment,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)
        try:
            yield Terminal(master, process)
        finally:
            end(process.pid, process.poll)
    finally:
        os.close(master)

"""Starts a host's program to ask it something, within bounds, and leaves nothing of it running.

POSIX only: what a program starts is held together by a process group. What leaves that group is found by a
mark in its environment where the system shows that (Linux), and not found where it took the mark out.
"""

import os
import secrets
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

ANSWER_BYTES = 8 * 1024 * 1024
"""Most that is read of what a program says; a list of hooks has a few KiB."""
SLICE = 0.1
"""How often, in seconds, a wait looks whether it has been called off."""
GRACE = 0.3
"""How long a program may take to end by itself once its input has ended; Codex 0.171.0 takes 0.05 s."""
BLOCK = 1 << 16
MARK = "READMARK_ASKING"
"""The variable by which a program, and whatever it starts, is known as one that we started."""
ROUNDS = 3
"""How often to look for what left the group: while it is ended, it may start another one."""

Left = Callable[[], float]
"""Tells how many seconds there are left."""


class Silent(Exception):  # noqa: N818 - one sentence about the program, which becomes a value
    """A program that cannot be asked, or does not answer; its text is one sentence of our own."""


class Program:
    """A running program: what it reads and what it says."""

    def __init__(self, process: "subprocess.Popen[bytes]", left: Left, mark: str) -> None:
        """Take a process with pipes at both ends, and the value of its mark."""
        assert process.stdin is not None  # noqa: S101 - for the type checker
        assert process.stdout is not None  # noqa: S101 - for the type checker
        self._process = process
        self._in, self._out = process.stdin, process.stdout
        self._left = left
        self._mark = mark
        self.ended: int | None = None
        """How it ended, once it was left: its exit code, or the number of a signal below 0."""
        self._said = b""
        self._size = 0
        self._eyes = selectors.DefaultSelector()
        self._eyes.register(self._out, selectors.EVENT_READ)

    def tell(self, message: object) -> None:
        """Send one message as a line of JSON; raises Silent. It is short, so that no pipe fills up."""
        try:
            os.write(self._in.fileno(), msgspec.json.encode(message) + b"\n")
        except OSError:
            raise Silent("It ended before it was asked.") from None

    def line(self) -> bytes:
        """Return the next line; raises Silent where there is none in time."""
        while b"\n" not in self._said:
            more = self._more()
            if not more:
                raise Silent("It ended without an answer.")
            self._said += more
        line, _, self._said = self._said.partition(b"\n")
        return line

    def rest(self) -> bytes:
        """Return all that it says until its end; raises Silent where that does not come in time."""
        blocks = [self._said]
        while more := self._more():
            blocks.append(more)
        return b"".join(blocks)

    def leave(self) -> None:
        """End its input, give it a moment to end, then end it and all that it started."""
        self._in.close()
        with suppress(Silent):
            self._left = within(GRACE)
            self.rest()
        # The head is not waited for before, so its number cannot have become another group's.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self.ended = self._process.wait()
        _end_marked(self._mark)
        self._eyes.close()
        self._out.close()

    def _more(self) -> bytes:
        while (left := self._left()) > 0:
            if self._eyes.select(min(left, SLICE)):
                block = os.read(self._out.fileno(), BLOCK)
                self._size += len(block)
                if self._size > ANSWER_BYTES:
                    raise Silent("It said more than can be read.")
                return block
        raise Silent("It did not answer in time.")


@contextmanager
def asking(words: Sequence[str], folder: str | None, left: Left) -> Iterator[Program]:
    """Start a program in a folder, or here, and end it afterwards; raises Silent where it cannot start."""
    mark = secrets.token_hex(8)
    try:
        process = subprocess.Popen(  # noqa: S603 - the host's own program
            words,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={**os.environ, MARK: mark},
        )
    except (OSError, ValueError) as error:
        raise Silent(f"It could not be started ({type(error).__name__}).") from None
    program = Program(process, left, mark)
    try:
        yield program
    finally:
        program.leave()


def _end_marked(mark: str) -> None:
    """End what bears a mark, whichever group it is in."""
    for _ in range(ROUNDS):
        found = _marked(mark)
        for number in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(number, signal.SIGKILL)
        if not found:
            return


def _marked(mark: str) -> list[int]:
    """Return the processes that bear a mark; none where the system does not show it (no /proc)."""
    needle = f"{MARK}={mark}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if needle in (folder / "environ").read_bytes():
                found.append(int(folder.name))
    return found


def within(seconds: float) -> Left:
    """Return what tells how much is left of so many seconds from now."""
    end = time.monotonic() + seconds
    return lambda: end - time.monotonic()

"""Reads a rollout file of Codex, in bounded parts, and finds in it the host's own record of one call."""

from collections.abc import Iterator
from time import monotonic
from typing import Literal

import msgspec

from adapters.hosts.regular import File, opened
from contracts.wire import Malformed, decode

WINDOWS = (64 * 1024, 512 * 1024, 4 * 1024 * 1024)
"""How many bytes before a file's end are searched for a call's record: each in turn, until it is found."""
LOOKED_AT = 2000
"""How many lines one look-up decodes at most; lines of a host are long, so its bytes run out first."""
BLOCK = 128 * 1024
RECORD_BYTES = 65_536
"""How long an output is that the host's record holds cut (`first/big_toollimit_max`)."""
ELISION = "\n... command output truncated for persistence ...\n"
"""What stands in such a record for the middle of the output, between its head and its tail."""


class _Execution(msgspec.Struct):
    type: Literal["CommandExecution"]
    id: str
    command: list[str]
    status: str
    exit_code: int | None = None
    aggregated_output: str | None = None


class _Completed(msgspec.Struct):
    type: Literal["item_completed"]
    thread_id: str
    item: _Execution


class _RecordLine(msgspec.Struct):
    type: Literal["event_msg"]
    payload: _Completed


class Call(msgspec.Struct, frozen=True):
    """The host's own record of one command that ended; `offset` is where its line begins, in bytes.

    `output` is what the command wrote; of a long one only head and tail, with `ELISION` between.
    """

    thread: str
    argv: tuple[str, ...]
    completed: bool
    output: str
    offset: int

    @property
    def long(self) -> bool:
        """Whether the output may not be here whole."""
        # Only ASCII was recorded so: where characters are cut whole, each end may lack three bytes.
        return len(self.output.encode()) >= RECORD_BYTES - 6

    def ends(self) -> tuple[str, str] | None:
        """Return head and tail of an output that is not here whole, else None."""
        if not self.long:
            return None
        head, mark, tail = self.output.partition(ELISION)
        return (head, tail) if mark else None

    def wrote(self, text: str) -> bool:
        """Whether `text` is the whole output, as far as the record reaches."""
        ends = self.ends()
        if ends is None:
            return text == self.output
        head, tail = ends
        long_enough = len(text) >= len(head) + len(tail)
        return text == self.output or (long_enough and text.startswith(head) and text.endswith(tail))


class Work:
    """How many bytes may still be read, and until when, for several look-ups together."""

    def __init__(self, size: int, seconds: float) -> None:
        """Grant `size` bytes and `seconds` from now."""
        self.left = size
        self._until = monotonic() + seconds

    def over(self) -> bool:
        """Whether the time has passed."""
        return monotonic() >= self._until


def find_call(path: str, call_id: str) -> Call | None:
    """Return the newest record of this call, or None; reads no more than the sum of `WINDOWS`."""
    needle = msgspec.json.encode(call_id)
    with opened(path) as file:
        if file is None:
            return None
        for window in WINDOWS:
            start = max(0, file.size - window)
            found = _newest(file.read(file.size - start, start), needle, call_id, start)
            if found is not None or start == 0:
                return found
    return None


def _newest(data: bytes, needle: bytes, call_id: str, start: int) -> Call | None:
    """Return the last record of the call in `data`, which stands at `start` in its file."""
    end = len(data)
    for _ in range(LOOKED_AT):
        at = data.rfind(needle, 0, end)
        if at < 0:
            return None
        begin = data.rfind(b"\n", 0, at) + 1
        if begin == 0 and start > 0:
            return None  # The line begins before the window.
        stop = data.find(b"\n", at)
        call = call_in(data[begin : stop if stop >= 0 else len(data)], call_id, start + begin)
        if call is not None:
            return call
        end = begin
    return None


def call_in(line: bytes, call_id: str, offset: int) -> Call | None:
    """Return the record of this call if the line, which stands at `offset`, is it."""
    found = decode(line, _RecordLine)
    if isinstance(found, Malformed) or found.payload.item.id != call_id:
        return None
    item = found.payload.item
    return Call(
        thread=found.payload.thread_id,
        argv=tuple(item.command),
        completed=item.status == "completed" and item.exit_code == 0,
        output=item.aggregated_output or "",
        offset=offset,
    )


def lines(file: File, offset: int, size: int, work: Work) -> Iterator[bytes]:
    """Yield the lines from `offset` on, the last of them perhaps cut.

    Reads at most `size` bytes, and no more than `work` has left.
    """
    begun: list[bytes] = []
    while (part := min(BLOCK, size, work.left)) > 0 and (block := file.read(part, offset)):
        offset += len(block)
        size -= len(block)
        work.left -= len(block)
        first, *others = block.split(b"\n")
        begun.append(first)
        if others:
            yield b"".join(begun)
            *whole, last = others
            yield from whole
            begun = [last]
    yield b"".join(begun)

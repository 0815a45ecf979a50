"""Looks up, in a rollout file of Codex, the host's record of one call and what its model was sent then."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from re import MULTILINE
from re import compile as pattern
from stat import S_ISREG
from typing import Any, Literal

import msgspec

from contracts.read import PendingRead
from contracts.wire import Malformed, decode

WINDOWS = (64 * 1024, 512 * 1024, 4 * 1024 * 1024)
"""How many bytes before a file's end are searched for a call's record: each in turn, until it is found."""
PENDING_BYTES = 4 * 1024 * 1024
"""How many bytes after its record are searched for one pending read's delivery."""
LOOKED_AT = 2000
"""How many lines one look-up decodes at most; lines of a host are long, so its bytes run out first."""
BLOCK = 128 * 1024
FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
RECORD_BYTES = 65_536
"""How long an output is that the host's record holds cut (recorded: `codex/0.171.0/big_toollimit_max`)."""
ELISION = "\n... command output truncated for persistence ...\n"
"""What stands in such a record for the middle of the output, between its head and its tail."""

RUNNING = pattern(r"^Process running with session ID \d+$", MULTILINE)
"""What the model reads where a command went on in the background (recorded: `codex/0.171.0/background`)."""
OUTPUT_LINE = "Output:\n"
"""The line between the host's own words and the output, in every recorded tool output."""


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


class _Part(msgspec.Struct):
    type: str = ""
    text: str = ""


class _ToolOutput(msgspec.Struct):
    type: Literal["function_call_output", "custom_tool_call_output"]
    call_id: str
    output: str | list[_Part]

    def texts(self) -> list[str]:
        if isinstance(self.output, str):
            return [self.output]
        return [part.text for part in self.output if part.type == "input_text"]


class _OutputLine(msgspec.Struct):
    type: Literal["response_item"]
    payload: _ToolOutput


class Call(msgspec.Struct, frozen=True):
    """The host's own record of one command that ended; `offset` is where its line begins, in bytes.

    `output` is what the command wrote; of a long one only head and tail, with `ELISION` between.
    """

    thread: str
    argv: tuple[str, ...]
    completed: bool
    output: str
    offset: int

    def wrote(self, text: str) -> bool:
        """Whether `text` is the whole output, as far as the record reaches."""
        ends = _ends(self.output)
        if ends is None:
            return text == self.output
        head, tail = ends
        long_enough = len(text) >= len(head) + len(tail)
        return text == self.output or (long_enough and text.startswith(head) and text.endswith(tail))


class Work:
    """How many bytes may still be read, for several look-ups together."""

    def __init__(self, size: int) -> None:
        """Grant `size` bytes."""
        self.left = size


def _ends(output: str) -> tuple[str, str] | None:
    """Return head and tail of an output that its record does not hold whole, else None."""
    # Only ASCII was recorded so: where characters are cut whole, each end may lack three bytes.
    if len(output.encode()) < RECORD_BYTES - 6:
        return None
    head, mark, tail = output.partition(ELISION)
    return (head, tail) if mark else None


class _File(msgspec.Struct):
    """A transcript that is open; `size` is what it had then, in bytes."""

    descriptor: int
    size: int

    def read(self, size: int, offset: int) -> bytes:
        """Return what is there, nothing where it cannot be read."""
        try:
            return os.pread(self.descriptor, size, offset)
        except (OSError, OverflowError):
            return b""


@contextmanager
def _opened(path: str) -> Iterator[_File | None]:
    """Open a regular file for reading, or give None; no link is followed, no pipe is waited for."""
    descriptor = file = None
    try:
        if path.startswith("/"):
            descriptor = os.open(path, FLAGS)
            status = os.fstat(descriptor)
            file = _File(descriptor, status.st_size) if S_ISREG(status.st_mode) else None
    except (OSError, ValueError):
        # ValueError: a NUL or a lone surrogate in the path.
        file = None
    try:
        yield file
    finally:
        if descriptor is not None:
            os.close(descriptor)


def find_call(path: str, call_id: str) -> Call | None:
    """Return the newest record of this call, or None; reads no more than the sum of `WINDOWS`."""
    needle = msgspec.json.encode(call_id)
    with _opened(path) as file:
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
        line = decode(data[begin : stop if stop >= 0 else len(data)], _RecordLine)
        if not isinstance(line, Malformed) and line.payload.item.id == call_id:
            return _call(line.payload, start + begin)
        end = begin
    return None


def _call(completed: _Completed, offset: int) -> Call:
    item = completed.item
    return Call(
        thread=completed.thread_id,
        argv=tuple(item.command),
        completed=item.status == "completed" and item.exit_code == 0,
        output=item.aggregated_output or "",
        offset=offset,
    )


def _lines(file: _File, offset: int, work: Work) -> Iterator[bytes]:
    """Yield the lines from `offset` on, the last of them perhaps cut; reads within both bounds."""
    allowed = PENDING_BYTES
    rest = b""
    while (size := min(BLOCK, allowed, work.left)) > 0 and (block := file.read(size, offset)):
        offset += len(block)
        allowed -= len(block)
        work.left -= len(block)
        *whole, rest = (rest + block).split(b"\n")
        yield from whole
    yield rest


def was_sent(pending: PendingRead, work: Work) -> bool | None:
    """Tell whether the model was sent this read's whole result: True, certainly not False, not shown None.

    Reads at most `PENDING_BYTES`, and no more than `work` has left.
    """
    if pending.locator is None:
        return None
    with _opened(pending.locator.path) as file:
        if file is None:
            return None
        lines = _lines(file, pending.locator.offset, work)
        record = decode(next(lines), _RecordLine)
        if isinstance(record, Malformed) or record.payload.item.id != pending.event_id:
            return None
        result = _Result.of(record.payload.item.aggregated_output or "", pending.result_digest)
        if result is None:
            return None
        # The host escapes no letter: a line without this word is no tool output, and is not decoded.
        outputs = (line for line in lines if b"_call_output" in line)
        for line in islice(outputs, LOOKED_AT):
            if (verdict := _judged(line, pending.event_id, result)) is not None:
                return verdict
    return None


def _judged(line: bytes, event_id: str, result: "_Result") -> bool | None:
    shown = decode(line, _OutputLine)
    if isinstance(shown, Malformed):
        return None
    texts = shown.payload.texts()
    if any(result.within(candidate) for text in texts for candidate in _readings(text)):
        return True
    own = shown.payload.type == "function_call_output" and shown.payload.call_id == event_id
    return False if own and not _still_running(texts) else None


def _still_running(texts: Sequence[str]) -> bool:
    return any(RUNNING.search(text.partition(OUTPUT_LINE)[0]) for text in texts)


def _readings(text: str) -> Iterator[str]:
    """Yield what a tool output says: its text, then the strings in it where it is JSON.

    Code mode's `text(r)` sends a result as JSON of its own (recorded: `codex/0.171.0/cm_background`).
    """
    yield text
    head, line, tail = text.partition(OUTPUT_LINE)
    documents = (text, tail) if line and (not head or head.endswith("\n")) else (text,)
    for document in documents:
        if document.lstrip()[:1] in {"{", "[", '"'}:
            yield from _strings(decode(document, object))


def _strings(value: Any) -> Iterator[str]:
    """Yield every string in a JSON value, without recursion; the value is as deep as its sender likes."""
    left = [value]
    while left:
        match left.pop():
            case str(text):
                yield text
            case list(items):
                left.extend(items)
            case dict(items):
                left.extend(items.values())


class _Result:
    """A read's result as its record holds it: whole, or its two ends and the digest of the whole."""

    def __init__(self, head: str, tail: str, digest: str | None) -> None:
        self._head = head
        self._tail = tail
        self._digest = digest

    @classmethod
    def of(cls, recorded: str, digest: str) -> "_Result | None":
        """Return the result, or None where the record is of another one or holds nothing to look for."""
        text = recorded.strip()
        if not text:
            return None
        if _digest(text) == digest:
            return cls(text, "", None)
        ends = _ends(recorded)
        return cls(ends[0].lstrip(), ends[1].rstrip(), digest) if ends else None

    def within(self, text: str) -> bool:
        """Whether `text` holds the whole result, from its first to its last character."""
        start = text.find(self._head)
        if self._digest is None or start < 0:
            return start >= 0
        end = text.rfind(self._tail, start) + len(self._tail)
        return end > start and _digest(text[start:end]) == self._digest


def _digest(text: str) -> str:
    from hashlib import sha256  # noqa: PLC0415 - most events have nothing pending to compare

    return sha256(text.encode()).hexdigest()

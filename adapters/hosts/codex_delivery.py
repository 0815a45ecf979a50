"""Tells from a rollout file of Codex whether the model was sent a result that a hook saw."""

from collections.abc import Iterator, Sequence
from re import MULTILINE
from re import compile as pattern
from typing import Literal

import msgspec

from adapters.hosts.codex_result import OUTPUT_LINE, Result, Said, pieces
from adapters.hosts.codex_transcript import LOOKED_AT, Work, call_in, lines
from adapters.hosts.regular import File, opened
from contracts.read import Locator, PendingRead, Read, Sent
from contracts.wire import Malformed, decode

PENDING_BYTES = 4 * 1024 * 1024
"""How many bytes after its record are searched for one pending read's delivery, while there is work left."""
RUNNING = pattern(r"^Process running with session ID (\d+)$", MULTILINE)
"""What the model reads where a command went on in the background (`background`)."""
EARLIER_BYTES = 128 * 1024
"""How far before its record the first pieces of a command's output are searched (`background_split`)."""


class _Part(msgspec.Struct):
    type: str = ""
    text: str = ""


class _ToolOutput(msgspec.Struct):
    type: Literal["function_call_output", "custom_tool_call_output"]
    call_id: str
    output: msgspec.Raw

    def refutes(self, watch: "_Watch") -> bool:
        """Whether it is the call's own output, and so must hold the result; a script's may drop it."""
        return self.type == "function_call_output" and self.call_id == watch.event_id

    def texts(self) -> list[str] | None:
        """Return what the model was sent, None where it is of a form that was never recorded."""
        output = bytes(self.output)
        if output.startswith(b'"'):
            text = decode(output, str)
            return None if isinstance(text, Malformed) else [text]
        parts = decode(output, list[_Part])
        if isinstance(parts, Malformed):
            return None
        return [part.text for part in parts if part.type == "input_text"]


class _OutputLine(msgspec.Struct):
    type: Literal["response_item"]
    payload: _ToolOutput


class _Watch:
    """One pending read that is looked for, from the moment on when its record has been read."""

    def __init__(self, index: int, pending: PendingRead, locator: Locator) -> None:
        self.index = index
        self.path = locator.path
        self.offset = locator.offset
        self.event_id = pending.event_id
        self.pending = pending
        self._pieces: tuple[bytes, ...] = ()
        self._asked = False
        self._result: Result | None = None
        self._lines = any(read.file for read in pending.reads)
        """Whether a part of the result can prove something."""

    def knows(self, record: bytes) -> bool:
        """Take the read's record; False where it is another's or holds nothing to look for."""
        call = call_in(record, self.event_id, self.offset)
        if call is None:
            return False
        self._result = Result.of(call, self.pending.result_digest)
        found = [] if self._result is None else [self._result.piece]
        self._pieces = tuple(piece.encode() for piece in found + (pieces(call.output) if self._lines else []))
        return bool(self._pieces)

    def concerned(self, line: bytes) -> bool:
        """Whether a line of the transcript may hold the result, or a part that proves something."""
        return any(piece in line for piece in self._pieces)

    def earlier(self, file: File) -> str:
        """Return what the model was sent of the output before the command ended, as is asked once.

        The tool output that comes first after the record has the rest of it, if any does.
        """
        asked, self._asked = self._asked, True
        return _earlier(file, self) if self._lines and not asked else ""

    def awaits(self) -> bool:
        """Whether no tool output has come yet."""
        return self._lines and not self._asked

    def proven(self, said: Sequence[Said], earlier: str, sent: Sent, work: Work) -> tuple[Read, ...]:
        """Return what texts that were sent prove of the read, with what was sent of it earlier."""
        if self._result is not None and any(text.holds(self._result, work) for text in said):
            return self.pending.reads
        if not self._lines or work.over():
            return ()
        bodies = [text.body for text in said]
        return sent(
            self.pending, earlier + "\n".join([*bodies, *(one for text in said for one in text.strings())])
        )


def delivered(pending: Sequence[PendingRead], work: Work, sent: Sent) -> dict[int, tuple[Read, ...]]:
    """Tell, by place in `pending`, what the model was sent of reads: nothing, where that is certain.

    What is not shown, or not reached before the work is over, is left out. `sent` says what a text proves.
    """
    transcripts: dict[str, list[_Watch]] = {}
    # Newest first: an old read that the host never shows must not use up the work for a fresh one.
    for index in reversed(range(len(pending))):
        if (locator := pending[index].locator) is not None:
            transcripts.setdefault(locator.path, []).append(_Watch(index, pending[index], locator))
    found: dict[int, tuple[Read, ...]] = {}
    for path, watches in transcripts.items():
        with opened(path) as file:
            if file is not None:
                for run in _runs([one for one in watches if 0 <= one.offset < file.size]):
                    found |= _search(file, run, work, sent)
    return found


def _runs(watches: list[_Watch]) -> Iterator[list[_Watch]]:
    """Yield the newest read by itself, then the others with those that stand near them in the file."""
    yield watches[:1]
    rest = sorted(watches[1:], key=lambda one: one.offset, reverse=True)
    while rest:
        near = [one for one in rest if one.offset > rest[0].offset - PENDING_BYTES]
        yield near
        rest = rest[len(near) :]


def _search(file: File, run: list[_Watch], work: Work, sent: Sent) -> dict[int, tuple[Read, ...]]:
    """Go once through the part of a file that concerns a run of reads."""
    found: dict[int, tuple[Read, ...]] = {}
    starts: dict[int, list[_Watch]] = {}
    for one in run:
        starts.setdefault(one.offset, []).append(one)
    offset = min(starts, default=0)
    size = max(starts, default=0) + PENDING_BYTES - offset
    watching: list[_Watch] = []
    looks = 0
    for line in lines(file, offset, size, work) if starts else ():
        watching += [one for one in starts.pop(offset, ()) if one.knows(line)]
        offset += len(line) + 1
        if shown := _shown(line, watching):
            judged = _judged(shown, line, watching, file, work, sent)
            found |= judged
            watching = [one for one in watching if one.index not in judged]
            looks += 1
        if looks == LOOKED_AT or work.over() or not (watching or starts):
            break
    return found


def _shown(line: bytes, watching: list[_Watch]) -> _ToolOutput | None:
    """Return the tool output that a line is, if it can say anything of the reads."""
    # The host escapes no letter: a line without this word is no tool output, and is not decoded.
    if b"_call_output" not in line:
        return None
    holds = any(one.concerned(line) for one in watching)
    if not holds and b"function_call_output" not in line:
        return None
    found = decode(line, _OutputLine)
    if isinstance(found, Malformed):
        return None
    awaited = any(one.awaits() or found.payload.refutes(one) for one in watching)
    return found.payload if holds or awaited else None


def _judged(  # noqa: PLR0913, PLR0917 - one look at one line
    shown: _ToolOutput, line: bytes, watching: list[_Watch], file: File, work: Work, sent: Sent
) -> dict[int, tuple[Read, ...]]:
    texts = shown.texts()
    if texts is None:
        return {}
    said = list(map(Said, texts))
    running = _process(texts)
    judged: dict[int, tuple[Read, ...]] = {}
    for one in watching:
        polled = shown.type == "function_call_output" and shown.call_id != one.event_id
        earlier = one.earlier(file) if polled else ""
        if (earlier or one.concerned(line)) and (reads := one.proven(said, earlier, sent, work)):
            judged[one.index] = reads
            continue
        if work.over():
            break
        if shown.refutes(one) and not running:
            judged[one.index] = ()
    return judged


def _earlier(file: File, watch: _Watch) -> str:
    """Return what the model was sent of a command's output before it ended, piece by piece."""
    size = min(watch.offset, EARLIER_BYTES)
    data = file.read(size, watch.offset - size)
    if watch.event_id.encode() not in data or b"Process running" not in data:
        return ""
    bodies: list[str] = []
    process = ""
    for line in data.split(b"\n"):
        found = decode(line, _OutputLine) if b"function_call_output" in line else None
        texts = found.payload.texts() if isinstance(found, _OutputLine) else None
        if not isinstance(found, _OutputLine) or not texts:
            continue
        process = _process(texts) if found.payload.call_id == watch.event_id else process
        if process and _process(texts) == process:
            bodies += [Said(text).body for text in texts]
    return "".join(bodies)


def _process(texts: Sequence[str]) -> str:
    """Return the number of the process that goes on after a tool output, empty if none does."""
    found = (RUNNING.search(text.partition(OUTPUT_LINE)[0]) for text in texts)
    return next((one[1] for one in found if one), "")

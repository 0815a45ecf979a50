"""Tells from a rollout file of Codex whether the model was sent a result that a hook saw."""

from collections.abc import Iterator, Sequence
from re import MULTILINE
from re import compile as pattern
from typing import Literal

import msgspec

from adapters.hosts.codex_result import OUTPUT_LINE, Result, Said
from adapters.hosts.codex_transcript import LOOKED_AT, Work, call_in, lines
from adapters.hosts.regular import File, opened
from contracts.read import Locator, PendingRead
from contracts.wire import Malformed, decode

PENDING_BYTES = 4 * 1024 * 1024
"""How many bytes after its record are searched for one pending read's delivery, while there is work left."""
RUNNING = pattern(r"^Process running with session ID \d+$", MULTILINE)
"""What the model reads where a command went on in the background (`background`)."""


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
        self.piece = b""
        self._digest = pending.result_digest
        self._result: Result | None = None

    def knows(self, record: bytes) -> bool:
        """Take the read's record; False where it is another's or holds nothing to look for."""
        call = call_in(record, self.event_id, self.offset)
        self._result = None if call is None else Result.of(call, self._digest)
        if self._result is None:
            return False
        self.piece = self._result.piece.encode()
        return True

    def within(self, texts: Sequence[Said], work: Work) -> bool:
        return self._result is not None and any(text.holds(self._result, work) for text in texts)


def sent(pending: Sequence[PendingRead], work: Work) -> dict[int, bool]:
    """Tell, by place in `pending`, which reads' whole results the model was sent, and which certainly not.

    What is not shown, or not reached before the work is over, is left out.
    """
    transcripts: dict[str, list[_Watch]] = {}
    # Newest first: an old read that the host never shows must not use up the work for a fresh one.
    for index in reversed(range(len(pending))):
        if (locator := pending[index].locator) is not None:
            transcripts.setdefault(locator.path, []).append(_Watch(index, pending[index], locator))
    verdicts: dict[int, bool] = {}
    for path, watches in transcripts.items():
        with opened(path) as file:
            if file is not None:
                for run in _runs([one for one in watches if 0 <= one.offset < file.size]):
                    verdicts |= _search(file, run, work)
    return verdicts


def _runs(watches: list[_Watch]) -> Iterator[list[_Watch]]:
    """Yield the newest read by itself, then the others with those that stand near them in the file."""
    yield watches[:1]
    rest = sorted(watches[1:], key=lambda one: one.offset, reverse=True)
    while rest:
        near = [one for one in rest if one.offset > rest[0].offset - PENDING_BYTES]
        yield near
        rest = rest[len(near) :]


def _search(file: File, run: list[_Watch], work: Work) -> dict[int, bool]:
    """Go once through the part of a file that concerns a run of reads."""
    verdicts: dict[int, bool] = {}
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
            judged = _judged(shown, line, watching, work)
            verdicts |= judged
            watching = [one for one in watching if one.index not in judged]
            looks += 1
        if looks == LOOKED_AT or work.over() or not (watching or starts):
            break
    return verdicts


def _shown(line: bytes, watching: list[_Watch]) -> _ToolOutput | None:
    """Return the tool output that a line is, if it can say anything of the reads."""
    # The host escapes no letter: a line without this word is no tool output, and is not decoded.
    if b"_call_output" not in line:
        return None
    holds = any(one.piece in line for one in watching)
    if not holds and b"function_call_output" not in line:
        return None
    found = decode(line, _OutputLine)
    if isinstance(found, Malformed):
        return None
    return found.payload if holds or any(map(found.payload.refutes, watching)) else None


def _judged(shown: _ToolOutput, line: bytes, watching: list[_Watch], work: Work) -> dict[int, bool]:
    texts = shown.texts()
    if texts is None:
        return {}
    said = list(map(Said, texts))
    running = _still_running(texts)
    judged: dict[int, bool] = {}
    for one in watching:
        if one.piece in line and one.within(said, work):
            judged[one.index] = True
        elif work.over():
            break
        elif shown.refutes(one) and not running:
            judged[one.index] = False
    return judged


def _still_running(texts: Sequence[str]) -> bool:
    return any(RUNNING.search(text.partition(OUTPUT_LINE)[0]) for text in texts)

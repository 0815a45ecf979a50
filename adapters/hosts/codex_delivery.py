"""Tells from a rollout file of Codex whether the model was sent a result that a hook saw."""

from collections.abc import Iterator, Sequence
from itertools import islice
from re import MULTILINE
from re import compile as pattern
from typing import Any, Literal

import msgspec

from adapters.hosts.codex_transcript import LOOKED_AT, Call, Work, call_in, lines, opened
from contracts.read import PendingRead
from contracts.wire import Malformed, decode

PENDING_BYTES = 4 * 1024 * 1024
"""How many bytes after its record are searched for one pending read's delivery."""
RUNNING = pattern(r"^Process running with session ID \d+$", MULTILINE)
"""What the model reads where a command went on in the background (recorded: `codex/0.171.0/background`)."""
OUTPUT_LINE = "Output:\n"
"""The line between the host's own words and the output, in every recorded tool output."""


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


def was_sent(pending: PendingRead, work: Work) -> bool | None:
    """Tell whether the model was sent this read's whole result: True, certainly not False, not shown None.

    Reads at most `PENDING_BYTES`, and no more than `work` has left.
    """
    if pending.locator is None:
        return None
    with opened(pending.locator.path) as file:
        if file is None:
            return None
        offset = pending.locator.offset
        read = lines(file, offset, PENDING_BYTES, work)
        call = call_in(next(read), pending.event_id, offset)
        result = None if call is None else _Result.of(call, pending.result_digest)
        if result is None:
            return None
        # The host escapes no letter: a line without this word is no tool output, and is not decoded.
        outputs = (line for line in read if b"_call_output" in line)
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
    def of(cls, call: Call, digest: str) -> "_Result | None":
        """Return the result, or None where the record is of another one or holds nothing to look for."""
        text = call.output.strip()
        if not text:
            return None
        if _digest(text) == digest:
            return cls(text, "", None)
        ends = call.ends()
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

"""Finds in a Claude Code transcript what a tool call's result became on its way to the model."""

import os
from collections.abc import Iterator
from pathlib import Path
from stat import S_ISREG
from typing import Any, Literal

import msgspec

from adapters.hosts import regular
from adapters.hosts.fields import text_of
from contracts.read import Locator
from contracts.wire import Malformed, decode

WINDOW_BYTES = 1024 * 1024
"""How far past its locator one result is looked for; the host writes it right after the call's hooks."""

LOADED = "Base directory for this skill: "
"""How the text of a loaded skill begins for the model."""

LINES = 64
"""How many lines with a call's id are decoded at most; the host writes a few, one for each of its hooks."""


class Result(msgspec.Struct, frozen=True):
    """What the root's model got as the result of one call; `failed` covers a rejection by the user."""

    text: str
    failed: bool


class Loaded(msgspec.Struct, frozen=True):
    """What a transcript shows of a skill that a call loaded.

    `folder` is where from, `text` what the model got, `arguments` what the call gave, and `conversation` what
    the host calls the conversation.
    """

    folder: str
    text: str
    arguments: str
    conversation: str


class _Text(msgspec.Struct):
    type: Literal["text"]
    text: str


class _Block(msgspec.Struct):
    type: Any = None
    tool_use_id: Any = None
    content: msgspec.Raw = msgspec.Raw()
    is_error: Any = None
    id: Any = None
    name: Any = None
    input: msgspec.Raw = msgspec.Raw()


class _Given(msgspec.Struct):
    """What a call of the tool Skill was asked for; `args` may be missing."""

    args: str | None = None


class _Message(msgspec.Struct):
    content: list[_Block]


class _Whole(msgspec.Struct):
    content: msgspec.Raw = msgspec.Raw()


class _Loading(msgspec.Struct, rename="camel"):
    """The host's own message that follows a loaded skill's result."""

    type: str
    message: _Whole
    is_sidechain: Any = None
    is_meta: Any = None
    source: Any = msgspec.field(default=None, name="sourceToolUseID")


class _Line(msgspec.Struct, rename="camel"):
    type: str
    message: _Message
    is_sidechain: Any = None


def size(path: str) -> int:
    """Return the transcript's size in bytes; 0 where there is no regular file of that name."""
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return 0
    return found.st_size if S_ISREG(found.st_mode) else 0


def said(content: msgspec.Raw) -> str | None:
    """Return a result's text: a string, or a list's joined text blocks; None for other forms."""
    text = text_of(content)
    if text is not None:
        return text
    blocks = decode(bytes(content), list[_Text])
    return None if isinstance(blocks, Malformed) else "".join(block.text for block in blocks)


def window(locator: Locator, limit: int) -> bytes:
    """Return what stands in the transcript from the locator on, at most a window and at most `limit` bytes.

    Nothing where the file is missing, a link, no regular file (a pipe without a writer does not block),
    or cannot be read.
    """
    return regular.read(locator.path, min(limit, WINDOW_BYTES), locator.offset) or b""


def find(lines: bytes, event_id: str) -> Result | None:
    """Return the result of a root's call that these lines hold, if they do; the first one counts."""
    results = (_result(line, event_id) for line in _mentioning(lines, event_id))
    return next((result for result in results if result is not None), None)


def before(locator: Locator, limit: int) -> bytes:
    """Return what stands in the transcript before the locator, bounded as a window is."""
    size = min(limit, WINDOW_BYTES, locator.offset)
    return regular.read(locator.path, size, locator.offset - size) or b""


def given(lines: bytes, event_id: str) -> str | None:
    """Return the arguments with which a root's call used a skill, empty if none; None if no line shows it."""
    found = (_arguments(line, event_id) for line in _mentioning(lines, event_id))
    return next((one for one in found if one is not None), None)


def loaded(lines: bytes, locator: Locator, event_id: str, arguments: str) -> Loaded | None:
    """Return the skill that a root's call loaded: from which folder, and what its model got of it.

    Both stand in the host's own message (`skill_project`). None where that is not shown: not yet, or the
    host says that the skill's text is already there.
    """
    for line in _mentioning(lines, event_id):
        record = decode(line, _Loading)
        if isinstance(record, Malformed) or record.type != "user" or record.source != event_id:
            continue
        if record.is_meta is not True or record.is_sidechain is True:
            continue
        first, _, text = (said(record.message.content) or "").partition("\n")
        folder = first.removeprefix(LOADED)
        if folder != first:
            return Loaded(folder, text, arguments, Path(locator.path).stem)
    return None


def _mentioning(lines: bytes, event_id: str) -> Iterator[bytes]:
    """Yield the lines with the id's bytes. One that is cut at an end is no JSON, and decoded as nothing."""
    wanted = event_id.encode()
    position = 0
    for _ in range(LINES if wanted else 0):
        position = lines.find(wanted, position)
        if position < 0:
            return
        start = lines.rfind(b"\n", 0, position) + 1
        end = lines.find(b"\n", position)
        position = len(lines) if end < 0 else end
        yield lines[start:position]


def _arguments(line: bytes, event_id: str) -> str | None:
    record = decode(line, _Line)
    if isinstance(record, Malformed) or record.type != "assistant" or record.is_sidechain is True:
        return None
    for block in record.message.content:
        if block.type == "tool_use" and block.id == event_id and block.name == "Skill":
            asked = decode(bytes(block.input), _Given)
            return None if isinstance(asked, Malformed) else asked.args or ""
    return None


def _result(line: bytes, event_id: str) -> Result | None:
    """Return the call's result if the line is the root's record of it."""
    record = decode(line, _Line)
    if isinstance(record, Malformed) or record.type != "user" or record.is_sidechain is True:
        return None
    for block in record.message.content:
        if block.type == "tool_result" and block.tool_use_id == event_id:
            text = said(block.content)
            return None if text is None else Result(text, failed=block.is_error is True)
    return None

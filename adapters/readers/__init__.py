"""Every reader, in a literal table, and the cheap look that comes before them."""

import re
from pathlib import Path

from adapters.readers import document, lore, places, skill
from contracts.event import ToolResult
from contracts.library import Library
from contracts.outcome import Skipped
from contracts.read import Read
from contracts.reader import Reader

READERS: tuple[Reader, ...] = (lore, skill, document)

AGAIN: dict[str, str] = {reader.NAME: reader.AGAIN for reader in READERS}
KINDS: dict[str, str] = {reader.NAME: reader.KIND for reader in READERS}
"""What an item of each reader is called, in the order in which people are shown them."""

TOOLS: tuple[str, ...] = ('"Skill"',)
"""Tools of hosts that read an item by its name alone, as JSON writes them."""

CUT_BYTES = 65_536
"""A payload as long as this is looked at whole: to cut it would cost more than the process that it spares."""

_CALL, _CALLS, _RESULT = b'"tool_input"', b'"tool_calls"', b'"tool_response"'
_RESULTS = re.compile(rb'"tool_response": ?"([^"\\]|\\.)*+"', re.DOTALL)


def hinted(payload: bytes) -> bool:
    """Whether a payload may hold a read: what the registered shell looks for.

    It looks at what was asked for alone, which hosts write before what came of it; in a long payload at all.
    """
    asked = payload.partition(_RESULT)[0]
    if len(payload) >= CUT_BYTES:
        asked = payload
    elif _CALLS in asked:
        asked = _RESULTS.sub(b"", payload)
    elif _CALL not in asked:
        asked = payload
    return any(all(_spoken(hint, asked) for hint in hints) for hints in (*_HINTS, *((one,) for one in TOOLS)))


_HINTS = tuple(reader.HINTS for reader in READERS)


def _spoken(hint: str, asked: bytes) -> bool:
    pattern = re.escape(hint.rstrip(" ")) + (r"[ \\]" if hint.endswith(" ") else "")
    return re.search(pattern.encode(), asked) is not None


def concerns(asked: str) -> bool:
    """Whether any reader's items are mentioned in a command or a path."""
    return any(reader.concerns(asked) for reader in READERS)


def confirm(result: ToolResult, library: Library) -> Read | Skipped | None:
    """Ask each reader; the first that proves a read counts, else the first that refuses, else None."""
    refused: Skipped | None = None
    for reader in READERS:
        found = reader.confirm(result, library)
        if isinstance(found, Read):
            return found
        refused = refused or found
    return refused


def counts(name: str, file: Path, above: places.Tops) -> bool:
    """Whether a file, its links resolved, can be that of an item of a reader below these roots.

    False for a reader that is not known. Raises ValueError where the path is not UTF-8.
    """
    return any(places.placed(file, above, reader.counts) for reader in READERS if name == reader.NAME)

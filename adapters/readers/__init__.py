"""Every reader, in a literal table, and the cheap look that comes before them."""

import re
from functools import partial
from pathlib import Path

from adapters.readers import document, files, lore, places, skill
from adapters.readers.files import sent as sent
from contracts.event import SkillResult, ToolResult
from contracts.library import Library, Root
from contracts.outcome import Skipped
from contracts.read import Read
from contracts.reader import Confirmed, Reader

FILES: tuple[files.FileReader, ...] = (skill, document)
"""The readers whose items are files."""
READERS: tuple[Reader, ...] = (lore, *FILES)

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


def confirm(result: ToolResult, library: Library) -> Confirmed:
    """Return what a call read: what a reader proves by its form, then files whose lines the result shows."""
    asked = [found for reader in READERS if (found := reader.confirm(result, library)) is not None]
    if not isinstance(result, SkillResult):
        shown = files.proven(result, library, _counts) or []
        asked += [shown] if isinstance(shown, Skipped) else [_read(one, library) for one in shown]
    reads = tuple(found for found in asked if isinstance(found, Read))
    refused = next((found for found in asked if isinstance(found, Skipped)), None)
    return Confirmed(reads, None if reads else refused)


def _counts(root: Root, place: str) -> bool:
    return any(reader.counts(root, place) for reader in READERS)


def _read(proven: files.Proven, library: Library) -> Read | Skipped:
    reader = next(reader for reader in FILES if reader.counts(proven.found.root, proven.found.path))
    return reader.read(proven, library)


def counts(name: str, file: Path, above: places.Tops) -> bool:
    """Whether a file, its links resolved, can be that of an item of a reader below these roots.

    False for a reader that is not known. Raises ValueError where the path is not UTF-8.
    """
    return places.placed(file, above, partial(takes, name)) is not None


def takes(name: str, root: Root, place: str) -> bool:
    """Whether a path in a root can be that of an item of a reader; False for one that is not known."""
    return any(reader.counts(root, place) for reader in READERS if name == reader.NAME)

"""Says whether the text that Claude Code sent of a loaded skill is what the skill's file holds.

The host keeps skills in memory: after a change of the file its model may get the text of before
(`skill_edited`). It sends the file without its front matter, and fills in what stands for something else
(`skill_arguments`).
"""

import re
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

from adapters.hosts import regular
from contracts.read import PendingRead

FILE_BYTES = 1024 * 1024
"""Most of a skill's file that is looked at: the bound of what a reader of files accepts."""
APPENDED = "\n\nARGUMENTS: "
"""What the host puts after a text that has no place for arguments, before the arguments."""

_MARK = "---"
# A block and an inline command are run, the rest is filled in; with a backslash before it it stays.
_FILLED = re.compile(
    r"```!.*?```"
    r"|(?<!\S)!`[^`]+`"
    r"|\\?\$(?:ARGUMENTS(?:\[\d*\])?|\d+|\{(?:CLAUDE_[A-Z_]{1,64}|user_config\.[\w.-]{1,128})\})"
    r"|\\?\$([A-Za-z_]\w*)(?:\[\d*\])?",
    re.DOTALL | re.ASCII,
)
_WORD = re.compile(r"\w+", re.ASCII)


def sent(read: PendingRead, folder: str, text: str) -> bool | None:
    """Return whether `text`, which the host loaded from `folder`, is the skill that was read.

    None where the file is no longer what was read: then nothing can tell what the host had. Never raises.
    """
    if read.read.file is None:
        return None
    path = Path(read.read.file.root, read.read.file.path)
    try:
        if Path(folder).resolve() != path.resolve().parent:
            return False
    except (OSError, ValueError, RuntimeError):
        return False
    data = regular.read(path, FILE_BYTES)
    if data is None or f"sha256:{sha256(data).hexdigest()}" != read.read.content_digest:
        return None
    try:
        return holds(text, data.decode())
    except UnicodeDecodeError:
        return False


def holds(text: str, source: str) -> bool:
    """Whether a sent text is the body of a skill's file, whatever the host filled in. Takes linear time."""
    text, source = _plain(text), _plain(source)
    return any(_is(text, *body) for body in _bodies(source))


def _plain(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").strip()


def _bodies(source: str) -> list[tuple[str, str]]:
    """Return each body that the file may have, with its front matter.

    The host was seen to know two ends of a front matter: the next mark, wherever it stands, or a line of it.
    """
    first, _, rest = source.partition("\n")
    if first.rstrip() != _MARK:
        return [("", source)]
    ends = {rest.find(_MARK), _line(rest)} - {-1}
    return [(rest[:end], rest[end + len(_MARK) :]) for end in sorted(ends)] or [("", source)]


def _line(text: str) -> int:
    """Return where the first line begins that is no more than the mark, -1 if there is none."""
    start = 0
    for line in text.split("\n"):
        if line.rstrip() == _MARK:
            return start
        start += len(line) + 1
    return -1


def _is(text: str, front: str, body: str) -> bool:
    pieces = _pieces(front, body)
    # The last mark: what the host appends comes after all that the file holds.
    cut, mark, _ = text.rpartition(APPENDED)
    return _follow(text, pieces) or (bool(mark) and _follow(cut.rstrip(), pieces))


def _pieces(front: str, body: str) -> list[str]:
    """Return the literal pieces of a body between what is filled in, blank ends trimmed."""
    named = set(_WORD.findall(front)) if "arguments" in front else set()
    gaps = [found.span() for found in _FILLED.finditer(body) if found[1] is None or found[1] in named]
    edges = [(0, 0), *gaps, (len(body), len(body))]
    return [body[before[1] : after[0]].strip() for before, after in pairwise(edges)]


def _follow(text: str, pieces: list[str]) -> bool:
    """Whether the pieces stand in the text in their order, the first at its beginning, the last at its end.

    An empty first or last piece stands anywhere: something filled in is there.
    """
    *before, last = pieces
    if not before:
        return text == last
    if not text.startswith(before[0]):
        return False
    position = len(before[0])
    for piece in before[1:]:
        found = text.find(piece, position)
        if found < 0:
            return False
        position = found + len(piece)
    return text.endswith(last) and len(text) - len(last) >= position

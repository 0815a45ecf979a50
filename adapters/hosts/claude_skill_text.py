"""Says whether the text that Claude Code sent of a loaded skill is what the skill's file holds.

The host keeps skills in memory: after a change of the file its model may get the text of before
(`skill_edited`). It sends the file without its front matter, and fills in what stands for something else
(`skill_arguments`, `skill_filled`).
"""

import re
from hashlib import sha256
from itertools import islice, pairwise
from pathlib import Path

from adapters.hosts import regular
from contracts.read import PendingRead

FILE_BYTES = 1024 * 1024
"""Most of a skill's file that is looked at: the bound of what a reader of files accepts."""
PLACES = 4096
"""In how many places of one body the host may fill something in; one with more is never held to be sent."""
APPENDED = "\n\nARGUMENTS: "
"""What the host puts after a text that has no place for arguments, before the arguments."""

_MARK = "---"
# A block and an inline command are run, the rest is filled in; with a backslash before it it stays.
_FILLED = re.compile(
    r"```!.*?```"
    r"|(?<!\S)!`[^`]+`"
    r"|\\?\$(?:ARGUMENTS(?:\[\d*\])?|\d+(?!\w)|\{(?:CLAUDE_[A-Z_]{1,64}|user_config\.[\w.-]{1,128})\})"
    r"|\\?\$([A-Za-z_][\w-]{0,63})",
    re.DOTALL | re.ASCII,
)
_NAME = re.compile(r"[\w-]+", re.ASCII)


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

    A front matter ends at the next mark, wherever it stands (`skill_filled`), or at a line that is the mark.
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
    found = list(islice(_FILLED.finditer(body), PLACES + 1))
    if len(found) > PLACES:
        return False
    pieces = _pieces(front, body, found)
    # The last mark: what the host appends comes after all that the file holds.
    cut, mark, _ = text.rpartition(APPENDED)
    return _follow(text, pieces) or (bool(mark) and _follow(cut.rstrip(), pieces))


def _pieces(front: str, body: str, found: list[re.Match[str]]) -> list[str]:
    """Return the literal pieces of a body between what is filled in, blank ends trimmed."""
    named = set(_NAME.findall(front)) if "arguments" in front else set()
    gaps = [gap for one in found if (gap := _gap(one, named)) is not None]
    edges = [(0, 0), *gaps, (len(body), len(body))]
    return [body[before[1] : after[0]].strip() for before, after in pairwise(edges)]


def _gap(found: re.Match[str], named: set[str]) -> tuple[int, int] | None:
    """Return what the host fills in: of a name the longest that is one, if no letter or bracket follows."""
    name = found[1]
    if name is None:
        return found.span()
    rest = name + found.string[found.end() : found.end() + 1]
    for size in range(len(name) if named else 0, 0, -1):
        after = rest[size : size + 1]
        if name[:size] in named and after not in {"[", "_"} and not after.isalnum():
            return found.start(), found.start(1) + size
    return None


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

"""Says whether the text that Claude Code sent of a loaded skill is what the skill's file holds.

The host keeps skills in memory: after a change of the file its model may get the text of before
(`skill_edited`). It sends the file without its front matter, with what the call gave as arguments, and some
values of its own, in their places (`skill_arguments`, `skill_filled`). All of them are known, so the text is
made here in the same way, and must be the same to the last letter.
"""

import re
from hashlib import sha256
from pathlib import Path

from adapters.hosts import regular
from adapters.hosts.claude_skill_arguments import filled
from adapters.hosts.claude_transcript import Loaded
from contracts.read import Read

FILE_BYTES = 1024 * 1024
"""Most of a skill's file that is looked at: the bound of what a reader of files accepts."""
FILLED = 16 * 1024 * 1024
"""Longest text that a body may become, in characters; a longer one is never held to be sent."""

_MARK = "---"
_BEGIN = re.compile(r"---[^\S\n]*\n")
_BLANKS = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""What the host takes for blank."""


def sent(read: Read, loaded: Loaded) -> bool | None:
    """Return whether what the host loaded is the skill that was read.

    None where the file is no longer what was read: then nothing can tell what the host had. Never raises.
    """
    if read.file is None:
        return None
    root = Path(read.file.root)
    path = root / read.file.path
    try:
        folder = Path(loaded.folder).resolve()
        # The file in it may be a link, too.
        if folder != path.parent.resolve() and folder != path.resolve().parent:
            return False
        in_plugin = len(folder.parents) > 1 and folder.parents[1] == root.resolve()
    except (OSError, ValueError, RuntimeError):
        return False
    data = regular.read(path, FILE_BYTES, links=True)
    if data is None or f"sha256:{sha256(data).hexdigest()}" != read.content_digest:
        return None
    try:
        source = data.decode()
    except UnicodeDecodeError:
        return False
    return holds(loaded, source, in_plugin=in_plugin)


def holds(loaded: Loaded, source: str, *, in_plugin: bool = False) -> bool:
    """Whether a sent text is what the host makes of a skill's file; `in_plugin` says if it is a plugin's."""
    values = _values(loaded, in_plugin=in_plugin)
    longest = max(map(len, (loaded.arguments, *values.values())))
    if longest * source.count("$") > FILLED:
        return False
    for front, body in _bodies(source):
        text = filled(body, front, loaded.arguments)
        if text is None:
            continue
        for name, value in values.items():
            text = text.replace(name, value)
        if loaded.text == f"\n{text}":
            return True
    return False


def _bodies(source: str) -> list[tuple[str, str]]:
    """Return the body that the file has, with its front matter; of one with a byte order mark two.

    The front matter ends at the next mark, wherever it stands, and blanks after it are not sent. 2.1.197
    takes a byte order mark for a letter, so that there is no front matter; 2.1.332 passes over it.
    """
    plain = source.removeprefix("\ufeff")
    begin = _BEGIN.match(plain)
    end = -1 if begin is None else plain.find(_MARK, begin.end())
    whole = ("", source)
    if end < 0:
        return [whole]
    bodies = [(plain[:end], plain[end + len(_MARK) :].lstrip(_BLANKS))]
    return bodies if plain == source else [*bodies, whole]


def _values(loaded: Loaded, *, in_plugin: bool) -> dict[str, str]:
    """Return what the host puts for its own names; what it does not know stays as it is."""
    values = {"SKILL_DIR": loaded.folder, "SESSION_ID": loaded.conversation}
    if in_plugin:
        values["PLUGIN_ROOT"] = str(Path(loaded.folder).parents[1])
    return {f"${{CLAUDE_{name}}}": value for name, value in values.items()}

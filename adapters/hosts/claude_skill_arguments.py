"""What Claude Code makes of the places for arguments in a skill's body, as far as that is certain.

Observed with 2.1.197 and 2.1.332 alike, but for a number without an argument: 2.1.332 leaves `$3` as it
stands, 2.1.197 puts nothing there. The former is taken, for it is the file's own text (`skill_filled`).
"""

import re
import shlex

_PLACE = re.compile(
    r"(?<!\\)(\\*)\$(?:(ARGUMENTS)(?:\[(\d+)\])?|(\d+)(?!\w)|([A-Za-z_][\w-]{0,63}))", re.ASCII
)
_NAMES = re.compile(r"^arguments:[ \t]*(\[[^\]\n]*\]|[^\n]*(?:\n[ \t]*- [^\n]*)*)", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z_][\w-]{0,63}", re.ASCII)
_ODD = re.compile(r"[^\w\s,.:/@+%'\"\\-]|[\n\r]")
"""Of arguments with one of these the host makes other words than a shell."""
MOST = 64
"""How many names of arguments are looked at at most."""
LONGEST = 4096
"""Longest arguments, in characters, that are taken apart."""
DIGITS = 3
"""How many digits the number of an argument may have."""


APPENDED = "\n\nARGUMENTS: "
"""What the host puts after a text in which it filled no place, before the arguments."""


def filled(body: str, front: str, arguments: str) -> str | None:
    """Return a body with the arguments of a call in their places; `front` is the skill's front matter.

    None where it is not certain what stands in one of them.
    """
    words, names = _words(arguments), _names(front)
    placed = unknown = False

    def put(found: re.Match[str]) -> str:
        nonlocal placed, unknown
        marks, whole, _, _, name = found.groups()
        if name is None and len(marks) == 1:
            return found[0][1:]
        if whole and found[3] is None:
            given: str | None = marks + arguments
        else:
            given = _by_number(found, words or []) if name is None else _by_name(found, names, words or [])
            unknown = unknown or (words is None and (name is None or given is not None))
        placed = placed or given is not None
        return found[0] if given is None else given

    text = _PLACE.sub(put, body)
    if unknown:
        return None
    return text if placed or not arguments else text + APPENDED + arguments


def _by_number(found: re.Match[str], words: list[str]) -> str | None:
    """Return a place for an argument by its number, filled; None where there is none."""
    at = found[3] or found[4]
    return found[1] + words[int(at)] if len(at) <= DIGITS and int(at) < len(words) else None


def _by_name(found: re.Match[str], names: list[str], words: list[str]) -> str | None:
    """Return a place for an argument by its name, filled: the longest name that ends there."""
    marks, name = found[1], found[5]
    rest = name + found.string[found.end() : found.end() + 1]
    for size in range(len(name) if names and not marks else 0, 0, -1):
        after = rest[size : size + 1]
        if name[:size] in names and after not in {"[", "_"} and not after.isalnum():
            at = names.index(name[:size])
            return "".join(words[at : at + 1]) + name[size:]
    return None


def _names(front: str) -> list[str]:
    """Return the names of arguments that a front matter lists, none where it is not certain which."""
    found = _NAMES.search(front)
    if found is None:
        return []
    listed = found[1].strip()
    parts = listed[1:-1].split(",") if listed.startswith("[") else re.split(r"\s+(?:- )?|^- ", listed)
    names = [part.strip().strip("'\"") for part in parts if part.strip()]
    return names if len(names) <= MOST and all(map(_NAME.fullmatch, names)) else []


def _words(arguments: str) -> list[str] | None:
    """Return the single arguments, None where it is not certain what the host takes for one."""
    if len(arguments) > LONGEST or _ODD.search(arguments):
        return None
    try:
        return shlex.split(arguments)
    except ValueError:
        return None

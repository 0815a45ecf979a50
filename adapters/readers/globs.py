"""The one pattern language for files: globs of paths in a root, with `/` between names.

In a name `*`, `?` and `[…]` are those of `fnmatch`, and `**` for a name stands for any folders, none too.

Patterns may be of anybody's making. Made into one regular expression, as libraries for globs do, eight times
`**/a*/` keep it busy for seconds, and no other thread runs then. So names are compared one after the other.
"""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from unicodedata import normalize

ANY = "**"


def matches(place: str, patterns: Sequence[str]) -> bool:
    """Whether a path in a root matches one of the patterns; a leading dot needs no pattern of its own."""
    names = _names(place)
    return any([False, *_met(_names(pattern), names)][-1] for pattern in patterns)


def covers(patterns: Sequence[str], place: str) -> bool:
    """Whether the path itself or a folder above it matches: so `drafts` and `drafts/` cover all in it.

    Upper and lower case are alike: where a system takes them for the same, no other spelling gets past.
    """
    names = _names(place.casefold())
    return any(any(_met(_names(pattern.casefold().rstrip("/")), names)) for pattern in patterns)


def _names(path: str) -> list[str]:
    """Return the names in a path or a pattern; a letter with a mark is one letter, in all forms of it."""
    names: list[str] = []
    for name in normalize("NFC", path).split("/"):
        if name != "." and not (name == ANY and names[-1:] == [ANY]):
            names.append(name)
    return names


def _met(pattern: Sequence[str], names: Sequence[str]) -> Iterator[bool]:
    """Yield after each name whether the names so far match; how far the pattern can be is kept as a set."""
    at = _open(pattern, {0})
    for name in names:
        stays = {place for place in at if place < len(pattern) and pattern[place] == ANY}
        goes = {place + 1 for place in at - stays if place < len(pattern) and _same(name, pattern[place])}
        at = _open(pattern, stays | goes)
        yield len(pattern) in at


def _open(pattern: Sequence[str], at: set[int]) -> set[int]:
    return at | {place + 1 for place in at if place < len(pattern) and pattern[place] == ANY}


def _same(name: str, pattern: str) -> bool:
    return name == pattern or (not pattern.isalnum() and fnmatchcase(name, pattern))

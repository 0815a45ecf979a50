"""The one pattern language for files: globs of paths in a root, with `/` between names.

In a name `*`, `?` and `[…]` are those of `fnmatch`, and `**` for a name stands for any folders, none too. A
`/` before the first name says only that the path begins at the root, as each does; `./` and `//` say nothing.

Patterns may be of anybody's making. Made into one regular expression, as libraries for globs do, eight times
`**/a*/` keep it busy for seconds, and no other thread runs then. So names are compared one after the other.
"""

from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import product
from unicodedata import normalize

Forms = tuple[str, ...]
"""One name in all the forms of it that count as the same."""

ANY: Forms = ("**",)

PATTERNS = 512
"""How many patterns are kept taken apart: the lists of a user and of some projects."""


def matches(place: str, patterns: Sequence[str]) -> bool:
    """Whether a path in a root matches one of the patterns; a leading dot needs no pattern of its own."""
    names = _names(place, _exact)
    return any([False, *_met(_listed(pattern), names)][-1] for pattern in patterns)


def covers(patterns: Sequence[str], place: str) -> bool:
    """Whether the path or a folder above it is to be ignored: so `drafts` and `drafts/` cover all in it.

    A name without a `/` before or in it is meant at any depth, as people know it from `.gitignore`. Upper and
    lower case are alike: where a system takes them for the same, no other spelling gets past.
    """
    names = _names(place, _alike)
    return any(any(_met(_ignored(pattern), names)) for pattern in patterns)


@lru_cache(PATTERNS)
def _listed(pattern: str) -> tuple[Forms, ...]:
    return tuple(_names(pattern, _exact))


@lru_cache(PATTERNS)
def _ignored(pattern: str) -> tuple[Forms, ...]:
    names = _names(pattern, _alike)
    anywhere = "/" not in pattern.rstrip("/") and names not in ([], [ANY])
    return (ANY, *names) if anywhere else tuple(names)


def _names(path: str, forms: Callable[[str], Forms]) -> list[Forms]:
    """Return the names in a path or a pattern; a letter with a mark is one letter, in all forms of it."""
    names: list[Forms] = []
    for name in normalize("NFC", path).split("/"):
        if name not in {"", "."} and not (name == ANY[0] and names[-1:] == [ANY]):
            names.append(forms(name))
    return names


def _exact(name: str) -> Forms:
    return (name,)


def _alike(name: str) -> Forms:
    """Return the forms of a name of which one must match: without its case, "ß" is one letter and two."""
    if name.isascii():
        return (name.lower(),)
    return tuple(dict.fromkeys(normalize("NFC", form) for form in (name, name.lower(), name.casefold())))


def _met(pattern: Sequence[Forms], names: Sequence[Forms]) -> Iterator[bool]:
    """Yield after each name whether the names so far match, and end where no more can.

    All places in the pattern up to which they may have come are the bits of one number.
    """
    wild = sum(1 << place for place, one in enumerate(pattern) if one == ANY)
    met: dict[Forms, int] = {}
    at = _open(1, wild)
    for name in names:
        if name not in met:
            met[name] = sum(
                1 << place for place, one in enumerate(pattern) if one != ANY and _same(name, one)
            )
        at = _open(at & wild | (at & met[name]) << 1, wild)
        yield bool(at >> len(pattern))
        if not at:
            return


def _open(at: int, wild: int) -> int:
    return at | (at & wild) << 1


def _same(name: Forms, pattern: Forms) -> bool:
    return any(
        one == other or (not other.isalnum() and fnmatchcase(one, other))
        for one, other in product(name, pattern)
    )

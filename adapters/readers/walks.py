"""Which files in the library's folders a pattern of names stands for, within bounds of size and of time."""

import os
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path
from time import monotonic

ENTRIES = 512
"""How many entries a folder may have in which a pattern of names is looked for."""
LISTED = 256
"""How many folders are listed at most for one call."""
LEVELS = 12
"""How deep below its folder a search is followed."""
PLACES = 16
"""In how many folders that a command names a search is followed."""
WANTED = 8
"""How many names a search looks for at most."""
LONGEST_NAME = 255
"""Longest pattern of a name that is looked for, as long as a name can be."""
SECONDS = 0.1
"""For how long folders are listed for one call."""
LEFT_OUT = frozenset(
    {".git", ".hg", ".svn", "node_modules", ".venv", "venv", "__pycache__", ".tox", ".mypy_cache"}
)
"""Folders that no search is followed into: they are large and hold nobody's documents."""

_WILD = frozenset("*?[")


class Walk:
    """Lists folders for one call; `folders` are those in which relative names may lie.

    Only folders that lie in one of the roots are listed, links resolved. Nothing raises.
    """

    def __init__(self, roots: Iterable[str], folders: Iterable[Path]) -> None:
        """Begin with all bounds unused."""
        self._roots = tuple(roots)
        self._folders = tuple(folders)
        self._known: dict[str, list[str]] = {}
        self._until = monotonic() + SECONDS

    def matching(self, pattern: str) -> Iterator[str]:
        """Yield the names that a shell puts in a pattern's place, sorted; `**` stands for any folders."""
        top = "/" if pattern.startswith("/") else ""
        parts = [part for part in pattern.split("/") if part not in {"", "."}]
        for folder in self._folders:
            yield from self._matching(folder, top, parts, LEVELS)

    def below(self, places: Iterable[str], wanted: Iterable[str]) -> Iterator[str]:
        """Yield the files of these names, or patterns of names, in and below the folders that are named.

        Where none is named, below the folders in which the command works.
        """
        patterns = [one.removeprefix("./").removeprefix("**/") for one in islice(wanted, WANTED)]
        named = [place for place in places if self._is_folder(place)] if patterns else []
        for place in named[:PLACES] or ["."]:
            for folder in self._folders:
                for name in self._all(folder, "" if place == "." else f"{place}/", LEVELS):
                    last = name.rpartition("/")[2]
                    if any(_alike(last if "/" not in one else name, one) for one in patterns):
                        yield name

    def _is_folder(self, place: str) -> bool:
        try:
            return any(os.path.isdir(folder / place) for folder in self._folders)  # noqa: PTH112 - no error but "no"
        except ValueError:
            return False

    def _inner(self, folder: Path, above: str) -> Iterator[str]:
        """Yield the folders in which `**` goes on: none that is hidden."""
        for name in self._entries(folder / above):
            if name[0] != "." and name not in LEFT_OUT and _is_entered(folder / above / name):
                yield name

    def _matching(self, folder: Path, above: str, parts: list[str], left: int) -> Iterator[str]:
        if not parts or left < 0 or monotonic() > self._until:
            return
        first, *rest = parts
        if first == "**":
            yield from self._matching(folder, above, rest, left)
            for name in self._inner(folder, above):
                yield from self._matching(folder, f"{above}{name}/", parts, left - 1)
            return
        if not _WILD.intersection(first):
            # Above a root no folder is listed, and none need be.
            if rest:
                yield from self._matching(folder, f"{above}{first}/", rest, left)
            elif _is_there(folder / above / first):
                yield above + first
            return
        for name in self._entries(folder / above):
            if not _fits(name, first):
                continue
            if rest:
                yield from self._matching(folder, f"{above}{name}/", rest, left - 1)
            else:
                yield above + name

    def _all(self, folder: Path, above: str, left: int) -> Iterator[str]:
        """Yield the files in a folder, then those in the folders in it."""
        inner: list[str] = []
        for name in self._entries(folder / above):
            if name.endswith(".md"):
                yield above + name
            elif "." not in name[1:] and name not in LEFT_OUT:
                inner.append(name)
        for name in inner if left else ():
            if _is_entered(folder / above / name):
                yield from self._all(folder, f"{above}{name}/", left - 1)

    def _entries(self, folder: Path) -> list[str]:
        """Return the names in a folder of bounded size that lies in a root, sorted."""
        known = self._known.get(str(folder))
        if known is not None:
            return known
        found: list[str] = []
        if len(self._known) < LISTED and monotonic() < self._until:
            try:
                real = Path(os.path.realpath(folder))
                if any(real.is_relative_to(root) for root in self._roots):
                    with os.scandir(real) as entries:
                        found = sorted(entry.name for entry in islice(entries, ENTRIES + 1))
            except (OSError, ValueError):
                pass
        self._known[str(folder)] = found if len(found) <= ENTRIES else []
        return self._known[str(folder)]


def _is_entered(folder: Path) -> bool:
    # As searches do, and `**`: a link may lead around for ever.
    return folder.is_dir() and not folder.is_symlink()


def _is_there(path: Path) -> bool:
    try:
        return os.path.lexists(path)
    except ValueError:
        return False


def _fits(name: str, pattern: str) -> bool:
    """Whether a shell puts a name in a pattern's place; it puts no hidden one in that of a wild one."""
    hidden = name[0] == "." and pattern[0] != "."
    return len(pattern) <= LONGEST_NAME and not hidden and fnmatchcase(name, pattern)


def _alike(name: str, pattern: str) -> bool:
    # Searches often take no notice of case, and the bytes decide.
    return len(pattern) <= LONGEST_NAME and fnmatchcase(name.lower(), pattern.lower())

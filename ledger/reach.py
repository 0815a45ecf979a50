"""Which items of a conversation a subagent in one folder may be told of, and where it finds their files.

An item's id names a file in its own project. A subagent may work in another one, where the same name is that
of another file, or of none; and what counted when it was read may have been switched off or ignored since.
"""

import os
from collections.abc import Callable, Iterable
from functools import cache, partial
from pathlib import Path

from msgspec.structs import replace

from adapters import readers
from adapters.readers import places, scope
from adapters.readers.globs import covers
from contracts.library import PROJECT, Library, Root
from contracts.read import Candidate, File, Read
from ledger import project
from ledger.briefing import Item


def reached(candidates: Iterable[Candidate], folder: str, look: Callable[[str], Library]) -> tuple[Item, ...]:
    """Return those items, in their order, of which a subagent that works in `folder` may be told.

    `look` tells which files count where the host works in a folder. Without a file an item counts anywhere;
    else its file must count there now: in its project or one around or inside it, among the host's places for
    skills, or in the same place of another checkout that its user made one store with it. One file is told of
    once. The file system is asked only where there is an item with a file.
    """
    near = cache(lambda: _Places(folder, look))
    found: dict[Path | int, Item] = {}
    for one in candidates:
        if one.read.file is None:
            found[one.ordinal] = Item(one)
        elif (at := near().find(one, one.read.file)) is not None:
            found.setdefault(*at)
    return tuple(found.values())


def ignored(file: Path, top: Path) -> bool:
    """Whether a project inside `top`, in which a file lies, ignores it."""
    return any(
        covers(one.contents.patterns.ignore, file.relative_to(one.root).as_posix())
        for one in project.around(file.parent, below=top)
    )


class _Places:
    """The places that count for a subagent's folder."""

    def __init__(self, folder: str, look: Callable[[str], Library]) -> None:
        self._look = cache(look)
        self._library = look(folder)
        self._tops = places.tops(self._library)

    def find(self, candidate: Candidate, read_from: File) -> tuple[Path, Item] | None:
        """Return the file that the subagent can open, and the item with the way to it, or None."""
        read = candidate.read
        try:
            held = self._held(read, Path(os.path.realpath(read_from.root), read_from.path), read_from.path)
            if held is None:
                return None
            file, top, root = held
            real = Path(os.path.realpath(file))
            if real != file and not self._leads(read.reader, file):
                return None
            shut = ignored(file, top) or project.why_not(file.parent, below=top)
            if shut or not self._counts(read.reader, file):
                return None
        except (OSError, ValueError):
            return None
        path = file.relative_to(top).as_posix()
        there = replace(candidate, read=replace(read, file=replace(read_from, root=str(top), path=path)))
        if root.name == PROJECT or root.name.startswith(".."):
            return real, Item(there, Path(os.path.relpath(file, self._library.folder)).as_posix())
        return real, Item(there, path, root.name)

    def _leads(self, reader: str, file: Path) -> bool:
        """Whether links on the way to a file may lead to it: what became one since is judged anew."""
        place = places.locate(file, self._tops, partial(readers.takes, reader))
        return isinstance(place, places.Place) and place.linked

    def _held(self, read: Read, file: Path, path: str) -> tuple[Path, Path, Root] | None:
        """Return the file, the folder of the nearest root that holds it, and that root."""
        for top, root in self._tops:
            if file.is_relative_to(top):
                return file, top, root
        for top, root in self._tops:
            if root.name == PROJECT and root.scope and scope.of_root(root) == read.store_scope:
                return top / path, top, root
        return None

    def _counts(self, reader: str, file: Path) -> bool:
        """Whether a file still counts for the subagent's folder, or for its own in another project."""
        return readers.counts(reader, file, self._tops) or readers.counts(
            reader, file, places.tops(self._look(str(file.parent)))
        )

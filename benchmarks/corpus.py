"""A corpus of Markdown files, and which runs of whole lines its files have in common.

All pairs of thousands of files are compared at once: lines become numbers, equal places are grouped, and a
group is followed line by line as long as it holds two files. A group whose places all have the same line
above them is dropped, as a longer run has found them already.
"""

from __future__ import annotations

import json
import sys
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

import msgspec

from adapters.readers import runs
from adapters.readers.runs import Text

FILE_BYTES = 1024 * 1024
"""How large a file may be; larger ones are left out."""
NEAR = 0.3
"""Which share of the shorter file's lines two files have in common that are near-copies."""
CHARACTERS = (20, 40, 60, 80, 100, 120, 160, 200, 300)
"""The characters from which a run may count, in ascending order."""
DISTINCT = (1, 2, 3, 4, 5, 6, 8)
"""The different lines from which a run may count, in ascending order."""


class Document(msgspec.Struct, frozen=True):
    """A file of the corpus; `package` is the folder it was installed in, `spoken` its lines not blank."""

    path: str
    package: str
    text: Text
    spoken: list[str]


class Common(msgspec.Struct, frozen=True):
    """A run of lines that several files have, its lines not blank, and how heavy it is.

    `level` counts how many of `CHARACTERS` and of `DISTINCT` it reaches. A run that reaches all of them is
    not followed any further.
    """

    files: frozenset[int]
    lines: tuple[str, ...]
    level: tuple[int, int]


def documents(folders: Iterable[Path]) -> list[Document]:
    """Return the Markdown files below folders, each content once, without empty and too large ones."""
    found: dict[bytes, Document] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*.md")):
            if not path.is_file() or path.stat().st_size > FILE_BYTES:
                continue
            data = path.read_bytes()
            try:
                text = runs.split(data.decode())
            except UnicodeDecodeError:
                continue
            spoken = [line for line in text.lines if line.strip()]
            if spoken and data not in found:
                near = path.relative_to(folder)
                found[data] = Document(str(near), package(near), text, spoken)
    return list(found.values())


def package(path: Path) -> str:
    """Return the folder of the innermost package that a file below the corpus belongs to."""
    parts = path.parts[:-1]
    for at in range(len(parts) - 1, -1, -1):
        if parts[at] in {"node_modules", "site-packages"}:
            scoped = len(parts) > at + 1 and parts[at + 1].startswith("@")
            return "/".join(parts[: at + 2 + scoped])
    return parts[0] if parts else ""


def asked(folders: Iterable[Path]) -> list[str]:
    """Return the packages that were installed by name into folders, with their versions."""
    names: list[str] = []
    for folder in folders:
        for wanted in folder.glob("package.json"):
            for name in sorted(json.loads(wanted.read_bytes()).get("dependencies", {})):
                own = json.loads(Path(folder, "node_modules", name, "package.json").read_bytes())
                names.append(f"{name} {own['version']}")
    return names


class Numbers(dict[object, int]):
    """Gives each different key the next number, from 0."""

    def __missing__(self, key: object) -> int:
        """Return the number of a new key."""
        self[key] = len(self)
        return self[key]


class Pairs:
    """A set of unordered pairs of files, as one row of bits a file."""

    def __init__(self, files: int) -> None:
        """Start without a pair."""
        self.rows = [0] * files

    def join(self, files: Iterable[int]) -> None:
        """Take all pairs of these files."""
        bits = sum(1 << file for file in files)
        for file in files:
            self.rows[file] |= bits

    def count(self, among: Pairs) -> int:
        """Count the pairs that are in another set, too."""
        both = zip(self.rows, among.rows, strict=True)
        return sum((own & other & ~(1 << file)).bit_count() for file, (own, other) in enumerate(both)) // 2

    def each(self, among: Pairs) -> Iterator[tuple[int, int]]:
        """Yield the pairs that are in another set, too, the lower number first."""
        for file, (own, other) in enumerate(zip(self.rows, among.rows, strict=True)):
            rest = (own & other) >> (file + 1)
            while rest:
                low = rest & -rest
                yield file, file + low.bit_length()
                rest ^= low


def near_copies(files: Sequence[Document]) -> Pairs:
    """Return the pairs of files that share more than `NEAR` of the different lines of the shorter one."""
    holders: defaultdict[str, list[int]] = defaultdict(list)
    sets = [set(map(str.strip, one.spoken)) for one in files]
    for file, lines in enumerate(sets):
        for line in lines:
            holders[line].append(file)
    near = Pairs(len(files))
    for file, lines in enumerate(sets):
        progress("near-copies", file, len(files))
        shared: Counter[int] = Counter()
        for line in lines:
            shared.update(holders[line])
        for other, count in shared.items():
            if other != file and count > NEAR * min(len(lines), len(sets[other])):
                near.rows[file] |= 1 << other
    return near


class Sequences:
    """The lines of all files that are not blank, in one row, as numbers that are equal where lines are."""

    def __init__(self, files: Sequence[Document]) -> None:
        """Give each line a number, and one to each with its neighbour and the blank lines between."""
        self.lines: list[str] = []
        self.owner: list[int] = []
        self.above: list[int] = []
        """Negative at the begin of a file: nothing there is equal to anything."""
        self.onto: list[int] = []
        """The line with the blank ones above it, -1 at the begin of a file."""
        known = Numbers()
        for file, one in enumerate(files):
            blank: tuple[str, ...] = ()
            last: str | None = None
            for speaks, lines in groupby(one.text.lines, key=lambda line: bool(line.strip())):
                if not speaks:
                    blank = tuple(lines)
                    continue
                for line in lines:
                    self.lines.append(line)
                    self.owner.append(file)
                    self.above.append(-1 - file if last is None else known[last, blank])
                    self.onto.append(-1 if last is None else known[blank, line])
                    blank, last = (), line
        self.onto.append(-1)

    def starts(self) -> list[list[int]]:
        """Return the places of each different line."""
        places: defaultdict[str, list[int]] = defaultdict(list)
        for place, line in enumerate(self.lines):
            places[line].append(place)
        return list(places.values())

    def onward(self, places: Iterable[int], size: int) -> list[list[int]]:
        """Return in groups the places from which the same line follows after so many."""
        groups: defaultdict[int, list[int]] = defaultdict(list)
        for place in places:
            groups[self.onto[place + size]].append(place)
        groups.pop(-1, None)
        return list(groups.values())

    def holders(self, places: Iterable[int]) -> frozenset[int]:
        """Return the files in which places are, none where a run that begins above holds all of them."""
        if len({self.above[place] for place in places}) == 1:
            return frozenset()
        return frozenset(self.owner[place] for place in places)


def common(files: Sequence[Document]) -> Iterator[Common]:
    """Yield the runs that two files or more have, from the lightest of `CHARACTERS` on.

    A run that is part of a longer one of the same files may come as well; it is never heavier than that.
    """
    row = Sequences(files)
    starts = row.starts()
    for done, start in enumerate(starts):
        progress("common runs", done, len(starts))
        stack: list[tuple[list[int], int, int, frozenset[str]]] = [(start, 0, 0, frozenset())]
        while stack:
            places, size, characters, words = stack.pop()
            holders = row.holders(places)
            if len(holders) < 2:  # noqa: PLR2004
                continue
            last = row.lines[places[0] + size].strip()
            size, characters = size + 1, characters + len(last)
            words = words | {last} if len(words) < DISTINCT[-1] else words
            level = bisect_right(CHARACTERS, characters), bisect_right(DISTINCT, len(words))
            full = level == (len(CHARACTERS), len(DISTINCT))
            groups = [] if full else row.onward(places, size)
            stack += [(group, size, characters, words) for group in groups]
            if level[0] and all(len(group) < len(places) for group in groups):
                yield Common(holders, tuple(row.lines[places[0] : places[0] + size]), level)


def progress(what: str, done: int, of: int) -> None:
    """Say on standard error how far a part of the work has come."""
    if done % max(of // 20, 1) == 0:
        print(f"{what}: {100 * done // of} %", file=sys.stderr)

"""Which lines of which files stand in a text: runs of consecutive whole lines, plain or numbered.

A run is a stretch of a file's lines that stands in the text line by line. It counts if it is long enough to
be no accident, and each stretch of the text counts for the longest run alone: a licence at the end of one
file is no reading of another that ends with the same one.

A plain run holds a line that its file has no more than `REPEATS` times; it is found from there. That keeps
the work in proportion to the text and the files, whatever they are made of.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

import msgspec

from contracts.lines import Range

CHARACTERS = 80
"""How many characters a run has at least, in lines that are not blank (see `docs/coincidence.md`)."""
DISTINCT = 3
"""How many different lines a run has at least, without blank ones."""
WHOLE_CHARACTERS = 24
"""How many characters a file has at least that counts where all of it stands among other text."""
WHOLE_DISTINCT = 2
"""How many different lines such a file has at least, without blank ones."""
REPEATS = 16
"""How often a line may stand in a file from which a run of it is looked for."""
SEPARATOR = 12
"""How many characters may stand between a line's number and the line."""

_NUMBER = re.compile(r"()[ \t]*+(\d{1,7})(?!\d)")
_HIT = re.compile(r"(.{1,1024}?\.md)[:-](\d{1,7})(?=[:-])")
"""What a search in several files writes before a line."""
_RULER = re.compile(r"[-=#*~_+ ]{2,}")
_PRESENT = re.compile(b"\x01+")
_SEARCH = frozenset({":", "-"})
"""What a search writes after the number of a line that it found, and of one beside it."""


_Numbered = tuple[int, re.Match[str]]
"""A line of a text with a number before it, by what found it: the name of a file, if any, and the number."""
_Forms = frozenset[tuple[str, str, int]]
"""How a number may stand before a line: what is around it, and how wide it is where it is filled up."""


class Text(msgspec.Struct, frozen=True):
    """A file's lines as they are compared; `ended` says whether the last one has a line end.

    `spoken` are the first and the last line that is not blank, from 1; (1, 0) if all are.
    `names` are the texts by which a search may name the file before each line.
    """

    lines: list[str]
    ended: bool
    spoken: Range
    names: tuple[str, ...] = ()


class Run(msgspec.Struct, frozen=True):
    """Lines of a file, which has an index, that stand in a text from line `at` on; all count from 0."""

    at: int
    size: int
    file: int
    first: int

    @property
    def end(self) -> int:
        """The line of the text after the run."""
        return self.at + self.size

    @property
    def range(self) -> Range:
        """The lines of the file, from 1."""
        return self.first + 1, self.first + self.size


def split(text: str, names: Iterable[str] = ()) -> Text:
    """Return a text as lines, without a byte order mark and with one form of line ends."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    ended = lines[-1] == ""
    if ended:
        lines.pop()
    first = next((place for place, line in enumerate(lines, 1) if _speaks(line)), 1)
    last = next((place for place in range(len(lines), 0, -1) if _speaks(lines[place - 1])), 0)
    return Text(lines, ended, (first, last), tuple(names))


def shown(text: str, files: Sequence[Text]) -> Text:
    """Return the lines of a text that may show files; lines that a command joined are parted again.

    So does `cat` with the last line of a file that has no line end and what comes after it.
    """
    found = split(text.replace("\n\ufeff", "\n"))
    ends = {file.lines[-1] for file in files if not file.ended and _speaks(file.lines[-1])}
    if not ends:
        return found
    known = {line for file in files for line in file.lines}
    begins = {file.lines[0] for file in files if file.lines}
    parted: list[str] = []
    for line in found.lines:
        rest = next((line[len(end) :] for end in ends if line.startswith(end) and line not in known), "")
        joined = rest in begins or _RULER.fullmatch(rest)
        parted += [line[: -len(rest)], rest] if rest and joined else [line]
    return msgspec.structs.replace(found, lines=parted)


def runs(text: Text, files: Sequence[Text]) -> list[Run]:
    """Return all runs of these files in a text, however short."""
    present = set(filter(_speaks, text.lines))
    numbers = [(at, found) for at, line in enumerate(text.lines) if (found := _NUMBER.match(line))]
    hits: dict[str, list[_Numbered]] = {}
    for at, line in enumerate(text.lines):
        if hit := _HIT.match(line):
            hits.setdefault(hit[1], []).append((at, hit))
    every: list[Run] = []
    for number, file in enumerate(files):
        every += _plain(text.lines, file.lines, number, present)
        named = [one for name in file.names for one in hits.get(name, ())]
        placed = _placed(numbers + sorted(named, key=itemgetter(0)), file.lines, len(text.lines) - 1)
        every += _behind_numbers(placed, number)
    return every


def counts(run: Run, file: Text) -> bool:
    """Whether a run is no accident: long enough, or all of a file that says something."""
    lines = file.lines[run.first : run.first + run.size]
    first, last = file.spoken
    whole = run.first < first and run.first + run.size >= last
    if _weighs(lines, CHARACTERS, DISTINCT):
        return True
    return whole and _weighs(lines, WHOLE_CHARACTERS, WHOLE_DISTINCT)


def longest(found: Iterable[Run], text: Text) -> Iterator[list[Run]]:
    """Yield the runs that stand in no longer one, in their order; those of one stretch together.

    Blank lines at a run's ends make it no longer: they may be anybody's.
    """
    until = -1
    placed = [(*spoken(run, text), run) for run in found]
    placed.sort(key=lambda one: (one[0], -one[1], one[2].file, one[2].first))
    for (_, end), same in groupby(placed, key=lambda one: one[:2]):
        if end > until:
            until = end
            yield [run for *_, run in same]


def spoken(run: Run, text: Text) -> Range:
    """Return where a run stands in a text without blank lines at its ends: its begin and the line after."""
    begin, end = run.at, run.end
    while begin < end and not _speaks(text.lines[begin]):
        begin += 1
    while end > begin and not _speaks(text.lines[end - 1]):
        end -= 1
    return begin, end


def words(lines: Iterable[str]) -> int:
    """Count the different lines that are not blank."""
    return len({line for line in map(str.strip, lines) if line})


def _speaks(line: str) -> bool:
    return bool(line) and not line.isspace()


def _weighs(lines: Sequence[str], characters: int, distinct: int) -> bool:
    return sum(map(len, map(str.strip, lines))) >= characters and words(lines) >= distinct


def _plain(text: list[str], held: list[str], number: int, present: set[str]) -> Iterator[Run]:
    """Yield the runs of a file whose lines stand in the text as they are."""
    places: dict[str, list[int]] = {}
    for stretch in _PRESENT.finditer(bytes(map(present.__contains__, held))):
        for place in range(*stretch.span()):
            places.setdefault(held[place], []).append(place)
    anchors = {line: found for line, found in places.items() if len(found) <= REPEATS}
    last = len(text) - 1
    # How far the text has been compared, by the way from its lines to the file's.
    done: dict[int, int] = {}

    def same(at: int, place: int) -> bool:
        one, other = text[at], held[place]
        # Hosts trim the ends of what they show.
        return one == other or (at == 0 and one == other.lstrip()) or (at == last and one == other.rstrip())

    for at, line in enumerate(text) if anchors else ():
        for place in anchors.get(line, ()):
            way = place - at
            floor = max(done.get(way, 0), -way)
            if at < floor:
                continue
            begin, end = at, at + 1
            while begin > floor and same(begin - 1, begin - 1 + way):
                begin -= 1
            while end <= last and end + way < len(held) and same(end, end + way):
                end += 1
            done[way] = end
            yield Run(begin, end - begin, number, begin + way)


def _behind_numbers(numbered: Iterable[tuple[int, int, _Forms | None]], number: int) -> Iterator[Run]:
    """Yield the runs of lines whose numbers rise by one and have one form."""
    begin = first = size = 0
    forms: _Forms | None = None
    for at, place, own in numbered:
        met = forms if own is None or forms is None else own & forms
        if size and (at, place) == (begin + size, first + size) and met:
            size, forms = size + 1, met
            continue
        if size:
            yield Run(begin, size, number, first)
        begin, first, size, forms = at, place, int(own is not None), own
    if size:
        yield Run(begin, size, number, first)


def _placed(
    numbers: Iterable[_Numbered], held: list[str], last: int
) -> Iterator[tuple[int, int, _Forms | None]]:
    """Yield where a text holds a file's line behind its number, that line's place, and the forms."""
    for at, found in numbers:
        if placed := _place(found, held, last=at == last):
            yield at, *placed


def _place(found: re.Match[str], held: list[str], *, last: bool) -> tuple[int, _Forms | None] | None:
    """Return the place of a numbered line in a file, from 0, and the forms that its number may have.

    The forms are None where the last line does not show its own.
    """
    line = found.string
    place = int(found[2]) - 1
    if not 0 <= place < len(held):
        return None
    own = held[place]
    if last and not _speaks(own) and _between(rest := line[found.end() :]) and rest == rest.rstrip():
        # What stood behind the last number, or its end, went with the trimmed end.
        return place, None
    if not line.endswith(own):
        own = own.rstrip()
        if not (last and own and line.endswith(own)):
            return None
    between = line[found.end() : len(line) - len(own)]
    # A program that numbers lines knows nothing of a byte order mark.
    between = between.removesuffix("\ufeff") if place == 0 else between
    if len(line) - len(own) < found.end() or not _between(between):
        return None
    mark = "search" if between in _SEARCH else between
    if found[1]:
        # It may be named in several ways.
        return place, frozenset({("named", mark, 0)})
    pad, width, after = line[: found.start(2)], len(found[2]), between.lstrip(" ")
    return place, frozenset(
        {
            ("", f"{pad}\n{mark}", 0),
            ("right", mark, len(pad) + width),
            ("left", f"{pad}\n{after}", width + len(between) - len(after)),
        }
    )


def _between(text: str) -> bool:
    """Whether a text may stand between a line's number and the line."""
    return len(text) <= SEPARATOR and not any(map(str.isalnum, text))

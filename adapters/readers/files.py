"""Which lines of which files a tool's result proves, as the files' bytes are now.

What was typed only says which files to compare with; the lines that stand in the result prove the rest.
"""

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from stat import S_ISREG
from time import monotonic
from typing import Protocol

import msgspec
from msgspec.structs import replace

from adapters.readers import runs
from adapters.readers.edges import edges, numbers
from adapters.readers.likeness import resembles
from adapters.readers.names import Named, named
from adapters.readers.places import FILE_BYTES, Counts, Found, Tops, look, tops
from adapters.readers.runs import Run, Text
from contracts.event import FileResult, ShellResult
from contracts.library import Library
from contracts.lines import Lines, Range, common, part
from contracts.outcome import Skipped
from contracts.read import PendingRead, Read, result_digest
from contracts.reader import Reader

RESULT_CHARACTERS = 1024 * 1024
"""How much of a result is compared; hosts cut one long before that."""
FILES = 32
"""How many files one result is compared with at most."""
ALL_BYTES = 4 * FILE_BYTES
"""How many bytes these files may have together."""
SECONDS = 0.3
"""For how long files are looked for and opened; what is not reached by then is not compared."""
PART_LINES = 5
"""How many lines of a longer file are at least worth a candidate."""
ABOVE = 4
"""In how many lines above a run one is looked for that is not blank and may name its file."""

_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class Proven(msgspec.Struct, frozen=True):
    """A file and the lines of it that a result shows, None for all of them."""

    found: Found
    lines: Lines | None


class FileReader(Reader, Protocol):
    """A reader whose items are files."""

    def read(self, proven: Proven, library: Library) -> Read | Skipped:
        """Return the read of a file that counts for this reader, or why it is none."""


class _Candidate(msgspec.Struct):
    """A file that a call may have shown; `explicit` says that the call names it outright."""

    found: Found
    text: Text
    names: list[str]
    explicit: bool


def proven(
    result: ShellResult | FileResult, library: Library, counts: Counts
) -> list[Proven] | Skipped | None:
    """Return the files of which the result shows lines, in its order; else why there is none.

    None where no file that counts is named, or a command gave nothing, or nothing that looks like the file,
    as a search, a count or a commit does: it is nobody's business then.
    """
    text = _text(result)
    if isinstance(result, ShellResult) and not text.strip():
        # A commit, a move or a redirect names files, too.
        return None
    candidates, refused, outside = _candidates(result, library, counts, len(text))
    if not candidates:
        return refused
    shown = runs.shown(text, [one.text for one in candidates])
    stated = numbers(result.command if isinstance(result, ShellResult) else "")
    every: list[Run] = []
    whole = [index for index, one in enumerate(candidates) if _same(text, one)]
    if whole:
        told = _Told(candidates, shown, stated, outside)
        chosen = told.files(whole, Run(0, len(shown.lines), whole[0], 0), 1)
        found = [Proven(candidates[index].found, None) for index in chosen]
    elif (placed := _at_stated_place(result, shown, candidates)) is not None:
        return [placed]
    else:
        every = runs.runs(shown, [one.text for one in candidates])
        told = _Told(candidates, shown, stated, outside)
        found = told.proven(run for run in every if runs.counts(run, candidates[run.file].text))
    if found:
        return found
    part = result.part if isinstance(result, ShellResult) else None
    return _refused(result, text, candidates, every, told.ambiguous) or part or refused


def sent(pending: PendingRead, text: str) -> tuple[Read, ...]:
    """Return what of a pending read a text proves that was sent to the model; see `contracts.read.Sent`.

    The whole result proves all of it. Of another text the lines count that stand in it, as long as the file
    is still what was read.
    """
    if result_digest(text) == pending.result_digest:
        return pending.reads
    held = [(read, found) for read in pending.reads if (found := _content(read)) is not None]
    files = [found for _, found in held]
    shown = runs.shown(text[:RESULT_CHARACTERS], files)
    every = [run for run in runs.runs(shown, files) if runs.counts(run, files[run.file])]
    ranges: dict[int, list[Range]] = {}
    bounds: set[int] = set()
    for read in pending.reads:
        bounds.update(*read.lines.shown) if read.lines else None
    for group, free in _apart(runs.longest(every, shown)):
        for run in group:
            ranges.setdefault(run.file, []).append(edges(run, shown, files[run.file], bounds, free))
    proven: list[Read] = []
    for index, (read, file) in enumerate(held):
        lines = common(read.lines, part(ranges.get(index, []), len(file.lines)))
        if lines is None or lines.count >= PART_LINES:
            proven.append(replace(read, lines=lines))
    return tuple(proven)


def _text(result: ShellResult | FileResult) -> str:
    text = result.output if isinstance(result, ShellResult) else result.content
    if len(text) <= RESULT_CHARACTERS:
        return text
    # The last line may not be whole.
    return text[:RESULT_CHARACTERS].rpartition("\n")[0]


def _candidates(
    result: ShellResult | FileResult, library: Library, counts: Counts, size: int
) -> tuple[list[_Candidate], Skipped | None, set[str]]:
    """Return the files that a call may have shown, why one is none, and names of files outside every root."""
    above = tops(library)
    until = monotonic() + SECONDS
    left = ALL_BYTES
    refused: Skipped | None = None
    found: dict[tuple[str, str], _Candidate] = {}
    outside: set[str] = set()
    for one in named(result, library):
        held = look(one.path, above, counts)
        if isinstance(held, Skipped):
            # A command that gave little cannot have shown much of a file that is too large.
            if isinstance(result, FileResult) or held.reason != "file-too-large" or size > FILE_BYTES // 4:
                refused = refused or held
        elif held is None:
            outside |= set() if one.guessed or _inside(one.path, above) else {one.text}
        elif (known := found.get((held.root.path, held.path))) is not None:
            known.names.append(one.text)
            known.explicit = known.explicit or one.explicit
        elif (text := _lines(held, one)) is not None:
            found[held.root.path, held.path] = _Candidate(held, text, [one.text], one.explicit)
            left -= len(held.data)
        elif isinstance(result, FileResult):
            refused = refused or Skipped("content-differs", held.path)
        if left <= 0 or len(found) == FILES or monotonic() > until:
            break
    candidates = list(found.values())
    for candidate in candidates:
        # A search may name a file in other ways than the call does.
        whole = str(Path(candidate.found.root.path, candidate.found.path))
        near = os.path.relpath(whole, library.folder or "/")
        names = dict.fromkeys([*candidate.names, whole, near, f"./{near}"])
        candidate.text = replace(candidate.text, names=tuple(names))
    return candidates, refused, outside


def _lines(found: Found, one: Named) -> Text | None:
    """Return a file's lines, None where it has none or its bytes are no UTF-8."""
    text = None if found.text is None else runs.split(found.text, [one.text])
    return text if text and text.spoken[1] else None


def _inside(path: Path, above: Tops) -> bool:
    """Whether a path is no file at all, or lies below a root."""
    try:
        real = path.resolve()
        return not real.is_file() or any(real.is_relative_to(top) for top, _ in above)
    except (OSError, ValueError, RuntimeError):
        return True


def _at_stated_place(
    result: ShellResult | FileResult, shown: Text, candidates: Sequence[_Candidate]
) -> Proven | None:
    """Return what a file tool shows of which the host states the place: no line is there by accident."""
    if not isinstance(result, FileResult) or len(candidates) != 1:
        return None
    [one] = candidates
    first, lines = max(result.first, 1), shown.lines
    if shown.ended and first - 1 + len(lines) < len(one.text.lines):
        # Lines are joined by their ends: an empty last one of a part looks like the end of the one before it.
        lines = [*lines, ""]
    if not lines or one.text.lines[first - 1 : first - 1 + len(lines)] != lines:
        return None
    found = part([(first, first - 1 + len(lines))], len(one.text.lines))
    return Proven(one.found, found) if found is None or found.count >= PART_LINES else None


def _same(text: str, one: _Candidate) -> bool:
    """Whether a result is a file's text; hosts trim its ends, and their tools know one line end."""
    return _plain("\n".join(one.text.lines)) == _plain(text)


def _plain(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").strip()


class _Told:
    """Decides of which files the runs in one result tell."""

    def __init__(
        self,
        candidates: Sequence[_Candidate],
        shown: Text,
        numbers: AbstractSet[int],
        outside: AbstractSet[str],
    ) -> None:
        """Take what the call names: files, the numbers of lines, and names of files that do not count."""
        self._candidates = candidates
        self._shown = shown
        self._numbers = numbers
        self._outside = outside
        self.ambiguous: _Candidate | None = None
        """A file that some lines may be of, where nothing tells whose they are."""

    def proven(self, found: Iterable[Run]) -> list[Proven]:
        """Return the files that these runs prove, in the order of the text."""
        groups = list(runs.longest(found, self._shown))
        kinds = [self._kind(group) for group in groups]
        alike = Counter(kinds)
        ranges: dict[int, list[Range]] = {}
        for (group, free), kind in zip(_apart(groups), kinds, strict=True):
            for index in self.files(sorted(kind[0]), group[0], alike[kind]):
                run = self._placed([one for one in group if one.file == index])
                if run is not None:
                    text = self._candidates[index].text
                    ranges.setdefault(index, []).append(edges(run, self._shown, text, self._numbers, free))
        proven: list[Proven] = []
        for index, these in ranges.items():
            one = self._candidates[index]
            lines = part(these, len(one.text.lines))
            if lines is None or lines.count >= PART_LINES:
                proven.append(Proven(one.found, lines))
        return proven

    def _kind(self, group: Sequence[Run]) -> tuple[frozenset[int], int]:
        """Return what stretches have in common that show the same lines of the same files."""
        begin, end = runs.spoken(group[0], self._shown)
        return frozenset(run.file for run in group), end - begin

    def files(self, indexes: Sequence[int], run: Run, times: int) -> list[int]:
        """Return which of several files that hold the same lines were shown; `times` is how often these were.

        One that the call names outright goes before others, then one that the line above names.
        """
        for decides in (self._named, self._headed):
            chosen = [index for index in indexes if decides(self._candidates[index], run)]
            indexes = chosen if len(indexes) > times and chosen else indexes
        if len(indexes) <= times:
            names = {name for index in indexes for name in self._candidates[index].names}
            if not names & self._outside:
                return list(indexes)
        self.ambiguous = self.ambiguous or self._candidates[indexes[0]]
        return []

    def _named(self, one: _Candidate, run: Run) -> bool:  # noqa: ARG002 - it is asked as the other question is
        return one.explicit

    def _headed(self, one: _Candidate, run: Run) -> bool:
        begin, _ = runs.spoken(run, self._shown)
        above = (line for line in reversed(self._shown.lines[max(begin - ABOVE, 0) : begin]) if line.strip())
        heading = next(above, "")
        return any(name in heading for name in one.names)

    def _placed(self, found: Sequence[Run]) -> Run | None:
        """Return the run, or of several places in one file the one whose number the call states."""
        one = self._candidates[found[0].file]
        if len(found) > 1:
            found = [run for run in found if self._numbers & set(run.range)]
        if len(found) == 1:
            return found[0]
        self.ambiguous = self.ambiguous or one
        return None


def _apart(groups: Iterable[list[Run]]) -> Iterator[tuple[list[Run], Range]]:
    """Yield groups of runs, each with the part of the text that is its own: where it begins and ends."""
    every = list(groups)
    ended = 0
    for group, following in zip_longest(every, every[1:]):
        yield group, (ended, min((run.at for run in following or ()), default=sys.maxsize))
        ended = max(run.end for run in group)


def _refused(
    result: ShellResult | FileResult,
    text: str,
    candidates: Sequence[_Candidate],
    every: Sequence[Run],
    ambiguous: _Candidate | None,
) -> Skipped | None:
    """Return why a result proves nothing of the files that its call names, or None if it is none of them."""
    if ambiguous is not None:
        return Skipped("file-ambiguous", ambiguous.found.path)
    run = max(every, key=lambda run: runs.words(_held(run, candidates)), default=None)
    if run is not None and runs.words(_held(run, candidates)) > isinstance(result, ShellResult):
        one = candidates[run.file]
        return Skipped("lines-too-few", f"{run.size} of {len(one.text.lines)} lines of {one.found.path}")
    for one in candidates:
        if isinstance(result, FileResult) or resembles(text, one.found.shown):
            return Skipped("content-differs", one.found.path)
    return None


def _held(run: Run, candidates: Sequence[_Candidate]) -> list[str]:
    return candidates[run.file].text.lines[run.first : run.first + run.size]


def _content(read: Read) -> Text | None:
    """Return the lines of a file that was read, None where it is not what it was any more. Never raises."""
    if read.file is None:
        return None
    try:
        file = os.open(Path(read.file.root, read.file.path), _READ)
        try:
            if not S_ISREG(os.fstat(file).st_mode):
                return None
            data = os.pread(file, FILE_BYTES, 0)
        finally:
            os.close(file)
        same = f"sha256:{sha256(data).hexdigest()}" == read.content_digest
        return runs.split(data.decode()) if same else None
    except (OSError, ValueError):
        return None

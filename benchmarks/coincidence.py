"""How often lines of one file stand in another by accident, and what a rule against it costs.

`python benchmarks/coincidence.py FOLDER...` reads all Markdown files below the folders and prints tables as
Markdown; see `docs/coincidence.md`. Everything drawn at random is drawn alike in each run.
"""

from __future__ import annotations

import random
import re
import sys
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice, pairwise
from pathlib import Path
from typing import Literal

import corpus
from corpus import CHARACTERS, DISTINCT, Common, Document, Pairs, progress

from adapters.readers import runs
from adapters.readers.files import PART_LINES
from adapters.readers.runs import Run, Text
from contracts.lines import Lines, part

RULES = ((40, 2), (80, 3), (120, 3), (160, 3), (80, 4), (100, 5), (160, 6), (200, 8))
"""Rules, as characters and different lines, that are looked at closely."""
TODAY = (runs.CHARACTERS, runs.DISTINCT)
"""The product's rule."""
SAMPLE = 5000
"""How many pairs of files are played with the product's own functions."""
WINDOW = 40
"""How many lines of a file a result shows that shows a part."""
SIZES = (5, 10, 20, 40)
"""How many lines the windows have that a rule may miss."""
WINDOWS = 8
"""How many windows are taken of one file, evenly spread."""
SHORT_LINES = 6
"""How many lines that are not blank a short file has at most."""
SHORT = (10, 16, 24, 32, 40, 60, 80, 120)
"""Characters of short files, in classes that begin here."""
REPEATS = (1, 2, 4, 8, 16, 32)
"""How often a line may stand in a file from which a run is looked for."""
TOP = 20
"""How many of the most frequent are shown."""
WIDTH = 60
"""How many characters of a line are shown."""
KINDS = (
    ("badges", r"\[!\[|^\[[\w .-]*(image|badge|url|svg|png)[\w .-]*\]:|shields\.io"),
    ("front matter", r"\A---\n\w+:|^(title|description|version|name|related):"),
    ("licence", r"(?i)hereby granted|without warranty|the software|rights reserved|\bsublicense"),
    ("sponsors and contributors", r"(?i)sponsor|backer|contributor|maintainer|collective|tidelift|funding"),
    ("installation", r"(?i)\b(npm|yarn|pnpm|pip) (i|add|install)\b|npm registry|ESM only|create-next-app"),
    (
        "changelog",
        r"(?i)all notable changes|patch changes|dependencies|^#+ (\[?v?\d|commits|bug fixes|fixed)",
    ),
    ("list of contents", r"^\s*[-*] \[[^\]]*\]\(#"),
    ("table", r"^\|"),
    ("code", r"^\s*(```|import |export |const |let |var |return |[}\])]+[;,]?$|</?\w)|[{;]$"),
    ("headings and prose", r""),
)
"""What runs are, by the first pattern that is found in one."""


class Corpus:
    """Files, their near-copies, and the runs that they have in common."""

    def __init__(self, files: Sequence[Document]) -> None:
        """Compare all pairs of files."""
        self.files = files
        self.all = Pairs(len(files))
        self.all.join(range(len(files)))
        self.near = corpus.near_copies(files)
        self.far = Pairs(len(files))
        self.far.rows = [every & ~near for every, near in zip(self.all.rows, self.near.rows, strict=True)]
        self.own = Pairs(len(files))
        packages: defaultdict[str, list[int]] = defaultdict(list)
        for number, file in enumerate(files):
            packages[file.package].append(number)
        for members in packages.values():
            self.own.join(members)
        self.own.rows = [own & far for own, far in zip(self.own.rows, self.far.rows, strict=True)]
        self.common = list(corpus.common(files))

    def sets(self) -> tuple[tuple[str, Pairs], ...]:
        """Return the kinds of pairs, each with its name."""
        return (
            ("different files", self.far),
            ("different files of one package", self.own),
            ("near-copies", self.near),
        )

    def passing(self, characters: int, distinct: int, kind: str = "") -> Pairs:
        """Return the pairs with a run, of a kind or of any, that reaches a rule of the grid."""
        pairs = Pairs(len(self.files))
        for run in self.reaching(characters, distinct):
            if not kind or kind == kind_of(run):
                pairs.join(run.files)
        return pairs

    def reaching(self, characters: int, distinct: int) -> Iterator[Common]:
        """Yield the runs that reach a rule of the grid."""
        level = bisect_right(CHARACTERS, characters), bisect_right(DISTINCT, distinct)
        return (run for run in self.common if run.level[0] >= level[0] and run.level[1] >= level[1])


def kind_of(run: Common) -> str:
    """Return what a run is."""
    text = "\n".join(run.lines)
    return next(name for name, pattern in KINDS if re.search(pattern, text, re.MULTILINE))


@contextmanager
def rule(characters: int, distinct: int) -> Iterator[None]:
    """Let the product count runs by another rule for a while."""
    before = runs.CHARACTERS, runs.DISTINCT
    runs.CHARACTERS, runs.DISTINCT = characters, distinct
    try:
        yield
    finally:
        runs.CHARACTERS, runs.DISTINCT = before


def table(heads: Iterable[object], rows: Iterable[Iterable[object]]) -> None:
    """Print a table as Markdown, all columns but the first aligned right."""
    columns = list(map(str, heads))
    print("\n| " + " | ".join(columns) + " |")
    print("|---|" + "---:|" * (len(columns) - 1))
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
    print()


def share(some: float, of: float) -> str:
    """Return a share in per cent, a dash where there is nothing to have one of."""
    if not of:
        return "-"
    cent = 100 * some / of
    return "0" if not some else f"{cent:.0f} %" if round(cent) >= 10 else f"{cent:.2g} %"  # noqa: PLR2004


def named(rule: tuple[int, int]) -> str:
    """Return how a rule is written."""
    return f"{rule[0]}, {rule[1]}"


def pairs_that_match(all_of_it: Corpus) -> None:
    """Print how many pairs of files have a run that a rule lets pass, and what these runs are."""
    for name, pairs in all_of_it.sets():
        total = pairs.count(all_of_it.all)
        print(f"### Pairs with a common run: {name}\n\n{total:,} pairs; at least D different lines:")
        rows = [
            (characters, *(share(all_of_it.passing(characters, d).count(pairs), total) for d in DISTINCT))
            for characters in CHARACTERS
        ]
        table(["characters", *DISTINCT], rows)
    print("### What the runs are\n\nPairs of different files with a run of the kind, by rule:")
    names = [
        (name, [all_of_it.passing(*one, name).count(all_of_it.far) for one in RULES]) for name, _ in KINDS
    ]
    table(["kind", *map(named, RULES)], [(name, *counts) for name, counts in sorted(names, key=_by_today)])


def _by_today(row: tuple[str, list[int]]) -> int:
    return -row[1][RULES.index(TODAY)]


def claimed(
    found: Sequence[Run], text: Text, files: Sequence[Text], of: int
) -> Lines | Literal[False] | None:
    """Return the lines of one of these files that the product would say were shown, None for all of it.

    False if there are none, or too few to be kept.
    """
    counting = [run for run in found if runs.counts(run, files[run.file])]
    # What two files hold alike is refused, or told of the one that was named outright.
    groups = [group for group in runs.longest(counting, text) if all(run.file == of for run in group)]
    ranges = [group[0].range for group in groups]
    if not ranges:
        return False
    lines = part(ranges, len(files[of].lines))
    return lines if lines is None or lines.count >= PART_LINES else False


def in_use(all_of_it: Corpus, seed: random.Random) -> None:
    """Print how often the product would claim lines of a file that was not shown."""
    files = all_of_it.files
    # A run that counts has two different lines and 20 characters: all other pairs have none.
    might = all_of_it.passing(20, 2)
    for title, among in all_of_it.sets():
        total = among.count(all_of_it.all)
        able = list(might.each(among))
        drawn = seed.sample(able, min(SAMPLE, len(able)))
        weight = len(able) / max(len(drawn), 1)
        rows: list[tuple[object, ...]] = []
        for name, known, way in WAYS:
            hits: Counter[tuple[int, int]] = Counter()
            whole = 0
            for done, pair in enumerate(drawn):
                progress(f"{title}: {name}", done, len(drawn))
                b, a, other = (files[n].text for n in (*seed.sample(pair, 2), seed.randrange(len(files))))
                tried = [b, a, a if other is b else other] if known else [b]
                text = runs.shown(f"$ cat\n{way(a, tried[-1], seed)}\n$\n", tried)
                found = runs.runs(text, tried)
                for each in RULES:
                    with rule(*each):
                        lines = claimed(found, text, tried, 0)
                        hits[each] += lines is not False
                        whole += lines is None and each == TODAY
            rows.append(
                (name, *(share(hits[each] * weight, total) for each in RULES), share(whole * weight, total))
            )
        print(f"### Lines of B claimed that were not shown: {title}\n")
        print(f"{total:,} pairs, of which {len(able):,} could match; {len(drawn):,} of these were played.")
        table(["shown", *map(named, RULES), f"all of B, {named(TODAY)}"], rows)


def _without(lines: Iterable[str], leaves: Callable[[int, str], bool]) -> str:
    return "\n".join(line for at, line in enumerate(lines, 1) if not leaves(at, line))


def _window(one: Text, seed: random.Random) -> str:
    at = seed.randrange(max(len(one.lines) - WINDOW, 0) + 1)
    return "\n".join(one.lines[at : at + WINDOW])


WAYS: tuple[tuple[str, bool, Callable[[Text, Text, random.Random], str]], ...] = (
    ("A whole, compared with A", True, lambda a, _, __: "\n".join(a.lines)),
    ("A and a third file, whole", True, lambda a, other, _: "\n".join([*a.lines, *other.lines])),
    (f"{WINDOW} lines of A", True, lambda a, _, seed: _window(a, seed)),
    ("A without blank lines", True, lambda a, _, __: _without(a.lines, lambda _, line: not line.strip())),
    ("A without each tenth line", True, lambda a, _, __: _without(a.lines, lambda at, _: at % 10 == 0)),
    ("A whole, not compared with A", False, lambda a, _, __: "\n".join(a.lines)),
    (f"{WINDOW} lines of A, not compared with A", False, lambda a, _, seed: _window(a, seed)),
)
"""What a result shows, whether A and a third file are compared as well as B, and how it is made."""


def short_files(all_of_it: Corpus) -> None:
    """Print how often all of a short file stands in another file."""
    files = all_of_it.files
    places: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, file in enumerate(files):
        for at, line in enumerate(file.text.lines):
            if line.strip():
                places[line].append((number, at))

    def holders(number: int, lines: list[str]) -> set[int]:
        return {
            other
            for other, at in places[lines[0]]
            if other != number
            and not all_of_it.near.rows[number] >> other & 1
            and files[other].text.lines[at : at + len(lines)] == lines
        }

    real = [n for n, file in enumerate(files) if sum(map(len, map(str.strip, file.spoken))) < SHORT[-1]]
    inside = 0
    for number in real:
        text = files[number].text
        inside += bool(holders(number, text.lines[text.spoken[0] - 1 : text.spoken[1]]))
    print(f"{len(real)} files of the corpus have fewer than {SHORT[-1]} characters themselves; all of such a")
    print(f"file stands in another one in {inside} cases.\n")
    for title, everywhere in (("first lines of files", False), ("lines from the middle of files", True)):
        tried: Counter[tuple[int, int]] = Counter()
        held: Counter[tuple[int, int]] = Counter()
        met: Counter[tuple[int, int]] = Counter()
        for number, file in enumerate(files):
            progress(title, number, len(files))
            speaking = [at for at, line in enumerate(file.text.lines) if line.strip()]
            speaking = speaking[len(speaking) // 2 :] if everywhere else speaking
            for size in range(1, min(SHORT_LINES, len(speaking)) + 1):
                lines = file.text.lines[speaking[0] : speaking[size - 1] + 1]
                weight = sum(map(len, map(str.strip, lines)))
                if not SHORT[0] <= weight < SHORT[-1]:
                    continue
                group = bisect_right(SHORT, weight) - 1, min(runs.words(lines), 4)
                others = holders(number, lines)
                tried[group] += 1
                held[group] += bool(others)
                met[group] += len(others)
        print(f"### Short files: {title}\n\nHow many of them stand in at least one other file (of how many),")
        print("and in how many of all other files on average; at the different lines:")
        table(["characters", "1", "2", "3", "4 and more"], _classes(tried, held, met, len(files)))


def _classes(
    tried: Counter[tuple[int, int]], held: Counter[tuple[int, int]], met: Counter[tuple[int, int]], of: int
) -> Iterator[list[str]]:
    for index, (low, high) in enumerate(pairwise(SHORT)):
        cells = [
            f"{share(held[key], tried[key])} ({tried[key]}), {share(met[key], tried[key] * of)}"
            for key in ((index, distinct) for distinct in range(1, 5))
        ]
        yield [f"{low} to {high - 1}", *cells]


def misses(all_of_it: Corpus) -> None:
    """Print how many windows of real files no rule would find."""
    short: dict[int, Counter[tuple[int, int]]] = {size: Counter() for size in SIZES}
    bare: dict[int, Counter[int]] = {size: Counter() for size in SIZES}
    tried: Counter[int] = Counter()
    for file in all_of_it.files:
        lines = file.text.lines
        often = Counter(file.spoken)
        for size in SIZES:
            last = len(lines) - size
            if last < 1:
                continue
            for at in sorted({last * number // WINDOWS for number in range(WINDOWS)}):
                window = lines[at : at + size]
                tried[size] += 1
                rarest = min((often[line] for line in window if line in often), default=sys.maxsize)
                bare[size].update(repeats for repeats in REPEATS if rarest > repeats)
                for each in RULES:
                    with rule(*each):
                        short[size][each] += not runs.counts(Run(0, size, 0, at), file.text)
    print("### Windows of files that a rule misses")
    rows = [
        (f"{size} lines ({tried[size]:,})", *(share(short[size][r], tried[size]) for r in RULES))
        for size in SIZES
    ]
    table(["window", *map(named, RULES)], rows)
    print("### Windows in which each line stands more often in the file")
    rows = [(f"{size} lines", *(share(bare[size][n], tried[size]) for n in REPEATS)) for size in SIZES]
    table(["window", *(f"than {n} times" for n in REPEATS)], rows)


def most_frequent(all_of_it: Corpus) -> None:
    """Print the lines and blocks that most files have in common."""
    holders = Counter(line for file in all_of_it.files for line in {line.strip() for line in file.spoken})
    print("### The most frequent lines")
    table(["line", "files"], [(_code(line), count) for line, count in holders.most_common(TOP)])
    print("### The most frequent runs that today's rule lets pass")
    blocks = sorted(all_of_it.reaching(80, 3), key=lambda run: -len(run.files))
    shown: list[tuple[str, str, int, int]] = []
    met: list[frozenset[int]] = []
    for run in blocks:
        if not any(len(run.files & other) > len(run.files) // 2 for other in met):
            met.append(run.files)
            shown.append((_code(run.lines[0]), kind_of(run), len(run.lines), len(run.files)))
    table(["first line", "kind", "lines", "files"], islice(shown, TOP))


def _code(line: str) -> str:
    text = re.sub(r"\w+://[^\s)\]\"']*", "URL", line.strip())
    text = text if len(text) <= WIDTH else f"{text[:WIDTH]}..."
    return f"`` {text} ``".replace("|", r"\|")


def main(roots: list[Path]) -> None:
    """Measure and print everything."""
    files = corpus.documents(roots)
    packages = corpus.asked(roots)
    lines, folders = sum(len(file.text.lines) for file in files), len({file.package for file in files})
    print(f"{len(files):,} files, {lines:,} lines, of")
    print(f"{folders:,} package folders; {len(packages)} were asked for by name:\n")
    print(", ".join(packages) + ".\n")
    all_of_it = Corpus(files)
    pairs_that_match(all_of_it)
    in_use(all_of_it, random.Random(1))  # noqa: S311
    short_files(all_of_it)
    misses(all_of_it)
    most_frequent(all_of_it)


if __name__ == "__main__":
    main([Path(one) for one in sys.argv[1:]])

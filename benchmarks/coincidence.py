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
from itertools import islice
from pathlib import Path

import corpus
from corpus import CHARACTERS, DISTINCT, Common, Document, Pairs, progress

from adapters.readers import runs
from adapters.readers.files import PART_LINES
from adapters.readers.runs import Run, Text
from contracts.lines import Range, part

RULES = ((40, 2), (80, 3), (80, 4), (100, 4), (100, 5), (120, 5), (160, 6), (200, 8))
"""Rules, as characters and different lines, that are looked at closely; today's is among them."""
SAMPLE = 3000
"""How many pairs of files are played with the product's own functions."""
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
KINDS = (
    ("badges", r"\[!\[|^\[[\w .-]*(image|badge|url|svg|png)[\w .-]*\]:|shields\.io"),
    ("front matter", r"\A---\n\w+:|^(title|description|version|name|related):"),
    ("sponsors and contributors", r"(?i)sponsor|backer|contributor|maintainer|collective|tidelift|funding"),
    ("installation", r"(?i)\b(npm|yarn|pnpm|pip) (i|add|install)\b|npm registry|ESM only|create-next-app"),
    ("changelog", r"(?i)all notable changes|patch changes|dependencies|^#+ (\[?v?\d|commits|bug fixes|fixed)"),
    ("licence", r"(?i)hereby granted|warranty|copyright|the software|\bsublicense|\blicen[cs]e"),
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
    heads = list(map(str, heads))
    print("\n| " + " | ".join(heads) + " |")
    print("|---|" + "---:|" * (len(heads) - 1))
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
    print()


def share(part: float, whole: float) -> str:
    """Return a share in per cent."""
    return f"{100 * part / whole:.3g} %" if part and whole else "0" if whole else "-"


def named(rule: tuple[int, int]) -> str:
    """Return how a rule is written."""
    return f"{rule[0]}, {rule[1]}"


def pairs_that_match(all_of_it: Corpus) -> None:
    """Print how many pairs of files have a run that a rule lets pass, and what these runs are."""
    sets = (
        ("different files", all_of_it.far),
        ("files of one package", all_of_it.own),
        ("near-copies", all_of_it.near),
    )
    totals = [pairs.count(all_of_it.all) for _, pairs in sets]
    for (name, pairs), total in zip(sets, totals, strict=True):
        print(f"### Pairs with a common run: {name}\n\n{total:,} pairs; at least D different lines:")
        rows = [
            (characters, *(share(all_of_it.passing(characters, d).count(pairs), total) for d in DISTINCT))
            for characters in CHARACTERS
        ]
        table(["characters", *DISTINCT], rows)
    print("### What the runs are\n\nPairs of different files with a run of the kind, by rule:")
    names = [(name, [all_of_it.passing(*one, name).count(all_of_it.far) for one in RULES]) for name, _ in KINDS]
    table(["kind", *map(named, RULES)], [(name, *counts) for name, counts in sorted(names, key=_by_today)])


def _by_today(row: tuple[str, list[int]]) -> int:
    return -row[1][1]


def claims(shown: str, files: Sequence[Text], of: int) -> bool:
    """Whether the product would say that lines of one of these files, whose index this is, were shown."""
    text = runs.shown(shown, files)
    every = [run for run in runs.runs(text, files) if runs.counts(run, files[run.file])]
    ranges: list[Range] = []
    for group in runs.longest(every):
        own: list[Run] = [run for run in group if run.file == of]
        # What two files hold alike is never told of the one that was not shown, or of both.
        if own and len(own) == len(group):
            ranges += [own[0].range]
    lines = part(ranges, len(files[of].lines)) if ranges else None
    return bool(ranges) and (lines is None or lines.count >= PART_LINES)


def in_use(all_of_it: Corpus, seed: random.Random) -> None:
    """Print how often the product would claim lines of a file that was not shown."""
    files = all_of_it.files

    def joined(one: Text) -> str:
        return "\n".join(one.lines) + "\n"

    def window(one: Text) -> str:
        at = seed.randrange(max(len(one.lines) - 40, 1))
        return "\n".join(one.lines[at : at + 40])

    def holes(one: Text) -> str:
        return "\n".join(line for at, line in enumerate(one.lines, 1) if at % 10)

    def other(one: Text) -> str:
        return f"{joined(one)}---\n{joined(seed.choice(files).text)}"

    ways: list[tuple[str, bool, Callable[[Text], str]]] = [
        ("A whole, and another file", True, other),
        ("40 lines of A", True, window),
        ("A without blank lines", True, lambda one: "\n".join(line for line in one.lines if line.strip())),
        ("A without each tenth line", True, holes),
        ("A whole, but A is no document", False, joined),
        ("40 lines of A, but A is no document", False, window),
    ]
    # A run that counts has two different lines and 20 characters: all other pairs have none.
    might = all_of_it.passing(20, 2)
    for title, among in (("different files", all_of_it.far), ("near-copies", all_of_it.near)):
        able = list(might.each(among))
        drawn = seed.sample(able, min(SAMPLE, len(able)))
        rows: list[tuple[object, ...]] = []
        for name, known, way in ways:
            hits: Counter[tuple[int, int]] = Counter()
            for done, pair in enumerate(drawn):
                progress(f"{title}: {name}", done, len(drawn))
                one, two = (files[number].text for number in (pair if seed.random() < 0.5 else pair[::-1]))
                text = f"$ cat\n{way(one)}\n$\n"
                for each in RULES:
                    with rule(*each):
                        hits[each] += claims(text, [two, one] if known else [two], 0)
            weight = len(able) / max(len(drawn), 1)
            rows.append((name, *(share(hits[each] * weight, among.count(all_of_it.all)) for each in RULES)))
        print(f"### Lines of B claimed that were not shown: {title}\n\n{len(drawn):,} pairs played, of")
        print(f"{len(able):,} that could match, of {among.count(all_of_it.all):,}; shown:")
        table(["shown", *map(named, RULES)], rows)


def short_files(all_of_it: Corpus) -> None:
    """Print how often all of a short file stands in another file."""
    files = all_of_it.files
    places: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, file in enumerate(files):
        for at, line in enumerate(file.text.lines):
            if line.strip():
                places[line].append((number, at))
    real = [file for file in files if sum(map(len, map(str.strip, file.spoken))) < SHORT[-1]]
    print(f"{len(real)} files of the corpus have fewer than {SHORT[-1]} characters themselves.\n")
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
                others = {
                    other
                    for other, at in places[lines[0]]
                    if other != number
                    and not all_of_it.near.rows[number] >> other & 1
                    and files[other].text.lines[at : at + len(lines)] == lines
                }
                tried[group] += 1
                held[group] += bool(others)
                met[group] += len(others)
        print(f"### Short files: {title}\n\nHow many of them stand in at least one other file (of how many),")
        print("and in how many of all other files on average; at the different lines:")
        table(["characters", "1", "2", "3", "4 and more"], _classes(tried, held, met, len(files)))


def _classes(
    tried: Counter[tuple[int, int]], held: Counter[tuple[int, int]], met: Counter[tuple[int, int]], of: int
) -> Iterator[list[str]]:
    for index, (low, high) in enumerate(zip(SHORT, SHORT[1:], strict=False)):
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
    rows = [(f"{size} lines ({tried[size]:,})", *(share(short[size][r], tried[size]) for r in RULES)) for size in SIZES]
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
    text = line.strip() if len(line.strip()) < 70 else line.strip()[:67] + "..."
    return "`` " + re.sub(r"\w+://[^\s)\]\"']*", "URL", text).replace("|", r"\|") + " ``"


def main(folders: list[Path]) -> None:
    """Measure and print everything."""
    files = corpus.documents(folders)
    packages = corpus.asked(folders)
    print(f"{len(files):,} files, {sum(len(file.text.lines) for file in files):,} lines, of")
    print(f"{len({file.package for file in files}):,} packages; {len(packages)} were asked for by name:\n")
    print(", ".join(packages) + ".\n")
    all_of_it = Corpus(files)
    pairs_that_match(all_of_it)
    in_use(all_of_it, random.Random(1))
    short_files(all_of_it)
    misses(all_of_it)
    most_frequent(all_of_it)


if __name__ == "__main__":
    main([Path(one) for one in sys.argv[1:]])

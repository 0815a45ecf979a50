"""What it costs to find eight files' lines in a host's longest result: `python benchmarks/comparison.py`.

The result has 30,000 characters of three of the files, each of 50 KB of lines as Markdown has them.
Splitting is part of it. Printed is the processor's time in milliseconds, as JSON: the least, the median
and the most of 40.
"""

import json
import random
import statistics
import time

from adapters.readers import runs

ROUNDS = 40
FILE = 50_000  # characters


def documents() -> list[str]:
    """Return eight files, the same each time: paragraphs of long lines, and lists without blanks."""
    chance = random.Random(7)  # noqa: S311 - no secret is made of it
    words = ["".join(chance.choices("abcdefghij ", k=chance.randint(30, 70))) for _ in range(8000)]

    def made() -> str:
        lines: list[str] = []
        while sum(map(len, lines)) < FILE:
            lines += [chance.choice(words), ""] if chance.getrandbits(1) else chance.choices(words, k=5)
        return "\n".join(lines) + "\n"

    return [made() for _ in range(8)]


def found(text: str, documents: list[str]) -> set[int]:
    """Return which of the documents a text shows, compared as a hook does."""
    files = [runs.split(document) for document in documents]
    shown = runs.shown(text, files)
    every = [run for run in runs.runs(shown, files) if runs.counts(run, files[run.file])]
    return {run.file for group in runs.longest(every, shown) for run in group}


def main() -> None:
    """Compare, and print what it took."""
    files = documents()
    text = files[0][:12_000] + files[3][:9_000] + files[7][:9_000]
    took: list[float] = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        which = found(text, files)
        took.append((time.process_time() - begun) * 1000)
    figures = {"least": min(took), "median": statistics.median(took), "most": max(took)}
    print(json.dumps({"found": sorted(which), **{name: round(value, 2) for name, value in figures.items()}}))


if __name__ == "__main__":
    main()

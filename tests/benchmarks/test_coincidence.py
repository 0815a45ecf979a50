"""The measurement behind the rule for a run that is no accident, on a corpus that is made here."""

import subprocess
import sys
from itertools import combinations, product
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.readers import runs
from benchmarks import corpus
from benchmarks.corpus import CHARACTERS, DISTINCT, Document, Pairs

BENCHMARK = Path(corpus.__file__).with_name("coincidence.py")
LICENCE = [f"Clause {number} of a licence that many files end with, word for word." for number in range(9)]


def _written(folder: Path, name: str, lines: list[str]) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n")
    return path


def _prose(name: str, count: int) -> list[str]:
    return [f"What {name} says in line {number} is said nowhere else." for number in range(count)]


def test_prints_its_tables_for_a_folder_and_tells_of_no_place_outside_it(tmp_path: Path) -> None:
    """Two packages share a licence, and two more a copy; a file that says nothing is left out."""
    packages = tmp_path / "node_modules"
    _written(tmp_path, "package.json", ['{"dependencies": {"one": "*"}}'])
    _written(packages, "one/package.json", ['{"version": "1.2.3"}'])
    _written(packages, "one/README.md", ["# One", *_prose("one", 60), *LICENCE])
    _written(packages, "two/README.md", ["# Two", *_prose("two", 60), *LICENCE])
    _written(packages, "three/README.md", ["# Three", *_prose("three", 30)])
    _written(packages, "four/README.md", ["# Four", *_prose("three", 30)])
    _written(packages, "four/copy.md", ["# Four", *_prose("three", 30)])
    _written(packages, "four/empty.md", ["", ""])

    done = subprocess.run(
        [sys.executable, str(BENCHMARK), str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
        cwd=BENCHMARK.parents[1],
    )

    assert "4 files, 202 lines, of\n4 package folders; 1 were asked for by name:\n\none 1.2.3." in done.stdout
    different = done.stdout.split("### Pairs with a common run: different files\n")[1]
    assert different.startswith("\n5 pairs;")
    assert "| 300 | 20 % | 20 % | 20 % | 20 % | 20 % | 20 % | 20 % |" in different
    assert "| A whole, compared with A | 0 |" in different
    assert "| 20 lines (32) | 0 |" in different
    assert str(tmp_path) not in done.stdout


def test_a_package_is_the_innermost_folder_that_was_installed() -> None:
    """A scope is no package; nor is a folder that one ships."""
    found = {
        "node_modules/a/docs/x.md": "node_modules/a",
        "node_modules/@s/a/x.md": "node_modules/@s/a",
        "node_modules/a/node_modules/b/x.md": "node_modules/a/node_modules/b",
        "pip/licenses/x.md": "pip",
    }
    assert found == {path: corpus.package(Path(path)) for path in found}


LINES = st.lists(st.sampled_from(["", "alpha " * 4, "beta " * 9, "c", "delta " * 12, "x" * 70]), max_size=12)


@settings(max_examples=200, deadline=None)
@given(st.lists(LINES, min_size=2, max_size=5))
def test_finds_for_all_pairs_what_the_product_finds_for_one(contents: list[list[str]]) -> None:
    """Each pair of files reaches the same cells of the grid in both ways."""
    files = [
        Document(str(at), "", runs.split("\n".join(lines) + "\n"), [line for line in lines if line])
        for at, lines in enumerate(contents)
    ]
    common = list(corpus.common(files))
    for level in product(range(1, len(CHARACTERS) + 1), range(1, len(DISTINCT) + 1)):
        pairs, every = Pairs(len(files)), Pairs(len(files))
        every.join(range(len(files)))
        for run in common:
            if run.level[0] >= level[0] and run.level[1] >= level[1]:
                pairs.join(run.files)
        least = CHARACTERS[level[0] - 1], DISTINCT[level[1] - 1]
        alike = {
            (one, two)
            for one, two in combinations(range(len(files)), 2)
            if _reaches(files[one], files[two], *least)
        }
        assert alike == set(pairs.each(every))


def _reaches(one: Document, two: Document, characters: int, distinct: int) -> bool:
    # What stands around it keeps the ends from being compared as trimmed ones.
    text = runs.split("\n".join(["$", *one.text.lines, "$"]))
    for run in runs.runs(text, [two.text]):
        lines = two.text.lines[run.first : run.first + run.size]
        if sum(len(line.strip()) for line in lines) >= characters and runs.words(lines) >= distinct:
            return True
    return False

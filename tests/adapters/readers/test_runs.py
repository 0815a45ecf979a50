"""Runs of a file's lines in a text: what is found, what is no accident, and whose it is."""

import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.readers import runs
from adapters.readers.runs import Run, Text, split

PROSE = [
    f"Case {number * 37 % 97:02} of the guide says what to do in line {number}." for number in range(1, 81)
]


def _found(text: str, *files: Text) -> list[tuple[int, int, int]]:
    shown = runs.shown(text, files)
    every = [run for run in runs.runs(shown, files) if runs.counts(run, files[run.file])]
    return [(run.file, *run.range) for group in runs.longest(every, shown) for run in group]


def _file(lines: list[str], *names: str) -> Text:
    return split("\n".join(lines) + "\n", names)


LONG = _file(PROSE, "docs/long.md")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("alone", "\n".join(PROSE[9:30])),
        ("after other output", "total 4\nlong.md\n" + "\n".join(PROSE[9:30])),
        ("between rulers", "---\n" + "\n".join(PROSE[9:30]) + "\n---\nx"),
        ("with Windows line ends", "\r\n".join(PROSE[9:30])),
        ("below a heading of head", "==> docs/long.md <==\n" + "\n".join(PROSE[9:30])),
        ("cat -n", "\n".join(f"{n:6}\t{line}" for n, line in enumerate(PROSE[9:30], 10))),
        ("nl with a narrow width", "\n".join(f"{n} {line}" for n, line in enumerate(PROSE[9:30], 10))),
        ("nl, left", "\n".join(f"{n:<6}\t{line}" for n, line in enumerate(PROSE[9:30], 10))),
        ("nl, with zeros", "\n".join(f"{n:06}\t{line}" for n, line in enumerate(PROSE[9:30], 10))),
        ("another separator", "\n".join(f"{n}: | {line}" for n, line in enumerate(PROSE[9:30], 10))),
        ("an arrow", "\n".join(f"{n:>6}→{line}" for n, line in enumerate(PROSE[9:30], 10))),
        ("grep -n", "\n".join(f"{n}:{line}" for n, line in enumerate(PROSE[9:30], 10))),
        (
            "a search with context",
            "\n".join(f"{n}{':-'[n % 3 > 0]}{line}" for n, line in enumerate(PROSE[9:30], 10)),
        ),
        (
            "a search in several files",
            "\n".join(
                f"docs/long.md{':-'[n % 3 > 0]}{n}{':-'[n % 3 > 0]}{line}"
                for n, line in enumerate(PROSE[9:30], 10)
            ),
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and "\n" not in value else "",
)
def test_a_run_is_found_in_each_form(name: str, text: str) -> None:  # noqa: ARG001 - names the case
    """Whatever stands around a run, and with the lines' own numbers before them."""
    assert _found(text, LONG) == [(0, 10, 30)]


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("sorted", sorted),
        ("upper case", lambda lines: [line.upper() for line in lines]),
        ("cut to columns", lambda lines: [line[:30] for line in lines]),
        ("a word changed in each line", lambda lines: [line.replace("says", "said") for line in lines]),
        ("a diff", lambda lines: [f"+{line}" for line in lines]),
        ("indented", lambda lines: [f"  {line}" for line in lines]),
        ("blanks at the ends", lambda lines: [f"{line} " for line in lines]),
        ("every other line", lambda lines: lines[::2]),
        ("doubled", lambda lines: [line for line in lines for _ in range(2)]),
        ("reversed", lambda lines: lines[::-1]),
        ("colours", lambda lines: [f"\x1b[1m{line}\x1b[0m" for line in lines]),
        ("search hits", lambda lines: [f"{n}:{line}" for n, line in enumerate(lines, 1) if n % 3 == 0]),
        ("numbers of another file", lambda lines: [f"{n}\t{line}" for n, line in enumerate(lines, 2)]),
        ("numbers that do not rise", lambda lines: [f"7\t{line}" for line in lines]),
        (
            "forms of numbers that differ",
            lambda lines: [f"{n}{':.|/'[n % 4]} {line}" for n, line in enumerate(lines, 1)],
        ),
        ("words for a separator", lambda lines: [f"{n} is {line}" for n, line in enumerate(lines, 1)]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_only_resembles_proves_nothing(name: str, change: Callable[[list[str]], list[str]]) -> None:  # noqa: ARG001
    """No line that is not whole, nor one that stands by itself."""
    assert _found("\n".join(change(PROSE)), LONG) == []


def test_a_changed_line_parts_a_file() -> None:
    """A file of which all but one line match is never whole."""
    changed = [*PROSE[:40], PROSE[40] + "!", *PROSE[41:]]
    assert _found("\n".join(changed), LONG) == [(0, 1, 40), (0, 42, 80)]


def test_a_line_that_the_host_cut_does_not_count() -> None:
    """The lines before the cut and after it do."""
    text = (
        "\n".join(PROSE[:20])
        + "\nCase 01 of the gui…512 tokens truncated…do in line 50.\n"
        + "\n".join(PROSE[50:])
    )
    assert _found(text, LONG) == [(0, 1, 20), (0, 51, 80)]


def test_few_lines_are_an_accident() -> None:
    """A heading, a ruler, two lines: many files share such."""
    front = ["---", "name: x", "---", "", "# Title", "", *PROSE]
    assert _found("---\nname: x\n---\n\n# Title\n", _file(front)) == []


def test_all_of_a_short_file_counts_among_other_text() -> None:
    """As long as it says something."""
    short = _file(["# Releases", "", "Tag, then push the tag."])
    empty = _file(["# A", "", "b"])
    assert _found("x\n# Releases\n\nTag, then push the tag.\n---\n", short) == [(0, 1, 3)]
    assert _found("x\n# A\n\nb\n---\n", empty) == []


def test_a_licence_in_two_files_belongs_to_the_one_that_is_shown() -> None:
    """The run of the file that was shown is longer than what the other one shares with it."""
    licence = [f"Permission {word} is hereby granted to any person, free of charge." for word in "abcdef"]
    one, other = _file([*PROSE[:10], *licence]), _file([*PROSE[40:60], *licence])
    assert _found("\n".join(one.lines), one, other) == [(0, 1, 16)]
    assert _found("\n".join(one.lines + other.lines), one, other) == [(0, 1, 16), (1, 1, 26)]


def test_lines_that_stand_in_two_files_are_told_together() -> None:
    """Who asks decides whose they are."""
    assert _found("\n".join(PROSE), LONG, LONG) == [(0, 1, 80), (1, 1, 80)]


def test_a_block_that_a_file_holds_twice_is_told_once_where_all_of_it_is_shown() -> None:
    """The whole file is the longest run, and the block in it says nothing more."""
    twice = _file([*PROSE[:20], "between", *PROSE[:20]])
    assert _found("\n".join(twice.lines), twice) == [(0, 1, 41)]
    assert _found("x\n" + "\n".join(PROSE[:20]) + "\ny", twice) == [(0, 1, 20), (0, 22, 41)]


def test_files_without_a_last_line_end_are_parted_from_what_follows() -> None:
    """`cat` puts the first line of the next file, or a ruler, on the same line."""
    one, other = split("\n".join(PROSE[:10])), split("\n".join(PROSE[20:30]))
    assert _found("\n".join(PROSE[:10]) + "\n".join(PROSE[20:30]), one, other) == [(0, 1, 10), (1, 1, 10)]
    assert _found("\n".join(PROSE[:10]) + "---\nx", one) == [(0, 1, 10)]
    assert _found("\n".join(PROSE[:10]) + " and more\nx", one) == [(0, 1, 9)]


def test_ends_that_a_host_trimmed_are_the_files() -> None:
    """Blanks before the first line and behind the last one."""
    ends = _file(["  an indented first line of a file", *PROSE[:5], "a last line with a blank  "])
    assert _found("\n".join(ends.lines).strip(), ends) == [(0, 1, 7)]


def test_the_last_number_may_have_lost_its_separator() -> None:
    """Where the last line is blank, the trimmed end took what stood behind the number."""
    file = _file([*PROSE[:20], ""])
    text = "\n".join(f"{n:6}\t{line}" for n, line in enumerate(file.lines, 1)).rstrip()
    assert _found(text, file) == [(0, 1, 21)]


@pytest.mark.parametrize("separator", [": ", "  ", " | ", ") "])
def test_the_last_separator_may_have_lost_its_end(separator: str) -> None:
    """What is left of it is no other form."""
    file = _file([*PROSE[:20], ""])
    text = "\n".join(f"{n:3}{separator}{line}" for n, line in enumerate(file.lines, 1)).rstrip()
    assert _found(text, file) == [(0, 1, 21)]


def test_a_byte_order_mark_may_stand_behind_the_first_number() -> None:
    """Programs that number lines take it for a part of the line."""
    text = "\n".join(f"{n:6}\t{line}" for n, line in enumerate(PROSE[:10], 1)).replace("\t", "\t\ufeff", 1)
    assert _found(text, _file(PROSE[:10])) == [(0, 1, 10)]


def test_a_blank_line_makes_no_run_longer() -> None:
    """A file that quotes another one whole, between blank lines, has no more of it than that one."""
    quoted, quoting = _file(PROSE[:10]), _file([*PROSE[20:30], "", *PROSE[:10], "", *PROSE[30:40]])
    text = "\n".join(["heading", "", *PROSE[:10], "", "heading"])
    assert _found(text, quoted, quoting) == [(0, 1, 10), (1, 11, 22)]


def test_marks_and_forms_of_line_ends_make_no_difference() -> None:
    """A byte order mark stands before the first line of a file, in the file and in the middle of a text."""
    marked = split("\ufeff" + "\r\n".join(PROSE[:10]) + "\r\n")
    assert _found("x\n\ufeff" + "\n".join(PROSE[:10]) + "\ny", marked) == [(0, 1, 10)]


_WORDS = st.sampled_from(
    [
        "",
        "",
        "---",
        "# Title",
        "alpha beta gamma",
        "one more line of text",
        "x",
        "a longer line, with words",
        "7\tx",
    ]
)
_LINES = st.lists(st.one_of(_WORDS, st.text("abc \t", max_size=40)), max_size=60)


@st.composite
def _results(draw: st.DrawFn) -> tuple[list[list[str]], list[str]]:
    """Files, and a result made of their lines: windows in any order, cut, edited, between other lines."""
    files = draw(st.lists(_LINES, min_size=1, max_size=4))
    result: list[str] = []
    for _ in range(draw(st.integers(0, 6))):
        lines = files[draw(st.integers(0, len(files) - 1))]
        first = draw(st.integers(0, len(lines)))
        window = lines[first : draw(st.integers(first, len(lines)))]
        match draw(st.sampled_from(["plain", "shuffled", "edited", "numbered", "cut"])):
            case "shuffled":
                window = draw(st.permutations(window))
            case "edited":
                window = [line + "!" if draw(st.booleans()) else line for line in window]
            case "numbered":
                window = [f"{n:6}\t{line}" for n, line in enumerate(window, first + 1)]
            case "cut":
                window = [*window[:-1], *(line[: len(line) // 2] for line in window[-1:])]
        result += [*window, *draw(st.lists(_WORDS, max_size=3))]
    return files, result


@settings(max_examples=400, deadline=None)
@given(_results())
def test_no_line_is_claimed_that_the_text_does_not_hold(made: tuple[list[list[str]], list[str]]) -> None:
    """Each claimed line stands in the text whole, behind its number if behind one, next to its neighbours."""
    lines, result = made
    files = [Text(one, ended=True, spoken=split("\n".join(one) + "\n").spoken) for one in lines]
    shown = runs.shown("\n".join(result) + "\n", files)
    for run in runs.runs(shown, files):
        held = lines[run.file][run.first : run.first + run.size]
        there = shown.lines[run.at : run.end]
        assert len(held) == len(there) == run.size
        plain = all(line == other for line, other in zip(held[1:-1], there[1:-1], strict=True))
        numbered = all(
            other.endswith(line) and str(number) in other
            for number, (line, other) in enumerate(zip(held, there, strict=True), run.first + 1)
        )
        assert plain or numbered


@settings(max_examples=400, deadline=None)
@given(_results())
def test_each_plain_run_with_a_rare_line_is_found(made: tuple[list[list[str]], list[str]]) -> None:
    """Compared with every stretch of every file, the slow way."""
    lines, result = made
    files = [split("\n".join(one) + "\n") for one in lines]
    shown = runs.shown("\n".join(result) + "\n", files)
    found = set(runs.runs(shown, files))
    for number, file in enumerate(files):
        for at in range(len(shown.lines)):
            for first in range(len(file.lines)):
                before = at and first and shown.lines[at - 1] == file.lines[first - 1]
                size = 0
                while (
                    at + size < len(shown.lines)
                    and first + size < len(file.lines)
                    and shown.lines[at + size] == file.lines[first + size]
                ):
                    size += 1
                stretch = file.lines[first : first + size]
                rare = any(line.strip() and file.lines.count(line) <= runs.REPEATS for line in stretch)
                if not before and rare:
                    wider = (run for run in found if run.file == number and run.first - run.at == first - at)
                    assert any(run.at <= at and run.end >= at + size for run in wider)


def _hostile() -> dict[str, tuple[str, str]]:
    block = "".join(f"line number {number} of a block\n" for number in range(1000))
    anchors = [f"anchor {number}, long enough to be looked at\n" + "\n" * 100 for number in range(300)]
    return {
        "all lines equal": ("one line of text\n" * 40_000,) * 2,
        "blank lines": ("\n" * 100_000,) * 2,
        "one long line": ("x" * 1_000_000,) * 2,
        "one block again and again": (block * 8, block * 30),
        "anchors between blank lines": ("".join(anchors), "".join(reversed(anchors))),
        "numbers": ("x\n" * 50_000, "".join(f"{number}\tx\n" for number in range(1, 50_001))),
        "a name before each line": ("x\n" * 20_000, "docs/long.md:1:x\n" * 20_000),
    }


@pytest.mark.parametrize("name", _hostile())
def test_hostile_texts_cost_time_in_proportion(name: str) -> None:
    """Half of a text takes about half of the time, and none more than a moment."""
    file, text = _hostile()[name]

    def seconds(share: int) -> float:
        held, shown = (one[: len(one) // share] for one in (file, text))
        best = 9.0
        for _ in range(3):
            begun = time.process_time()
            _found(shown, split(held, ["docs/long.md"]))
            best = min(best, time.process_time() - begun)
        return best

    half, whole = seconds(2), seconds(1)
    assert whole < 1.5
    assert whole < 4 * half + 0.02


def test_a_run_knows_its_places() -> None:
    """Lines of the text count from 0, those of a file for people from 1."""
    run = Run(at=3, size=2, file=0, first=9)
    assert (run.end, run.range) == (5, (10, 11))

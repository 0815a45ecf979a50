"""Which outputs look like a part of a file, and so are worth a word."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.readers.likeness import LINES, resembles

TEXT = """---
status: accepted
---
# Choose one queue

Two queues are too many for one small team.
Nobody knows which of them holds a message.

## Context

There were two queues.
"""
LINES_OF_IT = TEXT.split("\n")


@pytest.mark.parametrize(
    "output",
    [
        TEXT,
        TEXT[:60],
        TEXT + "and more",
        "before\n" + TEXT,
        LINES_OF_IT[1],
        LINES_OF_IT[-2],
        "\n".join(LINES_OF_IT[:5]),
        "\n".join(LINES_OF_IT[5:7]),
        "\n".join(LINES_OF_IT[-4:]),
        "\n".join(f"{number:6}\t{line}" for number, line in enumerate(LINES_OF_IT)),
        "\n".join(f"\x1b[33m{line}\x1b[0m" for line in LINES_OF_IT),
        TEXT.replace("\n", "\r\n"),
        "other file\n\n" + TEXT,
        TEXT.replace("Two", "Three"),
    ],
)
def test_a_part_of_a_file_or_more_than_it_resembles_it(output: str) -> None:
    """From its beginning, from its end, or two lines of its middle; with numbers, with colours."""
    assert resembles(output, TEXT)


@pytest.mark.parametrize(
    "output",
    [
        "12 docs/a.md",
        "docs/a.md",
        "see docs/a.md",
        "-rw-r--r-- 1 me me 45 Jan 1 00:00 docs/a.md",
        "## Context",
        "# Choose one queue\n## Context",
        "4:# Choose one queue\n9:## Context",
        "docs/a.md:4:# Choose one queue\ndocs/b.md:1:# Another",
        "[main 1234567] Choose a queue\n 1 file changed, 2 insertions(+)",
        "---",
        "2",
        "",
        "\n\n",
    ],
)
def test_what_only_names_a_file_or_finds_lines_of_it_does_not(output: str) -> None:
    """Searches, counts, lists and commits."""
    assert not resembles(output, TEXT)


@pytest.mark.parametrize("text", ["", "\n" * 200, "1\n2\n", "-" * 200])
def test_a_file_without_a_word_resembles_nothing(text: str) -> None:
    """There is nothing to know it by."""
    assert not resembles("some words\n" + "\n" * LINES, text)
    assert not resembles(text, "some words\n")


@given(st.text(), st.text())
def test_no_text_makes_it_raise(output: str, text: str) -> None:
    """And what is more than a text with words resembles that."""
    resembles(output, text)
    if any(map(str.isalpha, text[:99].strip().partition("\n")[0])):
        assert resembles(text + "\n" + output, text)


@pytest.mark.parametrize("piece", ["a", "a\n", "\n", "- ", "a b\n" * 3, "aaaaaaaab\n"])
def test_no_text_takes_long(piece: str) -> None:
    """However large output and file are."""
    text = (piece * 1024 * 1024)[: 1024 * 1024]
    for output in (text, "a" * 16 + "\n" + "a" * 16, text[:-1] + "b", "a" * 999 + "b\nc\n"):
        started = time.process_time()
        resembles(output, text)
        assert time.process_time() - started < 0.1

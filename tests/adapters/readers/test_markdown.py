"""What a Markdown file says of itself."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.readers.markdown import FRONT_CHARACTERS, About, about


def test_a_skill_says_its_name_and_when_it_applies() -> None:
    """The two fields that every skill has."""
    text = "---\nname: parsing\ndescription: Use it when\n  you write a parser.\n---\n\n# Parsing\n"
    assert about(text) == About("parsing", "", "Use it when you write a parser.", "Parsing")


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("# One\n# Two\n", "One"),
        ("text\n\n## Second level ##\n", "Second level"),
        ("Underlined\n==========\n", "Underlined"),
        ("Underlined\n---\n", "Underlined"),
        ("```\n# code\n```\n# Real\n", "Real"),
        ("````\n```\n# code\n````\n# Real\n", "Real"),
        ("~~~ sh\n# code\n~~~\n# Real\n", "Real"),
        ("``` never closed\n# code\n", ""),
        ("#NoBlank\n\n# Real", "Real"),
        ("#\n\n# Real", "Real"),
        ("####### seven\n# Real", "Real"),
        ("    # code\n# Real", "Real"),
        ("\ufeff# After a mark\r\n", "After a mark"),
        ("---\n# a comment of YAML\n---\n# Real\n", "Real"),
        ("no heading at all", ""),
        ("", ""),
        ("---\n", ""),
        ("\n---\n", ""),
        ("# two  blanks\tand a tab #\n", "two blanks and a tab"),
    ],
)
def test_the_first_heading_is_found_as_markdown_reads_it(text: str, heading: str) -> None:
    """Fences, other levels, both forms, and what only looks like one."""
    assert about(text).heading == heading


@pytest.mark.parametrize(
    "front",
    [
        "name: [a",
        "- a list",
        "just text",
        "",
        "name: !!python/object/apply:os.getcwd []",
        "name: {a: b}",
        "name: [a, b]",
        "\x00",
        "name: " + "[" * 3000,
        "name: a\n" + "#" * FRONT_CHARACTERS,
        "a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nname: *c",
    ],
)
def test_what_is_no_plain_front_matter_says_nothing(front: str) -> None:
    """Broken, nested, tagged or endless YAML leaves the rest of the file readable."""
    assert about(f"---\n{front}\n---\n# Real\n") == About(heading="Real")


def test_values_are_texts_as_they_stand() -> None:
    """A version stays a version, a date a date."""
    text = "---\nname: 1.10\ntitle: 2024-01-01\ndescription: yes\n---\n"
    assert about(text) == About("1.10", "2024-01-01", "yes")


def test_a_front_matter_that_never_ends_is_none() -> None:
    """Without its last line it is text."""
    assert about("---\nname: a\n# Heading\n") == About(heading="Heading")


@given(st.text())
def test_any_text_says_one_line_or_nothing(text: str) -> None:
    """No text makes it raise, and no value holds a line end."""
    found = about(f"---\n{text}\n---\n{text}")
    for value in (found.name, found.title, found.description, found.heading):
        assert "\n" not in value
        assert value == value.strip()


@pytest.mark.parametrize(
    "line", ["# a" + " " * 60_000 + "b", "#" * 60_000, "# " + "# " * 30_000, " \t" * 30_000]
)
def test_no_line_takes_long(line: str) -> None:
    """A search that goes back and forth over blanks would hold the hook past its deadline."""
    started = time.process_time()
    about(line)
    assert time.process_time() - started < 0.5

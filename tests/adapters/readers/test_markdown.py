"""What a Markdown file says of itself."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.readers.markdown import (
    CHARACTERS,
    DESCRIPTION_CHARACTERS,
    FRONT_CHARACTERS,
    TITLE_CHARACTERS,
    about,
)


def said(text: str) -> tuple[str, str, str, str]:
    """Return the name, the title, the description and the first heading of a text."""
    found = about(text)
    return found.name, found.title, found.description, found.heading


def test_a_skill_says_its_name_and_when_it_applies() -> None:
    """The two fields that every skill has."""
    text = "---\nname: parsing\ndescription: Use it when\n  you write a parser.\n---\n\n# Parsing\n"
    assert said(text) == ("parsing", "", "Use it when you write a parser.", "Parsing")


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
    assert said(f"---\n{front}\n---\n# Real\n") == ("", "", "", "Real")


def test_values_are_texts_as_they_stand() -> None:
    """A version stays a version, a date a date."""
    text = "---\nname: 1.10\ntitle: 2024-01-01\ndescription: yes\n---\n"
    assert said(text) == ("1.10", "2024-01-01", "yes", "")


def test_a_front_matter_that_never_ends_is_none() -> None:
    """Without its last line it is text."""
    assert said("---\nname: a\n# Heading\n") == ("", "", "", "Heading")


@pytest.mark.parametrize("nothing", ["null", "~", "", "Null", "NULL", '""', "  "])
def test_a_value_that_is_none_is_not_its_word(nothing: str) -> None:
    """Templates leave a title to be filled in."""
    text = f"---\nname: {nothing}\ntitle: {nothing}\ndescription: {nothing}\n---\n# Real\n"
    assert said(text) == ("", "", "", "Real")


@pytest.mark.parametrize(
    ("front", "wanted"),
    [
        ("name: release\ndescription: Use when: you release", ("release", "", "Use when: you release")),
        ("name: a\ntitle: Queues: choose one\nother: [x", ("a", "Queues: choose one", "")),
        ('name: "a: b"\ndescription: c: d: e  # a comment', ("a: b", "", "c: d: e")),
        ("title: one\ntitle: two\nx: y: z", ("", "one", "")),
        ("description: a: b\nmetadata:\n  name: inner", ("", "", "a: b")),
    ],
)
def test_a_colon_in_a_plain_value_costs_no_other_field(front: str, wanted: tuple[str, str, str]) -> None:
    """Hosts take such a line as it stands, though it is no YAML."""
    assert said(f"---\n{front}\n---\n") == (*wanted, "")


@pytest.mark.parametrize(
    "front",
    [
        "description: Use when: you\n  release",
        "description: Use when: you\n\n  release",
        "description: |\n  text\nx: y: z",
        "description: [a] b: c",
        "description: 'a: b",
        "description: &a b: c: d",
        "  description: a: b: c",
        "descriptions: a: b: c",
        "description:a: b: c",
        "x: y: z\ndescription: null",
    ],
)
def test_what_is_no_plain_line_of_its_own_says_nothing(front: str) -> None:
    """A part of a value would look like the whole."""
    assert about(f"---\n{front}\n---\n").description == ""


@pytest.mark.parametrize(
    "text",
    [
        "\n---\nname: x\ntitle: y\n---\n# Real\n",
        "\n\n---\n# a comment\n\nname: x\n---\n# Real\n",
        "\r\n---\r\nname: x\r\n---\r\n# Real\r\n",
        "Status: accepted\nDate: 2024-01-01\n---\n# Real\n",
        "Status: accepted\nDecision date: 2024-01-01\n---\nReal\n====\n",
    ],
)
def test_fields_that_hosts_do_not_take_for_a_front_matter_are_no_heading(text: str) -> None:
    """Claude Code and Codex want its mark in the first line of the file."""
    assert said(text) == ("", "", "", "Real")


def test_what_stands_between_two_lines_and_is_no_fields_is_text() -> None:
    """A line above a heading is just a line."""
    assert about("\n---\n# Real\n---\n").heading == "Real"


def test_a_value_longer_than_its_bound_says_nothing() -> None:
    """It would fill a briefing alone, and a part of it may say something else."""
    title, description = "ü" * TITLE_CHARACTERS, "ü" * DESCRIPTION_CHARACTERS
    front = "---\nname: {0}\ntitle: {0}\ndescription: {1}\n---\n# {0}\n"
    assert said(front.format(title, description)) == (title, title, description, title)
    assert said(front.format(title + "x", description + "x") + "## Next\n") == ("", "", "", "")


@given(st.text())
def test_any_text_says_one_line_or_nothing(text: str) -> None:
    """No text makes it raise, and no value holds a line end."""
    found = about(f"---\n{text}\n---\n{text}")
    for value in (found.name, found.title, found.description, found.heading):
        assert "\n" not in value
        assert value == value.strip()


SLOW = [
    "[",
    "- a\n",
    "#\n",
    "# a\n",
    "a: b\n",
    "a: b: c\n",
    "---\n",
    "--- \n",
    "#",
    "\n",
    " \n",
    "- ",
    "> ",
    "&a [*a,",
]


@pytest.mark.parametrize("piece", SLOW)
@pytest.mark.parametrize("front", ["", "---\n", "\n---\n", "---\nname: a: b\n"])
def test_no_text_takes_long(piece: str, front: str) -> None:
    """Whether its front matter ends at once, late or never."""
    about("---\nname: a\n---\n")
    for size in (FRONT_CHARACTERS - 99, CHARACTERS, 1024 * 1024):
        text = front + (piece * size)[:size]
        for whole in (text, text + "\n---\n"):
            started = time.process_time()
            said(whole)
            assert time.process_time() - started < 0.3

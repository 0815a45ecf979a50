"""How items are named where recordings and scenarios speak of them."""

from __future__ import annotations

import pytest

from adapters.evidence.items import item, named, names
from contracts.lines import Lines
from contracts.read import Read

LONG = Read("document", "s", "docs/long.md", "sha256:0", "Long", "", ())
PART = Read(
    "document", "s", "docs/long.md", "sha256:0", "Long", "", (), None, Lines(((1, 40), (120, 180)), 480)
)


def test_a_part_is_named_with_its_lines() -> None:
    """And what was read whole by its id alone."""
    assert named(LONG) == "docs/long.md"
    assert named(PART) == "docs/long.md:1-40, 120-180 of 480"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("docs/long.md", "docs/long.md"),
        ("docs/long.md:1-40, 120-180 of 480", "docs/long.md"),
        ("skill:reading:7 of 9", "skill:reading"),
        ("skill:reading", "skill:reading"),
        ("one of 2.md", "one of 2.md"),
    ],
)
def test_a_name_tells_the_id(name: str, expected: str) -> None:
    """Whatever colons and numbers the id itself has."""
    assert item(name) == expected


@pytest.mark.parametrize(
    "expected",
    [
        ["a.md"],
        ["a.md", "b.md"],
        ["a.md:1-40, 120-180, 7 of 480", "b.md:3 of 9", "c.md"],
        ["a.md", "12-week plan.md", "skill:b:1-2 of 3"],
        ["lore.a", "lore.b"],
    ],
)
def test_ranges_of_a_part_are_no_names_of_their_own(expected: list[str]) -> None:
    """In a list a comma may go on with the same part."""
    assert names(", ".join(expected)) == expected

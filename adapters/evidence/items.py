"""How an item is named where a recording or a scenario speaks of it: its id, and of a part which lines."""

import re

from contracts.lines import Lines
from contracts.read import Read

_LINES = r"\d+(?:-\d+)?(?:, \d+(?:-\d+)?)* of \d+"
_PART = re.compile(f"(.+):{_LINES}", re.DOTALL)
# What stands after a comma may be a further range of the same part.
_NEXT = re.compile(rf", (?!{_LINES}(?:,|\Z))")


def named(read: Read) -> str:
    """Return how a read is named: `docs/long.md`, or of a part `docs/long.md:1-40, 120-180 of 480`."""
    return of_lines(read.item_id, read.lines)


def of_lines(item: str, lines: Lines | str | None) -> str:
    """Return the name of an item of which these lines were read; of all of it, its id alone."""
    return f"{item}:{lines}" if lines else item


def item(name: str) -> str:
    """Return the id in a name."""
    part = _PART.fullmatch(name)
    return part[1] if part else name


def names(text: str) -> list[str]:
    """Return the names in a list that commas part, as outcomes have it."""
    return _NEXT.split(text)

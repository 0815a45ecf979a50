"""Which lines of a file were shown: ranges of whole lines of one content, in bounded form."""

from collections.abc import Iterable

import msgspec

RANGES = 16
"""How many ranges are kept of one file; over that the shortest go, for a claim may shrink and never grow."""

Range = tuple[int, int]
"""The first and the last line of a run; lines count from 1."""


class Lines(msgspec.Struct, frozen=True):
    """A part of a file: `shown` are its ranges in order, none touching the next, and `of` counts all lines.

    A file that was shown whole has no Lines; where one is optional, None says so.
    """

    shown: tuple[Range, ...]
    of: int

    @property
    def count(self) -> int:
        """How many lines were shown."""
        return sum(last - first + 1 for first, last in self.shown)

    def __str__(self) -> str:
        """Say it shortly: `1-40, 120-180 of 480`."""
        ranges = ", ".join(f"{first}-{last}" if first < last else str(first) for first, last in self.shown)
        return f"{ranges} of {self.of}"


def part(ranges: Iterable[Range], of: int) -> Lines | None:
    """Return the lines in any of these ranges of a file with `of` lines, None where they are all of it.

    Ranges may overlap and come in any order.
    """
    joined: list[list[int]] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            joined[-1][1] = max(last, joined[-1][1])
        else:
            joined.append([first, last])
    if joined == [[1, of]]:
        return None
    kept = sorted(joined, key=lambda one: one[0] - one[1])[:RANGES]
    return Lines(tuple((first, last) for first, last in sorted(kept)), of)


def comparable(one: Lines | None, other: Lines | None) -> bool:
    """Whether two readings of one content count its lines alike; if not, one number means two lines."""
    return one is None or other is None or one.of == other.of


def united(one: Lines | None, other: Lines | None) -> Lines | None:
    """Return what two readings of one content show together."""
    if one is None or other is None:
        return None
    return part((*one.shown, *other.shown), one.of)


def common(one: Lines | None, other: Lines | None) -> Lines | None:
    """Return the lines that both readings of one content hold; perhaps none."""
    if one is None or other is None:
        return one or other
    met = ((max(a, c), min(b, d)) for a, b in one.shown for c, d in other.shown)
    return part(((first, last) for first, last in met if first <= last), one.of)

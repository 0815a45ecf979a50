"""Numbers, times, paths and our own names as people and programs are told them."""

from collections.abc import Sequence
from datetime import UTC, datetime

from contracts.lines import Lines, Range

RANGES = 3
"""Most ranges of lines that a person is told one by one in a line that has little room."""
LAST_MS = 253_402_300_799_999
"""The last millisecond of the year 9999, beyond which a time has no RFC 3339 form."""
SPOKEN = {"skipped": "refused", "not-asked": "not asked", "not-shown": "not shown"}
"""Our own names that people are told in other words."""


def spoken(word: str) -> str:
    """Return one of our own words the way people are told it."""
    return SPOKEN.get(word, word)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural unless there is exactly one."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def stamp(milliseconds: int) -> str:
    """Return a time since the epoch as RFC 3339 in UTC; what lies outside its years becomes the nearest."""
    inside = min(max(milliseconds, 0), LAST_MS)
    moment = datetime.fromtimestamp(inside // 1000, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{inside % 1000:03d}Z"


def ago(milliseconds: int, now: int) -> str:
    """Return how long before `now` that was, in one unit, for a person."""
    seconds = (now - milliseconds) // 1000
    if seconds < 0:
        return "in the future"
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= size:
            return f"{seconds // size} {unit} ago"
    return f"{seconds} s ago"


def pairs(of: Lines | None) -> tuple[list[Range] | None, int | None]:
    """Return ranges of lines and the number of all, as programs are told them; nothing for a whole."""
    return (None, None) if of is None else (list(of.shown), of.of)


def part(lines: Sequence[Range] | None, of: int | None) -> str:
    """Return which lines a part is, for a person, as more of a sentence: `, lines 1-40 of 480`."""
    if lines is None or of is None:
        return ""
    shown = Lines(tuple(lines), of)
    if len(lines) > RANGES:
        return f", {shown.count:,} of {of:,} lines in {len(lines)} places"
    return f", line {shown}" if shown.count == 1 else f", lines {shown}"


def printable(path: object) -> str:
    """Return a path as text that any encoding can carry; bytes that are no UTF-8 come as escapes."""
    return str(path).encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")

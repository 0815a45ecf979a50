"""Where in its file a run begins and ends, where the text does not tell.

A host trims blank lines at the ends of a result. Elsewhere a blank line beside a run may be the file's next
one or another command's, and what stands between two runs may be the end of one or the begin of the other. A
number decides that the call states: most often it is that of the first or the last line that was asked for.
"""

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice, takewhile

from adapters.readers.runs import Run, Text, spoken
from contracts.lines import Range

BLANKS = 64
"""How many blank lines at a trimmed end are given back at most."""
STATED = 64
"""How many numbers in a call are looked at."""

_STATED = re.compile(r"(\[?)(\d{1,7})(:?)")


def numbers(asked: str) -> set[int]:
    """Return the numbers that a call states, those that begin a slice as people count lines."""
    found = islice(_STATED.finditer(asked), STATED)
    return {int(one[2]) + (one[1] == "[" and one[3] == ":") for one in found}


def edges(run: Run, shown: Text, file: Text, stated: AbstractSet[int], free: Range) -> Range:
    """Return the first and the last line of its file that a run shows.

    `free` is the part of the text that no run beside it holds too, from its begin to before its end.
    """
    (first, last), of = run.range, len(file.lines)
    begin, end = spoken(run, shown)
    trimmed = not shown.ended
    if first == 1 or (run.at == 0 and first <= file.spoken[0]):
        first = 1
    else:
        certain = first + min(max(begin, free[0]), run.end - 1) - run.at
        above = range(first - 1, max(first - 1 - BLANKS, 0), -1) if trimmed and run.at == 0 else range(0)
        asked = {*stated, *(of - n + 1 for n in stated)}  # A call may count from the end.
        found = _edge(range(first, certain + 1), _blank(file, above), asked)
        first = found or min(first + max(free[0] - run.at, 0), certain)
    if last == of or (run.end == len(shown.lines) and last >= file.spoken[1]):
        last = of
    else:
        certain = last - (run.end - max(min(end, free[1]), run.at + 1))
        at_end = trimmed and run.end == len(shown.lines)
        below = range(last + 1, min(last + 1 + BLANKS, of + 1)) if at_end else range(0)
        asked = {*stated, *(of - n for n in stated)}
        found = _edge(range(last, certain - 1, -1), _blank(file, below), asked)
        last = found or max(last - max(run.end - free[1], 0), certain)
    return (first, last) if first <= last else run.range


def _edge(held: Sequence[int], given: Sequence[int], asked: AbstractSet[int]) -> int | None:
    """Return the outermost line that was asked for of those that a run holds, else of those given back."""
    outermost = next((line for line in held if line in asked), None)
    return outermost or next((line for line in reversed(given) if line in asked), None)


def _blank(file: Text, places: Iterable[int]) -> list[int]:
    """Return the numbers of lines, in their order, up to one that is not blank."""
    return list(takewhile(lambda place: not file.lines[place - 1].strip(), places))

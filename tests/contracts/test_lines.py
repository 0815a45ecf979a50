"""Which lines were shown: whatever is put together, no line is claimed that nobody showed."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.lines import RANGES, Lines, Range, common, part, united

OF = 120
"""How many lines the file has: enough for more ranges than are kept."""

lines = st.integers(1, OF)
ranges = st.tuples(lines, lines).map(lambda ends: (min(ends), max(ends)))
many = st.lists(ranges, max_size=40)
scattered = st.sets(lines).map(lambda numbers: [(number, number) for number in numbers])
"""Single lines all over the file, of which mostly too many do not touch."""
parts = (many | scattered).map(lambda some: part(some, OF))


def held(of: Lines | None) -> set[int]:
    """Return the numbers of the lines that a reading shows."""
    return numbers([(1, OF)] if of is None else of.shown)


def numbers(some: list[Range] | tuple[Range, ...]) -> set[int]:
    """Return the numbers of the lines in ranges."""
    return {number for first, last in some for number in range(first, last + 1)}


def apart(shown: set[int]) -> list[Range]:
    """Return lines as the fewest ranges that hold them and no other, in order."""
    found: list[Range] = []
    for number in sorted(shown):
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


def test_a_part_is_said_shortly() -> None:
    """One line is no range of two ends."""
    assert str(part([(120, 180), (1, 40), (60, 60)], 480)) == "1-40, 60, 120-180 of 480"


def test_all_lines_are_a_whole_in_however_many_pieces() -> None:
    """A whole has no Lines."""
    assert part([(3, 5), (1, 2)], 5) is None
    assert part([(1, 1)], 1) is None
    assert part([(1, 4)], 5) == Lines(((1, 4),), 5)
    assert part([], 5) == Lines((), 5)


@given(many | scattered)
def test_a_part_holds_the_given_lines_in_order_and_nothing_between(some: list[Range]) -> None:
    """Ranges that overlap or touch are one; over the bound the shortest are missing, and nothing else."""
    made = part(some, OF)
    exact = apart(numbers(some))
    if made is None:
        assert exact == [(1, OF)]
        return
    assert made.of == OF
    assert list(made.shown) == sorted(made.shown)
    assert set(made.shown) <= set(exact)
    assert len(made.shown) == min(len(exact), RANGES)
    assert made.count == len(held(made))
    gone = [last - first for first, last in set(exact) - set(made.shown)]
    assert all(last - first >= max(gone, default=0) for first, last in made.shown)


@given(parts, parts)
def test_two_readings_together_show_what_either_shows(one: Lines | None, other: Lines | None) -> None:
    """To the letter, while the bound on ranges holds; else less, and in whole ranges."""
    both = united(one, other)
    either = held(one) | held(other)
    assert held(both) <= either
    assert both == united(other, one)
    if both is None or len(both.shown) < RANGES:
        assert held(both) == either
    else:
        assert set(both.shown) <= set(apart(either))


@given(parts, parts)
def test_what_two_readings_have_in_common_is_in_both(one: Lines | None, other: Lines | None) -> None:
    """And it is all of that, while the bound on ranges holds."""
    met = common(one, other)
    assert held(met) <= held(one) & held(other)
    assert met == common(other, one)
    if met is None or len(met.shown) < RANGES:
        assert held(met) == held(one) & held(other)


@given(parts)
def test_a_whole_takes_in_every_part_and_hides_none(one: Lines | None) -> None:
    """Together with a whole anything is whole; in common with one it stays as it is."""
    assert united(one, None) is None
    assert united(None, one) is None
    assert common(one, None) == common(None, one) == one
    assert united(one, one) == common(one, one) == one


@given(st.lists(parts, min_size=1, max_size=12))
def test_a_claim_never_outgrows_the_readings_however_often_it_is_united(several: list[Lines | None]) -> None:
    """Nor does it ever take more ranges than are kept."""
    kept = several[0]
    shown = held(kept)
    for one in several[1:]:
        kept = united(kept, one)
        shown |= held(one)
        assert held(kept) <= shown
        assert kept is None or len(kept.shown) <= RANGES


@pytest.mark.parametrize("of", [None, Lines(((1, 40), (120, 120)), 480)])
def test_lines_come_back_from_json_as_they_went(of: Lines | None) -> None:
    """As the store keeps them."""
    assert msgspec.json.decode(msgspec.json.encode(of), type=Lines | None) == of

"""A host's word on a call says what became of it: perhaps less than was noted, and never more."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.limits import Limits
from contracts.lines import Lines
from contracts.lines import part as lines_of
from contracts.outcome import Skipped
from contracts.read import PendingRead, Read, Settlement
from ledger import delivery
from tests.ledger.samples import HERE, NOON, part, pending, read, sent

LIMITS = Limits()
REFUTED = Skipped("delivery-refuted")
OF = 30

lines = st.lists(st.tuples(st.integers(1, OF), st.integers(0, 9)), min_size=1, max_size=5).map(
    lambda starts: lines_of([(first, min(first + more, OF)) for first, more in starts], OF)
)
items = st.builds(
    lambda item, content, shown: msgspec.structs.replace(read(item, content), lines=shown),
    st.sampled_from("ab"),
    st.sampled_from(["", "", "changed"]),
    st.none() | lines,
)
some = st.lists(items, max_size=4).map(tuple)


def settled(one: PendingRead, *settlements: Settlement) -> tuple[Read | Skipped, ...]:
    """Return what becomes of a pending read."""
    return delivery.delivered(HERE, one, delivery.said(settlements), NOON, LIMITS)


def test_a_pending_read_waits_until_something_is_said_or_its_time_is_over() -> None:
    """After its time it is forgotten, unless the host shows that the model got it."""
    late = NOON + LIMITS.pending_seconds * 1000 + 1
    two, said = pending("e", read("a"), read("b")), delivery.said([sent("e", read("a"), read("b"))])
    assert delivery.delivered(HERE, two, {}, NOON, LIMITS) == ()
    assert delivery.delivered(HERE, pending("other"), said, NOON, LIMITS) == ()
    assert delivery.delivered(HERE, two, said, NOON, LIMITS) == two.reads
    assert delivery.delivered(HERE, two, {}, late, LIMITS) == (Skipped("delivery-expired"),) * 2
    assert delivery.delivered(HERE, two, said, late, LIMITS) == two.reads


def test_bounds_that_were_lowered_since_hold() -> None:
    """For each item by itself."""
    lower = msgspec.structs.replace(LIMITS, candidate_bytes=200)
    two = pending("e", read("a"), read("b", title="x" * 100))
    found = delivery.delivered(HERE, two, delivery.said([sent("e", *two.reads)]), NOON, lower)
    assert found == (read("a"), Skipped("candidate-too-large", "212 of 200 bytes"))


@pytest.mark.parametrize(
    "claimed",
    [
        (),
        (read("other"),),
        (read("a", content="other"),),
        (read("a", scope="other"),),
        (msgspec.structs.replace(read("a"), reader="skill"),),
        (part(read("a"), (1, 9), lines=11),),
        (part(read("a"), (5, 10), lines=10),),
        (part(read("a"), lines=10),),
    ],
)
def test_what_was_not_noted_is_not_delivered(claimed: tuple[Read, ...]) -> None:
    """Another item, other content, another count of its lines, lines that were not noted, or none."""
    assert settled(pending("e", part(read("a"), (1, 4), lines=10)), Settlement("e", claimed)) == (REFUTED,)


def test_what_is_kept_of_an_item_is_as_it_was_noted() -> None:
    """A settlement says which lines, and nothing else."""
    claimed = part(read("a", title="Other"), (3, 9), (90, 100))
    assert settled(pending("e", read("a")), Settlement("e", (claimed,))) == (
        part(read("a"), (3, 9), (90, 100)),
    )


def test_lines_that_a_text_shows_in_two_places_count_together() -> None:
    """One item may be claimed twice, of two windows."""
    windows = (part(read("a"), (1, 50)), part(read("a"), (51, 100)))
    assert settled(pending("e", read("a")), Settlement("e", windows)) == (read("a"),)
    assert settled(pending("e", part(read("a"), (40, 60))), Settlement("e", windows)) == (
        part(read("a"), (40, 60)),
    )


def test_of_contradicting_settlements_only_that_counts_which_all_of_them_say() -> None:
    """The ledger never claims more than was proven."""
    one = pending("e", read("a"), read("b"))
    whole = sent("e", *one.reads)
    less = Settlement("e", (part(read("a"), (1, 50)),))
    other = Settlement("e", (part(read("a"), (40, 90)), read("b")))
    assert settled(one, whole, less) == settled(one, less, whole) == (part(read("a"), (1, 50)), REFUTED)
    assert settled(one, whole, other, less) == (part(read("a"), (40, 50)), REFUTED)
    assert settled(one, whole, Settlement("e")) == (REFUTED, REFUTED)
    assert settled(one, Settlement("elsewhere"), whole) == one.reads


def held(of: Lines | None) -> set[int]:
    """Return the numbers of the lines that a reading shows."""
    shown = ((1, OF),) if of is None else of.shown
    return {number for first, last in shown for number in range(first, last + 1)}


@given(some.filter(bool), st.lists(some, min_size=1, max_size=3))
def test_no_line_counts_that_was_not_noted_and_sent_each_time(
    noted: tuple[Read, ...], said: list[tuple[Read, ...]]
) -> None:
    """Whatever is noted and whatever a host is said to have sent."""
    found = settled(pending("e", *noted), *(Settlement("e", claimed) for claimed in said))
    for one, got in zip(noted, found, strict=True):
        expected = held(one.lines)
        for claimed in said:
            same = [
                held(each.lines)
                for each in claimed
                if (each.item_id, each.content_digest) == (one.item_id, one.content_digest)
            ]
            expected &= set().union(*same)
        assert expected == (set() if isinstance(got, Skipped) else held(got.lines))
        assert isinstance(got, Skipped) or msgspec.structs.replace(got, lines=one.lines) == one

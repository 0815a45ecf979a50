"""What subagents were told: kept with the life that they were told of, bounded, and gone with it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from contracts.conversation import Conversation
from contracts.outcome import Ready, Recorded, Told, Unavailable
from ledger import calls, rules
from ledger.calls import TELLING_MS, Ledger
from tests.ledger.conftest import Opener
from tests.ledger.crowd import locked, together
from tests.ledger.samples import HERE, NOON, THERE, Clock, items, pending, read

DAY = 24 * 3600


@pytest.fixture
def told_ledger(ledger: Ledger) -> Ledger:
    """Return a ledger in which two conversations hold an item each."""
    for conversation, item_id in ((HERE, "a"), (THERE, "b")):
        assert isinstance(ledger.record(conversation, read(item_id), None), Recorded)
    return ledger


def told(ledger: Ledger, conversation: Conversation = HERE) -> list[Told]:
    """Return what the subagents of a conversation were told, the last first."""
    listed = ledger.list(conversation.host, conversation.reference)
    assert isinstance(listed, Ready), listed
    return [told for one in listed.conversations for told in one.told]


def counted(ledger: Ledger) -> int:
    """Count what is kept as told, visible or not."""
    stats = ledger.stats()
    assert not isinstance(stats, Unavailable)
    return stats.counts.told


def test_what_was_told_is_listed_newest_first_beside_the_candidates(
    told_ledger: Ledger, clock: Clock
) -> None:
    """Each with its time, the items as they were shown, and how many had no room."""
    assert told_ledger.tell(HERE, 1, ["a", "x\0y"], 3) == Told(NOON, ("a", "x\0y"), 3)
    clock.pass_seconds(60)
    told_ledger.tell(HERE, 1, ["a"], 0)
    assert told(told_ledger) == [Told(NOON + 60_000, ("a",), 0), Told(NOON, ("a", "x\0y"), 3)]
    assert told(told_ledger, THERE) == []
    everything = told_ledger.list()
    assert isinstance(everything, Ready)
    assert [len(one.told) for one in everything.conversations] == [2, 0]


def test_the_order_is_that_of_telling_whatever_the_clock_says(told_ledger: Ledger, clock: Clock) -> None:
    """Time orders nothing."""
    for item_id in ("a", "b"):
        told_ledger.tell(HERE, 1, [item_id], 0)
        clock.pass_seconds(-3600)
    assert [one.items for one in told(told_ledger)] == [("b",), ("a",)]


def test_only_the_last_of_a_life_are_kept(told_ledger: Ledger) -> None:
    """The oldest goes, and another conversation's stay."""
    told_ledger.tell(THERE, 1, ["b"], 0)
    for number in range(rules.TOLD + 5):
        told_ledger.tell(HERE, 1, [f"i{number}"], 0)
    expected = [(f"i{number}",) for number in range(rules.TOLD + 4, 4, -1)]
    assert [one.items for one in told(told_ledger)] == expected
    assert counted(told_ledger) == rules.TOLD + 1


def test_a_conversation_that_tells_for_ever_has_a_bounded_file(told_ledger: Ledger) -> None:
    """The space of what goes is used again, however many subagents start."""
    sizes = []
    for number in range(6 * rules.TOLD):
        told_ledger.tell(HERE, 1, [f"{number:04}" + "x" * 1000], 0)
        sizes.append((told_ledger.folder / "ledger.db").stat().st_size)
    assert max(sizes) == max(sizes[: 2 * rules.TOLD])


def test_telling_keeps_a_conversation_alive_and_changes_nothing_else(
    told_ledger: Ledger, clock: Clock
) -> None:
    """A conversation whose subagents are told is not idle; no candidate moves."""
    told_ledger.record(HERE, read("c"), None)
    clock.pass_seconds(6 * DAY)
    told_ledger.tell(HERE, 1, ["a"], 1)
    clock.pass_seconds(6 * DAY)
    assert items(told_ledger.list()) == ["c", "a"]


ENDS: list[Callable[[Ledger], object]] = [
    lambda ledger: ledger.clear(HERE),
    lambda ledger: ledger.begin(HERE),
    lambda ledger: ledger.clear_all(),
]


@pytest.mark.parametrize("end", ENDS)
def test_what_was_told_goes_with_its_life(told_ledger: Ledger, end: Callable[[Ledger], object]) -> None:
    """For good, also where the conversation goes on."""
    told_ledger.tell(HERE, 1, ["SECRET-item"], 0)
    end(told_ledger)
    assert counted(told_ledger) == 0
    told_ledger.resume(HERE)
    told_ledger.record(HERE, read("c"), None)
    assert told(told_ledger) == []
    told_ledger.close()
    assert b"SECRET" not in (told_ledger.folder / "ledger.db").read_bytes()


def test_what_was_told_stays_through_a_resume(told_ledger: Ledger) -> None:
    """It is the same life."""
    told_ledger.tell(HERE, 1, ["a"], 0)
    told_ledger.resume(HERE)
    assert [one.items for one in told(told_ledger)] == [("a",)]


def test_what_was_told_goes_with_the_idle_time(told_ledger: Ledger, clock: Clock) -> None:
    """Out of sight at once; a resume of an idle conversation and `prune` remove it."""
    told_ledger.tell(HERE, 1, ["a"], 0)
    told_ledger.tell(THERE, 1, ["b"], 0)
    clock.pass_seconds(7 * DAY + 1)
    assert told(told_ledger) == told(told_ledger, THERE) == []
    assert counted(told_ledger) == 2
    told_ledger.resume(HERE)
    told_ledger.prune()
    assert counted(told_ledger) == 0


def test_what_a_clear_hides_is_hidden_with_what_was_told(opened: Opener) -> None:
    """Also before it could be carried out."""
    ledger = opened(patience_ms=30)
    ledger.record(HERE, read("a"), None)
    ledger.tell(HERE, 1, ["a"], 0)
    with locked(ledger.folder / "ledger.db", "IMMEDIATE", 60):
        assert isinstance(ledger.clear(HERE), Unavailable)
        assert told(ledger) == []
    assert ledger.tell(HERE, 1, ["late"], 0) is None
    assert counted(ledger) == 0


def test_what_was_told_goes_with_its_evicted_conversation(opened: Opener) -> None:
    """Nothing is left of a conversation over the bound."""
    ledger = opened(conversations=1)
    ledger.record(HERE, read("a"), None)
    ledger.tell(HERE, 1, ["a"], 0)
    ledger.record(THERE, read("b"), None)
    assert counted(ledger) == 0


def test_a_subagent_of_a_life_that_has_ended_meanwhile_leaves_nothing(told_ledger: Ledger) -> None:
    """The life that it was told of is over, whatever came after it."""
    told_ledger.clear(HERE)
    assert told_ledger.tell(HERE, 1, ["a"], 0) is None
    told_ledger.resume(HERE)
    before = told_ledger.list()
    assert told_ledger.tell(HERE, 1, ["a"], 0) is None
    assert told_ledger.tell(Conversation("codex", "never seen"), 1, ["a"], 0) is None
    assert told_ledger.tell(Conversation("codex", ""), 1, ["a"], 0) is None
    assert (counted(told_ledger), told_ledger.list()) == (0, before)


def test_telling_makes_no_store(ledger: Ledger) -> None:
    """There is nothing that could have been told."""
    assert ledger.tell(HERE, 1, ["a"], 0) is None
    assert not ledger.folder.exists()


def test_a_conversation_that_holds_nothing_any_more_is_not_listed_for_what_was_told(
    opened: Opener, clock: Clock
) -> None:
    """A list is of what was read."""
    ledger = opened()
    ledger.note(HERE, pending("e"))
    ledger.tell(HERE, 1, ["a"], 0)
    assert len(told(ledger)) == 1
    clock.pass_seconds(2 * 3600)
    assert ledger.list() == Ready(())


def test_telling_waits_for_others_only_briefly(opened: Opener) -> None:
    """A subagent waits for the end of the hook, however patient the hook may be."""
    ledger = opened(patience_ms=60_000)
    ledger.record(HERE, read("a"), None)
    with locked(ledger.folder / "ledger.db", "IMMEDIATE", 60):
        assert ledger.tell(HERE, 1, ["a"], 0) == Unavailable("store-locked", "BusyError")
    with locked(ledger.folder / "ledger.db", "IMMEDIATE", TELLING_MS / 4000):
        assert isinstance(ledger.tell(HERE, 1, ["a"], 0), Told)


def test_subagents_that_start_together_are_all_kept(
    told_ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight at once, with a number each; here none gives up for a slow disk."""
    told_ledger.close()
    monkeypatch.setattr(calls, "TELLING_MS", 30_000)

    def start(number: int) -> bool:
        with Ledger(told_ledger.folder, told_ledger.limits, Clock(), 30_000) as ledger:
            return isinstance(ledger.tell(HERE, 1, [f"i{number}"], 0), Told)

    assert together(8, start) == [True] * 8
    assert sorted(one.items for one in told(told_ledger)) == [(f"i{number}",) for number in range(8)]


@pytest.mark.parametrize("bad", ["\ud800", b"\xff".decode("utf-8", "surrogateescape")])
def test_an_item_that_cannot_be_written_is_trouble_and_no_crash(told_ledger: Ledger, bad: str) -> None:
    """No candidate can have such an id."""
    assert told_ledger.tell(HERE, 1, [bad], 0) == Unavailable("store-failed", "UnicodeEncodeError")
    assert told(told_ledger) == []

"""What the calls to the ledger promise, one promise a test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from contracts.conversation import Conversation
from contracts.outcome import (
    Life,
    Noted,
    Pruned,
    Ready,
    Recorded,
    Repeated,
    Settled,
    Skipped,
    Withdrawn,
)
from contracts.read import Candidate, File, Read, Settlement, Source
from ledger import transaction
from ledger.calls import Ledger, Stats
from ledger.rules import metadata_bytes
from ledger.view import Counts
from tests.ledger.conftest import Opener
from tests.ledger.samples import FILE, HERE, NOON, THERE, Clock, items, part, pending, read, sent

WEEK = 7 * 24 * 3600
HOUR = 3600


def codex(number: int) -> Conversation:
    """Return one of many conversations."""
    return Conversation("codex", f"c{number}")


def record(ledger: Ledger, conversation: Conversation, *item_ids: str) -> None:
    """Record reads that must all be accepted."""
    for item_id in item_ids:
        assert isinstance(ledger.record(conversation, read(item_id), None), Recorded)


def reads(ledger: Ledger) -> list[Read]:
    """Return what a conversation's candidates were read from, newest first."""
    listed = ledger.list(HERE.host, HERE.reference)
    assert isinstance(listed, Ready)
    return [candidate.read for one in listed.conversations for candidate in one.candidates]


# Record


def test_a_first_read_is_new_and_is_listed_whole(ledger: Ledger) -> None:
    """What goes in comes out: every field, every source."""
    recorded = ledger.record(HERE, read(), "e1")
    candidate = Candidate(read(), recorded_at=NOON, ordinal=1)
    assert recorded == Recorded(candidate, "new")
    listed = ledger.list(HERE.host, HERE.reference)
    assert isinstance(listed, Ready)
    assert [one.candidates for one in listed.conversations] == [(candidate,)]


def test_the_same_digest_moves_to_the_newest_ordinal_with_a_fresh_snapshot(ledger: Ledger) -> None:
    """Title, conditions and sources are those of the last reading."""
    record(ledger, HERE, "a", "b")
    fresh = msgspec.structs.replace(
        read("a", title="New"), applies_when="always", sources=(Source("p", "new.md"),)
    )
    again = ledger.record(HERE, fresh, None)
    assert isinstance(again, Recorded)
    assert (again.change, again.candidate.ordinal, again.candidate.read) == ("again", 3, fresh)
    assert items(ledger.list()) == ["a", "b"]


def test_another_digest_replaces_the_old_read(ledger: Ledger) -> None:
    """There is no history of versions."""
    record(ledger, HERE, "a")
    replaced = ledger.record(HERE, read("a", "changed"), None)
    assert isinstance(replaced, Recorded)
    assert replaced.change == "replaced"
    assert items(ledger.list()) == ["a"]


def test_the_same_item_of_two_stores_is_two_candidates(ledger: Ledger) -> None:
    """Stores do not mix."""
    ledger.record(HERE, read("a", scope="one"), None)
    ledger.record(HERE, read("a", scope="two"), None)
    assert items(ledger.list()) == ["a", "a"]


def test_the_same_event_again_changes_nothing_not_even_the_ordinal(ledger: Ledger, clock: Clock) -> None:
    """Hosts run a hook twice when it is registered twice."""
    ledger.record(HERE, read("a"), "e1")
    record(ledger, HERE, "b")
    before = ledger.list()
    clock.pass_seconds(5)
    assert ledger.record(HERE, read("a", "other"), "e1") == Repeated()
    assert ledger.note(HERE, pending("e1")) == Repeated()
    assert ledger.list() == before


def test_the_same_event_id_of_another_conversation_is_another_event(ledger: Ledger) -> None:
    """Ids are unique only within a conversation."""
    ledger.record(HERE, read("a"), "e1")
    assert isinstance(ledger.record(THERE, read("a"), "e1"), Recorded)


def test_only_the_newest_events_are_remembered(opened: Opener) -> None:
    """Four for each candidate that fits: enough for a hook that runs twice, and bounded."""
    ledger = opened(candidates=1)
    for number in range(5):
        ledger.record(HERE, read(), f"e{number}")
    assert ledger.record(HERE, read(), "e1") == Repeated()
    assert isinstance(ledger.record(HERE, read(), "e0"), Recorded)


def test_sources_are_kept_sorted_however_they_came(ledger: Ledger) -> None:
    """The order is fixed in what is noted and in what is recorded."""
    mixed = msgspec.structs.replace(read(), sources=tuple(reversed(read().sources)))
    recorded = ledger.record(HERE, mixed, None)
    assert isinstance(recorded, Recorded)
    assert recorded.candidate.read == read()
    assert ledger.note(HERE, pending("e", mixed)) == Noted((read(),))


def test_lines_of_one_content_come_together_until_they_are_a_whole(ledger: Ledger) -> None:
    """Each window adds its lines and moves the item to the newest ordinal; a whole stays one."""
    windows = ((1, 40), (60, 100), (30, 50), (41, 59), (7, 9))
    heard = []
    for number, window in enumerate(windows):
        recorded = ledger.record(HERE, part(read(), window), f"e{number}")
        assert isinstance(recorded, Recorded)
        heard.append((recorded.change, recorded.candidate.ordinal, str(recorded.candidate.read.lines)))
        ledger.close()
        assert reads(ledger) == [recorded.candidate.read]
    assert heard == [
        ("new", 1, "1-40 of 100"),
        ("extended", 2, "1-40, 60-100 of 100"),
        ("extended", 3, "1-50, 60-100 of 100"),
        ("extended", 4, "None"),
        ("again", 5, "None"),
    ]


def test_lines_that_were_shown_before_add_nothing(ledger: Ledger) -> None:
    """The item moves up all the same; a hook that runs twice does not even do that."""
    ledger.record(HERE, part(read("a"), (1, 40)), "e1")
    record(ledger, HERE, "b")
    again = ledger.record(HERE, part(read("a"), (5, 9)), "e2")
    assert again == Recorded(Candidate(part(read("a"), (1, 40)), NOON, 3), "again")
    assert ledger.record(HERE, part(read("a"), (50, 99)), "e2") == Repeated()
    assert reads(ledger) == [part(read("a"), (1, 40)), read("b")]


def test_lines_of_other_content_start_anew(ledger: Ledger) -> None:
    """What was shown of the file as it was is no part of the file as it is."""
    ledger.record(HERE, part(read(), (1, 40)), None)
    changed = part(read(content="changed"), (60, 80), lines=90)
    assert ledger.record(HERE, changed, None) == Recorded(Candidate(changed, NOON, 2), "replaced")
    assert reads(ledger) == [changed]


def test_lines_end_with_the_life_in_which_they_were_shown(opened: Opener, clock: Clock) -> None:
    """After a clear, a new beginning, idle time or an eviction the same lines are new."""
    ledger = opened(candidates=1)

    def shown(first: int) -> tuple[str, str]:
        recorded = ledger.record(HERE, part(read(), (first, first + 9)), None)
        assert isinstance(recorded, Recorded)
        return recorded.change, str(recorded.candidate.read.lines)

    assert shown(1) == ("new", "1-10 of 100")
    ledger.resume(HERE)
    assert shown(11) == ("extended", "1-20 of 100")
    ledger.begin(HERE)
    assert shown(21) == ("new", "21-30 of 100")
    ledger.clear(HERE)
    ledger.resume(HERE)
    assert shown(31) == ("new", "31-40 of 100")
    clock.pass_seconds(WEEK + 1)
    ledger.resume(HERE)
    assert shown(41) == ("new", "41-50 of 100")
    record(ledger, HERE, "other")
    assert shown(51) == ("new", "51-60 of 100")


def test_lines_that_would_make_a_candidate_too_large_let_earlier_ones_go(opened: Opener) -> None:
    """A claim may shrink: the bound of bytes counts the lines, too."""
    one, next_to_it, other = part(read(), (10, 20)), part(read(), (21, 50)), part(read(), (60, 70))
    bound = metadata_bytes(one)
    ledger = opened(candidate_bytes=bound)
    for window, kept in ((one, one), (next_to_it, part(read(), (10, 50))), (other, other)):
        assert isinstance(ledger.record(HERE, window, None), Recorded)
        assert reads(ledger) == [kept]
    two = part(read(), (10, 20), (60, 70))
    refused = Skipped("candidate-too-large", f"{metadata_bytes(two)} of {bound} bytes")
    assert ledger.record(HERE, two, None) == refused


def test_the_file_of_a_read_goes_all_the_way(ledger: Ledger) -> None:
    """Noted, pending, settled, listed; recorded again without one, it has none."""
    filed = msgspec.structs.replace(read("a"), file=FILE)
    extremes = msgspec.structs.replace(read("b"), file=File("/\0", "a\nb", 2**63 - 1, -(2**63 - 1)))
    assert ledger.note(HERE, pending("e1", filed)) == Noted((filed,))
    ledger.close()
    assert ledger.pending(HERE) == (pending("e1", filed),)
    settled = ledger.settle(HERE, [sent("e1", filed)])
    assert settled == Settled((Recorded(Candidate(filed, NOON, 1), "new"),))
    ledger.record(HERE, extremes, "e2")
    ledger.close()
    assert reads(ledger) == [extremes, filed]
    ledger.record(HERE, read("a"), "e3")
    assert reads(ledger) == [read("a"), extremes]


@pytest.mark.parametrize(
    "file",
    [
        File("/home/caf\udce9", "a.md", 1, 1),
        File("/home", "caf\udce9.md", 1, 1),
        File("/home", "a.md", 1, 2**63),
        File("/home", "a.md", 1, -(2**63)),
        File("/home", "a.md", 2**80, 1),
        File("/home", "a.md", -1, 1),
    ],
)
def test_a_file_that_cannot_be_kept_as_it_is_leaves_no_trace(ledger: Ledger, file: File) -> None:
    """It is refused by name, noted or recorded, and nothing crashes."""
    bad = msgspec.structs.replace(read(), file=file)
    recorded, noted = ledger.record(HERE, bad, "e"), ledger.note(HERE, pending("e", bad))
    assert isinstance(recorded, Skipped)
    assert recorded == noted
    assert recorded.reason == "result-malformed"
    assert not ledger.folder.exists()


def test_the_bound_of_bytes_counts_where_a_file_is(opened: Opener) -> None:
    """A deep folder can be what makes a candidate too large."""
    deep = msgspec.structs.replace(read(), file=File("/" + "é" * 2000, "a.md", 1, 1))
    assert opened().record(HERE, deep, None) == Skipped("candidate-too-large", "4122 of 4096 bytes")
    assert isinstance(opened(candidate_bytes=4122).record(HERE, deep, None), Recorded)
    assert items(opened().list()) == []


def test_what_is_too_large_or_unproven_leaves_no_trace(ledger: Ledger, folder: Path) -> None:
    """A refusal makes no store."""
    large = read(title="x" * 5000)
    assert ledger.record(HERE, large, None) == Skipped("candidate-too-large", "5112 of 4096 bytes")
    assert ledger.note(HERE, pending("e", large)) == Skipped("candidate-too-large", "5112 of 4096 bytes")
    nameless = Conversation("codex", "")
    assert ledger.record(nameless, read(), None) == Skipped("conversation-unproven", "reference of 0 bytes")
    assert not folder.exists()


@pytest.mark.parametrize(
    "reference", ["../../x", "a\0b", "C:\\x", ".", "CON", "'; DROP TABLE conversation; --"]
)
def test_a_hostile_id_is_only_a_name(ledger: Ledger, folder: Path, reference: str) -> None:
    """No path is ever made from it, and no statement."""
    hostile = Conversation("codex", reference)
    named = msgspec.structs.replace(read(reference), title=reference)
    ledger.record(hostile, named, reference)
    listed = ledger.list("codex", reference)
    assert isinstance(listed, Ready)
    assert [(one.conversation, one.candidates[0].read) for one in listed.conversations] == [(hostile, named)]
    assert [file.name for file in folder.iterdir()] == ["ledger.db"]
    assert [file.name for file in folder.parent.iterdir()] == ["state"]


def test_two_ids_that_differ_after_a_nul_are_two(ledger: Ledger) -> None:
    """Texts are compared whole."""
    record(ledger, Conversation("codex", "a\0b"), "x\0y", "x\0z")
    record(ledger, Conversation("codex", "a\0c"), "x")
    assert items(ledger.list("codex", "a\0b")) == ["x\0z", "x\0y"]


@pytest.mark.parametrize("reference", ["", "x" * 257, "\ud800"])
def test_a_reference_that_is_never_accepted_is_unknown_to_every_call(ledger: Ledger, reference: str) -> None:
    """Nothing of it was ever kept, so nothing can be wrong with it."""
    never = Conversation("codex", reference)
    record(ledger, HERE, "a")
    assert ledger.pending(never) == ()
    assert ledger.settle(never, [sent("e")]) == Settled()
    assert ledger.begin(never) == ledger.resume(never) == ledger.clear(never) == Life(0)
    assert ledger.list(never.host, never.reference) == Ready(())
    assert items(ledger.list()) == ["a"]


# Bounds


def test_over_the_candidate_bound_the_lowest_ordinal_goes(opened: Opener) -> None:
    """A read that came again is not the oldest any more."""
    ledger = opened(candidates=2)
    record(ledger, HERE, "a", "b", "a", "c")
    assert items(ledger.list()) == ["c", "a"]


def test_over_the_conversation_bound_the_least_recently_active_goes(opened: Opener, clock: Clock) -> None:
    """Activity is an order of writes, so a clock that runs back does not matter."""
    ledger = opened(conversations=2)
    for number, item_id in ((1, "a"), (2, "b"), (1, "c"), (3, "d")):
        record(ledger, codex(number), item_id)
        clock.pass_seconds(-60)
    assert items(ledger.list()) == ["d", "c", "a"]


def test_a_lowered_bound_holds_at_once_and_the_next_write_keeps_it(opened: Opener) -> None:
    """Reads show no more than the bounds in force; writes remove the rest."""
    record(opened(), codex(1), "a", "b", "c")
    record(opened(), codex(2), "d", "e", "f")
    for number in range(3):
        opened().note(codex(2), pending(f"e{number}"))
    lower = opened(candidates=2, conversations=1)
    assert items(lower.list()) == ["f", "e"]
    assert lower.list("codex", "c1") == Ready(())
    assert [waiting.event_id for waiting in lower.pending(codex(2))] == ["e1", "e2"]
    assert items(opened().list()) == ["f", "e", "d", "c", "b", "a"]
    lower.resume(codex(2))
    assert items(opened().list()) == ["f", "e"]
    assert lower.stats() == Stats(3, lower.stats().bytes, Counts(1, 0, 2, 2, intact=True))


def test_a_conversation_is_never_evicted_by_its_own_write(opened: Opener) -> None:
    """Even if it was the least recently active one when the bound was lowered."""
    for number in (1, 2, 3):
        record(opened(), codex(number), "a")
    record(opened(conversations=1), codex(1), "b")
    assert items(opened().list()) == ["b", "a"]
    assert items(opened().list("codex", "c1")) == ["b", "a"]


def test_a_lowered_size_hides_larger_candidates_at_once(opened: Opener) -> None:
    """The bound of bytes is a bound like the others."""
    opened().record(HERE, read("large", title="x" * 500), None)
    record(opened(), HERE, "small")
    lower = opened(candidate_bytes=400)
    assert items(lower.list()) == ["small"]
    record(lower, HERE, "b")
    assert items(opened().list()) == ["b", "small"]


def test_a_read_noted_under_a_higher_bound_is_refused_when_it_settles(opened: Opener) -> None:
    """A candidate never exceeds the bound in force when it is made."""
    opened().note(HERE, pending("e", read(title="x" * 500)))
    settled = opened(candidate_bytes=400).settle(HERE, [sent("e", read(title="x" * 500))])
    assert settled == withdrawn(read(title="x" * 500), "candidate-too-large", "612 of 400 bytes")


def test_a_lowered_bound_reaches_all_conversations_by_prune(opened: Opener) -> None:
    """Prune removes for good what reads no longer show."""
    for number in (1, 2, 3):
        record(opened(), codex(number), "a", "b")
        opened().note(codex(number), pending("e1"))
        opened().note(codex(number), pending("e2"))
    assert opened(candidates=1, conversations=2).prune() == Pruned(1, 4, 4)
    assert items(opened().list()) == ["b", "b"]


DAY = 24 * 3600


# Pending reads


def withdrawn(what: Read, reason: str, detail: str = "", recorded: tuple[Recorded, ...] = ()) -> Settled:
    """Say what settling comes to where one read is withdrawn."""
    return Settled(recorded, (Withdrawn(what, Skipped(reason, detail)),))


def test_a_noted_read_is_no_candidate_until_it_is_delivered(ledger: Ledger) -> None:
    """It is counted, but not shown as read."""
    assert ledger.note(HERE, pending("e1", read("a"))) == Noted((read("a"),))
    assert ledger.note(HERE, pending("e1", read("a"))) == Repeated()
    assert ledger.pending(HERE) == (pending("e1", read("a")),)
    listed = ledger.list()
    assert isinstance(listed, Ready)
    assert [(one.candidates, one.pending) for one in listed.conversations] == [((), 1)]


def test_delivered_reads_become_candidates_in_the_order_of_noting(ledger: Ledger, clock: Clock) -> None:
    """Not in the order in which the host shows them."""
    for number in (1, 2, 3):
        ledger.note(HERE, pending(f"e{number}", read(f"i{number}")))
    clock.pass_seconds(9)
    said = [sent("e3", read("i3")), Settlement("e2"), sent("e1", read("i1"))]
    settled = ledger.settle(HERE, said)
    first = Recorded(Candidate(read("i1"), clock.now, 1), "new")
    third = Recorded(Candidate(read("i3"), clock.now, 2), "new")
    assert settled == withdrawn(read("i2"), "delivery-refuted", recorded=(first, third))
    assert ledger.pending(HERE) == ()
    assert items(ledger.list()) == ["i3", "i1"]


def test_one_call_may_read_several_items(ledger: Ledger) -> None:
    """They wait as one, and become candidates in the order of the result, each with an ordinal of its own."""
    several = (read("b"), part(read("a"), (1, 40), (60, 60)), read("c"))
    assert ledger.note(HERE, pending("e1", *several)) == Noted(several)
    ledger.close()
    assert ledger.pending(HERE) == (pending("e1", *several),)
    listed = ledger.list()
    assert isinstance(listed, Ready)
    assert [one.pending for one in listed.conversations] == [1]
    settled = ledger.settle(HERE, [sent("e1", *reversed(several))])
    assert settled == Settled(
        tuple(Recorded(Candidate(one, NOON, place), "new") for place, one in enumerate(several, 1))
    )
    assert items(ledger.list()) == ["c", "a", "b"]


def test_what_the_model_did_not_get_of_a_call_is_withdrawn_by_itself(ledger: Ledger) -> None:
    """Items and lines: those that were sent count, and no others."""
    ledger.note(HERE, pending("e1", read("a"), read("b"), part(read("c"), (1, 90))))
    cut = [Settlement("e1", (part(read("c"), (80, 100)), part(read("a"), (1, 20))))]
    first = Recorded(Candidate(part(read("a"), (1, 20)), NOON, 1), "new")
    last = Recorded(Candidate(part(read("c"), (80, 90)), NOON, 2), "new")
    assert ledger.settle(HERE, cut) == withdrawn(read("b"), "delivery-refuted", recorded=(first, last))
    assert reads(ledger) == [part(read("c"), (80, 90)), part(read("a"), (1, 20))]


def test_an_item_that_can_never_be_kept_leaves_the_others_of_its_call(ledger: Ledger, folder: Path) -> None:
    """It comes back with its reason; where none is left, the first reason is the answer."""
    large, none = read("large", title="x" * 5000), part(read("none"))
    too_large = Skipped("candidate-too-large", "5116 of 4096 bytes")
    assert ledger.note(HERE, pending("e1", large, none)) == too_large
    assert not folder.exists()
    noted = ledger.note(HERE, pending("e1", large, read("a"), none))
    dropped = (Withdrawn(large, too_large), Withdrawn(none, Skipped("result-malformed", "no lines")))
    assert noted == Noted((read("a"),), dropped)
    assert ledger.pending(HERE) == (pending("e1", read("a")),)


def test_the_items_of_a_call_hold_the_bound_on_candidates(opened: Opener) -> None:
    """One call may read more than there is room for: the last ones stay."""
    ledger = opened(candidates=2)
    several = [read(f"i{number}") for number in range(32)]
    ledger.note(HERE, pending("e1", *several))
    settled = ledger.settle(HERE, [sent("e1", *several)])
    assert isinstance(settled, Settled)
    assert len(settled.recorded) == 32
    assert items(ledger.list()) == ["i31", "i30"]


def test_a_settled_event_that_comes_again_is_a_repetition(ledger: Ledger) -> None:
    """Whether its read was delivered or not."""
    for said in (sent("e1"), Settlement("e2")):
        ledger.note(HERE, pending(said.event_id))
        ledger.settle(HERE, [said])
        assert ledger.note(HERE, pending(said.event_id)) == Repeated()
        assert ledger.record(HERE, read("z"), said.event_id) == Repeated()
        assert ledger.settle(HERE, [sent(said.event_id)]) == Settled()


def test_settling_what_is_not_pending_changes_nothing(ledger: Ledger, clock: Clock) -> None:
    """Not even the order of activity."""
    record(ledger, HERE, "a")
    record(ledger, THERE, "b")
    before = ledger.list()
    clock.pass_seconds(1)
    assert ledger.settle(HERE, [sent("never")]) == Settled()
    assert ledger.settle(codex(9), [sent("never")]) == Settled()
    assert ledger.list() == before


def test_an_expired_read_no_longer_counts_and_is_named_when_it_is_dropped(
    ledger: Ledger, clock: Clock
) -> None:
    """Others of the same conversation go on waiting."""
    ledger.note(HERE, pending("old"))
    clock.pass_seconds(HOUR)
    ledger.note(HERE, pending("new", noted_at=clock.now))
    clock.pass_seconds(1)
    listed = ledger.list()
    assert isinstance(listed, Ready)
    assert [one.pending for one in listed.conversations] == [1]
    assert ledger.settle(HERE, []) == withdrawn(read(), "delivery-expired")
    assert [waiting.event_id for waiting in ledger.pending(HERE)] == ["new"]


def test_a_delivery_counts_however_late_it_is_looked_at(ledger: Ledger, clock: Clock) -> None:
    """Codex shows it at once, and no event of the conversation may come for hours."""
    ledger.note(HERE, pending("early", read("a")))
    clock.pass_seconds(3 * HOUR)
    assert [waiting.event_id for waiting in ledger.pending(HERE)] == ["early"]
    ledger.settle(HERE, [sent("early", read("a"))])
    assert items(ledger.list()) == ["a"]


def test_an_event_of_an_ended_life_never_counts_again(ledger: Ledger) -> None:
    """Neither after a clear and a resume, nor after a new beginning."""
    ledger.record(HERE, read("a"), "e1")
    ledger.clear(HERE)
    ledger.resume(HERE)
    assert ledger.record(HERE, read("a"), "e1") == Repeated()
    ledger.begin(HERE)
    assert ledger.note(HERE, pending("e1")) == Repeated()


def test_pending_reads_are_bounded_and_the_oldest_goes(opened: Opener) -> None:
    """The same number as candidates."""
    ledger = opened(candidates=2)
    for number in (1, 2, 3):
        ledger.note(HERE, pending(f"e{number}", msgspec.structs.replace(read(f"i{number}"), title="é\0")))
    assert [one.item_id for waiting in ledger.pending(HERE) for one in waiting.reads] == ["i2", "i3"]


def test_a_pending_read_may_have_no_place(ledger: Ledger) -> None:
    """Not every host keeps a transcript."""
    placeless = msgspec.structs.replace(pending("e"), locator=None)
    ledger.note(HERE, placeless)
    assert ledger.pending(HERE) == (placeless,)


# Lives


@pytest.mark.parametrize("event", [Ledger.begin, Ledger.resume])
def test_an_event_of_an_unknown_conversation_makes_nothing(
    opened: Opener, folder: Path, event: Callable[[Ledger, Conversation], Life]
) -> None:
    """A stray start pushes no other conversation out, and makes no store."""
    ledger = opened(conversations=1)
    assert event(ledger, HERE) == Life(0)
    assert not folder.exists()
    record(ledger, THERE, "a")
    assert event(ledger, HERE) == Life(0)
    assert items(ledger.list()) == ["a"]


def test_a_start_ends_the_life_before(ledger: Ledger) -> None:
    """A late pending read of the old life is gone, and an ordinal is never used twice."""
    ledger.record(HERE, read("a"), "e1")
    ledger.note(HERE, pending("e2"))
    assert ledger.begin(HERE) == Life(2, dropped=1)
    assert ledger.list() == Ready(())
    assert ledger.settle(HERE, [sent("e2")]) == Settled()
    assert ledger.record(HERE, read("a"), "e1") == Repeated()
    recorded = ledger.record(HERE, read("a"), "e3")
    assert isinstance(recorded, Recorded)
    assert (recorded.change, recorded.candidate.ordinal) == ("new", 2)


def test_a_resume_keeps_what_was_read(ledger: Ledger, clock: Clock) -> None:
    """And counts as activity."""
    record(ledger, HERE, "a")
    ledger.note(HERE, pending("e", noted_at=NOON + WEEK * 1000))
    record(ledger, THERE, "b")
    clock.pass_seconds(WEEK)
    assert ledger.resume(HERE) == Life(1)
    assert items(ledger.list()) == ["a", "b"]
    assert len(ledger.pending(HERE)) == 1
    clock.pass_seconds(1)
    assert items(ledger.list()) == ["a"]


def test_a_resume_after_idle_time_is_a_new_empty_life(ledger: Ledger, clock: Clock) -> None:
    """What was out of sight does not come back."""
    record(ledger, HERE, "a")
    clock.pass_seconds(WEEK + 1)
    assert ledger.resume(HERE) == Life(2, dropped=1)
    assert ledger.list() == Ready(())


def test_a_clear_ends_the_life_and_only_a_resume_opens_another_empty(ledger: Ledger) -> None:
    """Late events are refused, a start is not enough, and repeating it is harmless."""
    record(ledger, HERE, "a")
    ledger.note(HERE, pending("e1"))
    assert ledger.clear(HERE) == Life(1, dropped=1)
    assert ledger.clear(HERE) == Life(1)
    refused = Skipped("conversation-cleared")
    assert ledger.record(HERE, read("a"), "e2") == ledger.note(HERE, pending("e3")) == refused
    assert ledger.settle(HERE, [sent("e1")]) == Settled()
    assert ledger.begin(HERE) == Life(1)
    assert ledger.record(HERE, read("a"), "e2") == refused
    assert ledger.resume(HERE) == Life(2)
    assert (ledger.list(), ledger.pending(HERE)) == (Ready(()), ())
    recorded = ledger.record(HERE, read("a"), "e4")
    assert isinstance(recorded, Recorded)
    assert recorded.candidate.ordinal == 2


def test_a_clear_of_an_unknown_conversation_refuses_its_late_events(opened: Opener) -> None:
    """Its mark takes its place among the conversations."""
    ledger = opened(conversations=1)
    record(ledger, THERE, "a")
    assert ledger.clear(HERE) == Life(1)
    assert ledger.record(HERE, read(), None) == Skipped("conversation-cleared")
    assert ledger.list() == Ready(())


def test_clearing_all_ends_every_life(ledger: Ledger, folder: Path) -> None:
    """It says what went, and makes no store where there is none."""
    assert ledger.clear_all() == Pruned(0, 0, 0)
    assert not folder.exists()
    record(ledger, HERE, "a", "b")
    record(ledger, THERE, "a")
    ledger.note(THERE, pending("e"))
    ledger.clear(codex(1))
    assert ledger.clear_all() == Pruned(2, 3, 1)
    assert ledger.clear_all() == Pruned(0, 0, 0)
    for conversation in (HERE, THERE, codex(1)):
        assert ledger.record(conversation, read(), None) == Skipped("conversation-cleared")


# Time


def test_an_idle_conversation_is_out_of_sight_at_once_and_a_later_write_purges_it(
    ledger: Ledger, clock: Clock
) -> None:
    """Reads do not write, so it is still there until then."""
    record(ledger, HERE, "a")
    ledger.note(HERE, pending("e", noted_at=NOON + (WEEK + 1) * 1000))
    clock.pass_seconds(WEEK + 1)
    assert (ledger.list(), ledger.list(HERE.host, HERE.reference)) == (Ready(()), Ready(()))
    assert ledger.pending(HERE) == ()
    assert ledger.stats().counts == Counts(1, 0, 1, 1, intact=True)
    record(ledger, THERE, "b")
    assert ledger.stats().counts == Counts(1, 0, 1, 0, intact=True)


def test_a_clock_that_jumps_forward_does_not_empty_the_conversation_being_written_to(
    ledger: Ledger, clock: Clock
) -> None:
    """It is touched before anything is purged."""
    record(ledger, HERE, "a")
    clock.pass_seconds(10 * WEEK)
    record(ledger, HERE, "b")
    assert items(ledger.list()) == ["b", "a"]


def test_a_stamp_from_the_future_is_out_of_sight_and_does_not_live_for_ever(
    ledger: Ledger, clock: Clock
) -> None:
    """A write with a clock that is behind leaves it to the others; prune removes it."""
    clock.pass_seconds(10 * WEEK)
    record(ledger, HERE, "a")
    clock.pass_seconds(-10 * WEEK)
    record(ledger, THERE, "b")
    assert items(ledger.list()) == ["b"]
    assert ledger.list(HERE.host, HERE.reference) == Ready(())
    assert ledger.stats().counts == Counts(2, 0, 2, 0, intact=True)
    assert ledger.prune() == Pruned(1, 1, 0)
    assert items(ledger.list()) == ["b"]


def test_one_write_purges_a_bounded_number_and_the_oldest_first(
    ledger: Ledger, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a holiday the first hook must not pay for all."""
    monkeypatch.setattr(transaction, "PURGED_AT_ONCE", 2)
    for number in range(5):
        record(ledger, codex(number), "a")
        clock.pass_seconds(1)
    clock.pass_seconds(2 * WEEK)
    record(ledger, HERE, "b")
    assert ledger.stats().counts == Counts(4, 0, 4, 0, intact=True)
    clock.pass_seconds(-2 * WEEK)
    assert items(ledger.list("codex", "c1")) == []
    assert items(ledger.list("codex", "c2")) == ["a"]


def test_prune_removes_what_is_idle_or_expired_and_nothing_else(ledger: Ledger, clock: Clock) -> None:
    """Where there is no store, it makes none."""
    assert ledger.prune() == Pruned(0, 0, 0)
    record(ledger, codex(1), "a", "b")
    ledger.clear(codex(2))
    clock.pass_seconds(WEEK + 1)
    ledger.note(HERE, pending("late", noted_at=clock.now - (HOUR + 1) * 1000))
    ledger.note(HERE, pending("fresh", noted_at=clock.now))
    record(ledger, HERE, "c")
    assert ledger.prune() == Pruned(0, 0, 1)
    clock.pass_seconds(-WEEK - 1)
    assert items(ledger.list()) == []
    assert ledger.prune() == Pruned(1, 1, 1)


# List


def test_a_list_is_newest_first_and_can_be_narrowed(ledger: Ledger) -> None:
    """Conversations by activity, candidates by ordinal, cleared and empty ones left out."""
    record(ledger, HERE, "a", "b")
    record(ledger, THERE, "c")
    record(ledger, Conversation("codex", THERE.reference), "d")
    record(ledger, codex(1), "x")
    ledger.clear(codex(1))
    record(ledger, codex(2), "y")
    ledger.begin(codex(2))
    record(ledger, HERE, "a")
    assert items(ledger.list()) == ["a", "b", "d", "c"]
    assert items(ledger.list("codex")) == ["a", "b", "d"]
    assert items(ledger.list(reference=THERE.reference)) == ["d", "c"]
    assert items(ledger.list("claude-code", THERE.reference)) == ["c"]
    assert items(ledger.list("claude-code", HERE.reference)) == []


def test_reading_makes_nothing(ledger: Ledger, folder: Path) -> None:
    """No store means that nothing was read: ready, and empty."""
    assert ledger.list() == ledger.list("codex", "x") == Ready(())
    assert ledger.pending(HERE) == ()
    assert ledger.stats() == Stats(0, 0, Counts(0, 0, 0, 0, intact=True))
    assert not folder.exists()


def test_a_ledger_closes_at_the_end_of_a_block_and_opens_again(ledger: Ledger) -> None:
    """Closing loses nothing."""
    with ledger as same:
        record(same, HERE, "a")
    assert items(ledger.list()) == ["a"]
    record(ledger, HERE, "b")
    assert items(ledger.list()) == ["b", "a"]

"""A plain model of dictionaries and lists lives beside the real ledger, and the two never differ."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from contracts.conversation import Conversation
from contracts.limits import Limits
from contracts.lines import RANGES, Lines
from contracts.outcome import (
    Conversed,
    Life,
    Noted,
    Pruned,
    Ready,
    Recorded,
    Repeated,
    Settled,
    Skipped,
    Told,
    Withdrawn,
)
from contracts.read import Candidate, PendingRead, Read, Settlement
from ledger import rules, store
from ledger.calls import Ledger
from ledger.view import Counts
from tests.ledger.samples import FILE, Clock, pending, read

CONVERSATIONS = [Conversation(host, reference) for host in ("codex", "claude-code") for reference in "xyz"]
EVENTS = [f"e{number}" for number in range(12)]
CLEARED = Skipped("conversation-cleared")

conversations = st.sampled_from(CONVERSATIONS)
events = st.sampled_from(EVENTS)
OF = 40
"""How many lines each file has: room for more ranges than are kept."""
lines = st.one_of(
    st.none(),
    st.sets(st.integers(1, 9), min_size=1),
    st.sets(st.integers(1, OF), min_size=1).map(lambda numbers: numbers | set(range(2, OF, 2))),
    st.just(set(range(1, OF // 2))),
)
"""Lines that overlap and touch often, some so scattered that the bound on ranges holds."""
reads = st.builds(
    lambda one, file, numbers: msgspec.structs.replace(one, file=file, lines=numbers and shown(numbers)),
    st.builds(read, st.sampled_from("abcd"), st.sampled_from("112"), st.sampled_from(["s", "t"])),
    st.sampled_from([None, FILE]),
    lines,
)
several = st.lists(reads, min_size=1, max_size=3).map(tuple)
MOST_TOLD = 3
"""How many briefings are kept here, so that a run reaches the bound."""


def shown(numbers: set[int]) -> Lines | None:
    """Return these lines of a file, or as many of them as fit, the longest ranges first."""
    ranges: list[list[int]] = []
    for number in sorted(numbers):
        if ranges and ranges[-1][-1] == number - 1:
            ranges[-1].append(number)
        else:
            ranges.append([number])
    while len(ranges) > RANGES:
        # Of equally short ones the last goes.
        ranges.reverse()
        ranges.remove(min(ranges, key=len))
        ranges.reverse()
    if [len(one) for one in ranges] == [OF]:
        return None
    return Lines(tuple((one[0], one[-1]) for one in ranges), OF)


def numbers_of(one: Read) -> set[int]:
    """Return the numbers of the lines that a read shows."""
    ranges = ((1, OF),) if one.lines is None else one.lines.shown
    return {number for first, last in ranges for number in range(first, last + 1)}


def key(one: Read) -> tuple[str, str, str]:
    """Return what two reads of the same content of one item have in common."""
    return one.store_scope, one.item_id, one.content_digest


class Kept:
    """What the model keeps of one conversation."""

    def __init__(self) -> None:
        """Start the first life."""
        self.incarnation = 1
        self.cleared = False
        self.ordinal = 0
        self.active = 0
        self.stamp = 0
        self.candidates: list[Candidate] = []
        self.pending: list[PendingRead] = []
        self.told: list[Told] = []
        self.seen: list[str] = []

    def empty(self) -> int:
        """Drop all that is held and say how many candidates that were."""
        dropped = len(self.candidates)
        self.candidates, self.pending, self.told = [], [], []
        return dropped


class Model:
    """The ledger's promises in the plainest form: nothing is fast, nothing is stored."""

    def __init__(self, clock: Clock) -> None:
        """Start with nothing."""
        self.clock = clock
        self.limits = Limits()
        self.kept: dict[Conversation, Kept] = {}
        self.writes = 0

    def idle(self, kept: Kept) -> bool:
        """Whether a conversation is out of sight."""
        return abs(self.clock.now - kept.stamp) > self.limits.idle_seconds * 1000

    def waiting(self, kept: Kept) -> list[PendingRead]:
        """Return the pending reads that count."""
        within = kept.pending[-self.limits.candidates :]
        return [one for one in within if not self.expired(one)]

    def expired(self, one: PendingRead) -> bool:
        """Whether a pending read is out of time."""
        return abs(self.clock.now - one.noted_at) > self.limits.pending_seconds * 1000

    def by_activity(self) -> list[tuple[Conversation, Kept]]:
        """Return all conversations, most recently active first."""
        return sorted(self.kept.items(), key=lambda item: -item[1].active)

    def touch(self, conversation: Conversation) -> Kept:
        """Make a conversation the most recently active one and hold the bounds."""
        kept = self.kept.setdefault(conversation, Kept())
        self.writes += 1
        kept.active, kept.stamp = self.writes, self.clock.now
        for other, its in list(self.kept.items()):
            if its is not kept and self.idle(its) and its.stamp < self.clock.now:
                del self.kept[other]
        for other, _ in self.by_activity()[self.limits.conversations :]:
            del self.kept[other]
        self.trim(kept)
        return kept

    def trim(self, kept: Kept) -> None:
        """Hold the bounds inside a conversation."""
        kept.candidates = kept.candidates[-self.limits.candidates :]
        kept.pending = kept.pending[-self.limits.candidates :]

    def refusal(self, conversation: Conversation, event_id: str | None) -> Repeated | Skipped | None:
        """Refuse what is late or repeated."""
        kept = self.kept.get(conversation)
        if kept is None:
            return None
        if kept.cleared:
            return CLEARED
        return Repeated() if event_id in kept.seen else None

    def remember(self, kept: Kept, event_id: str | None) -> None:
        """Remember the newest events."""
        if event_id is not None:
            kept.seen = [*kept.seen, event_id][-4 * self.limits.candidates :]

    def keep(self, kept: Kept, new: Read) -> Recorded:
        """Keep a candidate, at most one an item; lines of one content come together."""
        old = [one for one in kept.candidates if key(one.read)[:2] == key(new)[:2]]
        kept.candidates = [one for one in kept.candidates if one not in old]
        kept.ordinal += 1
        same = old and key(old[0].read) == key(new)
        if same:
            together = numbers_of(old[0].read) | numbers_of(new)
            new = msgspec.structs.replace(new, lines=shown(together))
        candidate = Candidate(new, self.clock.now, kept.ordinal)
        kept.candidates.append(candidate)
        self.trim(kept)
        if not old:
            return Recorded(candidate, "new")
        if not same:
            return Recorded(candidate, "replaced")
        return Recorded(candidate, "again" if new.lines == old[0].read.lines else "extended")

    def got(self, noted: Read, said: list[Settlement]) -> Read | None:
        """Return what all settlements of a call say that the model got of an item, if that is anything."""
        numbers = numbers_of(noted)
        lines = noted.lines
        for one in said:
            claimed = [numbers_of(claim) for claim in one.reads if key(claim) == key(noted)]
            numbers &= numbers_of(msgspec.structs.replace(noted, lines=shown(set().union(*claimed))))
            lines = shown(numbers)
            numbers = numbers_of(msgspec.structs.replace(noted, lines=lines))
        return msgspec.structs.replace(noted, lines=lines) if numbers else None

    def shown(self) -> list[tuple[Conversation, Kept]]:
        """Return what a read may show."""
        within = [(c, kept) for c, kept in self.by_activity() if not self.idle(kept)]
        return [(c, kept) for c, kept in within[: self.limits.conversations] if not kept.cleared]

    def ready(self) -> Ready:
        """Return the whole list."""
        listed = []
        for conversation, kept in self.shown():
            newest = tuple(reversed(kept.candidates))[: self.limits.candidates]
            waiting = len(self.waiting(kept))
            if newest or waiting:
                told = tuple(reversed(kept.told))
                listed.append(Conversed(conversation, kept.incarnation, kept.stamp, newest, waiting, told))
        return Ready(tuple(listed))


class Agreement(RuleBasedStateMachine):
    """Every rule does one thing to both; after each, both must answer alike."""

    def __init__(self) -> None:
        """Open a ledger of its own."""
        super().__init__()
        self.clock = Clock()
        self.model = Model(self.clock)
        self.home = tempfile.TemporaryDirectory()
        self.ledger = self.reopened(Limits())

    def teardown(self) -> None:
        """Close what was opened."""
        self.ledger.close()
        self.home.cleanup()

    def reopened(self, limits: Limits) -> Ledger:
        """Return the same ledger with these limits."""
        self.model.limits = limits
        return Ledger(Path(self.home.name) / "state", limits, self.clock)

    @initialize(bounds=st.sampled_from([(1, 1), (1, 512), (2, 4), (64, 512)]))
    def start_with_limits(self, bounds: tuple[int, int]) -> None:
        """Start with bounds that some runs never reach."""
        self.change_limits(*bounds)

    @rule(candidates=st.sampled_from([1, 2, 3]), conversations=st.sampled_from([1, 2, 4]))
    def change_limits(self, candidates: int, conversations: int) -> None:
        """Open again, with other bounds."""
        self.ledger.close()
        self.ledger = self.reopened(Limits(candidates=candidates, conversations=conversations))

    @rule()
    def close(self) -> None:
        """Close; the next call opens again."""
        self.ledger.close()

    @rule(seconds=st.sampled_from([1, -1, 1800, -1800, 3601, 604_800, 604_801, -604_801, 2_000_000]))
    def move_clock(self, seconds: int) -> None:
        """Let time pass, jump, or run back."""
        self.clock.pass_seconds(seconds)

    @rule(conversation=conversations, new=reads, event_id=st.none() | events)
    def record(self, conversation: Conversation, new: Read, event_id: str | None) -> None:
        """Record a read."""
        expected: Any = self.model.refusal(conversation, event_id)
        if expected is None:
            kept = self.model.touch(conversation)
            self.model.remember(kept, event_id)
            expected = self.model.keep(kept, new)
        assert self.ledger.record(conversation, new, event_id) == expected

    @rule(conversation=conversations, new=several, event_id=events, age=st.sampled_from([0, 0, 1800, -9000]))
    def note(self, conversation: Conversation, new: tuple[Read, ...], event_id: str, age: int) -> None:
        """Note what a call read."""
        one = pending(event_id, *new, noted_at=self.clock.now - age * 1000)
        expected: Any = self.model.refusal(conversation, event_id)
        if expected is None:
            kept = self.model.touch(conversation)
            self.model.remember(kept, event_id)
            kept.pending.append(one)
            self.model.trim(kept)
            expected = Noted(new)
        assert self.ledger.note(conversation, one) == expected

    @rule(
        conversation=conversations,
        said=st.lists(
            st.tuples(events, st.just("all") | st.integers(0, 2), several | st.just(())), max_size=6
        ),
    )
    def settle(
        self, conversation: Conversation, said: list[tuple[str, int | Literal["all"], tuple[Read, ...]]]
    ) -> None:
        """Settle some pending reads, in any order, some twice, some never noted, some in part or wrongly."""
        recorded: list[Recorded] = []
        withdrawn: list[Withdrawn] = []
        kept = self.model.kept.get(conversation)
        within = [] if kept is None else kept.pending[-self.model.limits.candidates :]
        noted = {one.event_id: one.reads for one in within}
        settlements = [
            Settlement(
                event_id, noted.get(event_id, ()) if how == "all" else (*noted.get(event_id, ())[:how], *more)
            )
            for event_id, how, more in said
        ]
        words = {one.event_id: [s for s in settlements if s.event_id == one.event_id] for one in within}
        settled = [one for one in within if self.model.expired(one) or words[one.event_id]]
        if settled:
            kept = self.model.touch(conversation)
        for one in settled:
            kept.pending.remove(one)
            for each in one.reads:
                got = self.model.got(each, words[one.event_id])
                if not words[one.event_id]:
                    withdrawn.append(Withdrawn(each, Skipped("delivery-expired")))
                elif got is not None:
                    recorded.append(self.model.keep(kept, got))
                else:
                    withdrawn.append(Withdrawn(each, Skipped("delivery-refuted")))
        assert self.ledger.settle(conversation, settlements) == Settled(tuple(recorded), tuple(withdrawn))

    @rule(
        conversation=conversations,
        lives_ago=st.sampled_from([0, 0, 0, 1, -1]),
        items=st.lists(st.sampled_from("abcd"), min_size=1, max_size=3),
        left_out=st.integers(0, 3),
    )
    def tell(self, conversation: Conversation, lives_ago: int, items: list[str], left_out: int) -> None:
        """Tell a subagent of this life, or of another one."""
        kept = self.model.kept.get(conversation)
        expected = None
        if kept is not None and not kept.cleared and not lives_ago:
            kept = self.model.touch(conversation)
            expected = Told(self.clock.now, tuple(items), left_out)
            kept.told = [*kept.told, expected][-MOST_TOLD:]
        life = (kept.incarnation if kept else 1) - lives_ago
        assert self.ledger.tell(conversation, life, items, left_out) == expected

    @rule(conversation=conversations)
    def begin(self, conversation: Conversation) -> None:
        """Start."""
        kept = self.model.kept.get(conversation)
        dropped = 0
        if kept is not None and not kept.cleared:
            dropped = kept.empty()
            self.model.touch(conversation).incarnation += 1
        expected = Life(kept.incarnation if kept else 0, dropped)
        assert self.ledger.begin(conversation) == expected

    @rule(conversation=conversations)
    def resume(self, conversation: Conversation) -> None:
        """Resume."""
        kept = self.model.kept.get(conversation)
        dropped = 0
        if kept is not None:
            if kept.cleared or self.model.idle(kept):
                dropped = kept.empty()
                kept.incarnation += 1
                kept.cleared = False
            self.model.touch(conversation)
        expected = Life(kept.incarnation if kept else 0, dropped)
        assert self.ledger.resume(conversation) == expected

    @rule(conversation=conversations)
    def clear(self, conversation: Conversation) -> None:
        """Clear."""
        known = self.model.kept.get(conversation)
        dropped = known.empty() if known else 0
        kept = self.model.touch(conversation)
        kept.cleared = True
        assert self.ledger.clear(conversation) == Life(kept.incarnation, dropped)

    @rule()
    def clear_all(self) -> None:
        """Clear every conversation."""
        live = candidates = waiting = 0
        for kept in self.model.kept.values():
            live += not kept.cleared
            waiting += len(kept.pending)
            candidates += kept.empty()
            kept.cleared, kept.stamp = True, self.clock.now
        assert self.ledger.clear_all() == Pruned(live, candidates, waiting)

    @rule()
    def prune(self) -> None:
        """Prune."""
        before = self.counts()
        for conversation, kept in list(self.model.kept.items()):
            if self.model.idle(kept):
                del self.model.kept[conversation]
        for conversation, _ in self.model.by_activity()[self.model.limits.conversations :]:
            del self.model.kept[conversation]
        for kept in self.model.kept.values():
            self.model.trim(kept)
            kept.pending = self.model.waiting(kept)
        after = self.counts()
        expected = Pruned(
            before.live + before.cleared - after.live - after.cleared,
            before.candidates - after.candidates,
            before.pending - after.pending,
        )
        assert self.ledger.prune() == expected

    def counts(self) -> Counts:
        """Count what the model keeps."""
        every = self.model.kept.values()
        return Counts(
            live=sum(not kept.cleared for kept in every),
            cleared=sum(kept.cleared for kept in every),
            candidates=sum(len(kept.candidates) for kept in every),
            pending=sum(len(kept.pending) for kept in every),
            intact=True,
            told=sum(len(kept.told) for kept in every),
        )

    @invariant()
    def the_lists_agree(self) -> None:
        """In all conversations, and in each alone."""
        ready = self.model.ready()
        assert self.ledger.list() == ready
        for conversation in CONVERSATIONS:
            alone = Ready(tuple(one for one in ready.conversations if one.conversation == conversation))
            assert self.ledger.list(conversation.host, conversation.reference) == alone

    @invariant()
    def the_pending_reads_agree(self) -> None:
        """In the order of noting."""
        shown = dict(self.model.shown())
        for conversation in CONVERSATIONS:
            kept = shown.get(conversation)
            expected = () if kept is None else tuple(kept.pending[-self.model.limits.candidates :])
            assert self.ledger.pending(conversation) == expected

    @invariant()
    def nothing_else_is_kept(self) -> None:
        """Count what is out of sight, too."""
        stats = self.ledger.stats()
        assert msgspec.to_builtins(stats)["counts"] == msgspec.to_builtins(self.counts())


def test_the_ledger_agrees_with_a_plain_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is done, in whatever order."""
    # Here only what is kept matters, not whether it outlives a power cut.
    monkeypatch.setattr(store, "SETTINGS", store.SETTINGS + "PRAGMA synchronous = OFF;")
    monkeypatch.setattr(rules, "TOLD", MOST_TOLD)
    run_state_machine_as_test(
        Agreement,
        settings=settings(
            max_examples=60,
            stateful_step_count=40,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )

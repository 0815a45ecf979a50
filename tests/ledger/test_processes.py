"""Many processes, one ledger: nothing is lost, nothing waits for ever, nothing breaks by a kill."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from contracts.conversation import Conversation
from contracts.limits import Limits
from contracts.outcome import Life, Ready, Recorded, Repeated, Unavailable
from ledger.calls import Ledger
from tests.ledger.conftest import Opener
from tests.ledger.crowd import FORK, PATIENCE, kill, locked, together
from tests.ledger.samples import HERE, Clock, items, outcome_of, read

PATIENT = 30_000
"""Milliseconds: the crowds here are larger, and the machines slower, than any host's."""


def in_crowd(folder: Path, conversation: Conversation, item_id: str, event_id: str | None = None) -> str:
    """Record one read as a process of its own would."""
    with Ledger(folder, Limits(), Clock(), PATIENT) as ledger:
        return outcome_of(ledger.record(conversation, read(item_id), event_id))


@pytest.mark.parametrize("turn", range(5))
def test_sixteen_processes_start_a_fresh_store_together_and_all_are_heard(
    folder: Path, opened: Opener, turn: int
) -> None:
    """Ordinals come out unique, and as many as there were reads."""
    answers = together(16, lambda number: in_crowd(folder, HERE, f"{turn}-{number}"))
    assert answers == ["Recorded"] * 16
    listed = opened().list()
    assert isinstance(listed, Ready)
    [one] = listed.conversations
    assert [candidate.ordinal for candidate in one.candidates] == list(range(16, 0, -1))
    assert len({candidate.read.item_id for candidate in one.candidates}) == 16


def test_a_hundred_processes_with_a_conversation_each_lose_none(folder: Path, opened: Opener) -> None:
    """Nobody reads, merges and writes back."""
    answers = together(100, lambda number: in_crowd(folder, Conversation("codex", f"c{number}"), "a"))
    assert answers == ["Recorded"] * 100
    listed = opened().list()
    assert isinstance(listed, Ready)
    assert len(listed.conversations) == 100


def test_a_hook_that_runs_twice_at_once_counts_once(folder: Path, opened: Opener) -> None:
    """One process records, the other finds it done."""
    for turn in range(8):
        answers = together(2, lambda _, turn=turn: in_crowd(folder, HERE, f"i{turn}", f"e{turn}"))
        assert sorted(answers) == ["Recorded", "Repeated"]
    listed = opened().list()
    assert isinstance(listed, Ready)
    assert [candidate.ordinal for candidate in listed.conversations[0].candidates] == list(range(8, 0, -1))


def test_a_clear_and_late_records_at_once_leave_nothing(folder: Path, opened: Opener) -> None:
    """Whatever the order of commits, nothing is shown after the clear."""
    opened().record(HERE, read("first"), None)

    def act(number: int) -> str:
        with Ledger(folder, Limits(), Clock(), PATIENT) as ledger:
            if number == 0:
                return outcome_of(ledger.clear(HERE))
            return outcome_of(ledger.record(HERE, read(f"i{number}"), None))

    answers = together(8, act)
    assert answers[0] == "Life"
    assert set(answers[1:]) <= {"Recorded", "Skipped conversation-cleared"}
    assert opened().list() == Ready(())


def test_processes_that_find_damage_together_move_one_file_and_then_all_write(
    folder: Path, opened: Opener
) -> None:
    """No fresh ledger is moved aside in its place."""
    for turn in range(1, 4):
        opened().record(HERE, read("lost"), None)
        (folder / "ledger.db").write_text("damage")

        def act(number: int) -> int:
            with Ledger(folder, Limits(), Clock(), PATIENT) as ledger:
                tries = 1
                while not isinstance(ledger.record(HERE, read(f"i{number}"), None), Recorded):
                    tries += 1
                return tries

        assert max(together(8, act)) <= 3
        assert len(list(folder.glob("ledger.corrupt-*"))) == turn
        assert sorted(items(opened().list())) == [f"i{number}" for number in range(8)]


@pytest.mark.parametrize("seconds", [0.05, 0.3])
@pytest.mark.parametrize("how", ["IMMEDIATE", "EXCLUSIVE"])
def test_a_lock_shorter_than_the_patience_is_waited_for(opened: Opener, how: str, seconds: float) -> None:
    """Reads and writes both."""
    ledger = opened(patience_ms=PATIENT)
    ledger.record(HERE, read("a"), None)
    with locked(ledger.folder / "ledger.db", how, seconds):
        assert items(ledger.list()) == ["a"]
        assert isinstance(ledger.record(HERE, read("b"), None), Recorded)


def test_a_lock_longer_than_the_patience_is_unavailable_and_not_empty(opened: Opener) -> None:
    """A writer keeps only writers out; and the wait ends in time."""
    ledger = opened(patience_ms=200)
    ledger.record(HERE, read("a"), None)
    with locked(ledger.folder / "ledger.db", "EXCLUSIVE", PATIENCE):
        started = time.monotonic()
        assert ledger.list() == Unavailable("store-locked", "BusyError")
        assert ledger.record(HERE, read("b"), None) == Unavailable("store-locked", "BusyError")
        # Twice the patience, and as much again for a busy machine.
        assert 0.4 <= time.monotonic() - started < 1.5
    with locked(ledger.folder / "ledger.db", "IMMEDIATE", PATIENCE):
        assert items(ledger.list()) == ["a"]
        assert ledger.record(HERE, read("b"), None) == Unavailable("store-locked", "BusyError")
    assert isinstance(ledger.record(HERE, read("b"), None), Recorded)


def test_a_reader_that_stays_makes_a_writer_give_up_in_time(opened: Opener) -> None:
    """The commit waits no longer than the rest."""
    ledger = opened(patience_ms=100)
    ledger.record(HERE, read("a"), None)
    with locked(ledger.folder / "ledger.db", "DEFERRED; SELECT * FROM conversation", PATIENCE):
        assert ledger.record(HERE, read("b"), None) == Unavailable("store-locked", "BusyError")
        assert items(ledger.list()) == ["a"]


def test_a_kill_at_any_moment_leaves_a_ledger_that_works(folder: Path, opened: Opener) -> None:
    """No lock stays, the file is whole, and what was said to be recorded is there."""

    def work(said: int) -> None:
        with Ledger(folder, Limits(candidates=4), Clock(), PATIENT) as ledger:
            number = 0
            while True:
                number += 1
                ledger.record(HERE, read(str(number), title="x" * 2000), f"{os.getpid()}-{number}")
                os.write(said, b"%d\n" % number)
                ledger.clear(Conversation("codex", f"c{number % 3}"))

    checker = opened(candidates=4, patience_ms=PATIENT)
    for turn in range(25):
        heard, said = os.pipe()
        process = FORK.Process(target=work, args=(said,))
        process.start()
        os.close(said)
        with os.fdopen(heard) as words:
            last = int(words.readline())
            # The moment is the point here: a little later at each turn.
            time.sleep(turn * 0.0013)
            kill(process.pid)
            process.join(PATIENCE)
            last = max([last, *(int(word) for word in words)])
        stats = checker.stats()
        assert not isinstance(stats, Unavailable)
        assert stats.counts.intact
        # One more may have been committed and not said.
        assert str(last) in items(checker.list(HERE.host, HERE.reference))[:2]
        assert isinstance(checker.record(HERE, read("after"), f"t{turn}"), Recorded)
        assert checker.record(HERE, read("after"), f"t{turn}") == Repeated()
        assert isinstance(checker.begin(HERE), Life)
        checker.close()

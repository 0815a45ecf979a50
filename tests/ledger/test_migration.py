"""A ledger of an older schema: read as it is, brought up by its first write, and never half."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import apsw
import msgspec
import pytest

from contracts.conversation import Conversation
from contracts.limits import Limits
from contracts.outcome import Life, Ready, Recorded, Repeated, Settled, Skipped, Told, Unavailable
from contracts.read import Settlement
from ledger import schema, store
from ledger.calls import Ledger
from ledger.rows import conversations, held
from ledger.store import Store
from ledger.view import Counts
from tests.ledger.conftest import Opener, give_away
from tests.ledger.crowd import FORK, PATIENCE, as_nobody, kill, kill_inside, locked, together
from tests.ledger.samples import FILE, HERE, THERE, Clock, items, pending, read

SCHEMA_1 = Path(__file__).with_name("schema_1.sql")
CLEARED = Conversation("codex", "019a-cleared")
HELD = ["a", "b", "a"]
"""What the ledger of schema 1 lists: one conversation's item, then the other's two."""
PATIENT = 30_000


def lay_down(file: Path) -> Path:
    """Make a ledger of schema 1."""
    file.parent.mkdir(mode=0o700, exist_ok=True)
    with sqlite3.connect(file) as old:
        old.executescript(SCHEMA_1.read_text(encoding="utf-8"))
    old.close()
    file.chmod(0o600)
    return file


@pytest.fixture
def old(folder: Path) -> Path:
    """Return the file of a ledger of schema 1."""
    return lay_down(folder / "ledger.db")


def version(file: Path) -> int:
    """Return a file's schema, asked beside the ledger."""
    connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    try:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])
    finally:
        connection.close()


def steps(file: Path) -> list[str]:
    """Return the names of the steps that a file has had."""
    connection = sqlite3.connect(file)
    try:
        return [name for (name,) in connection.execute("SELECT name FROM migration ORDER BY rowid")]
    finally:
        connection.close()


def test_an_older_ledger_is_read_as_it_is(old: Path, ledger: Ledger) -> None:
    """No read writes; there is no word of subagents, and no file."""
    content = old.read_bytes()
    listed = ledger.list()
    assert isinstance(listed, Ready)
    assert items(listed) == HELD
    assert [one.conversation for one in listed.conversations] == [THERE, HERE]
    assert [one.told for one in listed.conversations] == [(), ()]
    there, here = listed.conversations
    assert here.candidates[1].read == read("a", title="It's an élève 😀")
    assert there.candidates[0].read == read("a", scope="other")
    assert ledger.list(HERE.host, HERE.reference) == Ready((here,))
    assert ledger.pending(HERE) == (pending("e3", read("c")),)
    stats = ledger.stats()
    assert not isinstance(stats, Unavailable)
    assert (stats.schema, stats.counts) == (1, Counts(2, 1, 3, 1, intact=True))
    assert old.read_bytes() == content


WRITES: list[Callable[[Ledger], object]] = [
    lambda ledger: ledger.record(HERE, msgspec.structs.replace(read("new"), file=FILE), "e9"),
    lambda ledger: ledger.note(THERE, pending("e9")),
    lambda ledger: ledger.settle(HERE, [Settlement("e3", delivered=True)]),
    lambda ledger: ledger.tell(HERE, 1, ["b", "a"], 0),
    lambda ledger: ledger.clear(CLEARED),
    lambda ledger: ledger.resume(HERE),
    lambda ledger: ledger.prune(),
]


@pytest.mark.parametrize("first", WRITES)
def test_the_first_write_brings_an_older_ledger_up_with_all_that_it_holds(
    old: Path, ledger: Ledger, first: Callable[[Ledger], object]
) -> None:
    """Whatever it is that writes first."""
    assert items(ledger.list()) == HELD
    assert not isinstance(first(ledger), Unavailable | Skipped)
    assert (version(old), steps(old)) == (2, ["lay-down", "tell"])
    assert set(HELD) <= set(items(ledger.list()))
    stats = ledger.stats()
    assert not isinstance(stats, Unavailable)
    assert (stats.schema, stats.counts.intact) == (2, True)
    # What is not to be seen has come along, too.
    assert ledger.record(HERE, read("again"), "e1") == Repeated()
    assert ledger.record(CLEARED, read("late"), "late") == Skipped("conversation-cleared")
    assert isinstance(ledger.settle(HERE, [Settlement("e3", delivered=True)]), Settled)
    found = ledger.list(HERE.host, HERE.reference)
    assert items(found)[-2:] == ["b", "a"]
    assert "c" in items(found)


def test_what_is_new_works_in_a_ledger_that_was_brought_up(old: Path, ledger: Ledger) -> None:
    """Files and told rows, beside candidates of before, and a life that ends whole."""
    filed = msgspec.structs.replace(read("new"), file=FILE)
    assert ledger.tell(HERE, 1, ["b", "a"], 0) == Told(Clock()(), ("b", "a"), 0)
    ledger.record(HERE, filed, None)
    listed = ledger.list(HERE.host, HERE.reference)
    assert isinstance(listed, Ready)
    [here] = listed.conversations
    assert [one.read.file for one in here.candidates] == [FILE, None, None]
    assert [one.items for one in here.told] == [("b", "a")]
    assert ledger.clear(HERE) == Life(1, 3)
    assert version(old) == 2


def test_an_open_reader_follows_a_ledger_that_another_process_brings_up(old: Path, opened: Opener) -> None:
    """Its connection stays open across the change."""
    reader, writer = opened(), opened()
    assert items(reader.list()) == HELD
    writer.tell(HERE, 1, ["a"], 0)
    listed = reader.list(HERE.host, HERE.reference)
    assert isinstance(listed, Ready)
    assert [one.items for one in listed.conversations[0].told] == [("a",)]
    assert version(old) == 2


def test_an_older_ledger_in_a_folder_that_may_not_be_written_is_listed(reachable: Path) -> None:
    """A sandbox lets a hook read only; its write says so, and nothing has changed."""
    file = lay_down(reachable / "ledger.db")
    content = file.read_bytes()
    give_away(reachable)
    file.chmod(0o400)
    reachable.chmod(0o500)

    def use() -> list[object]:
        with Ledger(reachable, Limits(), Clock()) as ledger:
            return [ledger.list(), ledger.tell(HERE, 1, ["a"], 0), ledger.list()]

    before, written, after = as_nobody(use) if os.geteuid() == 0 else use()
    reachable.chmod(0o700)
    assert items(before) == items(after) == HELD
    assert isinstance(written, Unavailable)
    assert written.reason == "store-read-only"
    assert file.read_bytes() == content


def test_an_older_ledger_that_is_locked_stays_as_it_is(old: Path, opened: Opener) -> None:
    """The step waits no longer than any write, and a reader beside it still reads."""
    ledger = opened(patience_ms=50)
    with locked(old, "IMMEDIATE", PATIENCE):
        assert items(ledger.list()) == HELD
        assert ledger.prune() == Unavailable("store-locked", "BusyError")
    with locked(old, "DEFERRED; SELECT * FROM conversation", PATIENCE):
        assert ledger.prune() == Unavailable("store-locked", "BusyError")
    assert (version(old), items(ledger.list())) == (1, HELD)


def test_a_full_disk_leaves_an_older_ledger_as_it_was(
    old: Path, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All or nothing; a clear hides what it could not remove."""
    content = old.read_bytes()
    pages = len(content) // 4096
    with monkeypatch.context() as patch:
        patch.setattr(store, "SETTINGS", f"{store.SETTINGS} PRAGMA max_page_count = {pages};")
        assert ledger.record(HERE, read("new"), None) == Unavailable("store-full", "FullError")
        assert items(ledger.list()) == HELD
        cleared = ledger.clear(HERE)
        assert isinstance(cleared, Unavailable)
        assert items(ledger.list()) == ["a"]
        assert old.read_bytes() == content
        ledger.close()
    assert isinstance(ledger.record(THERE, read("new"), None), Recorded)
    assert items(ledger.list()) == ["new", "a"]


def test_a_work_that_fails_takes_the_step_back_with_it(old: Path, ledger: Ledger, clock: Clock) -> None:
    """They are one transaction."""

    def bug(db: apsw.Connection) -> None:
        assert db.pragma("user_version") == 2
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Store(old.parent, clock, 1000).write(bug)
    assert (version(old), items(ledger.list())) == (1, HELD)


@pytest.mark.parametrize("first", [Ledger.list, Ledger.prune])
def test_a_kill_in_the_middle_of_the_step_leaves_the_older_ledger(
    old: Path, opened: Opener, monkeypatch: pytest.MonkeyPatch, first: Callable[[Ledger], object]
) -> None:
    """Half of it was in the file already; what was there before is played back by whoever comes next."""

    def crash() -> apsw.Connection:
        # A tiny cache makes SQLite write to the file before the transaction ends.
        monkeypatch.setattr(
            store, "SETTINGS", store.SETTINGS + "PRAGMA cache_size = 1; PRAGMA cache_spill = 1;"
        )

        def work(db: apsw.Connection) -> None:
            for number in range(200):
                row = conversations.unknown(str(number).encode(), None, 0)
                row.activity = 100 + number
                conversations.save(db, row)
                held.tell(db, row, Told(0, ("torn",) * 50, 0), 32)
            os.kill(os.getpid(), signal.SIGKILL)

        Store(old.parent, Clock(), 1000).write(work)
        raise AssertionError

    kill_inside(crash)
    assert old.with_name("ledger.db-journal").stat().st_size > 0
    ledger = opened()
    assert not isinstance(first(ledger), Unavailable)
    assert items(ledger.list()) == HELD
    assert version(old) == (1 if first is Ledger.list else 2)
    assert isinstance(ledger.record(HERE, read("after"), None), Recorded)
    stats = ledger.stats()
    assert not isinstance(stats, Unavailable)
    assert stats.counts == Counts(2, 1, 4, 1, intact=True)


def test_a_kill_at_any_moment_of_the_first_write_loses_nothing(folder: Path, old: Path) -> None:
    """The file is of the one schema or of the other, whole; and what was said to be told is there."""
    kept = old.read_bytes()
    last = 30
    for turn in range(last + 1):
        shutil.rmtree(folder)
        folder.mkdir(mode=0o700)
        old.write_bytes(kept)
        old.chmod(0o600)
        heard, said = os.pipe()

        def work(said: int = said) -> None:
            with Ledger(folder, Limits(), Clock(), PATIENT) as ledger:
                os.write(said, b"begun\n")
                ledger.tell(HERE, 1, ["a"], 0)
                os.write(said, b"told\n")
                time.sleep(PATIENCE)

        process = FORK.Process(target=work)
        process.start()
        os.close(said)
        with os.fdopen(heard) as words:
            assert words.readline() == "begun\n"
            # The moment is the point here: a little later at each turn.
            time.sleep(turn * 0.0007)
            was_told = turn == last and words.readline() == "told\n"
            kill(process.pid)
            process.join(PATIENCE)
            was_told = words.read() == "told\n" or was_told
        with Ledger(folder, Limits(), Clock(), PATIENT) as ledger:
            listed = ledger.list()
            stats = ledger.stats()
            assert not isinstance(stats, Unavailable)
            assert stats.counts.intact
            assert sorted(items(listed)) == sorted(HELD)
            assert stats.counts.told <= stats.schema - 1
            assert stats.counts.told >= was_told
            assert isinstance(ledger.record(HERE, read("after"), None), Recorded)
    assert was_told


def test_many_first_writers_at_once_lose_nothing_old_or_new(folder: Path, opened: Opener) -> None:
    """One of them takes the step, and all of them write."""
    for turn in range(4):
        shutil.rmtree(folder, ignore_errors=True)
        file = lay_down(folder / "ledger.db")

        def act(number: int) -> str:
            with Ledger(folder, Limits(), Clock(), PATIENT) as ledger:
                if number % 4 == 3:
                    return type(ledger.list()).__name__
                if number % 4 == 2:
                    return type(ledger.note(THERE, pending(f"p{number}", read(f"p{number}")))).__name__
                return type(ledger.record(HERE, read(f"i{number}"), f"n{number}")).__name__

        answers = together(16, act)
        assert answers == ["Recorded", "Recorded", "Noted", "Ready"] * 4
        ledger = opened()
        here = ledger.list(HERE.host, HERE.reference)
        assert isinstance(here, Ready)
        expected = {f"i{number}" for number in range(16) if number % 4 < 2}
        assert set(items(here)) == {"a", "b"} | expected, turn
        ordinals = [one.ordinal for one in here.conversations[0].candidates]
        assert ordinals == list(range(10, 0, -1))
        waiting = ledger.pending(THERE)
        assert not isinstance(waiting, Unavailable)
        assert {one.event_id for one in waiting} == {"p2", "p6", "p10", "p14"}
        assert (version(file), steps(file)) == (2, ["lay-down", "tell"])
        ledger.close()


def test_a_fresh_ledger_has_the_tables_of_one_that_was_brought_up(
    old: Path, ledger: Ledger, tmp_path: Path, clock: Clock
) -> None:
    """To the letter, whichever way they came."""
    ledger.prune()
    with Ledger(tmp_path / "fresh", Limits(), clock) as fresh:
        fresh.record(HERE, read(), None)

    def tables(file: Path) -> list[tuple[str, str]]:
        connection = sqlite3.connect(file)
        try:
            statement = "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"
            return connection.execute(statement).fetchall()
        finally:
            connection.close()

    assert tables(old) == tables(tmp_path / "fresh" / "ledger.db")


def test_a_newer_ledger_is_refused_by_both_numbers_whatever_the_call(
    old: Path, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A readmark of schema 2 before a file of schema 3, and one of schema 1 before a file of schema 2."""
    ledger.tell(HERE, 1, ["a"], 0)
    ledger.close()
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:1])
        refused(old, ledger, "schema 2, this readmark knows up to 1")
    with sqlite3.connect(old) as later:
        later.executescript("CREATE TABLE future (text TEXT) STRICT; PRAGMA user_version = 3;")
    later.close()
    refused(old, ledger, "schema 3, this readmark knows up to 2")


def refused(file: Path, ledger: Ledger, detail: str) -> None:
    """Check that every kind of call names both versions and leaves the file as it is."""
    content = file.read_bytes()
    expected = Unavailable("store-newer", detail)
    calls = SimpleNamespace(
        list=ledger.list(), stats=ledger.stats(), tell=ledger.tell(HERE, 1, ["a"], 0), prune=ledger.prune()
    )
    assert vars(calls) == dict.fromkeys(("list", "stats", "tell", "prune"), expected)
    assert ledger.record(HERE, read(), None) == expected
    assert file.read_bytes() == content
    ledger.close()

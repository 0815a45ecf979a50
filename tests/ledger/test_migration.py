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
import pytest
from msgspec.structs import replace

from contracts.conversation import Conversation
from contracts.limits import Limits
from contracts.outcome import Life, Ready, Recorded, Repeated, Settled, Skipped, Told, Unavailable
from ledger import schema, store
from ledger.calls import Ledger
from ledger.rows import conversations, held
from ledger.store import Store
from ledger.view import Counts
from tests.ledger.conftest import Opener, give_away
from tests.ledger.crowd import FORK, PATIENCE, as_nobody, kill, kill_inside, locked, together
from tests.ledger.samples import FILE, HERE, THERE, Clock, items, part, pending, read, sent

QUOTED = read("f", title='A "quoted", [listed] 道')

NEWEST = 3
CLEARED = Conversation("codex", "019a-cleared")
HELD = {1: ["a", "b", "a"], 2: ["d", "b", "a", "a"]}
"""What the ledger of each older schema lists, the most recently active conversation's items first."""
WAITING = {
    1: [pending("e3", read("c"))],
    2: [pending("e3", read("c")), pending("e5", replace(QUOTED, file=FILE))],
}
"""The pending reads of one of them."""
PATIENT = 30_000


def lay_down(file: Path, number: int = 1) -> Path:
    """Make a ledger of an older schema."""
    file.parent.mkdir(mode=0o700, exist_ok=True)
    with sqlite3.connect(file) as old:
        old.executescript(Path(__file__).with_name(f"schema_{number}.sql").read_text(encoding="utf-8"))
    old.close()
    file.chmod(0o600)
    return file


@pytest.fixture(params=HELD)
def older(request: pytest.FixtureRequest) -> int:
    """Return the number of each older schema."""
    return int(request.param)


@pytest.fixture
def old(folder: Path, older: int) -> Path:
    """Return the file of a ledger of an older schema."""
    return lay_down(folder / "ledger.db", older)


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


def test_an_older_ledger_is_read_as_it_is(old: Path, older: int, ledger: Ledger) -> None:
    """No read writes; of what came later there is no word: subagents and files at first, then parts."""
    content = old.read_bytes()
    listed = ledger.list()
    assert isinstance(listed, Ready)
    assert items(listed) == HELD[older]
    by_name = {one.conversation: one for one in listed.conversations}
    there, here = by_name[THERE], by_name[HERE]
    assert there.told == ()
    assert here.told == (() if older == 1 else (Told(Clock()(), ("b", "a"), 1),))
    newest = () if older == 1 else (replace(read("d"), file=FILE),)
    assert tuple(one.read for one in here.candidates) == (
        *newest,
        read("b"),
        read("a", title="It's an élève 😀"),
    )
    assert there.candidates[0].read == read("a", scope="other")
    assert ledger.list(HERE.host, HERE.reference) == Ready((here,))
    assert ledger.pending(HERE) == tuple(WAITING[older])
    assert here.pending == len(WAITING[older])
    stats = ledger.stats()
    assert not isinstance(stats, Unavailable)
    counts = Counts(2, 1, len(HELD[older]), older, intact=True, told=older - 1)
    assert (stats.schema, stats.counts) == (older, counts)
    assert old.read_bytes() == content


WRITES: list[Callable[[Ledger], object]] = [
    lambda ledger: ledger.record(HERE, replace(read("new"), file=FILE), "e9"),
    lambda ledger: ledger.note(THERE, pending("e9")),
    lambda ledger: ledger.settle(HERE, [sent("e3", read("c"))]),
    lambda ledger: ledger.tell(HERE, 1, ["b", "a"], 0),
    lambda ledger: ledger.clear(CLEARED),
    lambda ledger: ledger.resume(HERE),
    lambda ledger: ledger.prune(),
]


@pytest.mark.parametrize("first", WRITES)
def test_the_first_write_brings_an_older_ledger_up_with_all_that_it_holds(
    old: Path, older: int, ledger: Ledger, first: Callable[[Ledger], object]
) -> None:
    """Whatever it is that writes first."""
    assert items(ledger.list()) == HELD[older]
    assert not isinstance(first(ledger), Unavailable | Skipped)
    assert (version(old), steps(old)) == (NEWEST, ["lay-down", "tell", "lines"])
    assert set(HELD[older]) <= set(items(ledger.list()))
    assert set(WAITING[older][1:]) <= set(ledger.pending(HERE) or ())
    stats = ledger.stats()
    assert not isinstance(stats, Unavailable)
    assert (stats.schema, stats.counts.intact) == (NEWEST, True)
    # What is not to be seen has come along, too.
    assert ledger.record(HERE, read("again"), "e1") == Repeated()
    assert ledger.record(CLEARED, read("late"), "late") == Skipped("conversation-cleared")
    assert isinstance(ledger.settle(HERE, [sent("e3", read("c"))]), Settled)
    found = ledger.list(HERE.host, HERE.reference)
    assert items(found)[-2:] == ["b", "a"]
    assert "c" in items(found)


def test_what_is_new_works_in_a_ledger_that_was_brought_up(old: Path, older: int, ledger: Ledger) -> None:
    """Files, told rows, parts and calls of several reads, beside what was before; a life that ends whole."""
    filed = part(replace(read("new"), file=FILE), (1, 40))
    assert ledger.tell(HERE, 1, ["new"], 0) == Told(Clock()(), ("new",), 0)
    ledger.record(HERE, filed, None)
    # What was read before there were parts was read whole.
    again = ledger.record(HERE, part(read("b"), (1, 40)), None)
    assert isinstance(again, Recorded)
    assert (again.change, again.candidate.read) == ("again", read("b"))
    several = pending("e9", read("x"), part(read("y"), (5, 9)))
    ledger.note(HERE, several)
    ledger.close()
    assert ledger.pending(HERE) == (*WAITING[older], several)
    listed = ledger.list(HERE.host, HERE.reference)
    assert isinstance(listed, Ready)
    [here] = listed.conversations
    assert [one.read for one in here.candidates][:2] == [read("b"), filed]
    assert [one.items for one in here.told] == [("new",), ("b", "a")][:older]
    assert ledger.clear(HERE) == Life(1, older + 2)
    assert version(old) == NEWEST


def test_pending_reads_of_before_settle_each_by_itself(old: Path, older: int, ledger: Ledger) -> None:
    """Each was the only one of its call, and whole."""
    settled = ledger.settle(HERE, [sent(one.event_id, *one.reads) for one in WAITING[older]])
    assert isinstance(settled, Settled)
    assert [one.candidate.read for one in settled.recorded] == [one.reads[0] for one in WAITING[older]]
    assert version(old) == NEWEST


def test_an_open_reader_follows_a_ledger_that_another_process_brings_up(
    old: Path, older: int, opened: Opener
) -> None:
    """Its connection stays open across the change."""
    reader, writer = opened(), opened()
    assert items(reader.list()) == HELD[older]
    assert reader.pending(HERE) == tuple(WAITING[older])
    writer.tell(HERE, 1, ["a"], 0)
    listed = reader.list(HERE.host, HERE.reference)
    assert isinstance(listed, Ready)
    assert listed.conversations[0].told[0].items == ("a",)
    assert reader.pending(HERE) == tuple(WAITING[older])
    assert version(old) == NEWEST


def test_an_older_ledger_in_a_folder_that_may_not_be_written_is_listed(reachable: Path, older: int) -> None:
    """A sandbox lets a hook read only; its write says so, and nothing has changed."""
    file = lay_down(reachable / "ledger.db", older)
    content = file.read_bytes()
    give_away(reachable)
    file.chmod(0o400)
    reachable.chmod(0o500)

    def use() -> list[object]:
        with Ledger(reachable, Limits(), Clock()) as ledger:
            return [ledger.list(), ledger.tell(HERE, 1, ["a"], 0), ledger.list()]

    before, written, after = as_nobody(use) if os.geteuid() == 0 else use()
    reachable.chmod(0o700)
    assert items(before) == items(after) == HELD[older]
    assert isinstance(written, Unavailable)
    assert written.reason == "store-read-only"
    assert file.read_bytes() == content


def test_an_older_ledger_that_is_locked_stays_as_it_is(old: Path, older: int, opened: Opener) -> None:
    """The step waits no longer than any write, and a reader beside it still reads."""
    ledger = opened(patience_ms=50)
    with locked(old, "IMMEDIATE", PATIENCE):
        assert items(ledger.list()) == HELD[older]
        assert ledger.prune() == Unavailable("store-locked", "BusyError")
    with locked(old, "DEFERRED; SELECT * FROM conversation", PATIENCE):
        assert ledger.prune() == Unavailable("store-locked", "BusyError")
    assert (version(old), items(ledger.list())) == (older, HELD[older])


def test_a_full_disk_leaves_an_older_ledger_as_it_was(
    folder: Path, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All or nothing; a clear hides what it could not remove."""
    old = lay_down(folder / "ledger.db")
    content = old.read_bytes()
    pages = len(content) // 4096
    with monkeypatch.context() as patch:
        patch.setattr(store, "SETTINGS", f"{store.SETTINGS} PRAGMA max_page_count = {pages};")
        assert ledger.record(HERE, read("new"), None) == Unavailable("store-full", "FullError")
        assert items(ledger.list()) == HELD[1]
        cleared = ledger.clear(HERE)
        assert isinstance(cleared, Unavailable)
        assert items(ledger.list()) == ["a"]
        assert old.read_bytes() == content
        ledger.close()
    assert isinstance(ledger.record(THERE, read("new"), None), Recorded)
    assert items(ledger.list()) == ["new", "a"]


def test_a_work_that_fails_takes_the_step_back_with_it(
    old: Path, older: int, ledger: Ledger, clock: Clock
) -> None:
    """They are one transaction."""

    def bug(db: apsw.Connection) -> None:
        assert db.pragma("user_version") == NEWEST
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Store(old.parent, clock, 1000).write(bug)
    assert (version(old), items(ledger.list())) == (older, HELD[older])


@pytest.mark.parametrize("first", [Ledger.list, Ledger.prune])
def test_a_kill_in_the_middle_of_the_step_leaves_the_older_ledger(
    old: Path, older: int, opened: Opener, monkeypatch: pytest.MonkeyPatch, first: Callable[[Ledger], object]
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
    assert items(ledger.list()) == HELD[older]
    assert version(old) == (older if first is Ledger.list else NEWEST)
    assert isinstance(ledger.record(HERE, read("after"), None), Recorded)
    stats = ledger.stats()
    assert not isinstance(stats, Unavailable)
    assert stats.counts == Counts(2, 1, len(HELD[older]) + 1, older, intact=True, told=older - 1)


def test_a_kill_at_any_moment_of_the_first_write_loses_nothing(folder: Path, old: Path, older: int) -> None:
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
            assert sorted(items(listed)) == sorted(HELD[older])
            assert stats.schema in {older, NEWEST}
            assert stats.counts.told <= older - 1 + (stats.schema == NEWEST)
            assert stats.counts.told >= older - 1 + was_told
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
        assert (version(file), steps(file)) == (NEWEST, ["lay-down", "tell", "lines"])
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
    old: Path, older: int, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An older readmark before a file of schema 3, and this one before a file of schema 4."""
    ledger.tell(HERE, 1, ["a"], 0)
    ledger.close()
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:older])
        refused(old, ledger, f"schema 3, this readmark knows up to {older}")
    with sqlite3.connect(old) as later:
        later.executescript("CREATE TABLE future (text TEXT) STRICT; PRAGMA user_version = 4;")
    later.close()
    refused(old, ledger, "schema 4, this readmark knows up to 3")


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

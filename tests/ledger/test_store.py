"""The ledger's file: private, checked, never misread, and moved aside when it is damaged."""

from __future__ import annotations

import os
import resource
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import apsw
import msgspec
import pytest

from contracts.limits import Limits
from contracts.outcome import Noted, Pruned, Ready, Recorded, Settled, Unavailable
from ledger import quarantine, schema, store
from ledger.calls import Ledger
from ledger.errors import StoreError
from ledger.private import identity
from ledger.rows import conversations, held
from ledger.store import Store
from ledger.trouble import translated
from tests.ledger.conftest import Opener, give_away
from tests.ledger.crowd import as_nobody, elsewhere, kill_inside, locked
from tests.ledger.samples import HERE, THERE, Clock, items, pending, read, sent

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")
SOMEONE = 12345
CORRUPT = "store-corrupt"


@pytest.fixture
def file(folder: Path) -> Path:
    """Return the path of the ledger's file."""
    return folder / "ledger.db"


@pytest.fixture
def filled(ledger: Ledger, file: Path) -> Path:
    """Return the file of a closed ledger that holds one candidate."""
    assert isinstance(ledger.record(HERE, read("a"), None), Recorded)
    ledger.close()
    return file


def reason(answer: object) -> str:
    """Return why the ledger is unavailable; anything else fails."""
    assert isinstance(answer, Unavailable), answer
    return answer.reason


def every_read(ledger: Ledger) -> list[object]:
    """Return what all calls that read answer."""
    return [ledger.list(), ledger.list(HERE.host, HERE.reference), ledger.pending(HERE), ledger.stats()]


def every_write(ledger: Ledger) -> list[object]:
    """Return what all calls that write answer."""
    return [
        ledger.note(HERE, pending("e")),
        ledger.record(HERE, read(), None),
        ledger.settle(HERE, [sent("e")]),
        ledger.begin(HERE),
        ledger.resume(HERE),
        ledger.clear(HERE),
        ledger.clear_all(),
        ledger.prune(),
    ]


def names(folder: Path) -> list[str]:
    """Return what is in a folder."""
    return sorted(path.name for path in folder.iterdir())


def mode(path: Path) -> int:
    """Return a path's permissions."""
    return stat.S_IMODE(path.lstat().st_mode)


# Private


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777])
def test_folder_file_and_journal_are_private_whatever_the_umask(
    folder: Path, file: Path, clock: Clock, umask: int
) -> None:
    """Also while a transaction is open."""
    seen: dict[str, int] = {}

    def look(db: apsw.Connection) -> None:
        conversations.save(db, conversations.unknown(b"x", HERE, 0))
        seen.update({path.name: mode(path) for path in folder.iterdir()})

    before = os.umask(umask)
    try:
        Store(folder, clock, 1000).write(look)
    finally:
        os.umask(before)
    assert seen == {"ledger.db": 0o600, "ledger.db-journal": 0o600}
    assert (mode(folder), mode(file)) == (0o700, 0o600)


def test_an_open_ledger_of_an_older_time_is_tightened_at_the_next_write(filled: Path, ledger: Ledger) -> None:
    """The file, its folder, and what a crash has left beside it."""
    journal = filled.with_name("ledger.db-journal")
    journal.touch()
    for path, bits in ((filled, 0o644), (journal, 0o644), (filled.parent, 0o755)):
        path.chmod(bits)
    ledger.record(HERE, read("b"), None)
    assert (mode(filled), mode(filled.parent)) == (0o600, 0o700)
    assert not journal.exists() or mode(journal) == 0o600
    assert items(ledger.list()) == ["b", "a"]


def test_a_linked_file_is_refused_and_not_followed(filled: Path, ledger: Ledger) -> None:
    """A link could make us write anywhere."""
    other = filled.with_name("other.db")
    filled.rename(other)
    content = other.read_bytes()
    for link in (filled.symlink_to, filled.hardlink_to, lambda _: filled.mkdir()):
        link(other)
        assert {reason(answer) for answer in every_read(ledger) + every_write(ledger)} == {"store-linked"}
        filled.rmdir() if filled.is_dir() else filled.unlink()
        for mark in filled.parent.glob("ledger.clear-*"):
            mark.unlink()
    assert other.read_bytes() == content


@needs_root
def test_a_file_of_another_user_is_refused_with_the_owner_named(filled: Path, ledger: Ledger) -> None:
    """Neither read nor written."""
    os.chown(filled, SOMEONE, SOMEONE)
    expected = Unavailable("store-foreign", f"owner {SOMEONE}")
    assert ledger.list() == ledger.record(HERE, read(), None) == expected
    assert reason(ledger.stats()) == "store-foreign"


@needs_root
def test_a_folder_of_another_user_is_refused_by_every_call(filled: Path, ledger: Ledger) -> None:
    """With the owner named."""
    os.chown(filled.parent, SOMEONE, SOMEONE)
    for answer in every_read(ledger) + every_write(ledger):
        assert answer == Unavailable("home-foreign", f"owner {SOMEONE}")


def test_secrets_around_a_read_are_nowhere_on_disk(ledger: Ledger, folder: Path) -> None:
    """What clears leaves the file; what was never part of a read never reaches it."""
    noted = msgspec.structs.replace(pending("e", read("a", title="SECRET-title")), event_id="SECRET-event")
    ledger.note(HERE, noted)
    ledger.settle(HERE, [sent("SECRET-event", *noted.reads)])
    ledger.record(THERE, read("b", title="KEPT-title"), None)
    ledger.clear(HERE)
    ledger.close()
    content = b"".join(path.read_bytes() for path in folder.iterdir())
    assert b"KEPT-title" in content
    assert b"SECRET" not in content


def test_every_setting_of_a_connection_is_in_force(folder: Path, clock: Clock) -> None:
    """SQLite's wrapper stops at a statement that returns a row, unless it is fetched."""

    def ask(db: apsw.Connection, *_: int) -> list[int]:
        return [db.pragma(name) for name in ("secure_delete", "temp_store", "trusted_schema", "synchronous")]

    asked = Store(folder, clock, 1000)
    memory, full = 2, 2
    assert asked.write(ask) == [1, memory, 0, full]
    asked.close()
    assert asked.read(ask) == [1, memory, 0, full]
    asked.close()


# Damaged


def text(file: Path) -> None:
    """Put a text in the ledger's place."""
    file.write_text("this is no database\n")


def no_header(file: Path) -> None:
    """Overwrite the first page with zeros."""
    with file.open("r+b") as opened:
        opened.write(bytes(4096))


def half(file: Path) -> None:
    """Cut the file in its middle."""
    os.truncate(file, file.stat().st_size // 2 // 4096 * 4096)


def garbage_inside(file: Path) -> None:
    """Overwrite all pages but the first."""
    size = file.stat().st_size
    with file.open("r+b") as opened:
        opened.seek(4096)
        opened.write(b"\xa5" * (size - 4096))


def foreign(file: Path) -> None:
    """Put another program's database in the ledger's place."""
    file.unlink()
    with sqlite3.connect(file) as other:
        other.execute("CREATE TABLE note (text)")
    other.close()
    file.chmod(0o600)


def foreign_id(file: Path) -> None:
    """Put a database with another application's id in the ledger's place."""
    foreign(file)
    with sqlite3.connect(file) as other:
        other.execute("PRAGMA application_id = 7")
    other.close()


def table_missing(file: Path) -> None:
    """Drop a table of the ledger's own."""
    with sqlite3.connect(file) as other:
        other.execute("DROP TABLE seen")
    other.close()


def no_version(file: Path) -> None:
    """Set the schema's number to one that never was."""
    with sqlite3.connect(file) as other:
        other.execute("PRAGMA user_version = 0")
    other.close()


def no_json(file: Path, column: str) -> None:
    """Break a text that the ledger wrote itself."""
    table, name = column.split(".")
    with sqlite3.connect(file) as other:
        other.execute(f"UPDATE {table} SET {name} = '['")  # noqa: S608 - a name of ours
    other.close()


DAMAGES = [text, no_header, half, garbage_inside, foreign, foreign_id, table_missing, no_version]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_left_by_reads_and_moved_aside_by_the_next_write(
    filled: Path, ledger: Ledger, damage: Callable[[Path], None]
) -> None:
    """Unavailable this time, fresh the next time, and nothing is deleted."""
    damage(filled)
    content = filled.read_bytes()
    assert {reason(answer) for answer in every_read(ledger)} == {CORRUPT}
    assert names(filled.parent) == ["ledger.db"]
    assert ledger.record(HERE, read("b"), None) == Unavailable(CORRUPT, "moved aside as ledger.corrupt-1.db")
    assert names(filled.parent) == ["ledger.corrupt-1.db"]
    assert filled.with_name("ledger.corrupt-1.db").read_bytes() == content
    assert mode(filled.with_name("ledger.corrupt-1.db")) == 0o600
    assert ledger.list() == Ready(())
    assert isinstance(ledger.record(HERE, read("b"), None), Recorded)
    assert items(ledger.list()) == ["b"]


@pytest.mark.parametrize("column", ["candidate.sources", "candidate.file", "told.items"])
def test_a_text_that_the_ledger_did_not_write_is_damage(filled: Path, ledger: Ledger, column: str) -> None:
    """An error is never an empty list; clearing still works."""
    ledger.tell(HERE, 1, ["a"], 0)
    no_json(filled, column)
    assert reason(ledger.list()) == CORRUPT
    assert ledger.clear_all() == Pruned(1, 1, 0)
    assert ledger.list() == Ready(())


def test_damage_that_only_a_check_finds_is_told_by_stats(filled: Path, ledger: Ledger) -> None:
    """It is never called healthy."""
    with sqlite3.connect(filled) as other:
        other.execute("PRAGMA writable_schema = ON")
        other.execute("DELETE FROM sqlite_schema WHERE name = 'conversation_by_age'")
    other.close()
    stats = ledger.stats()
    assert not isinstance(stats, Unavailable)
    assert not stats.counts.intact


def test_an_empty_file_is_a_fresh_ledger(folder: Path, file: Path, ledger: Ledger) -> None:
    """A crash right after its making leaves one."""
    folder.mkdir(mode=0o700)
    file.touch(mode=0o600)
    assert ledger.list() == Ready(())
    assert isinstance(ledger.record(HERE, read("a"), None), Recorded)


def test_damage_that_a_read_met_is_mended_by_the_next_write_although_that_never_looks_there(
    ledger: Ledger, opened: Opener, file: Path
) -> None:
    """A page that only one conversation's candidates lie on."""
    for number in range(40):
        ledger.record(HERE, read(f"item-{number:02}", title="x" * 900), None)
    ledger.record(THERE, read("other"), None)
    ledger.close()
    content = bytearray(file.read_bytes())
    page = content.rindex(b"item-20") // 4096 * 4096
    content[page : page + 4096] = bytes(4096)
    file.write_bytes(content)
    assert isinstance(opened().record(THERE, read("before"), None), Recorded)
    assert reason(ledger.list(HERE.host, HERE.reference)) == "store-corrupt"
    assert ledger.record(THERE, read("again"), None) == Unavailable(
        "store-corrupt", "moved aside as ledger.corrupt-1.db"
    )
    assert isinstance(ledger.record(THERE, read("fresh"), None), Recorded)
    assert items(ledger.list()) == ["fresh"]


def test_companions_move_with_the_file_and_three_damaged_ledgers_are_kept(
    filled: Path, ledger: Ledger
) -> None:
    """A journal that stayed behind would be played into the fresh ledger."""
    keep = filled.with_name("ledger.corrupt-x.db")
    keep.touch()
    for number in range(1, 6):
        text(filled)
        filled.chmod(0o600)
        for companion in ("-wal", "-shm"):
            filled.with_name(f"ledger.db{companion}").write_text(f"{companion} {number}")
            filled.with_name(f"ledger.db{companion}").chmod(0o644)
        assert reason(ledger.record(HERE, read("b"), None)) == CORRUPT
        assert not filled.with_name("ledger.db-wal").exists()
    expected = [f"ledger.corrupt-{number}.db" for number in (3, 4, 5)]
    found = [name for name in names(filled.parent) if name.endswith(".db")]
    assert found == [*expected, "ledger.corrupt-x.db"]
    assert filled.with_name("ledger.corrupt-5.db-wal").read_text() == "-wal 5"
    assert len(names(filled.parent)) == 3 * 3 + 1


def test_a_fresh_ledger_is_not_moved_for_the_damage_of_the_one_before(filled: Path) -> None:
    """The slower of two processes finds that the name stands for another file."""
    diagnosed = identity(filled)
    assert diagnosed is not None
    filled.rename(filled.with_name("aside"))
    filled.write_bytes(filled.with_name("aside").read_bytes())
    assert quarantine.move_aside(filled.parent, diagnosed, lambda: False) == ""
    assert names(filled.parent) == ["aside", "ledger.db"]


def test_a_damaged_file_that_another_process_reads_stays(filled: Path, opened: Opener) -> None:
    """Whoever has it open must be done first."""
    identified = identity(filled)
    with locked(filled, "DEFERRED; SELECT * FROM conversation", 60):
        text(filled)
        assert opened(patience_ms=30).record(HERE, read(), None) == Unavailable(CORRUPT, "NotADBError")
        assert identity(filled) == identified
    assert opened().record(HERE, read(), None) == Unavailable(CORRUPT, "moved aside as ledger.corrupt-1.db")


def test_a_damaged_file_that_cannot_be_moved_stays_and_is_told(
    filled: Path, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a folder that may not be written."""

    def refuse(*_: object) -> str:
        raise PermissionError

    monkeypatch.setattr(quarantine, "move_aside", refuse)
    text(filled)
    assert ledger.record(HERE, read(), None) == Unavailable(CORRUPT, "NotADBError")


def test_a_file_that_turns_to_garbage_during_use_is_told_and_replaced(filled: Path, ledger: Ledger) -> None:
    """An open connection is no reason to trust the file."""
    assert items(ledger.list()) == ["a"]
    ledger.record(HERE, read("b"), None)
    content = bytearray(filled.read_bytes())
    content[:] = b"\xa5" * len(content)
    filled.write_bytes(content)
    assert reason(ledger.list()) == CORRUPT
    assert reason(ledger.record(HERE, read("c"), None)) == CORRUPT
    assert isinstance(ledger.record(HERE, read("c"), None), Recorded)


def test_a_file_that_is_deleted_or_swapped_during_use_is_opened_again(filled: Path, ledger: Ledger) -> None:
    """What stands under the name counts, not what was once opened."""
    copy = filled.read_bytes()
    ledger.record(HERE, read("b"), None)
    other = filled.with_name("other")
    other.write_bytes(copy)
    other.chmod(0o600)
    other.rename(filled)
    assert items(ledger.list()) == ["a"]
    filled.unlink()
    assert ledger.list() == Ready(())
    ledger.record(HERE, read("c"), None)
    filled.unlink()
    ledger.record(HERE, read("d"), None)
    assert items(ledger.list()) == ["d"]


# Other versions


def test_a_newer_schema_is_refused_by_both_numbers_and_not_touched(filled: Path, ledger: Ledger) -> None:
    """Not even its permissions matter more than its content."""
    with sqlite3.connect(filled) as other:
        other.execute("PRAGMA user_version = 9")
        other.execute("CREATE TABLE future (text)")
    other.close()
    content = filled.read_bytes()
    expected = Unavailable("store-newer", "schema 9, this readmark knows up to 3")
    assert every_read(ledger) == [expected] * 4
    assert ledger.record(HERE, read(), None) == ledger.prune() == expected
    assert reason(ledger.clear(HERE)) == "store-newer"
    assert filled.read_bytes() == content


def test_each_migration_is_recorded_by_name(filled: Path, clock: Clock) -> None:
    """With the time at which it was applied."""
    with sqlite3.connect(filled) as other:
        assert other.execute("SELECT * FROM migration").fetchall() == [
            ("lay-down", clock.now),
            ("tell", clock.now),
            ("lines", clock.now),
        ]
    other.close()


def test_a_migration_that_fails_leaves_the_file_as_it_was(
    filled: Path, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is one transaction."""
    bad = schema.Migration("bad", "CREATE TABLE extra (text TEXT) STRICT; NONSENSE;", frozenset())
    content = filled.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, bad))
        assert reason(ledger.record(HERE, read(), None)) == reason(ledger.prune()) == "store-failed"
    assert filled.read_bytes() == content
    assert items(ledger.list()) == ["a"]


def test_a_ledger_that_someone_switched_to_wal_still_works(filled: Path, opened: Opener) -> None:
    """The mode of an existing file is never switched; what it keeps beside is private, too."""
    with sqlite3.connect(filled) as other:
        other.execute("PRAGMA journal_mode = WAL")
    other.close()
    assert items(opened().list()) == ["a"]
    writer = opened()
    writer.record(HERE, read("b"), None)
    assert items(opened().list()) == ["b", "a"]
    assert {mode(path) for path in filled.parent.iterdir()} == {0o600}


# After a crash


@pytest.mark.parametrize("beside", ["ledger.db-journal", "ledger.db-wal"])
@pytest.mark.parametrize("first", [Ledger.list, Ledger.stats, Ledger.prune])
def test_what_a_killed_writer_left_is_played_back_by_the_next_call(
    filled: Path,
    opened: Opener,
    beside: str,
    first: Callable[[Ledger], object],
) -> None:
    """A read alone can do it, and the unfinished change is gone."""

    def crash() -> apsw.Connection:
        connection = apsw.Connection(str(filled))
        if beside == "ledger.db-wal":
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
        # A tiny cache makes SQLite write to the file before the transaction ends.
        connection.execute("PRAGMA cache_size = 1; BEGIN IMMEDIATE; PRAGMA cache_spill = 1")
        for number in range(200):
            row = conversations.unknown(str(number).encode(), None, 0)
            row.activity = 100 + number
            conversations.save(connection, row)
        connection.execute("UPDATE candidate SET item_id = 'torn'")
        return connection

    kill_inside(crash)
    assert filled.with_name(beside).stat().st_size > 0
    ledger = opened()
    assert not isinstance(first(ledger), Unavailable)
    assert items(ledger.list()) == ["a"]
    stats = ledger.stats()
    assert not isinstance(stats, Unavailable)
    assert (stats.counts.live, stats.counts.intact) == (1, True)


# Full and read-only


def test_a_full_ledger_rolls_back_stays_readable_and_can_still_evict(
    opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Room is made before it is needed."""
    monkeypatch.setattr(store, "SETTINGS", store.SETTINGS + "PRAGMA max_page_count = 24;")
    ledger = opened(candidates=4)
    answers = [ledger.record(HERE, read(f"i{n}", title="x" * 3000), None) for n in range(30)]
    assert all(isinstance(answer, Recorded) for answer in answers)
    wide = opened()
    answers = [wide.record(HERE, read(f"j{n}", title="x" * 3000), None) for n in range(30)]
    assert answers[-1] == Unavailable("store-full", "FullError")
    kept = items(wide.list())
    assert 4 < len(kept) < 30
    assert isinstance(ledger.record(HERE, read("k"), None), Recorded)
    assert items(wide.list())[0] == "k"


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("size", [0, 65_000, 120_000])
def test_a_disk_quota_is_a_full_store(opened: Opener, size: int) -> None:
    """The limit strikes the file or its journal, wherever it comes first."""

    def fill() -> tuple[object, object]:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        with opened() as ledger:
            answers = [ledger.record(HERE, read(f"i{n}", title="x" * 3000), None) for n in range(60)]
            return answers[-1], ledger.list()

    last, listed = elsewhere(fill)
    assert reason(last) == "store-full"
    assert isinstance(listed, Ready)
    assert items(listed)[-1] == "a"
    ledger = opened()
    stats = ledger.stats()
    assert not isinstance(stats, Unavailable)
    assert stats.counts.intact
    assert isinstance(ledger.record(HERE, read("after"), None), Recorded)


@pytest.fixture
def nobodys(reachable: Path, clock: Clock) -> Path:
    """Return the state folder of an unprivileged user, with one candidate in it; as root, of another one."""
    with Ledger(reachable, Limits(), clock) as ledger:
        ledger.record(HERE, read("a"), None)
    give_away(reachable)
    return reachable


@pytest.mark.parametrize(("folder_mode", "file_mode"), [(0o500, 0o600), (0o700, 0o400), (0o500, 0o400)])
def test_a_read_only_ledger_can_be_read_and_says_so_when_written(
    nobodys: Path, clock: Clock, folder_mode: int, file_mode: int
) -> None:
    """Permissions that its owner took away are not given back."""

    def use() -> list[object]:
        with Ledger(nobodys, Limits(), clock) as ledger:
            written = [ledger.record(HERE, read("b"), None), ledger.note(HERE, pending("e"))]
            return [ledger.list(), *written, ledger.tell(HERE, 1, ["a"], 0), ledger.list()]

    (nobodys / "ledger.db").chmod(file_mode)
    nobodys.chmod(folder_mode)
    before, *written, after = as_nobody(use) if os.geteuid() == 0 else use()
    assert items(before) == items(after) == ["a"]
    assert [reason(answer) for answer in written] == ["store-read-only"] * 3
    assert (mode(nobodys), mode(nobodys / "ledger.db")) == (folder_mode, file_mode)


def test_a_ledger_cannot_start_in_a_read_only_folder(nobodys: Path, clock: Clock) -> None:
    """And a clear cannot leave its mark there."""

    def use() -> list[object]:
        with Ledger(nobodys, Limits(), clock) as ledger:
            return [ledger.record(HERE, read(), None), ledger.clear(HERE), ledger.list()]

    (nobodys / "ledger.db").unlink()
    nobodys.chmod(0o500)
    recorded, cleared, listed = as_nobody(use) if os.geteuid() == 0 else use()
    assert recorded == cleared == Unavailable("store-read-only", "PermissionError")
    assert listed == Ready(())


def test_a_folder_that_cannot_be_looked_into_is_unavailable_for_every_call(
    nobodys: Path, clock: Clock
) -> None:
    """An error is never an empty list."""

    def use() -> list[object]:
        with Ledger(nobodys, Limits(), clock) as ledger:
            return every_read(ledger) + every_write(ledger)

    nobodys.chmod(0)
    answers = as_nobody(use) if os.geteuid() == 0 else use()
    assert {reason(answer) for answer in answers} == {"store-read-only"}


def test_space_is_used_again_so_a_bounded_ledger_has_a_bounded_file(opened: Opener, file: Path) -> None:
    """However much is read in however many conversations."""
    ledger = opened(candidates=4, conversations=4)
    sizes = []
    for number in range(160):
        here = msgspec.structs.replace(HERE, reference=f"c{number // 8}")
        ledger.record(here, read(f"i{number}", title="x" * 3000), f"e{number}")
        ledger.note(here, pending(f"p{number}", read(title="x" * 3000)))
        sizes.append(file.stat().st_size)
    assert max(sizes) == max(sizes[:80])


# Trouble


def test_a_lock_that_the_file_system_gives_up_on_is_tried_again(
    filled: Path, opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bounded by the patience, not by a depth of calls."""
    begun = Store._begun  # noqa: SLF001 - where a file system's locks are first needed
    failures = 3

    def fail(self: Store, connection: apsw.Connection, how: str) -> int:
        nonlocal failures
        failures -= 1
        if failures >= 0:
            raise apsw.ProtocolError
        return begun(self, connection, how)

    monkeypatch.setattr(Store, "_begun", fail)
    assert items(opened().list()) == ["a"]
    failures = 10**9
    assert opened(patience_ms=30).list() == Unavailable("store-locked", "ProtocolError")
    assert filled.exists()


def test_a_file_that_is_never_the_same_twice_ends_in_an_answer(
    filled: Path, opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within the patience."""
    monkeypatch.setattr(store, "identity", lambda _: None)
    assert opened(patience_ms=30).list() == Unavailable("store-locked", "the file keeps changing")
    assert opened(patience_ms=30).prune() == Unavailable("store-locked", "the file keeps changing")
    assert filled.exists()


@pytest.mark.parametrize("expected", ["store-failed", "store-locked"])
def test_a_file_that_cannot_be_opened_is_told_from_one_that_has_just_gone(
    filled: Path,
    opened: Opener,
    monkeypatch: pytest.MonkeyPatch,
    expected: str,
) -> None:
    """The one is trouble, the other is looked at again."""

    def refuse(*_: object, **__: object) -> None:
        raise apsw.CantOpenError

    monkeypatch.setattr(apsw, "Connection", refuse)
    if expected == "store-locked":
        monkeypatch.setattr(store, "identity", lambda _: None)
    assert reason(opened(patience_ms=30).list()) == expected
    assert filled.exists()


def test_a_file_that_vanishes_as_it_is_made_is_made_again(
    opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody may move a damaged one at that moment."""
    made = store.create_file
    calls = []

    def forget_once(path: Path) -> None:
        calls.append(path)
        if len(calls) > 1:
            made(path)

    monkeypatch.setattr(store, "create_file", forget_once)
    assert isinstance(opened().record(HERE, read(), None), Recorded)
    assert len(calls) == 2


def test_a_bug_is_no_answer_and_holds_no_lock(
    folder: Path, filled: Path, clock: Clock, opened: Opener
) -> None:
    """It comes out as what it is, with nothing written and nothing left open."""

    def bug(db: apsw.Connection) -> None:
        conversations.save(db, conversations.unknown(b"x", HERE, 0))
        raise ZeroDivisionError

    broken = Store(folder, clock, 1000)
    with pytest.raises(ZeroDivisionError):
        broken.write(bug)
    assert isinstance(opened(patience_ms=30).record(HERE, read("b"), None), Recorded)
    assert filled.exists()


def test_numbers_beyond_63_bits_are_trouble_and_no_crash(opened: Opener, clock: Clock) -> None:
    """A clock can be that wrong."""
    clock.now = 2**80
    assert opened().record(HERE, read(), None) == Unavailable("store-failed", "OverflowError")
    clock.now = 0
    assert opened().note(HERE, pending("e", noted_at=2**63)) == Unavailable("store-failed", "OverflowError")
    assert opened().note(HERE, pending("e", noted_at=2**63 - 1)) == Noted((read(),))
    assert opened().settle(HERE, []) != Settled()


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (apsw.FullError(), "store-full"),
        (apsw.ReadOnlyError(), "store-read-only"),
        (apsw.PermissionsError(), "store-read-only"),
        (apsw.BusyError(), "store-locked"),
        (apsw.LockedError(), "store-locked"),
        (apsw.ProtocolError(), "store-locked"),
        (apsw.NotADBError(), "store-corrupt"),
        (apsw.CorruptError(), "store-corrupt"),
        (apsw.IOError(), "store-failed"),
        (apsw.CantOpenError(), "store-failed"),
        (apsw.SQLError(), "store-failed"),
        (OSError(28, ""), "store-full"),
        (OSError(122, ""), "store-full"),
        (OSError(27, ""), "store-full"),
        (OSError(30, ""), "store-read-only"),
        (OSError(13, ""), "store-read-only"),
        (OSError(1, ""), "store-read-only"),
        (OSError(5, ""), "store-failed"),
        (OSError("without a number"), "store-failed"),
        (UnicodeDecodeError("utf-8", b"", 0, 1, ""), "store-corrupt"),
        (msgspec.DecodeError(), "store-corrupt"),
        (UnicodeEncodeError("utf-8", "", 0, 1, ""), "store-failed"),
        (OverflowError(), "store-failed"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else value,
)
def test_every_error_has_one_reason_and_its_text_is_not_kept(error: Exception, expected: str) -> None:
    """EROFS is an OSError but no PermissionError; numbers decide, not classes."""
    found = translated(error, None)
    assert isinstance(found, StoreError)
    assert (found.reason, found.detail) == (expected, type(error).__name__)


@pytest.mark.parametrize("error", [apsw.IOError(), apsw.CantOpenError()])
@pytest.mark.parametrize(
    ("number", "expected"),
    [(28, "store-full"), (122, "store-full"), (30, "store-read-only"), (5, "store-failed")],
)
def test_what_the_system_said_to_sqlite_decides_on_the_reason(
    error: Exception, number: int, expected: str
) -> None:
    """A quota is a full disk, though SQLite calls it an input or output error."""
    connection: Any = SimpleNamespace(system_errno=number)
    assert translated(error, connection).reason == expected


def test_a_fault_of_the_file_system_is_an_answer(
    ledger: Ledger, filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it strikes."""

    def fail(_: Path) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(store, "checked_file", fail)
    for answer in every_read(ledger) + every_write(ledger):
        assert reason(answer) == "store-failed"
    assert filled.exists()


def test_a_name_that_stands_for_nothing_has_no_identity(tmp_path: Path) -> None:
    """So it is never the file that was opened."""
    assert identity(tmp_path / "nothing") is None


# Speed


def test_no_statement_of_a_write_or_a_briefing_scans_a_table(filled: Path) -> None:
    """So neither slows down as the ledger fills."""
    statements = {
        name: text
        for name, text in {**vars(conversations), **vars(held)}.items()
        if isinstance(text, str)
        and not name.startswith("_")
        # What reads an older file has other columns and is else the same.
        and "_OF_SCHEMA_" not in name
        and text.startswith(("SELECT", "UPDATE", "DELETE", "INSERT"))
    }
    assert len(statements) > 15
    db = apsw.Connection(str(filled))
    scans = set()
    for name, text in statements.items():
        plan = db.execute(f"EXPLAIN QUERY PLAN {text}", (1,) * text.count("?")).fetchall()
        if any(step.startswith("SCAN") or "TEMP B-TREE" in step for *_, step in plan):
            scans.add(name)
    db.close()
    # The whole list is a list of all; the order of eviction is read from its index up to a limit.
    assert scans == {"ALL", "LEAST_ACTIVE"}

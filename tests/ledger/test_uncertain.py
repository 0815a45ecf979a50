"""A clear holds from the moment it was ordered, whatever becomes of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from contracts.conversation import Conversation
from contracts.outcome import Life, Pruned, Ready, Recorded, Skipped, Unavailable
from ledger import uncertain
from ledger.calls import HIDDEN, Ledger
from ledger.transaction import Transaction
from tests.ledger.conftest import Opener
from tests.ledger.crowd import kill, kill_inside
from tests.ledger.samples import HERE, THERE, items, pending, read

UNCLEAR = Unavailable("store-failed", "a clear is unfinished and its mark cannot be read")
CLEARED = Skipped("conversation-cleared")


@pytest.fixture
def filled(ledger: Ledger) -> Ledger:
    """Return a ledger in which two conversations have read something."""
    ledger.record(HERE, read("a"), None)
    ledger.note(HERE, pending("e"))
    ledger.record(THERE, read("b"), None)
    return ledger


@pytest.fixture
def lock(filled: Ledger) -> Iterator[apsw.Connection]:
    """Hold the ledger's lock, until the test lets go."""
    connection = apsw.Connection(str(filled.folder / "ledger.db"))
    connection.execute("BEGIN IMMEDIATE")
    yield connection
    connection.close()


@pytest.fixture
def unmarkable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no content be written to a mark, as on a full disk."""

    def write(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(uncertain, "_new", write)


def marks(ledger: Ledger) -> list[Path]:
    """Return the marks that wait."""
    return sorted(ledger.folder.glob("ledger.clear-*"))


def test_a_clear_that_cannot_be_carried_out_hides_its_conversation_at_once(
    opened: Opener, lock: apsw.Connection
) -> None:
    """It is told as unavailable, and others stay in sight."""
    hasty = opened(patience_ms=20)
    assert hasty.clear(HERE) == Unavailable("store-locked", f"BusyError; {HIDDEN}")
    assert items(hasty.list()) == ["b"]
    assert hasty.list(HERE.host, HERE.reference) == Ready(())
    assert hasty.pending(HERE) == ()
    lock.close()
    assert items(opened().list()) == ["b"]


def test_the_next_write_catches_up_and_removes_the_mark(opened: Opener, lock: apsw.Connection) -> None:
    """Whichever conversation it is for; after that only a resume opens what was cleared."""
    hasty = opened(patience_ms=20)
    hasty.clear(HERE)
    lock.close()
    [mark] = marks(hasty)
    assert not mark.exists(), "a mark leads nowhere"
    assert HERE.reference not in str(mark.readlink())
    assert isinstance(hasty.record(THERE, read("c"), None), Recorded)
    assert marks(hasty) == []
    assert hasty.record(HERE, read("a"), None) == CLEARED
    assert hasty.resume(HERE) == Life(2)
    assert items(hasty.list()) == ["c", "b"]


def test_a_late_event_of_a_conversation_whose_clear_waits_is_refused(
    opened: Opener, lock: apsw.Connection
) -> None:
    """Its own write catches up first."""
    hasty = opened(patience_ms=20)
    hasty.clear(HERE)
    lock.close()
    assert hasty.record(HERE, read("z"), None) == CLEARED
    assert items(hasty.list()) == ["b"]


def test_a_clear_that_waits_reaches_a_conversation_that_was_never_seen(
    opened: Opener, lock: apsw.Connection
) -> None:
    """The mark holds only a digest, which is enough to know it again."""
    never = Conversation("codex", "never")
    hasty = opened(patience_ms=20)
    hasty.clear(never)
    lock.close()
    hasty.prune()
    assert marks(hasty) == []
    assert items(hasty.list()) == ["b", "a"]
    assert hasty.record(never, read(), None) == CLEARED
    assert hasty.resume(never) == Life(2)
    assert isinstance(hasty.record(never, read("n"), None), Recorded)
    assert items(hasty.list("codex", "never")) == ["n"]


def test_a_resume_opens_a_conversation_whose_clear_waits_for_a_fresh_ledger(filled: Ledger) -> None:
    """The clear met a damaged file, which was moved aside; the resume comes after it and counts."""
    filled.close()
    (filled.folder / "ledger.db").write_text("damage")
    answer = filled.clear(HERE)
    assert isinstance(answer, Unavailable)
    assert (answer.reason, len(marks(filled))) == ("store-corrupt", 1)
    assert filled.list() == Ready(())
    assert filled.resume(HERE) == Life(2)
    assert isinstance(filled.record(HERE, read("n"), None), Recorded)
    assert items(filled.list()) == ["n"]


def test_clearing_all_holds_although_it_cannot_be_carried_out(opened: Opener, lock: apsw.Connection) -> None:
    """Everything is hidden, and cleared by the next write."""
    hasty = opened(patience_ms=20)
    answer = hasty.clear_all()
    assert isinstance(answer, Unavailable)
    assert answer.reason == "store-locked"
    assert (hasty.list(), hasty.list(HERE.host, HERE.reference), hasty.pending(HERE)) == (
        Ready(()),
        Ready(()),
        (),
    )
    lock.close()
    assert hasty.record(HERE, read(), None) == CLEARED
    assert marks(hasty) == []
    assert hasty.clear_all() == Pruned(0, 0, 0)


def test_a_clear_that_succeeds_leaves_no_mark(filled: Ledger) -> None:
    """And says what it dropped, though its mark came first."""
    assert filled.clear(HERE) == Life(1, dropped=1)
    assert filled.clear_all() == Pruned(1, 1, 0)
    assert marks(filled) == []


def test_a_clear_that_is_killed_halfway_still_holds(filled: Ledger, opened: Opener) -> None:
    """Hosts kill a hook at a session's end."""
    filled.close()

    def die(*_: object) -> None:
        kill(os.getpid())

    def clear() -> None:
        Transaction.clear = die  # type: ignore[method-assign]
        opened().clear(HERE)

    kill_inside(clear)
    assert items(opened().list()) == ["b"]
    assert opened().record(HERE, read("late"), None) == CLEARED


@pytest.mark.parametrize(
    "content", [b"", b"x", b"0" * 43, b"0" * 45, b"-" * 44, b"A" * 40, b"everything\n", b"\xff" * 44]
)
def test_a_mark_that_cannot_be_understood_makes_everything_unavailable(
    filled: Ledger, content: bytes
) -> None:
    """It may have named any conversation; the next write clears them all."""
    (filled.folder / "ledger.clear-0123").write_bytes(content)
    assert filled.list() == filled.list(HERE.host, HERE.reference) == filled.pending(HERE) == UNCLEAR
    assert filled.stats() == UNCLEAR
    assert filled.record(HERE, read(), None) == CLEARED
    assert filled.list() == Ready(())
    assert filled.record(THERE, read(), None) == CLEARED
    assert marks(filled) == []


def test_a_mark_that_is_a_link_is_not_followed(filled: Ledger, tmp_path: Path) -> None:
    """It counts as one that cannot be understood, and goes; what it points to stays."""
    target = tmp_path / "target"
    target.write_text("everything")
    (filled.folder / "ledger.clear-0123").symlink_to(target)
    assert filled.list() == UNCLEAR
    filled.prune()
    assert filled.list() == Ready(())
    assert target.exists()


def test_a_mark_that_cannot_be_removed_goes_on_hiding(filled: Ledger) -> None:
    """Too much is hidden then, never too little."""
    (filled.folder / "ledger.clear-0123").mkdir()
    assert filled.prune() == Pruned(0, 0, 0)
    assert filled.list() == UNCLEAR


def test_an_unfinished_mark_is_none_yet(filled: Ledger) -> None:
    """It has its name only when it is whole."""
    (filled.folder / "ledger.clear-0123.part").touch()
    assert items(filled.list()) == ["b", "a"]


@pytest.mark.usefixtures("unmarkable")
def test_a_full_disk_that_takes_the_clear_needs_no_mark(filled: Ledger) -> None:
    """Only the conversation that was cleared is touched."""
    assert filled.clear(HERE) == Life(1, dropped=1)
    assert items(filled.list()) == ["b"]
    assert marks(filled) == []


def test_a_full_disk_takes_a_mark_that_names_its_conversation(
    opened: Opener, lock: apsw.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link needs no space; the other conversations stay, also when the clear is caught up on."""

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    assert opened(patience_ms=20).clear(HERE) == Unavailable("store-locked", f"BusyError; {HIDDEN}")
    assert items(opened().list()) == ["b"]
    lock.close()
    assert opened().prune() == Pruned(0, 0, 0)
    assert items(opened().list()) == ["b"]


def test_a_file_system_without_links_takes_a_small_file(
    opened: Opener, lock: apsw.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says the same."""

    def unsupported(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(os, "symlink", unsupported)
    assert opened(patience_ms=20).clear(HERE) == Unavailable("store-locked", f"BusyError; {HIDDEN}")
    assert items(opened().list()) == ["b"]
    lock.close()


@pytest.mark.usefixtures("unmarkable", "lock")
def test_where_no_mark_can_be_left_the_answer_promises_nothing(
    opened: Opener,
) -> None:
    """The reason is the store's."""
    assert opened(patience_ms=20).clear(HERE) == Unavailable("store-locked", "BusyError")


def test_a_mark_that_is_written_in_part_is_withdrawn(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a digest would hide everything."""
    folder.mkdir()
    write = os.write
    monkeypatch.setattr(os, "write", lambda file, content: write(file, content[:10]))
    monkeypatch.setattr(os, "symlink", lambda *_: Path("/no such place").stat())
    with pytest.raises(OSError, match="10 of 44 bytes"):
        uncertain.mark(folder, HERE)
    assert list(folder.iterdir()) == []


def test_too_many_marks_become_one_for_everything(folder: Path) -> None:
    """They are bounded, and none is lost."""
    folder.mkdir()
    for number in range(uncertain.MARKS):
        assert uncertain.mark(folder, Conversation("codex", str(number))) is not None
    assert len(uncertain.waiting(folder).digests) == uncertain.MARKS
    assert uncertain.mark(folder, HERE) is None
    waiting = uncertain.waiting(folder)
    assert (waiting.everything, len(waiting.files)) == (True, 1)


def test_a_clear_over_the_bound_of_marks_clears_everything(filled: Ledger) -> None:
    """That many clears without one write in between mean that nothing is certain."""
    for number in range(uncertain.MARKS):
        uncertain.mark(filled.folder, Conversation("codex", str(number)))
    assert filled.clear(HERE) == Life(1)
    assert marks(filled) == []
    assert filled.record(THERE, read(), None) == CLEARED


def test_a_mark_that_comes_while_others_are_carried_out_stays(
    filled: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what was carried out is removed."""
    uncertain.mark(filled.folder, HERE)
    carry_out = Transaction.carry_out

    def meanwhile(self: Transaction, waiting: uncertain.Marks) -> None:
        uncertain.mark(filled.folder, THERE)
        carry_out(self, waiting)

    with monkeypatch.context() as patch:
        patch.setattr(Transaction, "carry_out", meanwhile)
        filled.prune()
    assert len(marks(filled)) == 1
    assert filled.list() == Ready(())
    assert filled.record(THERE, read(), None) == CLEARED


def test_a_mark_that_goes_while_it_is_read_is_carried_out_already(
    filled: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process was faster."""
    monkeypatch.setattr(uncertain, "_waiting", lambda folder: [folder / "ledger.clear-gone"])
    assert items(filled.list()) == ["b", "a"]


@pytest.mark.parametrize("call", [Ledger.list, Ledger.stats, Ledger.prune])
def test_marks_that_cannot_be_listed_make_the_ledger_unavailable(
    filled: Ledger, monkeypatch: pytest.MonkeyPatch, call: Callable[[Ledger], object]
) -> None:
    """An error is never an empty list."""

    def refuse(_: Path) -> list[Path]:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(uncertain, "_waiting", refuse)
    assert call(filled) == Unavailable("store-read-only", "PermissionError")


def test_two_conversations_never_share_a_digest_by_their_spelling() -> None:
    """Where the host ends and the reference begins is part of it."""
    assert uncertain.digest_of(Conversation("ab", "c")) != uncertain.digest_of(Conversation("a", "bc"))
    assert uncertain.digest_of(HERE) == uncertain.digest_of(Conversation(HERE.host, HERE.reference))


def test_a_small_file_that_goes_while_it_is_read_is_carried_out_already(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look at the link and the look at the file."""
    folder.mkdir()
    (folder / "ledger.clear-0123").write_text("everything")

    def gone(file: Path) -> str:
        file.unlink()
        raise OSError(22, "Invalid argument")

    monkeypatch.setattr(os, "readlink", gone)
    assert uncertain.waiting(folder) == uncertain.Marks((), frozenset(), everything=False, unclear=False)

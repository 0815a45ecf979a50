"""Pauses as marks in the state folder: whole or not there, whatever stands in their place."""

from __future__ import annotations

import errno
import os
import pathlib
import stat
from typing import TYPE_CHECKING

import pytest

from contracts.outcome import Skipped
from ledger import pauses
from ledger.errors import HomeError, StoreError
from ledger.pauses import ALL, Pauses, listed, pause, paused, resume, stuck

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_nothing_is_paused_where_there_is_no_folder(folder: Path) -> None:
    """Asking makes nothing."""
    assert paused(folder, "codex") is None
    assert (listed(folder), resume(folder, None)) == (Pauses(), Pauses())
    assert not folder.exists()


def test_a_pause_of_one_host_leaves_the_others_alone(folder: Path) -> None:
    """And it ends with a resume of that host."""
    assert pause(folder, "codex")
    assert paused(folder, "codex") == Skipped("paused", "codex")
    assert paused(folder, "claude-code") is None
    assert listed(folder) == Pauses(hosts=("codex",))
    assert resume(folder, "claude-code") == Pauses()
    assert resume(folder, "codex") == Pauses(hosts=("codex",))
    assert paused(folder, "codex") is None


def test_a_pause_of_all_holds_for_every_host(folder: Path) -> None:
    """A resume of one host does not lift it; a resume of all lifts every pause."""
    assert pause(folder, None)
    assert pause(folder, "codex")
    assert paused(folder, "claude-code") == Skipped("paused", "all hosts")
    assert resume(folder, "codex") == Pauses(hosts=("codex",))
    assert paused(folder, "codex") == Skipped("paused", "all hosts")
    assert resume(folder, None) == Pauses(everything=True)
    assert paused(folder, "codex") is None


def test_twice_is_as_good_as_once(folder: Path) -> None:
    """Both calls say that nothing changed."""
    assert [pause(folder, None), pause(folder, None)] == [True, False]
    assert [resume(folder, None), resume(folder, None)] == [Pauses(everything=True), Pauses()]


def test_the_mark_and_its_folder_are_the_users_alone(folder: Path) -> None:
    """Whatever the umask says."""
    before = os.umask(0)
    try:
        pause(folder, None)
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / ALL).stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "put",
    [
        lambda mark: mark.symlink_to("/nowhere"),
        os.mkfifo,
        lambda mark: mark.mkdir(),
    ],
    ids=["link", "pipe", "folder"],
)
def test_whatever_stands_under_the_name_counts_and_is_not_followed(
    folder: Path, put: Callable[[Path], None]
) -> None:
    """In doubt it is quiet."""
    folder.mkdir(mode=0o700)
    put(folder / ALL)
    assert not pause(folder, None)
    assert paused(folder, "codex") == Skipped("paused", "all hosts")


def test_a_link_in_the_place_goes_and_what_it_leads_to_stays(folder: Path, tmp_path: Path) -> None:
    """A resume removes the name alone."""
    folder.mkdir(mode=0o700)
    other = tmp_path / "other"
    other.write_text("kept")
    (folder / ALL).symlink_to(other)
    resume(folder, None)
    assert (other.read_text(), os.path.lexists(folder / ALL)) == ("kept", False)


def test_what_cannot_be_removed_is_said(folder: Path) -> None:
    """A folder under the name goes on pausing; its path is named, and all other pauses are lifted."""
    folder.mkdir(mode=0o700)
    (folder / f"{ALL}-claude-code").mkdir()
    (folder / ALL).mkdir()
    pause(folder, "codex")
    assert stuck(folder) == (folder / ALL, folder / f"{ALL}-claude-code")
    with pytest.raises(StoreError) as raised:
        resume(folder, None)
    assert (raised.value.reason, raised.value.detail) == ("pause-stuck", str(folder / f"{ALL}-claude-code"))
    assert paused(folder, "codex") == Skipped("paused", "all hosts")
    (folder / ALL).rmdir()
    assert paused(folder, "codex") is None
    (folder / f"{ALL}-claude-code").rmdir()
    assert (stuck(folder), resume(folder, None)) == ((), Pauses())


def test_a_mark_that_cannot_be_removed_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system that has become read-only, for one."""

    def refuses(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    pause(folder, None)
    monkeypatch.setattr(pathlib.Path, "unlink", refuses)
    with pytest.raises(StoreError) as raised:
        resume(folder, None)
    assert raised.value.reason == "store-read-only"


def test_a_mark_that_goes_between_two_looks_is_no_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody else resumed meanwhile."""
    folder.mkdir(mode=0o700)
    monkeypatch.setattr(pauses, "listed", lambda _: Pauses(everything=True))
    assert stuck(folder) == ()


def test_a_disk_that_takes_no_mark_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody may believe in a pause that is not there."""

    def full(mark: Path) -> None:
        raise OSError(28, "No space left on device", str(mark))

    monkeypatch.setattr(pauses, "create_file", full)
    with pytest.raises(StoreError) as raised:
        pause(folder, None)
    assert raised.value.reason == "store-full"


def test_a_folder_that_cannot_be_looked_into_is_said(tmp_path: Path) -> None:
    """It is not taken for one without pauses."""
    endless = tmp_path / ("x" * 300)
    for look in (lambda: paused(endless, "codex"), lambda: listed(endless)):
        with pytest.raises(HomeError) as raised:
            look()
        assert raised.value.reason == "home-unusable"

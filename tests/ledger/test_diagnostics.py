"""The bounded file that says what hooks did."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest

from ledger.diagnostics import BYTES, FILE, OLDER, Damage, Entry, Said, Summary, append, entries, said

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def entry(number: int) -> Entry:
    """Make one entry."""
    return Entry(number, "codex", "PostToolUse", 3, Summary("skipped", "call-failed"))


def test_entries_come_back_oldest_first(tmp_path: Path) -> None:
    """What is appended can be read."""
    for number in range(3):
        append(tmp_path, entry(number))

    assert [one.at for one in entries(tmp_path)] == [0, 1, 2]
    assert entries(tmp_path)[0] == entry(0)


def test_the_file_is_private_and_bounded(tmp_path: Path) -> None:
    """Old lines go; the newest are always there."""
    for number in range(3 * BYTES // 90):
        append(tmp_path, entry(number))
    sizes = [(tmp_path / name).stat().st_size for name in (FILE, OLDER)]

    assert sum(sizes) <= 2 * BYTES + 1000
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600
    assert entries(tmp_path)[-1].at == 3 * BYTES // 90 - 1


def test_a_missing_folder_is_not_made(tmp_path: Path) -> None:
    """A hook that records nothing leaves nothing behind."""
    append(tmp_path / "none", entry(1))

    assert not (tmp_path / "none").exists()
    assert entries(tmp_path / "none") == []


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    """Nothing is written anywhere else."""
    (tmp_path / "target").write_text("")
    (tmp_path / FILE).symlink_to(tmp_path / "target")
    append(tmp_path, entry(1))

    assert (tmp_path / "target").read_text() == ""


def test_a_hard_link_or_a_pipe_in_its_place_is_left_alone(tmp_path: Path) -> None:
    """Nothing is written into another file, and nobody waits at a pipe."""
    (tmp_path / "victim").write_text("")
    (tmp_path / FILE).hardlink_to(tmp_path / "victim")
    append(tmp_path, entry(1))
    os.mkfifo(tmp_path / OLDER)

    assert (tmp_path / "victim").read_text() == ""
    assert entries(tmp_path) == []


def test_an_open_file_is_closed_to_others_at_the_next_line(tmp_path: Path) -> None:
    """Whatever umask or copy opened it."""
    append(tmp_path, entry(1))
    (tmp_path / FILE).chmod(0o666)
    append(tmp_path, entry(2))

    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600


def junk(path: Path) -> None:
    """Write what is no text."""
    path.write_bytes(bytes(range(256)) * 40)


@pytest.mark.parametrize("name", [FILE, OLDER])
@pytest.mark.parametrize(
    ("put", "what"),
    [
        (os.mkfifo, "it is no regular file"),
        (lambda path: path.mkdir(), "it is no regular file"),
        (lambda path: path.symlink_to("/dev/null"), "it is a link"),
        (lambda path: path.symlink_to(path), "it is a link"),
        (lambda path: path.hardlink_to(path.with_name("other")), "it has hard links"),
        (junk, "most of it is no diagnostics"),
        (lambda path: path.write_bytes(b"\0" * 5000), "most of it is no diagnostics"),
        (lambda path: path.write_bytes(b"{}\n"), "most of it is no diagnostics"),
    ],
    ids=["pipe", "folder", "link", "loop", "hard link", "bytes", "NULs", "another's"],
)
def test_what_is_no_file_of_diagnostics_is_named_and_hides_not_the_other(
    tmp_path: Path, name: str, put: Callable[[Path], None], what: str
) -> None:
    """Nobody waits for it, and nobody may take it for silence."""
    (tmp_path / "other").write_text("")
    append(tmp_path, entry(1))
    if name == FILE:
        (tmp_path / FILE).rename(tmp_path / OLDER)
    put(tmp_path / name)
    told = said(tmp_path)
    assert told.damage == (Damage(name, what),)
    assert [one.at for one in told.entries] == [1]


def test_a_file_that_is_missing_or_empty_or_cut_is_no_damage(tmp_path: Path) -> None:
    """A disk that was full cuts a line; a folder that is a file is told by itself."""
    assert said(tmp_path / "none") == Said([])
    (tmp_path / FILE).write_bytes(b"")
    assert said(tmp_path) == Said([])
    assert said(tmp_path / FILE) == Said([])
    append(tmp_path, entry(1))
    with (tmp_path / FILE).open("ab") as file:
        file.write(b'{"at":2,"ho')
    assert said(tmp_path) == Said([entry(1)])


def test_lines_that_are_no_entries_are_passed_over(tmp_path: Path) -> None:
    """A line cut by a full disk does not hide the others."""
    append(tmp_path, entry(1))
    with (tmp_path / FILE).open("ab") as file:
        file.write(b'{"at":2,"ho\n\xff\n[]\n')
    append(tmp_path, entry(3))

    assert [one.at for one in entries(tmp_path)] == [1, 3]


def test_a_cut_line_swallows_not_the_next_one(tmp_path: Path) -> None:
    """A full disk or a kill leaves half a line; only that one is lost."""
    append(tmp_path, entry(1))
    with (tmp_path / FILE).open("ab") as file:
        file.write(b'{"at":2,"ho')
    append(tmp_path, entry(3))
    append(tmp_path, entry(4))

    assert [one.at for one in entries(tmp_path)] == [1, 3, 4]
    assert b"\n\n" not in (tmp_path / FILE).read_bytes()


def test_a_disk_that_takes_nothing_is_no_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Diagnostics are worth less than the agent's time."""

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "no space")

    monkeypatch.setattr("os.write", full)
    append(tmp_path, entry(1))

    assert entries(tmp_path) == []


def test_a_disk_that_fails_is_an_empty_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What can be told without the diagnostics still is."""
    append(tmp_path, entry(1))

    def fails(*_: object) -> bytes:
        raise OSError(errno.EIO, "")

    with monkeypatch.context() as patch:
        patch.setattr(os, "read", fails)
        assert said(tmp_path) == Said([], (Damage(FILE, "it cannot be read (OSError)"),))
        patch.setattr(os, "open", fails)
        assert [one.name for one in said(tmp_path).damage] == [OLDER, FILE]
    assert len(entries(tmp_path)) == 1

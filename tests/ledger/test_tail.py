"""Following the diagnostics: every line once, whatever becomes of the file meanwhile."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.diagnostics import BYTES, FILE, OLDER, Entry, Summary, append
from ledger.tail import LINE, Tail

if TYPE_CHECKING:
    from collections.abc import Iterator


def write(folder: Path, *numbers: int) -> None:
    """Write entries, as hooks do."""
    for number in numbers:
        append(folder, Entry(number, "codex", "PostToolUse", 3, Summary("ignored")))


def new(tail: Tail) -> list[int]:
    """Return the numbers of the entries that are new."""
    return [entry.at for entry in tail.new()]


@pytest.fixture
def tail(tmp_path: Path) -> Iterator[Tail]:
    """Follow this test's folder, where the entries 1 and 2 are old."""
    write(tmp_path, 1, 2)
    with Tail(tmp_path) as made:
        yield made


def test_only_what_comes_from_now_on_is_new(tail: Tail, tmp_path: Path) -> None:
    """Each entry once, in its order."""
    assert new(tail) == []
    write(tmp_path, 3, 4)
    assert new(tail) == [3, 4]
    assert new(tail) == []
    write(tmp_path, 5)
    assert new(tail) == [5]


def test_a_folder_may_come_later(tmp_path: Path) -> None:
    """Its first entry is new already."""
    folder = tmp_path / "later"
    with Tail(folder) as tail:
        assert new(tail) == []
        folder.mkdir()
        assert new(tail) == []
        write(folder, 1, 2)
        assert new(tail) == [1, 2]


def test_a_rotation_loses_nothing(tail: Tail, tmp_path: Path) -> None:
    """What was written before it, after it, and into the old file by a hook that had it open."""
    write(tmp_path, 3)
    late = os.open(tmp_path / FILE, os.O_WRONLY | os.O_APPEND)
    line = (tmp_path / FILE).read_bytes().splitlines(keepends=True)[0]
    (tmp_path / FILE).replace(tmp_path / OLDER)
    write(tmp_path, 4)
    assert new(tail) == [3, 4]
    os.write(late, line.replace(b'"at":1', b'"at":5'))
    os.close(late)
    write(tmp_path, 6)
    assert new(tail) == [5, 6]
    assert new(tail) == []


def test_the_rotation_of_the_diagnostics_themselves_loses_nothing(tmp_path: Path) -> None:
    """Looked at now and then, over several whole files."""
    seen: list[int] = []
    count = 4 * BYTES // 80
    with Tail(tmp_path) as tail:
        for number in range(count):
            write(tmp_path, number)
            if number % 500 == 0:
                seen += new(tail)
        seen += new(tail)
    assert seen == list(range(count))


def test_a_file_that_went_and_came_again_is_followed(tail: Tail, tmp_path: Path) -> None:
    """A person who removes the folder need not start again."""
    (tmp_path / FILE).unlink()
    assert new(tail) == []
    write(tmp_path, 7)
    assert new(tail) == [7]


def test_an_emptied_file_is_read_from_its_begin(tail: Tail, tmp_path: Path) -> None:
    """It is shorter than what was read of it."""
    os.truncate(tmp_path / FILE, 0)
    assert new(tail) == []
    write(tmp_path, 8)
    assert new(tail) == [8]


def test_half_a_line_waits_for_its_other_half(tail: Tail, tmp_path: Path) -> None:
    """A file system may show a write in parts."""
    file = tmp_path / FILE
    line = file.read_bytes().splitlines(keepends=True)[0].replace(b'"at":1', b'"at":9')
    with file.open("ab", buffering=0) as half:
        half.write(line[:20])
        assert new(tail) == []
        half.write(line[20:])
    assert new(tail) == [9]


def test_half_a_line_that_ends_never_hides_not_the_next(tail: Tail, tmp_path: Path) -> None:
    """A kill or a full disk cut it; what follows stands on a line of its own."""
    with (tmp_path / FILE).open("ab", buffering=0) as half:
        half.write(b'{"at":9,"ho')
    assert new(tail) == []
    write(tmp_path, 10, 11)
    assert new(tail) == [10, 11]


def test_what_is_no_entry_is_passed_over(tail: Tail, tmp_path: Path) -> None:
    """A line without an end is not kept for ever either."""
    with (tmp_path / FILE).open("ab", buffering=0) as other:
        other.write(b"\xff{\n[]\n\n" + b"x" * (LINE + 1))
        assert new(tail) == []
        other.write(b"\n")
    write(tmp_path, 10)
    assert new(tail) == [10]


def test_a_pipe_or_a_link_in_its_place_holds_nobody(tail: Tail, tmp_path: Path) -> None:
    """The next file is followed again."""
    (tmp_path / FILE).unlink()
    os.mkfifo(tmp_path / FILE)
    assert new(tail) == []
    (tmp_path / FILE).unlink()
    (tmp_path / FILE).symlink_to(tmp_path / "none")
    assert new(tail) == []
    (tmp_path / FILE).unlink()
    write(tmp_path, 11)
    assert new(tail) == [11]


def test_nothing_stays_open(tmp_path: Path) -> None:
    """Also between a rotation and the look after it; closing twice does no harm."""
    before = {file.name for file in Path("/dev/fd").iterdir()}
    write(tmp_path, 1)
    with Tail(tmp_path) as tail:
        (tmp_path / FILE).replace(tmp_path / OLDER)
        write(tmp_path, 2)
        assert new(tail) == [2]
    tail.close()
    assert {file.name for file in Path("/dev/fd").iterdir()} == before


def test_a_file_that_cannot_be_read_just_now_is_read_later(
    tail: Tail, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file system that fails for a while ends nothing."""
    write(tmp_path, 12)
    with monkeypatch.context() as patch:
        patch.setattr(os, "pread", fails)
        assert new(tail) == []
    assert new(tail) == [12]


def fails(*_: object) -> bytes:
    """Fail as a disk does."""
    raise OSError(errno.EIO, "")

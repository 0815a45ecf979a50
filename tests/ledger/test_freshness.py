"""A read whose file has changed says so, and one whose file has gone says nothing."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

import pytest

from contracts.read import Candidate, File, Read
from ledger.freshness import standing, state

TEXT = b"# Choose one queue\n"


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Return a read of a file that is still as it was."""
    path = tmp_path / "docs" / "1.md"
    path.parent.mkdir()
    path.write_bytes(TEXT)
    found = path.stat()
    return Read(
        reader="document",
        store_scope="roots-1",
        item_id="docs/1.md",
        content_digest=f"sha256:{sha256(TEXT).hexdigest()}",
        title="",
        applies_when="",
        sources=(),
        file=File(str(tmp_path), "docs/1.md", found.st_size, found.st_mtime_ns),
    )


def test_an_untouched_file_costs_one_look(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is read of it."""
    monkeypatch.setattr("ledger.freshness._digest", None)
    assert state(read) == "same"


def test_a_file_that_was_written_with_the_same_bytes_is_the_same(read: Read, tmp_path: Path) -> None:
    """As after a checkout and back."""
    os.utime(tmp_path / "docs" / "1.md", ns=(1, 1))
    assert state(read) == "same"


@pytest.mark.parametrize("data", [TEXT + b"More.\n", TEXT.upper(), b""])
def test_other_bytes_are_a_change(read: Read, tmp_path: Path, data: bytes) -> None:
    """Of another size, or of the same."""
    (tmp_path / "docs" / "1.md").write_bytes(data)
    os.utime(tmp_path / "docs" / "1.md", ns=(1, 1))
    assert state(read) == "changed"


@pytest.mark.parametrize("instead", ["nothing", "folder", "broken link", "pipe", "file above"])
def test_what_is_no_file_any_more_is_gone(read: Read, tmp_path: Path, instead: str) -> None:
    """Deleted, moved, or something else in its place, which is never opened."""
    path = tmp_path / "docs" / "1.md"
    path.rename(tmp_path / "moved.md")
    match instead:
        case "folder":
            path.mkdir()
        case "broken link":
            path.symlink_to(tmp_path / "nowhere.md")
        case "pipe":
            os.mkfifo(path)
        case "file above":
            path.parent.rmdir()
            path.parent.write_text("")
    assert state(read) == "gone"


def test_a_link_is_what_it_leads_to(read: Read, tmp_path: Path) -> None:
    """A skill may be one; whether it may lead there is asked where a subagent is told."""
    path = tmp_path / "docs" / "1.md"
    path.rename(tmp_path / "moved.md")
    path.symlink_to(tmp_path / "moved.md")
    assert state(read) == "same"
    (tmp_path / "moved.md").write_bytes(TEXT.upper())
    os.utime(tmp_path / "moved.md", ns=(1, 1))
    assert state(read) == "changed"


def test_what_cannot_be_read_is_gone(read: Read, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not known to be the same, and nothing more can be said of it."""

    def refuse(*_: object) -> int:
        raise PermissionError

    os.utime(tmp_path / "docs" / "1.md", ns=(1, 1))
    monkeypatch.setattr("ledger.freshness.os.open", refuse)
    assert state(read) == "gone"


def test_what_becomes_a_pipe_while_it_is_looked_at_is_gone(
    read: Read, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for what somebody might write into it."""
    path = tmp_path / "docs" / "1.md"
    os.utime(path, ns=(1, 1))
    was = path.lstat()
    path.unlink()
    os.mkfifo(path)
    monkeypatch.setattr("ledger.freshness.Path.lstat", lambda _: was)
    assert state(read) == "gone"


def test_a_read_of_no_file_stands(read: Read) -> None:
    """Only its reader could tell."""
    plain = Read("lore", "default", "a.b", read.content_digest, "", "", ())
    kept = (Candidate(read, 0, 2), Candidate(plain, 0, 1))
    assert standing(kept) == ((kept[0], "same"), (kept[1], "same"))


def test_only_what_stands_is_shown(read: Read, tmp_path: Path) -> None:
    """In the order that was given."""
    other = Read("lore", "default", "a.b", read.content_digest, "", "", ())
    kept = (Candidate(read, 0, 2), Candidate(other, 0, 1))
    (tmp_path / "docs" / "1.md").write_bytes(b"new")
    assert standing(kept) == ((kept[0], "changed"), (kept[1], "same"))
    (tmp_path / "docs" / "1.md").unlink()
    assert standing(kept) == ((kept[1], "same"),)

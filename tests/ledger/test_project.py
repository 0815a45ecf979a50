"""Which project a folder belongs to, and what its file may say: a fault keeps readmark out of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from contracts.outcome import Skipped, Unavailable
from ledger import project
from ledger.patterns import PATTERN_BYTES, PATTERNS, Patterns
from ledger.project import (
    FILE,
    FILE_BYTES,
    LEVELS,
    LINE_DOTS,
    SCOPE_BYTES,
    Contents,
    Project,
    around,
    find,
    understood,
    why_not,
)
from ledger.settings import Fault

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder, without links in its path, for a project."""
    made = Path(os.path.realpath(tmp_path)) / "project"
    (made / "a" / "b").mkdir(parents=True)
    return made


def test_a_folder_without_any_mark_is_its_own_project(root: Path) -> None:
    """Also if it does not exist."""
    for folder in (root / "a", root / "gone" / "deep"):
        assert find(folder) == Project(folder)
        assert why_not(folder) is None


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_the_nearest_repository_is_the_root(root: Path, kind: str) -> None:
    """A worktree has a file for `.git`."""
    (root / ".git").mkdir()
    inner = root / "a" / ".git"
    inner.mkdir() if kind == "folder" else inner.write_text("gitdir: elsewhere")
    assert find(root / "a" / "b") == Project(root / "a")


def test_the_nearest_project_file_goes_before_any_repository(root: Path) -> None:
    """Above a repository, too; but what one further out switches off stays off."""
    (root / "a" / ".git").mkdir()
    (root / FILE).write_text('enabled = false\nignore = ["x"]\n')
    assert find(root / "a" / "b") == Project(
        root, root / FILE, Contents(enabled=False, patterns=Patterns(ignore=("x",)))
    )
    assert why_not(root / "a" / "b") == Skipped("project-off")
    (root / "a" / FILE).write_text("")
    assert find(root / "a" / "b") == Project(root / "a", root / "a" / FILE)
    assert why_not(root / "a" / "b") == Skipped("project-off")
    (root / FILE).write_text("enabled = true\n")
    assert why_not(root / "a" / "b") is None


def test_a_fault_further_out_keeps_readmark_out_too(root: Path) -> None:
    """What it says of the folder inside is not known."""
    (root / "a" / FILE).write_text("enabled = true\n")
    (root / FILE).write_text("enabled = perhaps\n")
    assert find(root / "a") == Project(root / "a", root / "a" / FILE)
    assert why_not(root / "a") == Unavailable("project-invalid", FILE)
    assert [one.root for one in around(root / "a" / "b")] == [root / "a", root]
    assert [one.fault is None for one in around(root / "a" / "b")] == [True, False]
    assert [one.root for one in around(root / "a" / "b", below=root)] == [root / "a"]
    assert why_not(root / "a" / "b", below=root) is None


def test_a_link_in_the_folders_path_is_resolved(root: Path, tmp_path: Path) -> None:
    """A program that works in the folder is in the project that it really lies in."""
    (root / FILE).write_text("enabled = false")
    (tmp_path / "link").symlink_to(root / "a")
    assert find(tmp_path / "link" / "b").root == root


def test_a_byte_order_mark_is_no_fault(root: Path) -> None:
    """Editors of Windows write one before everything."""
    (root / FILE).write_bytes(b"\xef\xbb\xbfscope = 'one'\r\n")
    assert (find(root).fault, find(root).contents.scope) == (None, "one")
    (root / FILE).write_bytes(b"\xef\xbb\xbfenabled = false\r\n")
    assert why_not(root) == Skipped("project-off")


def test_a_folder_that_is_too_deep_or_no_path_is_a_fault(root: Path) -> None:
    """Nothing is known of the folders that are not looked into."""
    assert why_not(Path(str(root) + "/d" * LEVELS)) == Unavailable("project-invalid", "folder")
    assert why_not(Path("/a\0b")) == Unavailable("project-invalid", "folder")
    assert [one.root for one in around(Path("/a\0b"))] == [find(Path("/a\0b")).root]


@pytest.mark.parametrize(
    "put",
    [
        lambda file: file.mkdir(),
        lambda file: file.symlink_to("/dev/null"),
        lambda file: file.symlink_to(file),
        os.mkfifo,
    ],
    ids=["folder", "link", "loop", "pipe"],
)
def test_what_is_no_regular_file_is_a_fault_and_never_opened(root: Path, put: Callable[[Path], None]) -> None:
    """A pipe would hold the hook until somebody writes."""
    put(root / FILE)
    assert find(root).fault == Fault(FILE, "is no regular file")
    assert why_not(root) == Unavailable("project-invalid", FILE)


def test_a_file_that_becomes_a_pipe_meanwhile_is_a_fault(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the look and the opening."""
    (root / FILE).write_text("")
    os.mkfifo(root / "pipe")
    opening = os.open
    monkeypatch.setattr(project.os, "open", lambda file, flags: opening(Path(file).with_name("pipe"), flags))
    assert find(root).fault == Fault(FILE, "is no regular file")


def test_a_file_that_cannot_be_read_is_a_fault(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So is one that cannot be looked at."""

    def refused(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    (root / FILE).write_text("")
    with monkeypatch.context() as patched:
        patched.setattr(project.os, "open", refused)
        assert find(root).fault == Fault(FILE, "cannot be read (PermissionError)")
    monkeypatch.setattr(Path, "lstat", refused)
    assert find(root).fault == Fault(FILE, "cannot be read (PermissionError)")


@pytest.mark.parametrize(
    ("content", "place", "message"),
    [
        (b"enabled", FILE, "is no valid TOML"),
        (b"\xff", FILE, "is no valid TOML"),
        (b"enabled = false\nenabled = true\n", FILE, "is no valid TOML"),
        (b"a = " + b"[" * 5000, FILE, "is nested too deeply"),
        (b"#" * (FILE_BYTES + 1), FILE, "is larger than"),
        (b"a" + b".a" * (LINE_DOTS + 1) + b" = 1", FILE, "has a line with more than"),
        (b"enable = false", FILE, "has the unknown key 'enable'"),
        (b"[limits]\n", FILE, "the known ones are enabled, scope, documents, ignore"),
        (b'enabled = "false"', f"{FILE}: enabled", "must be true or false"),
        (b"enabled = 0", f"{FILE}: enabled", "must be true or false"),
        (b'documents = "a"', f"{FILE}: documents", "must be a list of texts"),
        (b'ignore = ["a", 1]', f"{FILE}: ignore[1]", "must be a text of"),
        (b'ignore = [""]', f"{FILE}: ignore[0]", "must be a text of"),
        (b'ignore = ["\\u0007"]', f"{FILE}: ignore[0]", "all of them printable"),
        (b'ignore = ["' + b"x" * (PATTERN_BYTES + 1) + b'"]', f"{FILE}: ignore[0]", "must be a text of"),
        (b"scope = 1", f"{FILE}: scope", "must be a text of at most"),
        (b'scope = ["a"]', f"{FILE}: scope", "must be a text of at most"),
        (b'scope = "a\\nb"', f"{FILE}: scope", "all of them printable"),
        (
            b'scope = "' + "ü".encode() * (SCOPE_BYTES // 2) + b'x"',
            f"{FILE}: scope",
            "must be a text of at most",
        ),
        (b"ignore = [" + b'"x",' * (PATTERNS + 1) + b"]", f"{FILE}: ignore", "has 65 patterns"),
    ],
)
def test_a_fault_is_named_by_its_place(content: bytes, place: str, message: str) -> None:
    """No value is bent until it fits, and no text of the file is in the place."""
    found = understood(content)
    assert isinstance(found, Fault)
    assert found.place == place
    assert message in found.message


def test_lists_within_their_bounds_are_kept_as_written() -> None:
    """In their order."""
    long = "ü" * (PATTERN_BYTES // 2 - 2) + ".md"
    full = [str(number) for number in range(PATTERNS)]
    text = f'documents = ["docs/**/*.md", "{long}"]\nignore = {full}\n'
    assert understood(text.encode()) == Contents(patterns=Patterns(("docs/**/*.md", long), tuple(full)))


@pytest.mark.parametrize("scope", ["", "product", "ü" * (SCOPE_BYTES // 2), "Ein Name, mit Zeichen: ¿?"])
def test_a_scope_within_its_bounds_is_kept_as_written(scope: str) -> None:
    """It names the project, wherever it was checked out."""
    assert understood(f'scope = "{scope}"\n'.encode()) == Contents(scope=scope)

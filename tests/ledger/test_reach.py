"""Of which items a subagent in one folder may be told, and where it finds their files."""

from __future__ import annotations

import os
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec.structs import replace

from adapters import hosts
from adapters.readers import scope
from contracts.library import PROJECT, Library, Root
from contracts.read import Candidate, File, Read, Source
from ledger.library import look
from ledger.reach import reached

FILE = ".readmark.toml"
LISTED = 'documents = ["**/*.md"]\n'


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """Return a project that lists all of its documents, with another one inside and one beside it."""
    for folder in ("top", "top/inner", "beside"):
        root = Path(os.path.realpath(tmp_path)) / folder
        (root / "docs").mkdir(parents=True)
        (root / FILE).write_text(LISTED)
        for name in ("README.md", "docs/a.md"):
            (root / name).write_text(f"# {name} of {folder}\n")
    return Path(os.path.realpath(tmp_path)) / "top"


def document(root: Path, path: str, ordinal: int = 1, named: str = "") -> Candidate:
    """Return a document of a project as it was read."""
    found, data = (root / path).stat(), (root / path).read_bytes()
    read = Read(
        reader="document",
        store_scope=scope.of_root(Root(PROJECT, str(root), scope=named)) or "",
        item_id=path,
        content_digest=f"sha256:{sha256(data).hexdigest()}",
        title=data.decode().strip("# \n"),
        applies_when="",
        sources=(Source(PROJECT, path),),
        file=File(str(root), path, found.st_size, found.st_mtime_ns),
    )
    return Candidate(read, 0, ordinal)


def skill(root: Path, path: str, name: str, pack: str) -> Candidate:
    """Return a skill as it was read."""
    file = root / path / "SKILL.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("# How\n")
    found = file.stat()
    place = File(str(root), f"{path}/SKILL.md", found.st_size, found.st_mtime_ns)
    read = Read("skill", "s", f"skill:{name}", "sha256:00", "How", "", (Source(pack, path),), place)
    return Candidate(read, 0, 1)


def ways(
    candidates: list[Candidate], folder: Path, home: Path, host: str = "claude-code"
) -> list[tuple[str, str]]:
    """Return how a subagent that works in a folder finds what it is told of: each path, and where that is."""
    looks = partial(look({"HOME": str(home)}), hosts.load(host))
    return [(one.path, one.within) for one in reached(candidates, str(folder), looks)]


def test_in_its_own_project_a_document_is_at_its_id(top: Path, private_home: Path) -> None:
    """The usual case; below the project's root the way up is told."""
    read = [document(top, "README.md"), document(top, "docs/a.md")]
    assert ways(read, top, private_home) == [("README.md", ""), ("docs/a.md", "")]
    assert ways(read, top / "docs", private_home) == [("../README.md", ""), ("a.md", "")]


def test_a_document_of_a_project_inside_is_told_with_the_way_in(top: Path, private_home: Path) -> None:
    """Its id alone would be that of another file here."""
    assert ways([document(top / "inner", "README.md")], top, private_home) == [("inner/README.md", "")]


def test_a_document_of_the_project_around_is_told_with_the_way_out(top: Path, private_home: Path) -> None:
    """A package of a repository is worked on by the repository's own rules."""
    assert ways([document(top, "README.md")], top / "inner", private_home) == [("../README.md", "")]


def test_a_document_of_a_project_elsewhere_is_not_told(top: Path, private_home: Path) -> None:
    """A subagent would open a file of its own project, or none, under that name."""
    read = [document(top, "docs/a.md", 2), document(top.parent / "beside", "docs/a.md", 1)]
    assert ways(read, top, private_home) == [("docs/a.md", "")]
    assert ways(read[:1], top.parent / "beside", private_home) == []


def test_in_another_checkout_of_one_store_it_is_the_file_there(top: Path, private_home: Path) -> None:
    """Whether that one is the same is then asked of it, not of the one that was read."""
    beside = top.parent / "beside"
    for root in (top, beside):
        (root / FILE).write_text(LISTED + 'scope = "handbook"\n')
    read = document(top, "docs/a.md", named="handbook")
    looks = partial(look({"HOME": str(private_home)}), hosts.load("claude-code"))
    [one] = reached([read], str(beside), looks)
    assert (one.path, one.candidate.read.file and one.candidate.read.file.root) == ("docs/a.md", str(beside))
    (beside / FILE).write_text(LISTED)
    assert reached([read], str(beside), looks) == ()


@pytest.mark.parametrize("named", ["", "handbook"])
def test_a_file_behind_a_link_that_its_folder_became_is_not_told(
    top: Path, private_home: Path, named: str
) -> None:
    """It may lie anywhere now; so may that in the same place of another checkout."""
    where = top.parent / "beside" if named else top
    for root in (top, where):
        (root / FILE).write_text(LISTED + f'scope = "{named}"\n' * bool(named))
    read = [document(top, "docs/a.md", named=named)]
    assert ways(read, where, private_home) == [("docs/a.md", "")]
    (where / "docs").rename(top.parent / "elsewhere")
    (where / "docs").symlink_to(top.parent / "elsewhere")
    assert ways(read, where, private_home) == []


def test_one_file_is_told_of_once(top: Path, private_home: Path) -> None:
    """It may have been read from two folders, each with a name of its own for it; the newer read counts."""
    (top / "inner" / FILE).unlink()
    read = [document(top, "inner/README.md", 2), document(top / "inner", "README.md", 1)]
    assert ways(read, top, private_home) == [("inner/README.md", "")]


@pytest.mark.parametrize(
    ("root", "text"),
    [
        (".", LISTED + 'ignore = ["inner/docs"]\n'),
        (".", "enabled = perhaps\n"),
        ("inner", LISTED + 'ignore = ["docs/a.md"]\n'),
        ("inner", LISTED + "enabled = false\n"),
    ],
)
def test_what_was_ignored_or_switched_off_since_is_not_told(
    top: Path, private_home: Path, root: str, text: str
) -> None:
    """In the file's own project or in one around it, wherever the subagent works."""
    read = [document(top / "inner", "docs/a.md")]
    assert len(ways(read, top, private_home)) == 1
    (top / root / FILE).write_text(text)
    assert ways(read, top, private_home) == []


def test_what_is_no_longer_listed_is_not_told(top: Path, private_home: Path) -> None:
    """The list is the user's word on what counts, at every moment."""
    read = [document(top, "docs/a.md")]
    (top / FILE).write_text('documents = ["README.md"]\n')
    assert ways(read, top, private_home) == []


def test_what_the_users_own_configuration_ignores_since_is_not_told(top: Path, private_home: Path) -> None:
    """It holds in every project."""
    read = [document(top, "docs/a.md")]
    config = private_home / ".config" / "readmark" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('ignore = ["docs/*"]\n')
    assert ways(read, top, private_home) == []


@pytest.mark.parametrize("place", [".agents/skills", ".codex/skills"])
def test_a_skill_of_the_users_own_is_told_everywhere_with_the_name_of_its_place(
    top: Path, private_home: Path, place: str
) -> None:
    """A subagent may have no tool for skills."""
    read = [skill(private_home / place, "x", "x", f"~/{place}")]
    assert ways(read, top, private_home, "codex") == [("x/SKILL.md", f"~/{place}")]


def test_a_skill_of_the_project_is_told_with_the_way_to_its_file(top: Path, private_home: Path) -> None:
    """From wherever in the project the subagent works."""
    read = [skill(top, ".claude/skills/x", "x", PROJECT)]
    assert ways(read, top / "docs", private_home) == [("../.claude/skills/x/SKILL.md", "")]


def test_a_practice_is_told_everywhere_and_asks_no_file_system(top: Path) -> None:
    """It has no file here."""

    def never(_: str) -> Library:
        raise AssertionError

    practice = Candidate(Read("lore", "default", "a.b", "sha256:00", "T", "", ()), 0, 1)
    assert [one.candidate for one in reached([practice], str(top), never)] == [practice]


def test_an_item_of_a_reader_that_is_not_known_is_not_told(top: Path, private_home: Path) -> None:
    """A later readmark may have written it: nobody here knows what counts for it."""
    known = document(top, "docs/a.md")
    assert ways([replace(known, read=replace(known.read, reader="notes"))], top, private_home) == []


def test_a_path_that_no_text_can_name_is_not_told(top: Path, private_home: Path) -> None:
    """Nobody could open it by what it is told."""
    known = document(top, "docs/a.md")
    odd = File(str(top), "docs/\udcff.md", 1, 1)
    assert ways([replace(known, read=replace(known.read, file=odd))], top, private_home) == []

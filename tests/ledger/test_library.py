"""Which files count at an event: the host's places for skills, and what the user and the project list."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from adapters import hosts
from contracts.library import EMPTY, Library, Root
from ledger.errors import ReadmarkError
from ledger.library import look

if TYPE_CHECKING:
    from collections.abc import Callable

    Looked = Callable[..., Library]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project with a file of its own."""
    root = Path(os.path.realpath(tmp_path)) / "project"
    (root / "a" / "b").mkdir(parents=True)
    (root / ".readmark.toml").write_text('documents = ["docs/*.md"]\nignore = ["docs/old.md"]\n')
    return root


@pytest.fixture
def config(private_home: Path) -> Path:
    """Return the user's own configuration."""
    file = private_home / ".config" / "readmark" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text('documents = ["**/DESIGN.md"]\nignore = ["drafts"]\n')
    return file


@pytest.fixture
def looked(private_home: Path) -> Looked:
    """Look at the files that count for a host in a folder."""

    def at(folder: Path | str, host: str = "claude-code") -> Library:
        return look({"HOME": str(private_home)})(hosts.load(host), str(folder))

    return at


def project_of(library: Library) -> Root:
    """Return the project's root."""
    [found] = [root for root in library.roots if root.name == "project"]
    return found


@pytest.mark.parametrize("host", ["claude-code", "codex"])
@pytest.mark.usefixtures("config")
def test_both_lists_count_in_the_project_and_what_either_ignores_everywhere(
    project: Path, looked: Looked, host: str
) -> None:
    """No document lies anywhere else, in a folder of skills or a plugin."""
    library = looked(project / "a" / "b", host)
    assert project_of(library).path == str(project)
    assert project_of(library).documents == ("**/DESIGN.md", "docs/*.md")
    assert len(library.roots) > 1
    for root in library.roots:
        assert root.ignore == ("drafts", "docs/old.md")
        assert root.name == "project" or (root.documents, root.scope) == ((), "")
    assert library.folder == str(project / "a" / "b")


def test_nothing_is_listed_by_default(tmp_path: Path, looked: Looked) -> None:
    """Skills alone count until somebody lists a document."""
    root = project_of(looked(tmp_path))
    assert (root.documents, root.ignore, root.scope) == ((), (), "")
    assert root.skills == (".claude/skills",)


def test_skills_lie_in_the_folder_and_each_above_it_in_the_project(project: Path, looked: Looked) -> None:
    """The nearest first, as Claude Code finds them."""
    assert project_of(looked(project / "a" / "b")).skills == (
        "a/b/.claude/skills",
        "a/.claude/skills",
        ".claude/skills",
    )


def test_a_project_says_which_store_it_is(project: Path, looked: Looked) -> None:
    """So that two checkouts can be one."""
    assert project_of(looked(project)).scope == ""
    (project / ".readmark.toml").write_text('scope = "handbook"\n')
    assert project_of(looked(project)).scope == "handbook"
    assert {root.scope for root in looked(project).roots if root.name != "project"} == {""}


@pytest.mark.parametrize("text", ["documents = 5", "enabled = maybe", 'documents = [""]', 'scope = "a\\nb"'])
def test_a_project_with_a_fault_has_no_files(project: Path, looked: Looked, text: str) -> None:
    """Nor do the user's own skills count there."""
    (project / ".readmark.toml").write_text(text)
    assert looked(project / "a") == EMPTY


@pytest.mark.parametrize("host", ["claude-code", "codex"])
def test_what_a_project_around_ignores_is_ignored_inside(project: Path, looked: Looked, host: str) -> None:
    """It lists nothing there: the nearest project says what counts, each around it what never does."""
    (project / "a" / ".readmark.toml").write_text('documents = ["*.md"]\n')
    library = looked(project / "a" / "b", host)
    assert project_of(library).documents == ("*.md",)
    assert Root("../..", str(project), ignore=("docs/old.md",)) in library.roots


@pytest.mark.usefixtures("config")
def test_a_folder_that_is_gone_is_a_folder(tmp_path: Path, looked: Looked) -> None:
    """A worktree was removed; its name has no links to follow."""
    gone = Path(os.path.realpath(tmp_path)) / "gone"
    assert looked(gone).folder == str(gone)
    assert project_of(looked(gone)).documents == ("**/DESIGN.md",)


def test_a_folder_by_a_link_is_the_folder_itself(project: Path, tmp_path: Path, looked: Looked) -> None:
    """Its project is the one in which it really lies."""
    (tmp_path / "link").symlink_to(project / "a")
    assert looked(tmp_path / "link") == looked(project / "a")


@pytest.mark.parametrize("mark", ["folder", "file"])
def test_a_repository_inside_another_is_a_project_of_its_own(
    project: Path, looked: Looked, mark: str
) -> None:
    """A submodule and a worktree have a file for `.git`; the project's own file goes before either."""
    inner = project / "a" / ".git"
    inner.mkdir() if mark == "folder" else inner.write_text("gitdir: ../.git/modules/a")
    assert project_of(looked(project / "a" / "b")).path == str(project)
    (project / ".readmark.toml").unlink()
    assert project_of(looked(project / "a" / "b")).path == str(project / "a")


@pytest.mark.parametrize("folder", ["/", "~"])
def test_the_home_and_the_whole_system_are_projects_like_any_other(
    looked: Looked, private_home: Path, folder: str
) -> None:
    """What is listed for every project counts there too."""
    home = Path(os.path.realpath(private_home))
    assert project_of(looked(home if folder == "~" else folder)).path == (str(home) if folder == "~" else "/")


@pytest.mark.usefixtures("project")
def test_a_fault_in_the_users_configuration_is_named(config: Path, tmp_path: Path, looked: Looked) -> None:
    """It is no empty list."""
    config.write_text("documents = 5")
    with pytest.raises(ReadmarkError) as caught:
        looked(tmp_path)
    assert caught.value.reason == "config-invalid"

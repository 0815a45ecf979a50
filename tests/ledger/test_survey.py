"""What a project could list: where its documents are, within bounds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ledger import survey as surveys
from ledger.patterns import Patterns, take
from ledger.project import find
from ledger.survey import GLOBS, Offer, never, survey


def lay(root: Path, *places: str) -> None:
    """Put files into a project."""
    for place in places:
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        (root / place).write_text("# A title\n")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return an empty project."""
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    return root


def offers(root: Path) -> dict[str, int]:
    """Return the globs that are offered, and for how many files."""
    return {one.glob: one.files for one in survey(find(root), os.environ).offers}


def test_every_glob_that_is_offered_can_be_listed() -> None:
    """By the rules of the project's file."""
    assert isinstance(take({"documents": list(GLOBS)}), Patterns)


def test_documents_are_found_where_projects_keep_them(project: Path) -> None:
    """Each glob with all that it stands for, and none that stands for nothing more than those before."""
    lay(
        project,
        "README.md",
        "docs/a.md",
        "docs/adr/1.md",
        "docs/DESIGN.md",
        "AGENTS.md",
        "packages/web/AGENTS.md",
    )
    lay(
        project,
        ".github/copilot-instructions.md",
        ".cursor/rules/a.md",
        ".cursor/rules/b.mdc",
        "src/notes.md",
    )
    assert offers(project) == {
        "README.md": 1,
        "**/AGENTS.md": 2,
        "**/DESIGN.md": 1,
        "docs/**/*.md": 3,
        ".github/copilot-instructions.md": 1,
        ".cursor/rules/**/*.md": 1,
    }
    found = survey(find(project), os.environ)
    assert (found.unlisted, found.listed, found.rules, found.whole) == (8, 0, 1, True)


def test_what_is_listed_or_ignored_is_offered_no_more(project: Path) -> None:
    """By the project's file, or by the user's own."""
    lay(project, "docs/a.md", "docs/drafts/b.md", "README.md")
    (project / ".readmark.toml").write_text('documents = ["docs/*.md"]\nignore = ["drafts"]\n')
    found = survey(find(project), os.environ)
    assert (found.offers, found.listed) == ((Offer("README.md", 1),), 1)


def test_a_fault_in_the_users_configuration_offers_what_the_project_says(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told elsewhere."""
    (tmp_path / "config.toml").write_text("[")
    monkeypatch.setenv("READMARK_CONFIG", str(tmp_path / "config.toml"))
    lay(project, "README.md")
    assert offers(project) == {"README.md": 1}


@pytest.mark.parametrize(
    "place",
    [
        "node_modules/x/README.md",
        "docs/node_modules/x/a.md",
        "vendor/x/DESIGN.md",
        ".venv/x/DESIGN.md",
        ".hidden/DESIGN.md",
        "docs/.env.md",
        "docs/id_rsa.md",
        "docs/skills/x/SKILL.md",
        "docs/a.MD",
        "docs/a.txt",
        "/".join(["docs", *"abcdefgh", "x.md"]),
    ],
)
def test_what_others_wrote_or_never_counts_is_not_offered(project: Path, place: str) -> None:
    """Nor what lies deeper than one looks."""
    lay(project, place)
    assert offers(project) == {}


def test_links_and_projects_inside_are_left_alone(project: Path, tmp_path: Path) -> None:
    """A project inside has lists of its own, and a link leads anywhere."""
    lay(project, "docs/inner/a.md")
    (project / "docs/inner/.git").mkdir()
    lay(tmp_path / "elsewhere", "a.md")
    (project / "docs/link").symlink_to(tmp_path / "elsewhere")
    (project / "docs/file.md").symlink_to(tmp_path / "elsewhere/a.md")
    assert offers(project) == {}


def test_a_name_that_is_no_utf_8_and_a_folder_that_cannot_be_listed_are_passed_over(project: Path) -> None:
    """No pattern could name the one, and nobody knows what is in the other."""
    lay(project, "docs/a.md", "docs/shut/b.md")
    Path(os.fsdecode(os.fsencode(project / "docs") + b"/caf\xe9.md")).write_text("# A\n")
    (project / "docs/shut").chmod(0)
    found = offers(project)
    (project / "docs/shut").chmod(0o755)
    assert found == {"docs/**/*.md": 2 if os.geteuid() == 0 else 1}


def test_a_folder_that_goes_while_it_is_looked_at_holds_nothing(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As any other that cannot be listed."""

    def gone(_: object) -> None:
        raise FileNotFoundError

    lay(project, "docs/a.md")
    monkeypatch.setattr("ledger.survey.os.scandir", gone)
    assert offers(project) == {}


@pytest.mark.parametrize(("bound", "value"), [("FOLDERS", 1), ("ENTRIES", 1), ("SECONDS", -1)])
def test_a_large_project_is_looked_through_within_bounds(
    project: Path, monkeypatch: pytest.MonkeyPatch, bound: str, value: int
) -> None:
    """And the answer says that it was not all."""
    lay(project, "docs/a.md", "docs/adr/b.md")
    monkeypatch.setattr(surveys, bound, value)
    assert survey(find(project), os.environ).whole is False


def test_a_home_is_no_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is `/`, nor the folder for temporary files, by whatever link."""
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "link").symlink_to(home)
    monkeypatch.setenv("HOME", str(tmp_path / "link"))
    assert never(home, os.environ)
    assert never(Path("/"), os.environ)
    assert not never(tmp_path, os.environ)
    monkeypatch.setattr("ledger.survey.tempfile.gettempdir", lambda: str(tmp_path))
    assert never(tmp_path, os.environ)
    monkeypatch.setattr("ledger.home.pwd", None, raising=False)
    assert never(Path("/"), {"HOME": ""})

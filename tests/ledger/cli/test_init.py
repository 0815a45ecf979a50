"""`readmark init`: a project's documents are found, shown, and listed after a yes."""

from __future__ import annotations

import os
import pty
import subprocess
from pathlib import Path

import pytest

from ledger.cli import init as verb
from ledger.project import find
from tests.ledger.cli.running import assert_valid, command, run


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a project with some documents, none of them listed; return its folder."""
    root = tmp_path / "project"
    for place in ("README.md", "docs/a.md", "docs/adr/1.md", "docs/adr/2.md", ".cursor/rules/x.mdc"):
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        (root / place).write_text("# A title\n")
    (root / ".git").mkdir()
    monkeypatch.chdir(root)
    return root


def listed(root: Path) -> tuple[str, ...]:
    """Return what the project lists."""
    return find(root).contents.patterns.documents


def test_a_yes_on_the_command_line_lists_what_is_there(project: Path) -> None:
    """With how many files each pattern stands for; then there is nothing left to do."""
    done = run("init", "--yes")
    assert (done.code, done.err) == (0, "")
    words = " ".join(done.text.split())
    assert "README.md 1 file docs/**/*.md 3 files" in words
    assert "1 rule of Cursor in `.mdc` cannot be listed" in words
    assert listed(project) == ("README.md", "docs/**/*.md")
    before = (project / ".readmark.toml").read_bytes()
    again = run("init", "--yes")
    assert again.code == 0
    assert again.text == "Nothing is left to do: 4 Markdown files of this project count already.\n"
    assert (project / ".readmark.toml").read_bytes() == before


def test_one_file_counts(project: Path) -> None:
    """In words that fit one."""
    (project / ".readmark.toml").write_text('documents = ["README.md"]\nignore = ["docs"]\n')
    assert run("init").text == "Nothing is left to do: 1 Markdown file of this project counts already.\n"


def test_without_a_terminal_nothing_is_written(project: Path) -> None:
    """And what to do is said."""
    done = run("init")
    assert done.code == 3
    assert "readmark init --yes" in done.err
    assert not (project / ".readmark.toml").exists()


def test_a_dry_run_only_shows(project: Path) -> None:
    """For people and for programs."""
    done = run("init", "--dry-run")
    assert (done.code, done.err) == (0, "")
    assert "Nothing was written." in done.text
    told = run("init", "--dry-run", "--json")
    assert_valid("init", told.json)
    assert told.json["state"] == "offered"
    assert told.json["documents"] == [{"glob": "README.md", "files": 1}, {"glob": "docs/**/*.md", "files": 3}]
    assert not (project / ".readmark.toml").exists()


def test_programs_are_told_what_was_written(project: Path) -> None:
    """As one document."""
    told = run("init", "--yes", "--json")
    assert_valid("init", told.json)
    assert (told.code, told.json["state"], told.json["otherRules"]) == (0, "written", 1)
    assert listed(project) == ("README.md", "docs/**/*.md")
    again = run("init", "--json")
    assert_valid("init", again.json)
    assert (again.code, again.json["state"], again.json["listed"]) == (0, "unchanged", 4)


@pytest.mark.parametrize(
    "before", [b'scope = "x"\n', b'\xef\xbb\xbfscope = "x"\r\nignore = ["drafts"]\r\n', b"# a comment", b""]
)
def test_what_a_file_says_already_stays_to_the_last_byte(project: Path, before: bytes) -> None:
    """Its mark, its line ends, its comments."""
    file = project / ".readmark.toml"
    file.write_bytes(before)
    was = find(project).contents
    assert run("init", "--yes").code == 0
    after = file.read_bytes()
    assert after.endswith(before.removeprefix(b"\xef\xbb\xbf"))
    assert after.startswith(b"\xef\xbb\xbf") is before.startswith(b"\xef\xbb\xbf")
    assert (b"\r\n" in before) is (b"\r\n" in after)
    now = find(project).contents
    assert (now.scope, now.patterns.ignore) == (was.scope, was.patterns.ignore)
    assert now.patterns.documents == ("README.md", "docs/**/*.md")


def test_a_list_of_a_person_is_never_changed(project: Path) -> None:
    """What to add by hand is said."""
    file = project / ".readmark.toml"
    file.write_text('documents = ["docs/*.md"] # mine\n')
    done = run("init", "--yes")
    assert done.code == 3
    assert '"README.md", "docs/**/*.md"' in done.err
    assert file.read_text() == 'documents = ["docs/*.md"] # mine\n'
    told = run("init", "--yes", "--json")
    assert_valid("init", told.json)
    assert (told.code, told.json["state"]) == (3, "fault")


def test_a_fault_in_the_file_is_said(project: Path) -> None:
    """And nothing is written over it."""
    (project / ".readmark.toml").write_text("documents = [")
    done = run("init", "--yes")
    assert done.code == 4
    assert "project-invalid" in done.err
    assert (project / ".readmark.toml").read_text() == "documents = ["


def test_a_home_is_no_project(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its Markdown is of everything."""
    monkeypatch.setenv("HOME", str(project))
    done = run("init", "--yes")
    assert done.code == 3
    assert "is no project" in done.err
    assert not (project / ".readmark.toml").exists()


def test_from_a_folder_below_it_is_the_same_project(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file stands at its root."""
    monkeypatch.chdir(project / "docs")
    assert run("init", "--yes").code == 0
    assert listed(project) == ("README.md", "docs/**/*.md")
    assert not (project / "docs/.readmark.toml").exists()


def test_a_folder_that_is_gone_is_said_to_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in every other verb."""
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert run("init").code == 4


@pytest.mark.parametrize("broken", ["folder", "hard link", "link", "another meaning", "read-only"])
def test_a_file_that_cannot_be_written_well_is_left_alone(
    project: Path, tmp_path: Path, broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Something else in its place, a second name, or a text that would come to say something else."""
    file = project / ".readmark.toml"
    match broken:
        case "folder":
            file.mkdir()
        case "hard link":
            (tmp_path / "other").write_text("")
            os.link(tmp_path / "other", file)
        case "link":
            file.symlink_to(tmp_path / "nowhere" / "file")
        case "another meaning":
            monkeypatch.setattr(verb, "_line", lambda _: "enabled = false\n")
        case "read-only" if os.geteuid() != 0:
            project.chmod(0o500)
        case _:
            pytest.skip("root may write everything")
    done = run("init", "--yes")
    project.chmod(0o755)
    assert done.code in {3, 4}
    assert done.err
    assert listed(project) == ()


@pytest.mark.parametrize("what", ["changed", "unkept", "failed"])
def test_what_goes_wrong_while_it_is_written_is_said(
    project: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Somebody else wrote it, an attribute cannot be kept, or the disk is full."""
    errors = {
        "changed": verb.Changed(),
        "unkept": verb.Unkept("user.x", "full"),
        "failed": OSError(28, "No space"),
    }

    def fail(*_: object) -> None:
        raise errors[what]

    monkeypatch.setattr(verb, "write", fail)
    done = run("init", "--yes")
    assert done.code == 3
    assert str(project) in " ".join(done.err.split())


def test_a_large_project_says_that_it_was_not_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Within the bounds of a look."""
    monkeypatch.setattr("ledger.survey.FOLDERS", 2)
    assert "too large" in run("init", "--dry-run").text
    assert run("init", "--dry-run", "--json").json["whole"] is False


@pytest.mark.parametrize(("answer", "written"), [(b"y\n", True), (b"\n", True), (b"n\n", False)])
def test_a_person_is_asked_at_a_terminal(project: Path, answer: bytes, *, written: bool) -> None:
    """Yes is what comes without a word: they called it for that."""
    ours, theirs = pty.openpty()
    asked = subprocess.Popen(command("init"), stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    os.close(theirs)
    os.write(ours, answer)
    out, err = asked.communicate(timeout=60)
    os.close(ours)
    assert asked.returncode == 0
    assert b"docs/**/*.md" in out
    assert str(project).encode() in err
    assert bool(listed(project)) is written


def test_a_status_and_an_install_say_that_a_project_lists_nothing(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a hint: nothing is wrong. Where it lists something, is off, or is no project, they say nothing."""
    assert "readmark init" in run("status", "--no-ask").text
    told = run("status", "--no-ask", "--json")
    assert_valid("status", told.json)
    assert told.json["hint"]["reason"] == "documents-unlisted"
    assert "documents-unlisted" not in {one["reason"] for one in told.json["problems"]}
    installed = run("install", "codex", "--dry-run", "--json").json
    assert any("readmark init" in note for note in installed["notes"])
    for text in ('documents = ["*.md"]', "enabled = false", "["):
        (project / ".readmark.toml").write_text(text)
        assert "hint" not in run("status", "--no-ask", "--json").json
    (project / ".readmark.toml").unlink()
    (project / ".git").rmdir()
    assert "hint" not in run("status", "--no-ask", "--json").json
    (project / ".git").mkdir()
    config = project / "config.toml"
    config.write_text('documents = ["*.md"]')
    monkeypatch.setenv("READMARK_CONFIG", str(config))
    assert "hint" not in run("status", "--no-ask", "--json").json
    config.write_text("[")
    assert "hint" not in run("status", "--no-ask", "--json").json


def test_an_empty_project_has_nothing_to_hint_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor has one whose Markdown lies elsewhere."""
    (tmp_path / "empty" / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "empty")
    assert "hint" not in run("status", "--no-ask", "--json").json

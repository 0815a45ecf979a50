"""`readmark why`: whether a file counts here, and what keeps it out."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from ledger.diagnostics import Entry, Summary, append
from ledger.home import state_folder
from ledger.private import ensure_private
from tests.ledger.cli.running import assert_valid, run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a project that lists its records but for drafts; return its folder."""
    root = tmp_path / "project"
    (root / "docs" / "drafts").mkdir(parents=True)
    (root / ".readmark.toml").write_text('documents = ["docs/**/*.md"]\nignore = ["docs/drafts"]\n')
    (root / "docs" / "a.md").write_text("---\ndescription: Before a release\n---\n# The guide\n")
    monkeypatch.chdir(root)
    return root


def test_a_listed_document_counts_and_says_what_a_subagent_is_told() -> None:
    """For people and for programs."""
    done = run("why", "docs/a.md")
    assert (done.code, done.err) == (0, "")
    assert "counts as a document, with those lines that the main agent" in " ".join(done.text.split())
    assert "Title: The guide" in done.text
    told = run("why", "docs/a.md", "--json")
    assert_valid("why", told.json)
    wanted = {"state": "counts", "kind": "document", "id": "docs/a.md", "appliesWhen": "Before a release"}
    assert told.json | wanted == told.json


def test_the_last_refusal_says_what_was_compared() -> None:
    """Of this file, however many others were refused since."""
    folder = state_folder(os.environ).path
    ensure_private(folder)
    for detail in ("3 of 480 lines of docs/a.md", "4 of 480 lines of docs/another/docs/a.md", "docs/b.md"):
        append(folder, Entry(0, "codex", "PostToolUse", 9, Summary("skipped", "lines-too-few", detail)))
    done = run("why", "docs/a.md")
    assert "lines-too-few (3 of 480 lines of docs/a.md)" in " ".join(done.text.split())
    told = run("why", "docs/a.md", "--json")
    assert_valid("why", told.json)
    assert told.json["lastRefused"]["why"]["detail"] == "3 of 480 lines of docs/a.md"
    assert "lastRefused" not in run("why", "docs/c.md", "--json").json


def test_without_a_state_folder_nothing_was_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can know it then."""
    monkeypatch.setenv("READMARK_HOME", "relative")
    assert "refused" not in run("why", "docs/a.md").text


@pytest.mark.parametrize(
    ("host", "place", "name"),
    [
        ("claude-code", ".claude/skills/review/SKILL.md", "skill:review"),
        ("codex", ".agents/skills/review/SKILL.md", "skill:review"),
    ],
)
def test_a_skill_counts_where_its_host_looks(project: Path, host: str, place: str, name: str) -> None:
    """By the name that this host knows it by."""
    (project / place).parent.mkdir(parents=True)
    (project / place).write_text("---\nname: review\ndescription: Reviews\n---\n# Review\n")
    told = run("why", place, "--host", host, "--json")
    assert (told.code, told.json["kind"], told.json["id"]) == (0, "skill", name)


def _listed(text: str, name: str = "docs/b.md") -> Callable[[Path], str]:
    def put(root: Path) -> str:
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
        return name

    return put


def _linked(root: Path) -> str:
    (root.parent / "outside.md").write_text("# Outside\n")
    (root / "docs" / "link.md").symlink_to(root.parent / "outside.md")
    return "docs/link.md"


def _outside(root: Path) -> str:
    (root.parent / "outside.md").write_text("# Outside\n")
    return "../outside.md"


def _inner(text: str) -> Callable[[Path], str]:
    def put(root: Path) -> str:
        (root / "docs" / "inner").mkdir()
        (root / "docs" / "inner" / ".readmark.toml").write_text(text)
        (root / "docs" / "inner" / "c.md").write_text("# C\n")
        return "docs/inner/c.md"

    return put


@pytest.mark.parametrize(
    ("put", "reason"),
    [
        (lambda _: "docs/none.md", "file-missing"),
        (lambda _: "docs", "file-missing"),
        (lambda _: "docs/\0.md", "file-missing"),
        (_listed("# B\n", "b.md"), "file-unlisted"),
        (_listed("# B\n", "docs/b.txt"), "file-kind"),
        (_listed("# B\n", "docs/drafts/b.md"), "file-ignored"),
        (_listed("# B\n", "docs/.env.md"), "file-private"),
        (_listed(""), "file-no-text"),
        (_listed("x" * (1024 * 1024 + 1)), "file-too-large"),
        (_linked, "file-linked"),
        (_outside, "file-outside"),
        (_inner('ignore = ["c.md"]\n'), "file-ignored"),
        (_inner("enabled = false\n"), "project-off"),
    ],
)
def test_what_keeps_a_file_out_is_named_with_what_to_do(
    project: Path, put: Callable[[Path], str], reason: str
) -> None:
    """Each way has a name of its own, and nothing is recorded."""
    file = put(project)
    told = run("why", file, "--json")
    assert_valid("why", told.json)
    assert (told.code, told.json["state"], told.json["refusal"]["reason"]) == (3, "refused", reason)
    done = run("why", file)
    assert (done.code, done.err) == (3, "")
    assert told.json["refusal"]["remedy"] in " ".join(done.text.split())
    assert run("list", "--json").json["conversations"] == []


def test_bytes_that_are_no_utf_8_are_no_text(project: Path) -> None:
    """No host could have sent them."""
    (project / "docs" / "b.md").write_bytes(b"# K\xfcche\n")
    assert run("why", "docs/b.md", "--json").json["refusal"]["reason"] == "file-no-text"


@pytest.mark.parametrize(
    ("text", "code", "reason"),
    [("enabled = false", 3, "project-off"), ("documents = 5", 4, "project-invalid")],
)
def test_where_readmark_is_off_no_file_counts(project: Path, text: str, code: int, reason: str) -> None:
    """The switch, or the fault, is what a person has to know."""
    (project / ".readmark.toml").write_text(text)
    told = run("why", "docs/a.md", "--json")
    assert_valid("why", told.json)
    assert (told.code, told.json["reason"]) == (code, reason)


def test_a_fault_in_a_project_inside_keeps_its_files_out(project: Path) -> None:
    """It is the file's own project that has to be put right."""
    told = run("why", _inner("enabled = perhaps\n")(project), "--json")
    assert (told.code, told.json["reason"]) == (4, "project-invalid")


def test_a_folder_that_is_gone_is_said_to_be(project: Path) -> None:
    """A relative name means nothing there."""
    (project / "gone").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(project / "gone")
        (project / "gone").rmdir()
        told = run("why", "a.md", "--json")
    assert (told.code, told.json["reason"]) == (4, "folder-gone")

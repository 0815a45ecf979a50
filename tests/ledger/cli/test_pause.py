"""`readmark pause` and `resume`, and where a switch that is on shows."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from ledger.project import FILE
from tests.ledger.cli.running import assert_valid, keep, run, state_home

pytestmark = pytest.mark.usefixtures("no_word_of_hosts")


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a subfolder of a project of this test's own."""
    made = Path(os.path.realpath(tmp_path)) / "project"
    (made / ".git").mkdir(parents=True)
    (made / "sub").mkdir()
    monkeypatch.chdir(made / "sub")
    return made


def report(*arguments: str, code: int = 0) -> Any:
    """Return what a verb prints for programs, checked against its schema."""
    done = run(*arguments, "--json")
    assert done.code == code, done
    assert_valid(arguments[0], done.json)
    return done.json


def off() -> list[str]:
    """Return the reasons that the status names as problems."""
    return [one["reason"] for one in run("status", "--json").json["problems"]]


def test_a_pause_is_told_and_shows_in_the_status_until_it_is_lifted() -> None:
    """For all hosts."""
    told = report("pause")
    assert (told["state"], told["verb"], told["scope"]) == ("changed", "pause", "all")
    assert [one["reason"] for one in told["off"]] == ["paused"]
    assert report("pause")["state"] == "unchanged"
    assert off() == ["paused"]
    assert "readmark resume" in run("status").text
    assert report("resume") == {"state": "changed", "verb": "resume", "scope": "all", "off": []}
    assert report("resume")["state"] == "unchanged"
    assert off() == []
    assert "paused for all hosts" in run("pause").text
    assert "lifted" in run("resume").text
    assert "Nothing was paused" in run("resume").text


def test_pauses_of_single_hosts_show_together_and_go_alone() -> None:
    """Each is named."""
    assert report("pause", "codex")["host"] == "codex"
    report("pause", "claude-code")
    [problem] = run("status", "--json").json["problems"]
    assert problem["detail"] == "claude-code, codex"
    told = report("resume", "codex")
    assert told["off"][0]["remedy"] == "Run `readmark resume claude-code`."
    assert "codex was not paused" in run("resume", "codex").text
    assert "Still off" in run("resume", "codex").text
    assert report("resume")["off"] == []


def test_one_host_cannot_be_resumed_while_all_are_paused() -> None:
    """It is refused with what to do, and nothing changes."""
    run("pause")
    assert report("resume", "codex", code=3)["reason"] == "paused-all"
    assert "readmark pause HOST" in run("resume", "codex").err
    assert off() == ["paused"]


def test_a_project_is_switched_off_and_on_from_a_subfolder(project: Path) -> None:
    """By its own file, which goes again."""
    told = report("pause", "--project")
    assert (told["scope"], told["fileIs"], told["file"]) == ("project", "made", str(project / FILE))
    assert off() == ["project-off"]
    assert "readmark is off in it" in run("config").text
    assert report("config")["project"] == {
        "root": str(project),
        "file": str(project / FILE),
        "enabled": False,
    }
    assert report("pause", "--project")["state"] == "unchanged"
    assert "was off already" in run("pause", "--project").text
    assert report("resume", "--project")["fileIs"] == "removed"
    assert not (project / FILE).exists()
    assert "There was no off switch" in run("resume", "--project").text
    assert "is off in" in run("pause", "--project").text.replace("\n", " ")
    assert "is gone in" in run("resume", "--project").text.replace("\n", " ")


def test_a_project_file_with_a_fault_is_left_alone(project: Path) -> None:
    """And named, with its place."""
    (project / FILE).write_text('documents = [""]')
    fault = report("pause", "--project", code=3)
    assert fault["message"].startswith(f"{FILE}: documents[0]: must be a text")
    assert "left as it was." in run("resume", "--project").err
    assert off() == ["project-invalid"]
    told = report("config", code=3)
    assert (told["place"], told["file"]) == (f"{FILE}: documents[0]", str(project / FILE))
    assert "nothing is recorded or briefed" in run("config").text.replace("\n", " ")


def test_the_lists_show_with_their_origins(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's own first."""
    own = project.parent / "config.toml"
    own.write_text('documents = ["own/*.md"]\n')
    monkeypatch.setenv("READMARK_CONFIG", str(own))
    (project / FILE).write_text('documents = ["docs/*.md"]\nignore = ["x"]\n')
    told = report("config")
    assert told["documents"] == [
        {"pattern": "own/*.md", "origin": "file"},
        {"pattern": "docs/*.md", "origin": "project"},
    ]
    assert told["ignore"] == [{"pattern": "x", "origin": "project"}]
    assert "documents docs/*.md project" in " ".join(run("config").text.split())


def test_a_host_and_a_project_at_once_are_wrong_usage() -> None:
    """A project's file is of no host."""
    for verb in ("pause", "resume"):
        assert run(verb, "codex", "--project").code == 2
        assert run(verb, "codx").code == 2
    assert not state_home().exists()


def test_a_variable_shows_beside_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """A resume says what is still off."""
    monkeypatch.setenv("READMARK_DISABLED", "1")
    run("pause")
    assert off() == ["disabled", "paused"]
    assert [one["reason"] for one in report("resume")["off"]] == ["disabled"]


@pytest.mark.usefixtures("proven")
def test_nothing_is_briefed_by_hand_while_paused() -> None:
    """A subagent would receive nothing, either."""
    keep("codex", "r")
    run("pause", "codex")
    told = report("brief", "--host", "codex", "--conversation", "r", code=3)
    assert (told["reason"], told["detail"]) == ("paused", "codex")
    assert run("list", "--json").json["conversations"]


def test_a_folder_that_is_gone_has_no_project(project: Path) -> None:
    """Status and config go on; a switch has no place."""
    (project / "sub").rmdir()
    assert off() == []
    assert "project" not in report("config")
    assert report("pause", "--project", code=4)["reason"] == "folder-gone"
    assert "Change into a folder that is there." in run("resume", "--project").err


@pytest.mark.parametrize("name", ["ledger.paused", "ledger.paused-codex"])
def test_a_folder_in_the_place_of_a_mark_is_named_until_it_is_gone(name: str) -> None:
    """No resume lifts it, so none is advised."""
    mark = state_home() / name
    mark.mkdir(mode=0o700, parents=True)
    told = report("resume", code=4)
    assert (told["reason"], told["detail"]) == ("pause-stuck", str(mark))
    assert str(mark) in run("resume").err
    host = [] if name == "ledger.paused" else ["codex"]
    [why] = report("pause", *host)["off"]
    assert why["remedy"] == f"Remove {mark}, which is a folder."
    if host:
        run("pause", "claude-code")
        [why] = report("pause", *host)["off"]
        assert why["remedy"].startswith(f"Remove {mark}, which is a folder. Run `readmark resume`")
    mark.rmdir()
    assert report("resume")["off"] == []


def test_without_a_state_folder_a_pause_fails_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody may believe in a pause that is not there."""
    monkeypatch.setenv("READMARK_HOME", "relative")
    for verb in ("pause", "resume"):
        assert report(verb, code=4)["reason"] == "home-relative"
    assert off() == ["home-relative"]

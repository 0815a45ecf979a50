"""`readmark config`: the limits in force, where each came from, and what is wrong with them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from contracts.limits import Limits
from ledger.patterns import LISTS
from ledger.project import ENABLED, FILE, SCOPE, Contents, understood
from ledger.settings import variable
from tests.ledger.cli.running import assert_valid, run


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Name the configuration file of this test, which does not exist yet."""
    path = tmp_path / "own" / "config.toml"
    path.parent.mkdir()
    monkeypatch.setenv("READMARK_CONFIG", str(path))
    return path


def test_every_limit_is_shown_with_its_origin(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment goes before the file, and the file before the default."""
    file.write_text("[limits]\ncandidates = 7\nconversations = 8\n")
    monkeypatch.setenv(variable("conversations"), "9")
    done = run("config", "--json")
    assert_valid("config", done.json)
    assert (done.code, done.json["state"], done.json["file"], done.json["found"]) == (
        0,
        "ready",
        str(file),
        True,
    )
    limits = done.json["limits"]
    assert list(limits) == list(Limits.__struct_fields__)
    assert limits["candidates"] == {"value": 7, "origin": "file", "variable": "READMARK_CANDIDATES"}
    assert limits["conversations"] == {
        "value": 9,
        "origin": "environment",
        "variable": "READMARK_CONVERSATIONS",
    }
    assert limits["idle_seconds"]["origin"] == "default"
    text = " ".join(run("config").text.split())
    assert "candidates 7 file READMARK_CANDIDATES" in text


def test_a_missing_file_is_said_to_be_missing(file: Path) -> None:
    """Its name shows where it would be looked for."""
    assert run("config", "--json").json["found"] is False
    text = run("config").text
    assert str(file) in text.replace("\n", "")
    assert "there is none" in text


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ("[limits]\ncandidate = 1\n", "limits.candidate"),
        ("[limits]\ncandidates = 0\n", "limits.candidates"),
        ("[limits\n", "config.toml"),
    ],
)
def test_a_fault_is_shown_with_its_place_and_remedy(file: Path, content: str, place: str) -> None:
    """A misspelt key, a value out of bounds, and no TOML at all."""
    file.write_text(content)
    done = run("config", "--json")
    assert_valid("config", done.json)
    assert (done.code, done.json["state"], done.json["place"]) == (3, "fault", place)
    told = run("config")
    assert told.code == 3
    assert place in told.text
    assert "--example" in told.text


@pytest.mark.usefixtures("file")
def test_a_pattern_that_can_mean_nothing_says_what_to_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the project's own file, of which the example is another one."""
    (tmp_path / FILE).write_text('documents = ["docs"]\n')
    monkeypatch.chdir(tmp_path)
    told = run("config", "--json")
    assert_valid("config", told.json)
    assert (told.code, told.json["place"]) == (3, f"{FILE}: documents[0]")
    assert told.json["message"].endswith("write docs.md or docs/**/*.md")
    assert "--example --project" in told.json["remedy"]


@pytest.mark.usefixtures("file")
def test_a_fault_of_the_environment_sends_nobody_to_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """The place is the variable, and what holds for it stands beside it."""
    monkeypatch.setenv("READMARK_CANDIDATES", "abc")
    done = run("config", "--json")
    assert_valid("config", done.json)
    assert (done.code, done.json["place"]) == (3, "READMARK_CANDIDATES")
    assert done.json["message"] == "must be a whole number from 1 to 2147483647"
    told = run("config").text
    assert "File" not in told
    assert "--example" not in told
    assert "unset it" in told


@pytest.mark.usefixtures("file")
@pytest.mark.parametrize("form", [[], ["--json"]])
@pytest.mark.parametrize(
    ("name", "near"),
    [("READMARK_CANDIDATE", "READMARK_CANDIDATES"), ("READMARK_HOMEE", "READMARK_HOME"), ("READMARK_ZZ", "")],
)
def test_a_variable_that_does_nothing_is_named(
    name: str, near: str, form: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever set it believes that it does something."""
    monkeypatch.setenv(name, "5")
    done = run("config", *form)
    assert done.code == 0
    assert f"{name} is no variable of readmark" in done.err
    assert ("Did you mean" in done.err) is bool(near)
    assert f"{near}?" in done.err or not near
    assert run("config", "--json").json["state"] == "ready"


def test_a_fault_cannot_steer_the_terminal(file: Path) -> None:
    """A key is the text of whoever wrote the file."""
    file.write_text('[limits]\n"\\u001b[31m\\u202e" = 1\n')
    told = run("config")
    assert told.code == 3
    assert not {"\x1b", "\u202e"} & set(told.text)


def test_the_example_is_the_defaults_once_uncommented(file: Path) -> None:
    """As printed it changes nothing; with its comments taken off it states what holds anyway."""
    printed = run("config", "--example")
    assert printed.code == 0
    file.write_text(printed.text)
    assert {one["origin"] for one in run("config", "--json").json["limits"].values()} == {"default"}
    lines = [line.removeprefix("# ") if " = " in line else line for line in printed.text.splitlines()]
    file.write_text("\n".join(lines))
    limits = run("config", "--json").json["limits"]
    assert {one["origin"] for one in limits.values()} == {"file"}
    assert {key: one["value"] for key, one in limits.items()} == {
        key: getattr(Limits(), key) for key in Limits.__struct_fields__
    }
    assert all(variable(key) in printed.text for key in limits)


def test_where_no_documents_are_listed_a_person_is_told_how(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The words work as they stand, in either file; then they are gone, and the list is there."""
    monkeypatch.chdir(tmp_path)
    told = " ".join(run("config").text.split())
    assert told.count("No documents are listed") == 1
    line = told[told.index("documents = [") :]
    for place, origin in ((file, "file"), (tmp_path / FILE, "project")):
        place.write_text(line)
        listed = run("config")
        assert "No documents are listed" not in listed.text
        assert re.search(rf"^documents +docs/\*\*/\*\.md +{origin}$", listed.text, re.MULTILINE)
        place.unlink()


def test_the_scope_of_a_project_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the lists, as the project's; without one nothing is said of it."""
    monkeypatch.chdir(tmp_path)
    assert not re.search(r"^scope ", run("config").text, re.MULTILINE)
    assert "scope" not in run("config", "--json").json["project"]
    (tmp_path / FILE).write_text('scope = "product"\n')
    assert re.search(r"^scope +product +project$", run("config").text, re.MULTILINE)
    done = run("config", "--json")
    assert_valid("config", done.json)
    assert done.json["project"]["scope"] == "product"


def test_the_example_of_a_project_is_its_defaults_once_uncommented() -> None:
    """Every key that its file may hold is there."""
    printed = run("config", "--example", "--project")
    assert printed.code == 0
    assert understood(printed.out) == Contents()
    lines = [line.removeprefix("# ") if " = " in line else line for line in printed.text.splitlines()]
    assert understood("\n".join(lines).encode()) == Contents()
    assert [line.split(" = ")[0] for line in lines if " = " in line] == [ENABLED, SCOPE, *LISTS]


def test_a_project_without_an_example_is_wrong_usage() -> None:
    """The option says which example is meant."""
    done = run("config", "--project")
    assert (done.code, done.out) == (2, b"")


def test_the_example_is_no_json() -> None:
    """Two forms at once are wrong usage."""
    done = run("config", "--example", "--json")
    assert (done.code, done.out) == (2, b"")


def test_without_any_place_for_a_file_the_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The state folder decides, and a relative one is refused."""
    monkeypatch.setenv("READMARK_HOME", "relative")
    done = run("config", "--json")
    assert_valid("config", done.json)
    assert (done.code, done.json["reason"]) == (4, "home-relative")

"""`readmark evidence`: what it says of recordings, without any host."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from adapters.evidence import packages, verdict
from adapters.evidence.counterparts import FIRST
from adapters.evidence.expected import TABLE
from adapters.evidence.scenario import scenarios
from adapters.hosts import HOSTS
from contracts.verdict import Verdict
from tests.ledger.cli.running import EVIDENCE, assert_valid, run


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """Copy as much of one version's evidence as shows every gate, so that it can be changed.

    All of it takes many seconds; `tests/adapters/evidence/test_verdict.py` holds the tree against it.
    """
    source = EVIDENCE / "codex" / "0.171.0"
    gates = msgspec.json.decode((source / "verdict.json").read_bytes(), type=Verdict).gates
    names = {"direct", f"{FIRST}/pipe", *(gate.scenarios[0] for gate in gates.values())}
    folder = tmp_path / "evidence" / "codex" / "0.171.0"
    (folder / FIRST).mkdir(parents=True)
    for name in names:
        shutil.copy(source / f"{name}.json", folder / f"{name}.json")
    head, *rows = (source / FIRST / TABLE).read_text().splitlines(keepends=True)
    kept = [row for row in rows if row.startswith("#") or f"{FIRST}/{row.split()[0]}" in names]
    (folder / FIRST / TABLE).write_text("".join([head, *kept]))
    (folder / verdict.FILE).write_bytes(verdict.text(verdict.compute(folder)))
    return tmp_path / "evidence"


@pytest.mark.parametrize("host", HOSTS)
def test_scenarios_are_listed_with_one_line_of_purpose(host: str) -> None:
    """A maintainer chooses by purpose."""
    report = run("evidence", "scenarios", host, "--json")
    assert_valid("evidence-scenarios", report.json)
    assert [one["scenario"] for one in report.json["scenarios"]] == [one.name for one in scenarios(host)]
    assert "direct " in run("evidence", "scenarios", host).text


def test_check_recomputes_every_verdict_of_a_tree(copied: Path) -> None:
    """The recordings still show what the tree says that they show."""
    shutil.copytree(copied / "codex" / "0.171.0", copied / "codex" / "0.172.0")
    kept = copied / "codex" / "0.172.0" / verdict.FILE
    kept.write_bytes(kept.read_bytes().replace(b"0.171.0", b"0.172.0"))
    done = run("evidence", "check", "--evidence", str(copied), "--json")
    assert_valid("evidence-check", done.json)
    assert done.code == 0
    assert [one["version"] for one in done.json["versions"]] == ["0.171.0", "0.172.0"]
    assert all(one["passing"] and one["asKept"] for one in done.json["versions"])
    text = run("evidence", "check", "codex", "--evidence", str(copied)).text
    assert text == "codex 0.171.0: passes\ncodex 0.172.0: passes\n"


def test_check_fails_where_a_verdict_no_longer_holds(copied: Path) -> None:
    """A typed verdict, or an adapter that changed, is found out."""
    kept = copied / "codex" / "0.171.0" / "verdict.json"
    kept.write_bytes(kept.read_bytes().replace(b'"passed"', b'"failed"', 1))
    done = run("evidence", "check", "codex", "--evidence", str(copied))
    assert done.code == 3
    assert "the verdict in the tree says something else" in done.text


def test_check_writes_what_was_computed_when_asked_to(copied: Path) -> None:
    """The only way in which a verdict comes into the tree."""
    kept = copied / "codex" / "0.171.0" / "verdict.json"
    before = kept.read_bytes()
    kept.unlink()
    assert run("evidence", "check", "codex", "--evidence", str(copied), "--update").code == 0
    assert kept.read_bytes() == before
    assert (copied / "codex" / "shapes.json").exists()


def test_check_shows_the_gates_of_a_version_that_does_not_pass(copied: Path) -> None:
    """What is missing is named with its state."""
    folder = copied / "codex" / "0.171.0"
    for path in [*folder.glob("*.json"), folder / "first"]:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    done = run("evidence", "check", "codex", "--evidence", str(copied))
    assert done.code == 3
    assert "codex 0.171.0: does not pass" in done.text
    assert done.text.count("not-shown") == 7


def test_check_says_where_recordings_are_when_there_are_none(tmp_path: Path) -> None:
    """An installed copy has verdicts, but no recordings."""
    done = run("evidence", "check", "codex", "--evidence", str(tmp_path))
    assert (done.code, done.out) == (4, b"")
    assert "a checkout of the project has them" in done.err


def test_diff_shows_what_changed_between_two_versions() -> None:
    """Claude Code 2.1.332 tells at a resume how long it was away."""
    done = run("evidence", "diff", "claude-code", "2.1.197", "2.1.332", "--json")
    assert_valid("evidence-diff", done.json)
    assert "+ SessionStart.context_tokens: new (number, not always)" in done.json["changes"]
    same = run("evidence", "diff", "codex", "0.171.0", "0.171.0")
    assert (same.code, same.text) == (0, "Nothing changed between codex 0.171.0 and 0.171.0.\n")


def test_diff_of_a_version_that_was_not_recorded_names_the_recorded_ones() -> None:
    """It is wrong usage, with the remedy."""
    done = run("evidence", "diff", "codex", "0.171.0", "9.9.9")
    assert (done.code, done.out) == (2, b"")
    assert "Recorded: 0.171.0." in done.err


def test_run_needs_the_hosts_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says how to name one."""
    monkeypatch.setenv("PATH", "/nowhere")
    done = run("evidence", "run", "codex")
    assert (done.code, done.out) == (4, b"")
    assert "--binary" in done.err


def test_run_of_an_unknown_scenario_says_how_to_list_them(tmp_path: Path) -> None:
    """Nothing is started."""
    program = tmp_path / "codex"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    done = run("evidence", "run", "codex", "--binary", str(program), "--scenario", "nonsense")
    assert (done.code, done.out) == (2, b"")
    assert "`readmark evidence scenarios codex` lists them" in done.err


def test_every_pinned_version_has_a_verdict_in_the_tree() -> None:
    """What CI plays is what the switch rests on."""
    versions = {
        (host, version) for host, package in packages.pinned().items() for version in package.versions
    }
    assert versions == {(path.parts[-3], path.parts[-2]) for path in EVIDENCE.glob("*/*/verdict.json")}


@pytest.mark.parametrize(
    ("break_it", "told"),
    [
        (lambda folder: (folder / "first" / "pipe.json").unlink(), "no recording for the rows of first/pipe"),
        (lambda folder: strip(folder / "first" / "expected.tsv", "pipe"), "no rows for first/pipe.json"),
        (lambda folder: (folder / "first" / "expected.tsv").unlink(), "no rows for first/pipe.json"),
        (
            lambda folder: shutil.copy(folder / "direct.json", folder / "unheard.json"),
            "no scenario for unheard.json",
        ),
        (
            lambda folder: shutil.copy(folder / "first" / "pipe.json", folder / "first" / "pipe_copy.json"),
            "no rows for first/pipe_copy.json",
        ),
    ],
    ids=["row alone", "recording alone", "no table", "no scenario", "copy"],
)
@pytest.mark.parametrize("update", [False, True], ids=["", "update"])
def test_check_names_what_has_no_counterpart(
    copied: Path, break_it: Callable[[Path], object], told: str, *, update: bool
) -> None:
    """Neither is a verdict computed from it, nor anything written."""
    folder = copied / "codex" / "0.171.0"
    kept = folder / "verdict.json"
    kept.write_bytes(b"as it was")
    break_it(folder)
    words = ["evidence", "check", "codex", "--evidence", str(copied), *(["--update"] if update else [])]
    done = run(*words)
    assert (done.code, done.out) == (3, b"")
    assert f"codex 0.171.0: there is {told}." in done.err
    assert kept.read_bytes() == b"as it was"
    assert not (copied / "codex" / "shapes.json").exists()


def strip(table: Path, scenario: str) -> None:
    """Take the rows of one scenario out of a table."""
    lines = table.read_text().splitlines(keepends=True)
    table.write_text("".join(line for line in lines if line.split("\t")[0] != scenario))

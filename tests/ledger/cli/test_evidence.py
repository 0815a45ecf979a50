"""`readmark evidence`: what it says of recordings, without any host."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from adapters.evidence import packages, shapes, verdict
from adapters.evidence.counterparts import FIRST
from adapters.evidence.expected import TABLE
from adapters.evidence.scenario import scenarios
from adapters.hosts import HOSTS
from adapters.verdicts import SHAPES
from contracts.reasons import GATES
from contracts.verdict import GateVerdict, Verdict
from tests.ledger.cli.running import EVIDENCE, Ran, assert_valid, run


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
    computed = verdict.compute(folder)
    (folder / verdict.FILE).write_bytes(verdict.text(computed))
    (folder.parent / SHAPES).write_bytes(shapes.of_host("codex", folder.parents[1], {"0.171.0"}))
    return tmp_path / "evidence"


def again(evidence: Path, version: str) -> Path:
    """Let the recordings be those of another version too, as if its host had been asked the same."""
    other = evidence / "codex" / version
    shutil.copytree(evidence / "codex" / "0.171.0", other)
    for path in other.rglob("*.json"):
        path.write_bytes(path.read_bytes().replace(b'"0.171.0"', f'"{version}"'.encode()))
    return other


def check(evidence: Path, *more: str) -> Ran:
    """Check a folder's recordings of Codex."""
    return run("evidence", "check", "codex", "--evidence", str(evidence), *more)


def tree_of(folder: Path) -> dict[Path, bytes]:
    """Return all files below a folder with what they hold."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("host", HOSTS)
def test_scenarios_are_listed_with_one_line_of_purpose(host: str) -> None:
    """A maintainer chooses by purpose."""
    report = run("evidence", "scenarios", host, "--json")
    assert_valid("evidence-scenarios", report.json)
    assert [one["scenario"] for one in report.json["scenarios"]] == [one.name for one in scenarios(host)]
    assert "direct " in run("evidence", "scenarios", host).text


def test_check_recomputes_every_verdict_of_a_tree(copied: Path) -> None:
    """The recordings still show what the tree says that they show."""
    again(copied, "0.172.0")
    done = run("evidence", "check", "--evidence", str(copied), "--json")
    assert_valid("evidence-check", done.json)
    assert done.code == 0
    assert [one["version"] for one in done.json["versions"]] == ["0.171.0", "0.172.0"]
    assert all(one["state"] == "passes" and one["asKept"] for one in done.json["versions"])
    assert done.json["files"] == [{"host": "codex", "file": SHAPES, "asKept": True}]
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


def test_a_verdict_that_no_recording_fails_may_still_not_hold(copied: Path) -> None:
    """That a read got through was shown, and is not any more: the tree says more than can be seen."""
    folder = copied / "codex" / "0.171.0"
    for path in [*folder.glob("*.json"), folder / "first"]:
        if path.name not in {verdict.FILE, "direct.json"}:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    kept = msgspec.json.decode((folder / verdict.FILE).read_bytes(), type=Verdict)
    passed = {gate: GateVerdict("passed") for gate in GATES}
    (folder / verdict.FILE).write_bytes(verdict.text(Verdict(kept.host, kept.version, passed)))
    done = check(copied)
    assert done.code == 3
    assert "codex 0.171.0: does not pass; the verdict in the tree says something else" in done.text
    assert done.text.count("not-shown") == len(GATES)


def test_a_version_of_which_little_is_recorded_is_not_proven_yet(copied: Path) -> None:
    """A few recordings are no failure; a verdict would switch the version off, so none is written."""
    folder = again(copied, "0.172.0")
    for path in folder.glob("*.json"):
        if path.name != "direct.json":
            path.unlink()
    shutil.rmtree(folder / FIRST)
    done = check(copied, "--json")
    assert_valid("evidence-check", done.json)
    assert done.code == 0
    assert [one["state"] for one in done.json["versions"]] == ["passes", "not-proven"]
    before = tree_of(copied)
    text = check(copied, "--update")
    assert text.code == 0
    assert "codex 0.172.0: not proven yet\n" in text.text
    assert tree_of(copied) == before


def test_a_version_that_is_not_proven_gives_no_shapes(copied: Path) -> None:
    """A field that only it sends stays unknown."""
    folder = again(copied, "0.172.0")
    for path in [*folder.glob("*.json")]:
        if path.name != "direct.json":
            path.unlink()
    shutil.rmtree(folder / FIRST)
    direct = folder / "direct.json"
    direct.write_bytes(direct.read_bytes().replace(b'"hook_event_name"', b'"newer": 1, "hook_event_name"'))
    assert check(copied, "--update").code == 0
    assert b"newer" not in (copied / "codex" / SHAPES).read_bytes()


def test_check_holds_the_shapes_against_the_recordings(copied: Path) -> None:
    """One that was typed would let through what no host was seen to send."""
    kept = copied / "codex" / SHAPES
    before = kept.read_bytes()
    kept.write_bytes(before.replace(b'"always": true', b'"always": false', 1))
    done = check(copied)
    assert (done.code, done.text) == (
        3,
        "codex 0.171.0: passes\ncodex: shapes.json is not what the recordings give\n",
    )
    assert check(copied, "--update").code == 0
    assert kept.read_bytes() == before


@pytest.mark.parametrize("update", [False, True], ids=["", "update"])
@pytest.mark.parametrize("host", [(), ("codex",)], ids=["all", "codex"])
def test_check_says_that_an_installed_copy_has_no_recordings(
    copied: Path, host: tuple[str, ...], *, update: bool
) -> None:
    """It has verdicts and shapes; whatever it is asked to do, it keeps them."""
    for path in tree_of(copied):
        if path.name not in {verdict.FILE, SHAPES}:
            path.unlink()
    before = tree_of(copied)
    done = run("evidence", "check", *host, "--evidence", str(copied), *(["--update"] if update else []))
    assert (done.code, done.out) == (3, b"")
    assert "there are no recordings" in done.err
    assert "A checkout of the project has them" in done.err
    assert tree_of(copied) == before


def test_check_replaces_no_verdict_by_one_of_fewer_recordings(copied: Path) -> None:
    """What is gone is named; whoever wants it gone takes the verdict away too."""
    (copied / "codex" / "0.171.0" / "direct.json").unlink()
    before = tree_of(copied)
    done = check(copied, "--update")
    assert (done.code, done.out) == (3, b"")
    assert "codex 0.171.0: direct.json is not there, and its verdict.json rests on it." in done.err
    assert tree_of(copied) == before


def test_a_copied_version_is_no_proof(copied: Path) -> None:
    """Its recordings say of which version they are."""
    other = again(copied, "9.9.9")
    shutil.copy(copied / "codex" / "0.171.0" / "direct.json", other)
    done = check(copied)
    assert (done.code, done.out) == (3, b"")
    assert "9.9.9: direct.json is a recording of codex 0.171.0 direct, not of codex 9.9.9 direct." in done.err


def test_check_names_strays_and_the_right_folder(copied: Path) -> None:
    """A folder of no host, and one of the wrong level."""
    (copied / "notes").mkdir()
    done = run("evidence", "check", "--evidence", str(copied))
    assert (done.code, done.out) == (3, b"")
    assert "notes is the folder of no host" in done.err
    wrong = check(copied / "codex")
    assert (wrong.code, wrong.out) == (2, b"")
    assert f"Name {copied} instead." in wrong.err


def test_diff_shows_what_changed_between_two_versions() -> None:
    """Claude Code 2.1.332 tells at a resume how long it was away."""
    done = run("evidence", "diff", "claude-code", "2.1.197", "2.1.332", "--json")
    assert_valid("evidence-diff", done.json)
    assert {
        "kind": "new",
        "event": "SessionStart",
        "field": "context_tokens",
        "new": "number, not always",
    } in done.json["changes"]
    assert "resume" in done.json["compared"]
    text = run("evidence", "diff", "claude-code", "2.1.197", "2.1.332").text
    assert "+ SessionStart.context_tokens: new (number, not always)\n" in text


def test_nothing_changed_between_a_version_and_itself(copied: Path) -> None:
    """And nothing is left out."""
    same = run("evidence", "diff", "codex", "0.171.0", "0.171.0", "--evidence", str(copied))
    assert (same.code, same.text) == (0, "Nothing changed between codex 0.171.0 and 0.171.0.\n")


def test_diff_compares_only_what_both_versions_played(copied: Path) -> None:
    """Of a version with one recording, nothing is gone; what is in one alone is named."""
    other = again(copied, "0.172.0")
    for path in [*other.glob("*.json")]:
        if path.name != "direct.json":
            path.unlink()
    shutil.rmtree(other / FIRST)
    words = ("evidence", "diff", "codex", "0.171.0", "0.172.0", "--evidence", str(copied))
    told = run(*words, "--json").json
    assert (told["compared"], told["changes"], told["onlyNew"]) == (["direct"], [], [])
    assert f"{FIRST}/pipe" in told["onlyOld"]
    text = run(*words).text
    assert text.startswith("Nothing changed between codex 0.171.0 and 0.172.0.\n")
    assert "Not compared, for only 0.171.0 has them: " in text
    (other / "direct.json").rename(other / "wrapped.json")
    (other / "wrapped.json").write_bytes(
        (other / "wrapped.json").read_bytes().replace(b'"scenario": "direct"', b'"scenario": "wrapped"')
    )
    assert run(*words).text.startswith("Nothing to compare: no scenario is recorded of both")


@pytest.mark.parametrize("word", ["9.9.9", "codex", "direct.json", "first", "..", "0.171.0/first"])
def test_diff_of_what_is_no_recorded_version_names_the_recorded_ones(word: str) -> None:
    """It is wrong usage, with the remedy; no other part of a path is a version."""
    for versions in ((word, "0.171.0"), ("0.171.0", word)):
        done = run("evidence", "diff", "codex", *versions)
        assert (done.code, done.out) == (2, b"")
        assert "Recorded: 0.171.0." in done.err


def test_diff_says_where_there_are_no_recordings_at_all(copied: Path) -> None:
    """As an installed copy has it."""
    for path in tree_of(copied):
        if path.name not in {verdict.FILE, SHAPES}:
            path.unlink()
    done = run("evidence", "diff", "codex", "0.171.0", "0.171.0", "--evidence", str(copied))
    assert (done.code, done.out) == (3, b"")
    assert "there are no recordings of codex" in done.err


def test_diff_names_a_broken_recording(copied: Path) -> None:
    """It compares nothing rather than less."""
    (copied / "codex" / "0.171.0" / "direct.json").write_bytes(b"")
    done = run("evidence", "diff", "codex", "0.171.0", "0.171.0", "--evidence", str(copied))
    assert (done.code, done.out) == (3, b"")
    assert "codex 0.171.0: direct.json is no recording: it is empty." in done.err


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
            lambda folder: copy(folder / "direct.json", "unheard"),
            "no scenario for unheard.json",
        ),
        (
            lambda folder: copy(folder / "first" / "pipe.json", "pipe_copy"),
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
    (copied / "codex" / SHAPES).unlink()
    break_it(folder)
    words = ["evidence", "check", "codex", "--evidence", str(copied), *(["--update"] if update else [])]
    done = run(*words)
    assert (done.code, done.out) == (3, b"")
    assert f"codex 0.171.0: There is {told}." in done.err
    assert kept.read_bytes() == b"as it was"
    assert not (copied / "codex" / "shapes.json").exists()


def copy(recording: Path, name: str) -> None:
    """Put a recording beside itself under another name."""
    old = f'"scenario": "{recording.stem}"'.encode()
    made = recording.read_bytes().replace(old, f'"scenario": "{name}"'.encode())
    recording.with_stem(name).write_bytes(made)


def strip(table: Path, scenario: str) -> None:
    """Take the rows of one scenario out of a table."""
    lines = table.read_text().splitlines(keepends=True)
    table.write_text("".join(line for line in lines if line.split("\t")[0] != scenario))

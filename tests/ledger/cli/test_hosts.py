"""`readmark hosts`: which gates a host passes, why it is off, and how it is registered."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from adapters.hosts import HOSTS, load
from contracts.reasons import GATES
from ledger.cli import command
from tests.ledger.cli.running import assert_valid, put_verdict, run


def test_hosts_without_evidence_are_off() -> None:
    """Every host of the table is shown, verdict or not."""
    done = run("hosts", "--json")
    assert_valid("hosts", done.json)
    assert done.code == 0
    assert [(one["host"], one["on"]) for one in done.json["hosts"]] == [(name, False) for name in HOSTS]
    assert all("no evidence" in one["whyOff"] for one in done.json["hosts"])
    assert run("hosts").text.count("no evidence") == len(HOSTS)


@pytest.mark.usefixtures("proven")
def test_a_host_that_passes_every_gate_is_on() -> None:
    """Symbols and words, so that no colour carries meaning alone."""
    done = run("hosts", "codex", "--json")
    assert_valid("hosts", done.json)
    (codex,) = done.json["hosts"]
    assert codex["on"]
    assert "whyOff" not in codex
    assert list(codex["versions"][0]["gates"]) == list(GATES)
    assert codex["versions"][0]["gates"]["actor"] == {"state": "passed", "scenarios": ["direct"]}
    text = run("hosts", "codex").text
    assert text.startswith("codex: on\n")
    assert text.count("✓ passed") == len(GATES)


def test_a_gate_that_stays_shut_is_named(verdict_folder: Path) -> None:
    """One gate failed and one never shown keep the host off."""
    put_verdict(verdict_folder, "codex", "0.171.0", actor="failed", visible="not-shown")
    (codex,) = run("hosts", "codex", "--json").json["hosts"]
    assert not codex["on"]
    assert codex["whyOff"] == "0.171.0: actor failed, visible not-shown"
    text = run("hosts", "codex").text
    assert "✗ failed" in text
    assert "? not shown" in text


def test_the_newest_versions_stand_side_by_side(verdict_folder: Path) -> None:
    """A person sees three of them in 80 columns, a program all; one that passes is enough."""
    for version in ("0.9.0", "0.10.0", "0.100.0"):
        put_verdict(verdict_folder, "codex", version)
    put_verdict(verdict_folder, "codex", "0.171.0", actor="failed")
    (codex,) = run("hosts", "codex", "--json").json["hosts"]
    assert codex["on"]
    assert [one["version"] for one in codex["versions"]] == ["0.171.0", "0.100.0", "0.10.0", "0.9.0"]
    text = run("hosts", "codex").text
    assert "0.171.0" in text
    assert "0.9.0" not in text
    assert max(len(line) for line in text.splitlines()) <= 80


def test_a_version_that_does_not_pass_is_told_to_be_off(verdict_folder: Path) -> None:
    """Beside one that passes: the host is on, but this version is not."""
    put_verdict(verdict_folder, "codex", "0.171.0")
    put_verdict(verdict_folder, "codex", "0.172.0", actor="failed", visible="not-shown")
    text = run("hosts", "codex").text
    assert text.startswith("codex: on\n  0.172.0: actor failed, visible not-shown, so this version is off\n")


def test_a_verdict_without_a_gate_is_not_passing(verdict_folder: Path) -> None:
    """A gate that nobody judged counts as not shown."""
    file = verdict_folder / "codex" / "1.0.0" / "verdict.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"host":"codex","version":"1.0.0","gates":{"actor":{"state":"passed"}}}')
    (codex,) = run("hosts", "codex", "--json").json["hosts"]
    assert not codex["on"]
    assert codex["versions"][0]["gates"]["visible"] == {"state": "not-shown", "scenarios": []}


@pytest.mark.parametrize("name", HOSTS)
def test_a_registration_is_json_that_calls_this_command(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The absolute path of the installed command stands in every hook."""
    installed = Path(sys.executable).with_name("readmark")
    monkeypatch.setattr(sys, "argv", [str(installed)])
    done = run("hosts", name, "--registration")
    assert (done.code, done.err) == (0, "")
    calls = [
        call["command"]
        for groups in json.loads(done.out)["hooks"].values()
        for group in groups
        for call in group["hooks"]
    ]
    assert len(calls) == len(load(name).REGISTRATION.hooks)
    assert all(str(installed) in call for call in calls)


def test_a_registration_has_one_form_only() -> None:
    """It is the host's JSON already, and no report of ours."""
    done = run("hosts", "codex", "--registration", "--json")
    assert (done.code, done.out) == (2, b"")
    assert "--json" in done.err


def test_a_registration_needs_a_host() -> None:
    """Each host has a file of its own."""
    done = run("hosts", "--registration")
    assert (done.code, done.out) == (2, b"")


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a `readmark` on the PATH, and start as something else."""
    path = tmp_path / "bin" / "readmark"
    path.parent.mkdir()
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", str(path.parent))
    monkeypatch.setattr(sys, "argv", ["/somewhere/entry.py"])
    return path


def test_the_command_is_found_on_the_path(found: Path) -> None:
    """Started as a module, it is the installed command that a host should call."""
    assert command.program() == str(found)


def test_the_command_as_it_was_called_comes_first(found: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A link stays a link: an installer moves what it points to."""
    link = found.parent.parent / "readmark"
    link.symlink_to(found)
    monkeypatch.chdir(link.parent)
    monkeypatch.setattr(sys, "argv", ["./readmark"])
    assert command.program() == str(link)


def test_without_a_path_the_command_beside_python_is_taken(
    found: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That is where an environment keeps it."""
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(sys, "executable", str(found.with_name("python")))
    assert command.program() == str(found)


def test_a_command_that_is_nowhere_is_told(found: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A registration that calls nothing would be worse than none."""
    found.unlink()
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    done = run("hosts", "codex", "--registration")
    assert (done.code, done.out) == (4, b"")
    assert "not found" in done.err


def test_a_path_that_json_cannot_hold_is_told(found: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes that are no UTF-8 have no place in a host's file."""
    odd = os.fsdecode(os.fsencode(found.parent) + b"/\xff")
    Path(odd).mkdir()
    monkeypatch.setattr(sys, "argv", [str(found.rename(Path(odd) / "readmark"))])
    done = run("hosts", "codex", "--registration")
    assert (done.code, done.out) == (4, b"")
    assert "UTF-8" in done.err


def test_a_registered_hook_runs_the_installed_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is printed works as printed: through a shell, with a payload, and exit code 0."""
    monkeypatch.setattr(sys, "argv", [str(Path(sys.executable).with_name("readmark"))])
    made = json.loads(run("hosts", "codex", "--registration").out)
    for groups in made["hooks"].values():
        done = subprocess.run(
            ["/bin/sh", "-c", groups[0]["hooks"][0]["command"]],
            input=b'{"lore": 1}',
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")

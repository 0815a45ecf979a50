"""Which file switches off all hooks of Claude Code, as asked of 2.1.197 and 2.1.332."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
import pytest

from adapters.hosts import load
from contracts.host import Registration
from ledger.install.off import SwitchedOff, switched_off

KEY = "disableAllHooks"
ON, OFF = f'{{"{KEY}": false}}', f'{{"{KEY}": true}}'


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Registration, dict[str, Path]]:
    """Return how the host is registered on a machine of this test, and its files by what they are."""
    made = load("claude-code").REGISTRATION
    assert made.off is not None
    managed = tmp_path / "etc" / "managed-settings.json"
    home, project = tmp_path / "home" / ".claude", tmp_path / "project" / ".claude"
    for folder in (managed.parent, home, project):
        folder.mkdir(parents=True)
    monkeypatch.chdir(project.parent)
    monkeypatch.setenv("HOME", str(home.parent))
    off = msgspec.structs.replace(made.off, managed={sys.platform: str(managed)})
    return msgspec.structs.replace(made, off=off), {
        "managed": managed,
        "local": project / "settings.local.json",
        "project": project / "settings.json",
        "user": home / "settings.json",
    }


TABLE: list[tuple[dict[str, str], str | None]] = [
    ({}, None),
    ({"user": ON}, None),
    ({"user": OFF}, "user"),
    ({"user": "\ufeff" + OFF}, "user"),
    ({"project": OFF}, "project"),
    ({"local": OFF}, "local"),
    ({"user": OFF, "project": ON}, None),
    ({"user": OFF, "local": ON}, None),
    ({"project": OFF, "local": ON}, None),
    ({"user": OFF, "project": "{}"}, "user"),
    ({"managed": OFF, "project": ON}, "managed"),
    ({"project": OFF[:-1] + ",}"}, None),
    ({"user": OFF, "project": '{"disableAllHooks": 0}'}, "user"),
    ({"user": OFF, "project": "[]"}, "user"),
    ({"user": f'{{"{KEY}": false, "{KEY}": true}}'}, "user"),
    ({"user": f'{{"{KEY}": true, "{KEY}": false}}'}, None),
    ({"user": '{"allowManagedHooksOnly": true}'}, None),
]


@pytest.mark.parametrize(("said", "decides"), TABLE)
def test_the_first_file_that_says_anything_decides(
    said: dict[str, str], decides: str | None, machine: tuple[Registration, dict[str, Path]]
) -> None:
    """A file that the host does not take in says nothing."""
    registration, places = machine
    for name, text in said.items():
        places[name].write_text(text)
    expected = None if decides is None else SwitchedOff(places[decides], KEY)
    assert switched_off(registration, {"HOME": str(places["user"].parents[1])}) == expected


def test_an_administrator_can_leave_only_hooks_of_their_own(
    machine: tuple[Registration, dict[str, Path]],
) -> None:
    """Whatever else anybody says."""
    registration, places = machine
    places["managed"].write_text('{"allowManagedHooksOnly": true}')
    places["project"].write_text(ON)
    found = switched_off(registration, {"HOME": str(places["user"].parents[1])})
    assert found == SwitchedOff(places["managed"], "allowManagedHooksOnly")


def test_what_cannot_be_looked_at_says_nothing(
    machine: tuple[Registration, dict[str, Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No home, a folder that has gone, a file that is none, bytes that are no text, another system."""
    registration, places = machine
    places["local"].mkdir()
    places["project"].write_bytes(b"\xff")
    places["user"].write_text(OFF)
    relative = {"CLAUDE_CONFIG_DIR": "relative"}
    assert switched_off(registration, relative) is None
    home = {"HOME": str(places["user"].parents[1])}
    gone = places["project"].parents[1] / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert switched_off(registration, home) == SwitchedOff(places["user"], KEY)
    monkeypatch.setattr(sys, "platform", "other")
    assert switched_off(registration, home) == SwitchedOff(places["user"], KEY)
    assert switched_off(msgspec.structs.replace(registration, reading=None), home) is not None


def test_a_host_without_such_a_switch_is_never_off() -> None:
    """Codex says itself which hooks it runs."""
    assert switched_off(load("codex").REGISTRATION, {}) is None

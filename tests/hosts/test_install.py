"""After `readmark install` and no other step, a real host calls readmark: a read is kept, a subagent is told.

The host's file holds hooks of another program already, the recorder's. Codex is started with
`--dangerously-bypass-hook-trust`, which stands for the person who trusts the hooks, but where it shall ask.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import msgspec
import pytest

from adapters.evidence.holds import BRIEFING, briefed
from adapters.evidence.lab import Lab
from adapters.evidence.runner import Options, Played, play
from adapters.evidence.scenario import Scenario, named
from ledger.briefing import HEADER
from tests.hosts.test_real_hosts import READMARK, binary

FILES = {"codex": ".codex/hooks.json", "claude-code": ".claude/settings.json"}
SCENARIOS = [
    ("codex", "0.171.0", "read_and_spawn"),
    ("claude-code", "2.1.197", "sub_foreground"),
    ("claude-code", "2.1.332", "sub_foreground"),
]


def readmark(lab: Lab, *arguments: str) -> bytes:
    """Run the installed command as the lab's user does, and return what it prints."""
    return subprocess.run(
        [*READMARK, *arguments], env=lab.environment({}), cwd=lab.project, capture_output=True, check=True
    ).stdout


class Seen(msgspec.Struct):
    """What a lab held before and after."""

    before: bytes = b""
    items: tuple[str, ...] = ()
    after: bytes = b""


def silent(scenario: Scenario) -> Scenario:
    """Return the scenario with hooks that only listen."""
    return msgspec.structs.replace(scenario, answers={})


def contents(folder: Path) -> bytes:
    """Return the names and the bytes of all files below a folder, as one."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return b"".join(str(path).encode() + path.read_bytes() for path in files)


def outcome(host: str, version: str, name: str, scope: str = "user") -> tuple[Played, Seen]:
    """Play a scenario with an installed readmark, and take it out again afterwards."""
    scenario = silent(named(host, name))
    seen = Seen()

    def before(lab: Lab) -> None:
        seen.before = (lab.home / FILES[host]).read_bytes() + contents(lab.project)
        readmark(lab, "install", host, "--scope", scope)

    def after(lab: Lab) -> None:
        listed = msgspec.json.decode(readmark(lab, "list", "--json"))
        seen.items = tuple(
            item["id"] for conversation in listed["conversations"] for item in conversation["candidates"]
        )
        readmark(lab, "uninstall", host, "--scope", scope)
        seen.after = (lab.home / FILES[host]).read_bytes() + contents(lab.project)

    marks = {BRIEFING: HEADER.partition("{")[0]}
    played = play(scenario, binary(host, version), Options(before=before, after=after, marks=marks))
    return played, seen


@pytest.mark.parametrize("scope", ["user", "project"])
@pytest.mark.parametrize(("host", "version", "name"), SCENARIOS)
def test_an_installed_readmark_keeps_the_read_and_briefs_the_subagent(
    host: str, version: str, name: str, scope: str
) -> None:
    """In the subagent's own first request and in no request of the root; then it goes without a trace."""
    holds = named(host, name).holds

    played, seen = outcome(host, version, name, scope)

    assert played.faults == ()
    assert holds.records
    assert sorted(seen.items) == sorted(holds.records)
    assert briefed(played.recording, [BRIEFING]) == holds.told != 0
    assert seen.after == seen.before


@pytest.mark.parametrize(
    ("name", "items"),
    [("tui_trust", ["first.one", "second.one"]), ("untrusted", [])],
    ids=["asked", "not asked"],
)
def test_codex_runs_what_is_installed_once_its_user_trusts_it(name: str, items: list[str]) -> None:
    """Its question in the terminal, answered with yes, is the only other step; headless it asks nobody."""
    played, seen = outcome("codex", "0.171.0", name)

    assert played.faults == ()
    assert sorted(seen.items) == items
    assert seen.after == seen.before

"""The plugin in real hosts: it passes their check, a conversation with it is recorded once, and it goes.

The hosts' own commands, as `readmark plugin build` prints them, take it in and out. What a host keeps of
telemetry that it could not send and of conversations is none of the plugin's.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import msgspec
import pytest

from adapters.evidence.holds import BRIEFING, briefed
from adapters.evidence.lab import Lab
from adapters.evidence.runner import Options, Played, play
from adapters.evidence.scenario import named
from ledger.briefing import HEADER
from tests.hosts.test_install import SCENARIOS, readmark, silent
from tests.hosts.test_real_hosts import READMARK, binary

LEAD = HEADER.partition("{")[0]
PATH, HOME = "bin", "home/.local/bin"
"""Where the command may lie in a lab: on the PATH, or where installers for one user put it."""
CACHE = ".claude/plugins/cache/readmark/readmark"
NOT_THE_PLUGINS = {"telemetry", "projects", "sessions", "logs"}


def sh(lab: Lab, line: str) -> str:
    """Run a line as the lab's user does, and return what it prints."""
    done = subprocess.run(
        ["/bin/sh", "-c", line],
        env=lab.environment({}),
        cwd=lab.project,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def set_up(lab: Lab, host: str, version: str, place: str) -> dict[str, list[str]]:
    """Make the host's command and ours known by name, build the plugin, and return the host's commands."""
    program = binary(host, version)
    (lab.programs / program.name).symlink_to(program)
    made: dict[str, list[str]] = msgspec.json.decode(
        readmark(lab, "plugin", "build", host, str(lab.root / "my plugins"), "--json")
    )
    folder = lab.root / place
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "readmark").symlink_to(READMARK[0])
    return made


def mentions(lab: Lab) -> list[str]:
    """Return the host's own files that name readmark."""
    found = []
    for path in lab.home.glob(".c*/**/*"):
        inside = path.relative_to(lab.home)
        if path.is_file() and not NOT_THE_PLUGINS & set(inside.parts) and b"readmark" in path.read_bytes():
            found.append(inside.as_posix())
    return sorted(found)


class Seen(msgspec.Struct):
    """What the ledger held at the end, which files named readmark then, and which of those was set aside."""

    items: tuple[str, ...] = ()
    left: list[str] = []
    set_aside: bool = False


def outcome(host: str, version: str, name: str, place: str, *, installed: bool) -> tuple[Played, Seen]:
    """Play a scenario with the plugin, and take it out again afterwards."""
    seen = Seen()
    commands: dict[str, list[str]] = {}

    def before(lab: Lab) -> None:
        commands.update(set_up(lab, host, version, place))
        for line in commands["add"]:
            sh(lab, line)
        if installed:
            readmark(lab, "install", host)
        assert mentions(lab)

    def after(lab: Lab) -> None:
        listed = msgspec.json.decode(readmark(lab, "list", "--json"))
        seen.items = tuple(
            item["id"] for conversation in listed["conversations"] for item in conversation["candidates"]
        )
        if installed:
            readmark(lab, "uninstall", host)
        for line in commands["remove"]:
            sh(lab, line)
        seen.left = mentions(lab)
        seen.set_aside = any((lab.home / CACHE).glob("*/.orphaned_at"))

    options = Options(before=before, after=after, marks={BRIEFING: LEAD})
    return play(silent(named(host, name)), binary(host, version), options), seen


@pytest.mark.parametrize(("host", "version", "name"), SCENARIOS)
@pytest.mark.parametrize(
    ("place", "installed"), [(HOME, False), (PATH, True)], ids=["plugin", "plugin and settings"]
)
def test_with_a_plugin_the_read_is_kept_once_and_the_subagent_told_once(
    place: str,
    installed: bool,  # noqa: FBT001 - a row
    host: str,
    version: str,
    name: str,
) -> None:
    """Also where the host's own file registers it too; taken out, nothing names it but a cache set aside."""
    holds = named(host, name).holds

    played, seen = outcome(host, version, name, place, installed=installed)

    assert played.faults == ()
    assert holds.records
    assert sorted(seen.items) == sorted(holds.records)
    assert briefed(played.recording, [BRIEFING]) == holds.told != 0
    first = [one for one in played.requests if one.asker == "subagent" and not one.turn]
    assert [sum(text.count(LEAD) for text in one.texts) for one in first] == [1] * len(first)
    # Claude Code keeps its copy for a while, marked as belonging to nobody.
    assert [path for path in seen.left if not path.startswith(CACHE)] == []
    assert bool(seen.left) == seen.set_aside == (host == "claude-code")


@pytest.mark.parametrize("version", ["2.1.197", "2.1.332"])
def test_claude_code_finds_the_plugin_valid(version: str, tmp_path: Path) -> None:
    """The marketplace and the plugin; from 2.1.332 also by the rules of its plugin directory."""
    claude = binary("claude-code", version)
    made = tmp_path / "plugins"
    subprocess.run([*READMARK, "plugin", "build", "claude-code", made], check=True, capture_output=True)
    strict = ["--profile", "directory"] if version == "2.1.332" else []
    for folder, options in ((made, ["--strict"] if strict else []), (made / "readmark", strict)):
        done = subprocess.run(
            [claude, "plugin", "validate", *options, folder], capture_output=True, text=True, check=False
        )
        assert (done.returncode, "Validation passed" in done.stdout) == (0, True), done.stdout


@pytest.mark.parametrize(
    ("name", "items"),
    [("tui_trust", ["first.one", "second.one"]), ("untrusted", [])],
    ids=["asked", "not asked"],
)
def test_codex_runs_a_plugins_hooks_once_its_user_trusts_them(name: str, items: list[str]) -> None:
    """As it does those of its own file."""
    played, seen = outcome("codex", "0.171.0", name, PATH, installed=False)

    assert played.faults == ()
    assert sorted(seen.items) == items

"""The real hosts take, and do not take, what the tables of `tests/ledger/install/test_reading.py` say."""

from __future__ import annotations

import json
import os
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from adapters.asking import Silent, asking, within
from tests.hosts.test_real_hosts import READMARK, binary
from tests.hosts.test_status import CODEX, on_path, places, problems, readmark
from tests.ledger.install.test_reading import CODEX_REFUSES, CODEX_TAKES

CLAUDE = [("claude-code", "2.1.197"), ("claude-code", "2.1.332")]
QUIET = {
    # Nobody listens there: the hook of a session's start runs before the model is asked.
    "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
    "ANTHROPIC_API_KEY": "none",
    "CLAUDE_CODE_MAX_RETRIES": "0",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
}


def codex_lists(folders: list[Path]) -> list[Any]:
    """Return what Codex says of the hooks of several projects."""
    hello = {"clientInfo": {"name": "test", "version": "1"}}
    with asking([str(binary(*CODEX)), "app-server"], None, within(60)) as server:
        server.tell({"id": 1, "method": "initialize", "params": hello})
        server.tell({"method": "initialized"})
        server.tell({"id": 2, "method": "hooks/list", "params": {"cwds": [str(one) for one in folders]}})
        while (answer := msgspec.json.decode(server.line())).get("id") != 2:
            pass
    listed: list[Any] = answer["result"]["data"]
    return listed


def test_codex_refuses_a_file_as_a_whole_exactly_where_the_tables_say_so(
    tmp_path: Path, private_home: Path
) -> None:
    """It warns that it cannot parse the file, and lists none of its hooks."""
    rows = {**CODEX_TAKES, **{name: row[0] for name, row in CODEX_REFUSES.items()}}
    del rows["blank"]  # which it cannot parse, and where an install puts what it can
    projects = [tmp_path.resolve() / str(number) for number in range(len(rows))]
    for project, text in zip(projects, rows.values(), strict=True):
        (project / ".codex").mkdir(parents=True)
        (project / ".git").mkdir()
        (project / ".codex" / "hooks.json").write_text(text)
    config = private_home / ".codex" / "config.toml"
    config.parent.mkdir()
    config.write_text("".join(f'[projects."{one}"]\ntrust_level = "trusted"\n' for one in projects))

    told = codex_lists(projects)

    assert [one["cwd"] for one in told] == [str(one) for one in projects]
    refused = {
        name
        for name, one in zip(rows, told, strict=True)
        if any("failed to parse" in warning for warning in one["warnings"])
    }
    assert refused == set(CODEX_REFUSES)


def test_what_codex_says_of_its_file_is_what_a_status_tells(
    tmp_path: Path, private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For a fault that an install does not know; with a sign for the home, on one line."""
    monkeypatch.chdir(tmp_path)
    on_path(binary(*CODEX), monkeypatch)
    readmark("install", "codex")
    file = private_home / ".codex" / "hooks.json"
    document = json.loads(file.read_text())
    document["hooks"]["Stop"] = [{"hooks": [{"type": "mcp_tool"}]}]
    file.write_text(json.dumps(document))
    assert places() == {"user": "unseen"}
    assert problems() == ["hooks-refused"]
    told = subprocess.run([*READMARK, "status"], capture_output=True, check=False).stdout.decode()
    assert "~/.codex/hooks.json: missing field `server`" in " ".join(told.split())


HOOKS = '"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "touch fired"}]}]}'
MEMBERS = (
    '"apiKeyHelper": "echo none", "outputStyle": "default", "language": "english",'
    ' "attribution": {"commit": ""}, "statusLine": {"type": "command", "command": "true"},'
    ' "enabledPlugins": {}, "sandbox": {"enabled": false}, "includeCoAuthoredBy": false,'
    ' "alwaysThinkingEnabled": true, "cleanupPeriodDays": 30, "env": {"A": "b"}, "model": "sonnet",'
    ' "permissions": {"allow": ["Bash(ls:*)"]}'
)
ROWS: list[tuple[str, dict[str, str], bool]] = [
    ("plain", {"user": f"{{{HOOKS}}}"}, True),
    ("byte order mark", {"user": f"\ufeff{{{HOOKS}}}"}, True),
    ("long number", {"user": f'{{"zz": {"9" * 5_000}, {HOOKS}}}'}, True),
    ("members of a person", {"user": f"{{{MEMBERS}, {HOOKS}}}"}, True),
    ("member of another type", {"user": f'{{"statusLine": "x", {HOOKS}}}'}, False),
    ("comment", {"user": f"{{{HOOKS}}} // mine"}, False),
    ("comma", {"user": f"{{{HOOKS},}}"}, False),
    ("switch of another type", {"user": f'{{"disableAllHooks": 1, {HOOKS}}}'}, False),
    ("switched off", {"user": f'{{"disableAllHooks": true, {HOOKS}}}'}, False),
    ("off in the project", {"user": f"{{{HOOKS}}}", "local": '{"disableAllHooks": true}'}, False),
    (
        "on again in the project",
        {"user": f'{{"disableAllHooks": true, {HOOKS}}}', "local": '{"disableAllHooks": false}'},
        True,
    ),
]


@pytest.mark.parametrize(("host", "version"), CLAUDE)
@pytest.mark.parametrize(("said", "fires"), [pytest.param(*row[1:], id=row[0]) for row in ROWS])
def test_claude_code_runs_the_hooks_exactly_where_an_install_warns_of_nothing(  # noqa: PLR0913, PLR0917 - the columns of the table
    host: str,
    version: str,
    said: dict[str, str],
    fires: bool,  # noqa: FBT001 - a case of the table
    tmp_path: Path,
    private_home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same files are asked of both: of the host, and of an install that only plans."""
    for name, value in QUIET.items():
        monkeypatch.setenv(name, value)
    files = {
        "user": private_home / ".claude" / "settings.json",
        "local": tmp_path / ".claude" / "settings.local.json",
    }
    for name, text in said.items():
        files[name].parent.mkdir()
        files[name].write_text(text)
    trusted = {"hasTrustDialogAccepted": True}
    state = {"hasCompletedOnboarding": True, "projects": {str(tmp_path): trusted}}
    (private_home / ".claude.json").write_text(json.dumps(state))

    words = [str(binary(host, version)), "-p", "hi"]
    with asking(words, str(tmp_path), within(30)) as program, suppress(Silent):
        program.rest()

    assert (tmp_path / "fired").exists() == fires
    monkeypatch.chdir(tmp_path)
    planned = subprocess.run(
        [*READMARK, "install", host, "--dry-run"], capture_output=True, check=False, env=dict(os.environ)
    )
    warned = planned.returncode == 3 or b"switches all of them off" in b" ".join(planned.stdout.split())
    assert warned != fires

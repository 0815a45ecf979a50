"""`readmark status` asks real hosts: their versions, and Codex whether its user trusts our hooks.

No model is called: Codex's app server answers from its own files.
"""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from adapters.asking import asking, within
from adapters.evidence.process import residents
from adapters.hosts import load
from tests.hosts.test_real_hosts import READMARK, binary

CODEX = ("codex", "0.171.0")
VERSIONS = [CODEX, ("claude-code", "2.1.197"), ("claude-code", "2.1.332")]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder that is a project, with a repository of its own."""
    folder = (tmp_path / "project").resolve()
    folder.mkdir()
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True)  # noqa: S607 - the system's
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def codex(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put the pinned Codex on the PATH, and return its private folder."""
    del project
    on_path(binary(*CODEX), monkeypatch)
    return Path(os.environ["HOME"], ".codex")


def on_path(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a program be found first."""
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")


def readmark(*arguments: str) -> Any:
    """Run the installed command, and return the document that it prints."""
    done = subprocess.run([*READMARK, *arguments, "--json"], capture_output=True, check=False, timeout=60)
    assert done.stderr == b""
    return msgspec.json.decode(done.stdout)


def places() -> dict[str, str]:
    """Return what a status tells of the trust in Codex, by scope."""
    told = readmark("status")
    (found,) = [one for one in told["hosts"] if one["host"] == "codex"]
    assert (found["version"], found["proven"]) == (CODEX[1], True)
    return {one["scope"]: one["trust"] for one in found["installed"]}


def problems() -> list[str]:
    """Return the names of what is wrong with Codex's trust."""
    return [one["reason"] for one in readmark("status")["problems"] if one["reason"].startswith("hooks-")]


def trust(folder: Path) -> None:
    """Write what Codex writes into its configuration when its user trusts all hooks (`tui_trust`)."""
    hello = {"clientInfo": {"name": "test", "version": "1"}}
    with asking([str(binary(*CODEX)), "app-server"], None, within(60)) as server:
        server.tell({"id": 1, "method": "initialize", "params": hello})
        server.tell({"method": "initialized"})
        server.tell({"id": 2, "method": "hooks/list", "params": {"cwds": [str(Path.cwd())]}})
        while (answer := msgspec.json.decode(server.line())).get("id") != 2:
            pass
    hooks = answer["result"]["data"][0]["hooks"]
    assert hooks
    lines = [f'[hooks.state."{hook["key"]}"]\ntrusted_hash = "{hook["currentHash"]}"\n' for hook in hooks]
    with (folder / "config.toml").open("a") as file:
        file.write("".join(lines))


@pytest.mark.parametrize(("host", "version"), VERSIONS)
def test_a_host_says_its_version(
    host: str, version: str, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program that is found on the PATH; nothing is written into its folder for that."""
    del project
    on_path(binary(host, version), monkeypatch)
    (found,) = [one for one in readmark("status")["hosts"] if one["host"] == host]
    assert (found["found"], found["version"], found["proven"]) == (True, version, True)
    assert residents(Path(os.environ["HOME"])) == []


def test_codex_tells_untrusted_trusted_and_changed_hooks(codex: Path) -> None:
    """The three states in the order in which a user meets them, and nothing of Codex runs on."""
    readmark("install", "codex")
    assert places() == {"user": "untrusted"}
    assert problems() == ["hooks-untrusted"]
    trust(codex)
    assert places() == {"user": "trusted"}
    assert problems() == []
    file = codex / "hooks.json"
    file.write_text(file.read_text().replace('"timeout": 2', '"timeout": 3'))
    assert places() == {"user": "changed"}
    assert problems() == ["hooks-outdated", "hooks-changed"]
    readmark("install", "codex")
    assert places() == {"user": "trusted"}
    assert residents(Path(os.environ["HOME"])) == []


def test_a_project_must_be_trusted_before_its_hooks_are_known(codex: Path, project: Path) -> None:
    """Until then Codex does not even list them."""
    readmark("install", "codex", "--scope", "project")
    assert places() == {"project": "unseen"}
    codex.mkdir(exist_ok=True)
    (codex / "config.toml").write_text(f'[projects."{project}"]\ntrust_level = "trusted"\n')
    assert places() == {"project": "untrusted"}
    trust(codex)
    assert places() == {"project": "trusted"}


def test_hooks_that_are_switched_off_are_told(codex: Path) -> None:
    """One of them, or all: Codex skips both without a word."""
    readmark("install", "codex")
    trust(codex)
    config = codex / "config.toml"
    trusted = config.read_text()
    config.write_text(trusted + "enabled = false\n")
    assert places() == {"user": "off"}
    config.write_text("[features]\nhooks = false\n" + trusted)
    assert places() == {"user": "unseen"}
    config.write_text("[features\n")
    assert places() == {"user": "unknown"}


def test_a_codex_that_is_given_no_time_is_ended(codex: Path, project: Path) -> None:
    """In the middle of its start, with all that it started."""
    readmark("install", "codex")
    del codex
    begin = time.monotonic()
    answer = load("codex").trust(str(binary(*CODEX)), str(project), within(0.05))
    assert getattr(answer, "why", None) == "It did not answer in time."
    assert time.monotonic() - begin < 5
    assert residents(Path(os.environ["HOME"])) == []

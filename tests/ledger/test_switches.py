"""Every switch holds from the very next event on, with what real hosts sent.

The hook's own work is called in this process; that each switch reaches a process of its own, too, is shown
once for each.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import contracts
from adapters import hosts
from adapters.evidence.replay import load, replay
from ledger import hook
from ledger.diagnostics import entries
from ledger.project import FILE
from tests.ledger.cli.running import run as command_line

COMMAND = Path(sys.executable).with_name("readmark")
EVIDENCE = Path(contracts.__file__).parent / "evidence"
SPAWNING = {"codex": "codex/0.171.0/first/sub_v1", "claude-code": "claude-code/2.1.197/sub_foreground"}
"""Recordings in which the root reads and then starts a subagent, by host."""
PROVEN = "claude-code_2-1-197_harness"

Steps = list[tuple[str, bytes]]
Run = Callable[..., bytes]


class Unhurried(hook._Clockwork):  # noqa: SLF001 - the one part of the hook that ends its process
    """The clockwork of a call that nothing ends."""

    def __init__(self, host: str) -> None:
        """Start nothing."""
        del host

    def hurry(self, seconds: float) -> None:
        """Take no notice."""

    def names(self, event: str) -> None:
        """Take no notice."""

    def spoken(self) -> None:
        """Take no notice."""

    def left_ms(self) -> int:
        """Return what is left at the start."""
        return 1_500


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return the root of a project with a subfolder."""
    made = Path(os.path.realpath(tmp_path)) / "project"
    (made / ".git").mkdir(parents=True)
    (made / "sub").mkdir()
    return made


@pytest.fixture
def run(private_home: Path, project: Path) -> Run:
    """Run the installed command in the project; what it prints comes back."""

    def runs(*words: str, payload: bytes = b"", code: int = 0, **environ: str) -> bytes:
        done = subprocess.run(
            [COMMAND, *words],
            input=payload,
            env={"PATH": os.environ["PATH"], "HOME": str(private_home), "AI_AGENT": PROVEN, **environ},
            cwd=project / "sub",
            capture_output=True,
            timeout=30,
            check=False,
        )
        assert done.returncode == code, done
        return done.stdout

    return runs


@pytest.fixture
def call(project: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Do in this process what the installed command does in the project; the answer of a hook comes back."""
    monkeypatch.chdir(project / "sub")
    monkeypatch.setenv("AI_AGENT", PROVEN)

    def calls(*words: str, payload: bytes = b"", code: int = 0, **environ: str) -> bytes:
        answers: list[bytes] = []
        with monkeypatch.context() as patch:
            for name, value in environ.items():
                patch.setenv(name, value)
            if words[0] != "hook":
                done = command_line(*words)
                assert done.code == code, done
                return done.out
            patch.setattr(hook, "read_payload", lambda: payload)
            patch.setattr(hook, "write_answer", answers.append)
            hook._work(words[1], Unhurried(words[1]))  # noqa: SLF001 - all of it but the end of the process
        return b"".join(answers)

    return calls


@pytest.fixture(params=sorted(SPAWNING))
def host(request: pytest.FixtureRequest) -> str:
    """Name a host."""
    return str(request.param)


@pytest.fixture
def steps(host: str, tmp_path: Path, project: Path) -> tuple[Steps, bytes]:
    """Return the recorded payloads up to the subagent's start, and that one, all in the subfolder."""
    played: Steps = []
    for step in replay(load(EVIDENCE / f"{SPAWNING[host]}.json"), tmp_path / "transcripts"):
        payload = json.dumps({**json.loads(step.payload), "cwd": str(project / "sub")}).encode()
        if step.event == "SubagentStart":
            return played, payload
        played.append((step.event, payload))
    raise AssertionError("the recording starts no subagent")


SWITCHES: dict[str, tuple[list[str], list[str], dict[str, str], str]] = {
    "all": (["pause"], ["resume"], {}, "paused"),
    "host": (["pause", "HOST"], ["resume", "HOST"], {}, "paused"),
    "project": (["pause", "--project"], ["resume", "--project"], {}, "project-off"),
    "variable": (["hosts"], ["hosts"], {"READMARK_DISABLED": "1"}, "disabled"),
}
Switch = tuple[list[str], list[str], dict[str, str], str]


@pytest.fixture(params=sorted(SWITCHES))
def switch(request: pytest.FixtureRequest, host: str) -> Switch:
    """Return how to switch off, how to switch on, in which environment, and the reason that is told."""
    off, on, environ, reason = SWITCHES[request.param]
    return (*([host if word == "HOST" else word for word in words] for words in (off, on)), environ, reason)  # type: ignore[return-value] # two lists


def state(home: Path) -> Path:
    """Name the state folder."""
    return home / ".local" / "state" / "readmark"


def last_reason(home: Path) -> str:
    """Return the reason of the last hook call."""
    return entries(state(home))[-1].summary.reason


@pytest.mark.parametrize("host", ["claude-code"], indirect=True)
def test_a_switch_reaches_the_next_process(
    run: Run, call: Run, steps: tuple[Steps, bytes], switch: Switch, private_home: Path
) -> None:
    """The installed command switches, and the installed hook finds the switch, both ways."""
    off, on, environ, reason = switch
    played, spawned = steps
    for _, payload in played:
        call("hook", "claude-code", payload=payload)
    run(*off)
    assert run("hook", "claude-code", payload=spawned, **environ) == b""
    assert last_reason(private_home) == reason
    run(*on)
    assert b"root.one" in run("hook", "claude-code", payload=spawned)


def test_what_was_read_before_is_not_told_while_off_and_is_there_after(
    call: Run, host: str, steps: tuple[Steps, bytes], switch: Switch, private_home: Path
) -> None:
    """From one event to the next, both ways."""
    off, on, environ, reason = switch
    played, spawned = steps
    for _, payload in played:
        call("hook", host, payload=payload)
    assert b"root.one" in call("hook", host, payload=spawned)
    call(*off)
    assert call("hook", host, payload=spawned, **environ) == b""
    assert last_reason(private_home) == reason
    call(*on)
    # Another subagent: the same start once more is told only once.
    another = json.dumps({**json.loads(spawned), "agent_id": "another"}).encode()
    assert b"root.one" in call("hook", host, payload=another)


def test_what_is_read_while_off_is_never_told(
    call: Run, host: str, steps: tuple[Steps, bytes], switch: Switch, private_home: Path
) -> None:
    """Nothing is noted, so nothing can settle later."""
    off, on, environ, reason = switch
    played, spawned = steps
    call(*off)
    for _, payload in played:
        assert call("hook", host, payload=payload, **environ) == b""
        assert last_reason(private_home) == reason
    call(*on)
    assert call("hook", host, payload=spawned) == b""


def test_a_life_that_begins_while_off_holds_nothing_of_the_one_before(
    call: Run, host: str, steps: tuple[Steps, bytes], switch: Switch
) -> None:
    """The host says so once; to miss it would show an old life's reads in the new one."""
    off, on, environ, _ = switch
    played, spawned = steps
    for _, payload in played:
        call("hook", host, payload=payload)
    assert b"root.one" in call("hook", host, payload=spawned)
    begun = next(payload for event, payload in played if event == "SessionStart")
    call(*off)
    call("hook", host, payload=begun, **environ)
    call(*on)
    assert call("hook", host, payload=spawned) == b""


def ended(payload: bytes) -> bytes:
    """Make the clear of a Claude Code conversation from any payload of it."""
    fields: dict[str, Any] = json.loads(payload)
    return json.dumps({**fields, "hook_event_name": "SessionEnd", "reason": "clear"}).encode()


@pytest.mark.parametrize("host", ["claude-code"], indirect=True)
def test_a_clear_is_carried_out_while_off(
    call: Run, host: str, steps: tuple[Steps, bytes], switch: Switch
) -> None:
    """Nothing of a cleared conversation comes back with the switch."""
    off, on, environ, _ = switch
    played, spawned = steps
    for _, payload in played:
        call("hook", host, payload=payload)
    call(*off)
    call("hook", host, payload=ended(played[0][1]), **environ)
    call(*on)
    assert call("hook", host, payload=spawned) == b""
    resumed = json.dumps(
        {**json.loads(played[0][1]), "hook_event_name": "SessionStart", "source": "resume"}
    ).encode()
    call("hook", host, payload=resumed)
    assert call("hook", host, payload=spawned) == b""


def test_a_pause_of_one_host_leaves_the_other_alone(call: Run, host: str, steps: tuple[Steps, bytes]) -> None:
    """Its hook goes on as before."""
    played, spawned = steps
    call("pause", next(name for name in hosts.HOSTS if name != host))
    for _, payload in played:
        call("hook", host, payload=payload)
    assert b"root.one" in call("hook", host, payload=spawned)


def test_a_project_that_is_off_leaves_the_others_alone(
    call: Run, host: str, steps: tuple[Steps, bytes], tmp_path: Path
) -> None:
    """The folder of the event decides, not that of the process."""
    played, spawned = steps
    call("pause", "--project")
    for _, payload in [*played, ("", spawned)]:
        elsewhere = json.dumps({**json.loads(payload), "cwd": str(tmp_path / "other")}).encode()
        told = call("hook", host, payload=elsewhere)
    assert b"root.one" in told


BROKEN: dict[str, Callable[[Path], object]] = {
    "unknown key": lambda file: file.write_text("secret-key = 1"),
    "slow": lambda file: file.write_text("a" + ".a" * 15_000 + " = 1"),
    "pipe": os.mkfifo,
}


@pytest.mark.parametrize("kind", BROKEN)
@pytest.mark.parametrize("host", ["claude-code"], indirect=True)
def test_a_project_file_with_a_fault_keeps_everything_out_and_holds_nothing_up(
    run: Run, call: Run, steps: tuple[Steps, bytes], project: Path, kind: str
) -> None:
    """The diagnostics say so without a word of the file; status names the place."""
    played, spawned = steps
    for _, payload in played:
        call("hook", "claude-code", payload=payload)
    BROKEN[kind](project / FILE)
    assert run("hook", "claude-code", payload=spawned) == b""
    said = entries(state(Path(os.environ["HOME"])))[-1]
    assert (said.summary.outcome, said.summary.reason) == ("unavailable", "project-invalid")
    assert said.summary.detail == FILE
    told = json.loads(call("status", "--json", "--no-ask", code=3))
    assert "project-invalid" in [one["reason"] for one in told["problems"]]


def test_every_recorded_event_states_an_absolute_folder() -> None:
    """Of each host and version; the project's switch stands on it."""
    events = 0
    for name in hosts.HOSTS:
        host = hosts.load(name)
        for file in (EVIDENCE / name).glob("*/**/*.json"):
            recorded = json.loads(file.read_bytes())
            for event in recorded.get("events", []):
                if event.get("stdin"):
                    events += 1
                    payload = json.dumps(event["stdin"]).encode()
                    assert host.folder(payload) == event["stdin"]["cwd"], (file, payload)
    assert events > 4000


@pytest.mark.parametrize("name", sorted(hosts.HOSTS))
@pytest.mark.parametrize(
    "payload",
    [b"", b"{", b"[]", b"{}", b'{"cwd":null}', b'{"cwd":1}', b'{"cwd":""}', b'{"cwd":"a/b"}', b"\xff"],
)
def test_a_payload_that_states_no_absolute_folder_has_none(name: str, payload: bytes) -> None:
    """Whatever the bytes are."""
    assert hosts.load(name).folder(payload) is None

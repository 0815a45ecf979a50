"""Asking Codex for the trust of its hooks: what it may answer, and that nothing of it can hold or break us.

A stand-in takes the place of `codex`; `tests/hosts/test_status.py` asks the real one.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from adapters.asking import within
from adapters.hosts import load
from contracts.trust import HooksListed, HookTrust, TrustUnknown

if TYPE_CHECKING:
    from pathlib import Path

Ask = Callable[[Any], HooksListed | TrustUnknown | None]

SERVER = """
import json, os, sys
assert sys.argv[1:] == ["app-server"]
script = json.loads(os.environ["STAND_IN"])
first = json.loads(sys.stdin.readline())
assert first["method"] == "initialize" and first["params"]["clientInfo"]["name"] == "readmark"
assert "jsonrpc" not in first
print(json.dumps({"method": "configWarning", "params": {}}), flush=True)
print(json.dumps({"id": first["id"], "result": {"userAgent": "readmark/0.171.0"}}), flush=True)
assert json.loads(sys.stdin.readline()) == {"method": "initialized"}
asked = json.loads(sys.stdin.readline())
assert asked["method"] == "hooks/list" and asked["params"] == {"cwds": [os.getcwd()]}
print(json.dumps({"method": "remoteControl/status/changed", "params": {"id": asked["id"]}}), flush=True)
if isinstance(script, str):
    print(script, flush=True)
else:
    print(json.dumps({"id": asked["id"], **script}), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Return what asks a stand-in that gives a certain answer."""
    folder = tmp_path.resolve()
    program = folder / "codex"
    (folder / "server.py").write_text(SERVER)
    words = shlex.join([sys.executable, "-I", "-S", str(folder / "server.py")])
    program.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
    program.chmod(0o755)

    def asks(answer: Any) -> HooksListed | TrustUnknown | None:
        monkeypatch.setenv("STAND_IN", json.dumps(answer))
        return load("codex").trust(str(program), str(folder), within(20))

    return asks


def hook(**fields: Any) -> dict[str, Any]:
    """Return a hook as Codex 0.171.0 lists it."""
    return {
        "key": "/h/hooks.json:post_tool_use:0:0",
        "eventName": "postToolUse",
        "handlerType": "command",
        "command": "x hook codex",
        "async": False,
        "matcher": "^Bash$",
        "timeoutSec": 5,
        "statusMessage": None,
        "sourcePath": "/h/hooks.json",
        "source": "user",
        "pluginId": None,
        "displayOrder": 0,
        "enabled": True,
        "isManaged": False,
        "currentHash": "sha256:00",
        "trustStatus": "untrusted",
    } | fields


def listed(*hooks: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return the answer of one folder."""
    return {"result": {"data": [{"cwd": "/w", "hooks": hooks, "warnings": [], "errors": [], **fields}]}}


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({}, "untrusted"),
        ({"trustStatus": "trusted"}, "trusted"),
        ({"trustStatus": "modified"}, "changed"),
        ({"trustStatus": "managed", "isManaged": True}, "trusted"),
        ({"trustStatus": "trusted", "enabled": False}, "off"),
        ({"trustStatus": "untrusted", "enabled": False}, "off"),
    ],
)
def test_every_word_of_codex_has_its_state(ask: Ask, fields: dict[str, Any], state: str) -> None:
    """With the event's name as it stands in the file."""
    expected = HookTrust("PostToolUse", "x hook codex", "/h/hooks.json", state)  # type: ignore[arg-type] # one of its words
    assert ask(listed(hook(**fields))) == HooksListed((expected,))


def test_hooks_of_others_are_listed_too(ask: Ask) -> None:
    """Also those that are no commands; whose they are is not decided here."""
    other = hook(handlerType="prompt", eventName="stop")
    del other["command"]
    answer = ask(listed(hook(), other))
    assert isinstance(answer, HooksListed)
    assert [(one.event, one.command) for one in answer.hooks] == [
        ("PostToolUse", "x hook codex"),
        ("Stop", ""),
    ]


def test_no_hooks_are_an_answer(ask: Ask) -> None:
    """Of a Codex whose hooks are switched off."""
    assert ask(listed()) == HooksListed(())


def test_what_codex_warns_of_is_passed_on(ask: Ask) -> None:
    """In its own words: it runs no hook of such a file, and says so nowhere else."""
    warning = "failed to parse hooks config /h/hooks.json: unknown field `a` at line 1 column 4"
    assert ask(listed(warnings=[warning])) == HooksListed((), (warning,))
    assert ask(listed(warnings=[1])) == TrustUnknown(FORM)


FORM = "It answered in a form that is not known."


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (
            listed(errors=[{"path": "/w", "message": "unclosed table"}]),
            "It cannot read its own configuration.",
        ),
        ({"error": {"code": -32601, "message": "no"}}, "It does not answer hooks/list."),
        (listed(hook(trustStatus="blessed")), "It states the trust of a hook in a word that is not known."),
        (listed(hook(eventName="")), FORM),
        (listed(hook(enabled="yes")), FORM),
        ({"result": {"data": []}}, FORM),
        ({"result": {"data": listed()["result"]["data"] * 2}}, FORM),
        ({"result": None}, FORM),
        ({}, FORM),
        ("no JSON", FORM),
        ("[" * 100_000, FORM),
        ('{"id": {}}', FORM),
    ],
)
def test_whatever_else_it_answers_is_unknown_and_says_why(ask: Ask, answer: Any, why: str) -> None:
    """Nothing that it prints becomes our text."""
    assert ask(answer) == TrustUnknown(why)


@pytest.mark.parametrize(
    ("program", "why"),
    [("/no/where/codex", "It could not be started (FileNotFoundError)."), ("/bin/false", "It ended")],
)
def test_a_codex_that_cannot_be_asked_is_unknown(program: str, why: str) -> None:
    """It is not there, or ends at once."""
    answer = load("codex").trust(program, "/", within(20))
    assert isinstance(answer, TrustUnknown)
    assert answer.why.startswith(why)


def test_a_codex_that_listens_and_says_nothing_is_unknown(tmp_path: Path) -> None:
    """Once there is no time left."""
    program = tmp_path / "codex"
    program.write_text("#!/bin/sh\nexec cat >/dev/null\n")
    program.chmod(0o755)
    assert load("codex").trust(str(program), "/", within(0)) == TrustUnknown("It did not answer in time.")


def test_claude_code_asks_no_trust() -> None:
    """Its hooks run without it, so there is nothing to ask and nothing is started."""
    assert load("claude-code").trust("/nowhere/claude", "/", within(0)) is None

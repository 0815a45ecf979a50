"""Payloads of other hosts that come through Claude Code's hooks are told apart, and answered as they need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from adapters.hosts import claude_code
from contracts.event import HostEvent, Ignored, ShellResult
from contracts.outcome import Skipped

Payload = Callable[..., dict[str, Any]]
Said = Callable[[dict[str, Any]], HostEvent | Skipped]

ID = "a6877d77-dca6-44c7-a536-25fdb8da5d94"
CODEX = "01a22b13-5530-70d1-a78e-9d9d079b1387"
CODEX_TRANSCRIPT = f"/home/dev/.codex/sessions/2026/11/30/rollout-2026-11-30T06-10-17-{CODEX}.jsonl"
CURSOR = {
    "session_id": ID,
    "conversation_id": ID,
    "generation_id": "",
    "cursor_version": "2.5.0",
    "workspace_roots": ["/project"],
    "hook_event_name": "postToolUse",
    "transcript_path": f"/home/dev/.cursor/projects/project/agent-transcripts/{ID}/{ID}.jsonl",
}
"""After public reports of what Cursor sends, with the values made up; Cursor itself was not run."""

FOREIGN: dict[str, dict[str, Any]] = {
    # Fields as recorded from the real host, less those that do not matter here.
    "codex": {"session_id": CODEX, "turn_id": "t", "transcript_path": CODEX_TRANSCRIPT},
    "codex without a turn": {"session_id": CODEX, "transcript_path": CODEX_TRANSCRIPT},
    "codex ephemeral": {"session_id": CODEX, "transcript_path": None},
    "gemini": {
        "session_id": ID,
        "timestamp": "2026-11-30T05:38:00.000Z",
        "transcript_path": "/home/dev/.gemini/tmp/proj/chats/session-2026-11-30T05-38-a6877d77.jsonl",
    },
    "qwen": {
        "session_id": ID,
        "timestamp": "2026-11-30T05:38:00.000Z",
        "transcript_path": f"/home/dev/.qwen/projects/-project/chats/{ID}.jsonl",
    },
    "qwen without a time": {
        "session_id": ID,
        "transcript_path": f"/home/dev/.qwen/projects/-project/chats/{ID}.jsonl",
    },
    "droid": {
        "session_id": ID,
        "permission_mode": "off",
        "transcript_path": f"/home/dev/.factory/sessions/-project/{ID}.jsonl",
    },
    "copilot": {"sessionId": ID, "timestamp": 1796017144, "toolName": "bash"},
    "copilot in Claude's style": {"session_id": ID, "timestamp": "2026-11-30T05:38:00.000Z"},
    "copilot stop": {
        "session_id": ID,
        "timestamp": "2026-11-30T05:38:00.000Z",
        "transcript_path": f"/home/dev/.copilot/session-state/{ID}/events.jsonl",
    },
    "kimi": {"session_id": f"session_{ID}", "client_type": "cli", "tool_call_id": "c"},
    "cline": {"taskId": "t", "hookName": "PostToolUse", "clineVersion": "3", "timestamp": "1"},
    "cursor": CURSOR,
    "cursor with Claude's names": CURSOR | {"hook_event_name": "PostToolUse", "tool_name": "Bash"},
    "cursor without a transcript": CURSOR | {"transcript_path": None},
}


@pytest.mark.parametrize("event", ["PostToolUse", "SessionStart", "SessionEnd", "SubagentStart", "Stop"])
@pytest.mark.parametrize("sender", FOREIGN)
def test_another_hosts_payload_is_foreign(sender: str, event: str, payload: Payload, said: Said) -> None:
    """Even with all the fields of a good read."""
    good = payload(hook_event_name=event, source="startup", reason="clear", agent_id="a")
    del good["session_id"], good["transcript_path"]
    assert said(good | FOREIGN[sender]) == Skipped("foreign-payload")
    assert said(FOREIGN[sender] | {"hook_event_name": event}) == Skipped("foreign-payload")


@pytest.mark.parametrize(
    "mark", ["cursor_version", "conversation_id", "generation_id", "turn_id", "timestamp", "sessionId"]
)
@pytest.mark.parametrize("value", [None, "", "x"])
def test_one_key_of_another_host_is_enough(mark: str, value: object, payload: Payload, said: Said) -> None:
    """Claude Code sends none of these with the events that count."""
    assert said(payload(**{mark: value})) == Skipped("foreign-payload")


def test_the_one_event_with_a_turns_id_is_claude_codes_own(payload: Payload, said: Said) -> None:
    """MessageDisplay has turn_id; it is not used."""
    assert isinstance(said(payload(hook_event_name="MessageDisplay", turn_id="t")), Ignored)


@pytest.mark.parametrize(
    "path",
    [
        None,
        "",
        [],
        5,
        f"{ID}.jsonl",
        f"projects/-project/{ID}.jsonl",
        f"./.claude/projects/-project/{ID}.jsonl",
        f"/home/dev/.claude/projects//{ID}.jsonl",
        f"/home/dev/.claude/projects/{ID}.jsonl",
        f"/home/dev/.claude/projects/-project/{ID}",
        f"/home/dev/.claude/projects/-project/{ID}.jsonl/",
        f"/home/dev/.claude/projects/-project/x{ID}.jsonl",
        f"/home/dev/.claude/projects/-project/{ID}.jsonl\n",
        f"/home/dev/.claude/projects/-project/{ID}/subagents/agent-a.jsonl",
    ],
)
def test_a_transcript_elsewhere_is_not_claude_codes(path: object, payload: Payload, said: Said) -> None:
    """It always is `<config>/projects/<folder>/<session_id>.jsonl`."""
    assert said(payload(session_id=ID, transcript_path=path)) == Skipped("foreign-payload")


def test_the_configuration_may_stand_anywhere(payload: Payload, said: Said) -> None:
    """CLAUDE_CONFIG_DIR moves the folder."""
    path = f"/srv/conf/projects/-a-b/{ID}.jsonl"
    assert isinstance(said(payload(session_id=ID, transcript_path=path)), ShellResult)


@pytest.mark.parametrize("session", ["../../x", "a/b", "/etc/passwd"])
def test_an_id_with_a_path_in_it_is_never_a_file(session: str, payload: Payload, said: Said) -> None:
    """The base name of a path cannot hold it."""
    path = f"/home/dev/.claude/projects/-project/{session}.jsonl"
    assert said(payload(session_id=session, transcript_path=path)) == Skipped("foreign-payload")


def test_cursor_gets_a_document_that_decides_nothing() -> None:
    """It reads this host's settings file, and an empty answer is broken JSON to it."""
    assert claude_code.decline(msgspec.json.encode(CURSOR)) == b"{}"
    assert claude_code.decline(b'{"cursor_version": null}') == b"{}"


@pytest.mark.parametrize("sender", [name for name in FOREIGN if "cursor" not in name])
def test_other_senders_get_no_answer(sender: str) -> None:
    """Nothing is the neutral answer of every other host."""
    assert claude_code.decline(msgspec.json.encode(FOREIGN[sender])) == b""


@pytest.mark.parametrize("payload", [b"", b"[]", b"\xff", b'{"cursor_version": ', b'"cursor_version"'])
def test_what_is_no_object_gets_no_answer(payload: bytes) -> None:
    """It is not known who sent it."""
    assert claude_code.decline(payload) == b""

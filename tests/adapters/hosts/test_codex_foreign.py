"""Payloads of other hosts that reach the hook of Codex by a wrong registration or a shared file."""

from __future__ import annotations

import json
from typing import Any

import pytest

from adapters.hosts import codex
from contracts.outcome import Skipped

UUID = "247a5e37-0924-4815-a918-f9d5c219c892"
READ: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "lore get a.b.c --json"}}
CLAUDE = f"/home/dev/.claude/projects/-project/{UUID}.jsonl"
FOREIGN: dict[str, dict[str, Any]] = {
    "claude-code": {
        **READ,
        "hook_event_name": "PostToolUse",
        "session_id": UUID,
        "transcript_path": CLAUDE,
        "prompt_id": UUID,
        "tool_response": {"stdout": "{}", "stderr": "", "interrupted": False},
        "tool_use_id": "toolu_1",
    },
    "claude-code, session end": {
        "hook_event_name": "SessionEnd",
        "session_id": UUID,
        "transcript_path": CLAUDE,
        "cwd": "/project",
        "reason": "other",
    },
    "claude-code, subagent start": {
        "hook_event_name": "SubagentStart",
        "session_id": UUID,
        "transcript_path": CLAUDE,
        "agent_id": "a1",
        "agent_type": "general-purpose",
    },
    "qwen-code": {
        **READ,
        "hook_event_name": "PostToolUse",
        "session_id": UUID,
        "transcript_path": f"/home/dev/.qwen/projects/-project/chats/{UUID}.jsonl",
        "tool_call_id": "c1",
        "tool_use_id": "c1",
        "tool_response": {"llmContent": "{}"},
    },
    "gemini-cli": {
        "hook_event_name": "AfterTool",
        "session_id": UUID,
        "transcript_path": "/home/dev/.gemini/tmp/proj/chats/session-2026-11-30T05-36-b7a79d13.jsonl",
        "tool_name": "run_shell_command",
        "tool_input": {"command": "lore get a.b.c --json"},
        "tool_response": {"llmContent": "{}"},
    },
    "droid": {
        **READ,
        "hook_event_name": "PostToolUse",
        "session_id": UUID,
        "transcript_path": f"/home/dev/.factory/sessions/-project/{UUID}.jsonl",
        "permission_mode": "off",
        "tool_response": "{}",
    },
    "copilot-cli": {
        "hook_event_name": "PostToolUse",
        "session_id": UUID,
        "timestamp": "2026-11-30T05:36:00Z",
        "tool_name": "bash",
        "tool_input": {"command": "lore get a.b.c --json"},
        "tool_result": {"result_type": "success", "text_result_for_llm": "{}"},
    },
    "copilot-cli, camel case": {
        "sessionId": UUID,
        "timestamp": 1,
        "cwd": "/project",
        "toolName": "bash",
        "toolArgs": "{}",
        "toolResult": {},
    },
    "copilot-cli, stop": {
        "hook_event_name": "Stop",
        "session_id": UUID,
        "transcript_path": f"/home/dev/.copilot/session-state/{UUID}/events.jsonl",
    },
    "kimi-code": {
        **READ,
        "hook_event_name": "PostToolUse",
        "session_id": UUID,
        "client_type": "cli",
        "tool_call_id": "c1",
        "tool_output": "{}",
    },
    "cline": {"hookName": "PostToolUse", "taskId": "1", "clineVersion": "3.0.65", "postToolUse": {}},
    "cursor": {
        "hook_event_name": "afterShellExecution",
        "conversation_id": UUID,
        "generation_id": UUID,
        "command": "lore get a.b.c --json",
        "output": "{}",
        "workspace_roots": ["/project"],
    },
}


def parsed(payload: object) -> object:
    """Parse a payload with a reader that every command concerns."""
    return codex.parse(json.dumps(payload).encode(), lambda _: True)


@pytest.mark.parametrize("payload", FOREIGN.values(), ids=FOREIGN)
def test_a_payload_of_another_host_is_told_apart(payload: dict[str, Any]) -> None:
    """It would name a conversation that Codex does not have."""
    assert parsed(payload) == Skipped("foreign-payload")


@pytest.mark.parametrize(
    "path",
    [
        "",
        5,
        [],
        {},
        "rollout.jsonl",
        f"/x/rollout-2026-11-30T05-36-00-{UUID}.json",
        f"/x/rollout-2026-11-30T05-36-00-{UUID}.jsonl\n",
        f"/x/rollout-2026-11-30T05-36-00-{UUID}.jsonl/y",
        f"/x/xrollout-2026-11-30T05-36-00-{UUID}.jsonl",
        f"/x/rollout-{UUID}.jsonl",
        f"/x/rollout-2026-11-30T05-36-00-{UUID}_x.jsonl",
        f"/x/rollout-٢٠٢٦-11-30T05-36-00-{UUID}.jsonl",
    ],
)
def test_a_transcript_of_another_name_is_not_of_codex(path: object) -> None:
    """The whole file name is matched, not a part of it."""
    payload = {"hook_event_name": "Stop", "session_id": UUID, "transcript_path": path}
    assert parsed(payload) == Skipped("foreign-payload")


def test_a_payload_without_the_key_of_the_transcript_is_not_of_codex() -> None:
    """Codex writes null where it keeps none."""
    assert parsed({"hook_event_name": "Stop", "session_id": UUID}) == Skipped("foreign-payload")
    assert parsed({}) == Skipped("foreign-payload")


@pytest.mark.parametrize("document", [[], "x", 5, None, True, [FOREIGN]])
def test_what_is_no_object_is_no_payload(document: object) -> None:
    """One JSON object, or nothing."""
    assert parsed(document) == Skipped("payload-malformed")

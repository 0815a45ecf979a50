"""What these tests share: recorded runs of Claude Code played again, and one good payload to change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import contracts
from adapters.evidence.replay import Step, load, replay
from adapters.hosts import claude_code
from contracts.event import HostEvent
from contracts.outcome import Skipped
from contracts.read import Locator, PendingRead, Read, result_digest

EVIDENCE = Path(contracts.__file__).parent / "evidence" / "claude-code"

Parsed = HostEvent | Skipped


@pytest.fixture(scope="session")
def concerns() -> Callable[[str], bool]:
    """Stand in for the readers: a command that names `lore` concerns one."""
    return lambda command: "lore" in command


@pytest.fixture
def steps(tmp_path: Path) -> Callable[[str, str], list[Step]]:
    """Give the payloads of one recorded run, by version and scenario."""
    return lambda version, scenario: list(
        replay(load(EVIDENCE / version / "first" / f"{scenario}.json"), tmp_path)
    )


@pytest.fixture
def parsed(
    steps: Callable[[str, str], list[Step]], concerns: Callable[[str], bool]
) -> Callable[[str, str], list[tuple[str, Parsed]]]:
    """Give every hook's event name and what the adapter makes of its payload, for one recorded run."""
    return lambda version, scenario: [
        (step.event, claude_code.parse(step.payload, concerns)) for step in steps(version, scenario)
    ]


@pytest.fixture
def payload(tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Give a good PostToolUse as 2.1.197 sends it (`direct`), with some fields changed."""

    def change(**fields: Any) -> dict[str, Any]:
        return {
            "session_id": "5cd3f2a8-35a8-4ee7-a7c2-cb50a0b0dc86",
            "transcript_path": str(
                tmp_path / ".claude/projects/-project/5cd3f2a8-35a8-4ee7-a7c2-cb50a0b0dc86.jsonl"
            ),
            "cwd": "/project",
            "prompt_id": "b1f0c7f4-65a5-4eb3-b28a-8d4a87b9a2b5",
            "permission_mode": "default",
            "effort": {"level": "high"},
            "hook_event_name": "PostToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": "lore get a.b.c --json", "description": "lab"},
            "tool_response": {
                "stdout": '{"ok": true}',
                "stderr": "",
                "interrupted": False,
                "isImage": False,
                "noOutputExpected": False,
            },
            "tool_use_id": "toolu_lab000200",
            "duration_ms": 91,
        } | fields

    return change


@pytest.fixture
def said(concerns: Callable[[str], bool]) -> Callable[[dict[str, Any]], Parsed]:
    """Give what the adapter makes of a payload."""
    return lambda payload: claude_code.parse(msgspec.json.encode(payload), concerns)


@pytest.fixture
def pending(tmp_path: Path) -> Callable[..., PendingRead]:
    """Give a pending read of `output`, to be found in `transcript` from `offset` on."""

    def make(
        event_id: str = "toolu_lab000200",
        output: str = '{"ok": true}',
        transcript: Path | None = tmp_path / "transcript.jsonl",
        offset: int = 0,
    ) -> PendingRead:
        read = Read("lore", "scope", event_id, "sha256:0a", "T", "W", ())
        locator = None if transcript is None else Locator(str(transcript), offset)
        return PendingRead(event_id, (read,), result_digest(output), locator, 0)

    return make

"""What hosts say when an agent reads files, made up after recordings and with real transcripts.

Claude Code: `file_whole`, `file_cat`, `skill_project` (2.1.197); Codex: `direct` (0.171.0).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

THREAD = "01a22b91-5ff1-76b2-8224-18a3ff84d316"

TEXT = "# Choose one queue\n\nBecause two are too many.\n"
SKILL = "---\nname: parsing\ndescription: Use it when you write a parser.\n---\n\n# How we parse\n"


def lines(path: Path, *records: dict[str, Any]) -> None:
    """Append lines to a transcript, as a host does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)


def numbered(text: str) -> str:
    """Return a file's text as Claude Code's model is sent it."""
    return "\n".join(f"{number}\t{line}" for number, line in enumerate(text.split("\n"), 1))


class Claude:
    """A conversation of Claude Code whose agent works in a folder."""

    name = "claude-code"

    def __init__(self, home: Path, folder: Path) -> None:
        """Take the home in which its transcript lies, and the folder."""
        self.transcript = home / ".claude" / "projects" / "-p" / "S1.jsonl"
        self.folder = folder
        self._calls = 0

    def event(self, name: str, **fields: Any) -> bytes:
        """Return the payload of an event."""
        said = {"session_id": "S1", "transcript_path": str(self.transcript), "cwd": str(self.folder)}
        return json.dumps({**said, "hook_event_name": name, **fields}).encode()

    def subagent(self) -> bytes:
        """Return the payload of a subagent's start."""
        return self.event("SubagentStart", agent_id="a1", agent_type="general-purpose")

    def call(
        self, tool: str, given: dict[str, Any], gave: Any, sent: str, **more: Any
    ) -> tuple[bytes, bytes]:
        """Return the payloads of one call: what the tool gave, and what the model was sent."""
        self._calls += 1
        call = {"tool_name": tool, "tool_input": given, "tool_use_id": f"toolu_{self._calls:04}_0", **more}
        return (
            self.event("PostToolUse", **call, tool_response=gave),
            self.event("PostToolBatch", tool_calls=[{**call, "tool_response": sent}]),
        )

    def ran(self, command: str, output: str) -> tuple[bytes, bytes]:
        """Return the payloads of a command."""
        gave = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
        return self.call("Bash", {"command": command, "description": "Run"}, gave, output)

    def read(self, path: Path | str, content: str, **fields: Any) -> tuple[bytes, bytes]:
        """Return the payloads of a file that the Read tool gave, with fields of its result changed."""
        size = content.count("\n") + 1
        file = {
            "filePath": str(path),
            "content": content,
            "numLines": size,
            "startLine": 1,
            "totalLines": size,
        } | fields
        gave = {"type": "text", "file": file}
        return self.call("Read", {"file_path": str(path)}, gave, numbered(content))

    def loaded(self, name: str, folder: Path | str) -> tuple[bytes, bytes]:
        """Return the payloads of a loaded skill; its text of now follows in the transcript after `shows`."""
        gave = {"success": True, "commandName": name}
        asked = {
            "type": "tool_use",
            "id": f"toolu_{self._calls + 1:04}_0",
            "name": "Skill",
            "input": {"skill": name},
        }
        said = {"role": "assistant", "content": [asked]}
        lines(self.transcript, {"type": "assistant", "isSidechain": False, "message": said})
        found = self.call("Skill", {"skill": name}, gave, f"Launching skill: {name}")
        file = Path(folder, "SKILL.md")
        _, _, body = file.read_text(encoding="utf-8").rpartition("---\n") if file.exists() else ("", "", "")
        self._shown = (f"toolu_{self._calls:04}_0", name, str(folder), body.lstrip())
        return found

    def shows(self) -> None:
        """Write what the model was sent of the last skill."""
        call, name, folder, body = self._shown
        result = {"type": "tool_result", "tool_use_id": call, "content": f"Launching skill: {name}"}
        text = {"type": "text", "text": f"Base directory for this skill: {folder}\n\n{body}"}
        lines(
            self.transcript,
            {"type": "user", "isSidechain": False, "message": {"role": "user", "content": [result]}},
            {
                "type": "user",
                "isSidechain": False,
                "isMeta": True,
                "sourceToolUseID": call,
                "message": {"role": "user", "content": [text]},
            },
        )


class Codex:
    """A conversation of Codex whose agent works in a folder."""

    name = "codex"

    def __init__(self, home: Path, folder: Path) -> None:
        """Take the home in which its transcript lies, and the folder."""
        day = home / ".codex" / "sessions" / "2026" / "11" / "30"
        self.transcript = day / f"rollout-2026-11-30T08-27-57-{THREAD}.jsonl"
        self.folder = folder
        self._calls = 0

    def event(self, name: str, **fields: Any) -> bytes:
        """Return the payload of an event."""
        said = {"session_id": THREAD, "transcript_path": str(self.transcript), "cwd": str(self.folder)}
        said |= {"turn_id": "t", "model": "m", "permission_mode": "default"}
        return json.dumps({**said, "hook_event_name": name, **fields}).encode()

    def subagent(self) -> bytes:
        """Return the payload of a subagent's start."""
        return self.event("SubagentStart", agent_id="a1", agent_type="default")

    def ran(self, command: str, output: str, code: int = 0) -> bytes:
        """Write the record of a command and return its payload."""
        self._calls += 1
        self._call, self._output = f"call_{self._calls}_0", output
        item = {
            "type": "CommandExecution",
            "id": self._call,
            "command": ["/bin/bash", "-lc", command],
            "status": "completed",
            "aggregated_output": output,
            "exit_code": code,
        }
        self._line("event_msg", {"type": "item_completed", "thread_id": THREAD, "turn_id": "t", "item": item})
        call = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": self._call}
        return self.event("PostToolUse", **call, tool_response=output)

    def shows(self, output: str | None = None) -> None:
        """Write what the model was sent of the last command."""
        head = "Chunk ID: 578e50\nWall time: 0.0000 seconds\nProcess exited with code 0\nOutput:\n"
        text = head + (self._output if output is None else output)
        payload = {"type": "function_call_output", "call_id": self._call, "output": text}
        self._line("response_item", payload)

    def _line(self, kind: str, payload: dict[str, Any]) -> None:
        lines(self.transcript, {"timestamp": "2026-11-30T08:27:57.678Z", "type": kind, "payload": payload})

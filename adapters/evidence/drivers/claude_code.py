"""Drives Claude Code: `claude -p`, its resume and fork, and the terminal interface."""

import json
from pathlib import Path
from typing import Any

from adapters.evidence.drivers.lines import Line, lines
from adapters.evidence.events import CLAUDE_CODE
from adapters.evidence.lab import Lab
from adapters.evidence.model import anthropic_messages as WIRE  # noqa: N812 - the name that Driver gives it
from adapters.evidence.scenario import Call, Place, Run

__all__ = ["EVENTS", "NAME", "PLACES", "WIRE", "command", "environment", "prepare", "shell", "transcripts"]

NAME = "claude-code"

EVENTS = CLAUDE_CODE

PLACES: tuple[Place, ...] = ("user", "plugin")

KEPT = ("[Request interr", "Base directory for this skill: ")
"""How a text of the host's own begins that is kept of a transcript: an interruption, a skill's body."""

KEY = "sk-ant-scripted-key-of-no-account"
"""Stands where a key must stand; the scripted model looks at none."""


def prepare(lab: Lab, url: str) -> None:
    """Write the settings with the hooks, and a home in which all first questions are answered."""
    del url
    folder = lab.home / ".claude"
    folder.mkdir(exist_ok=True)
    hooks = {"hooks": lab.registrations(EVENTS)}
    settings = {"skipDangerousModePermissionPrompt": True, **lab.scenario.settings}
    if "plugin" in lab.scenario.places:
        _write_plugin(_plugin(lab), hooks)
    if "user" in lab.scenario.places:
        settings |= hooks
    (folder / "settings.json").write_text(json.dumps(settings, indent=1))
    known = {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "bypassPermissionsModeAccepted": True,
        "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
        "projects": {str(lab.project): {"hasTrustDialogAccepted": "trust" not in lab.scenario.asks}},
    }
    (lab.home / ".claude.json").write_text(json.dumps(known))


def _plugin(lab: Lab) -> Path:
    return lab.home / "recorder-plugin"


def _write_plugin(folder: Path, hooks: dict[str, Any]) -> None:
    """Write a plugin that has nothing but the hooks."""
    for name in (".claude-plugin", "hooks"):
        (folder / name).mkdir(parents=True)
    manifest = {"name": "recorder", "version": "0.1.0", "description": "Records hook payloads"}
    (folder / ".claude-plugin" / "plugin.json").write_text(json.dumps(manifest))
    (folder / "hooks" / "hooks.json").write_text(json.dumps(hooks))


def environment(lab: Lab, url: str) -> dict[str, str]:
    """Return the model's address, a key of no account, and what keeps the host from calling home."""
    return {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": KEY,
        "IS_SANDBOX": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_TELEMETRY": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CODE_TMPDIR": str(lab.root / "tmp"),
    }


def command(binary: Path, lab: Lab, run: Run, conversation: str) -> list[str]:
    """Return `claude -p …`, or `claude …` for the terminal interface."""
    verb = {
        "new": [],
        "resume": ["--resume", conversation],
        "fork": ["--resume", conversation, "--fork-session"],
    }[run.begin]
    model = ["--model", lab.scenario.model] if lab.scenario.model else []
    bypass = [] if "permissions" in lab.scenario.asks else ["--permission-mode", "bypassPermissions"]
    plugin = ["--plugin-dir", str(_plugin(lab))] if "plugin" in lab.scenario.places else []
    words = [str(binary), *bypass, *model, *plugin, *verb, *run.arguments]
    if run.terminal:
        return [*words, *([run.prompt] if run.prompt else [])]
    if run.input:
        stream = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]
        return [*words, "-p", *stream]
    return [*words, "-p", run.prompt]


def shell(command: str, lab: Lab) -> Call:
    """Return the tool `Bash`."""
    del lab
    return Call(tool="Bash", arguments={"command": command, "description": "Run a command"})


def transcripts(lab: Lab) -> dict[str, list[Line]]:
    """Return the tool-related lines of every transcript below the home, those of subagents too."""
    projects = lab.home / ".claude" / "projects"
    return {
        str(path): [line for line in lines(path) if _tells(line.data)]
        for path in sorted(projects.glob("**/*.jsonl"))
    }


def _tells(data: dict[str, Any]) -> bool:
    """Whether a line records a call, its result, what it put into the conversation, or an interruption."""
    if "sourceToolUseID" in data:
        return True
    content = data.get("message", {}).get("content") if isinstance(data.get("message"), dict) else None
    if not isinstance(content, list) or not all(isinstance(block, dict) for block in content):
        return False
    match data.get("type"):
        case "assistant":
            return any(block.get("type") == "tool_use" for block in content)
        case "user":
            return any(
                block.get("type") == "tool_result" or str(block.get("text", "")).startswith(KEPT)
                for block in content
            )
        case _:
            return False

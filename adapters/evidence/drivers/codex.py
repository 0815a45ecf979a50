"""Drives Codex: `codex exec`, its resume and fork, and the terminal interface."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from adapters.evidence.drivers.lines import Line, lines
from adapters.evidence.drivers.toml import quoted, value
from adapters.evidence.events import CODEX
from adapters.evidence.lab import Lab
from adapters.evidence.model import openai_responses as WIRE  # noqa: N812 - the name that Driver gives it
from adapters.evidence.scenario import Call, Place, Run

__all__ = ["EVENTS", "NAME", "PLACES", "WIRE", "command", "environment", "prepare", "shell", "transcripts"]

NAME = "codex"

EVENTS = CODEX

PLACES: tuple[Place, ...] = ("user", "config", "project", "plugin")

MARKET = "market"
"""The folder in the home that offers the plugin `recorder`; a scenario's set-up installs it."""

MODEL = "gpt-5.5"
"""Offers the direct tools; scenarios name others for code mode and for subagents."""

BYPASS = {
    "permissions": "--dangerously-bypass-approvals-and-sandbox",
    "trust": "--dangerously-bypass-hook-trust",
}
"""What tells the host beforehand what it would ask a person."""

KEPT = frozenset(
    {
        ("response_item", "function_call"),
        ("response_item", "function_call_output"),
        ("response_item", "custom_tool_call"),
        ("response_item", "custom_tool_call_output"),
    }
)
"""The kinds of transcript lines that say what a tool did; the others hold prompts."""


COMPLETED = ("event_msg", "item_completed")
"""The kind of line that records a command's end, besides other items."""

META = frozenset(
    {
        "id",
        "session_id",
        "forked_from_id",
        "parent_thread_id",
        "timestamp",
        "cwd",
        "originator",
        "cli_version",
        "source",
        "thread_source",
        "history_mode",
    }
)
"""What of a transcript's first line is kept: who it is of."""


def prepare(lab: Lab, url: str) -> None:
    """Write `config.toml` with the scripted model, and `hooks.json`."""
    folder = lab.home / ".codex"
    folder.mkdir(exist_ok=True)
    model = lab.scenario.model or MODEL
    settings = {
        "model": model,
        "model_provider": "scripted",
        "check_for_update_on_startup": False,
        **lab.scenario.settings,
    }
    tables: dict[str, dict[str, Any]] = {
        "model_providers.scripted": {"name": "scripted", "base_url": f"{url}/v1", "wire_api": "responses"},
        # Without these two the terminal interface begins with an offer to change the model.
        "notice.model_migrations": {model: "gpt-6-sol"},
        "tui.model_availability_nux": {"gpt-6.1-sol": 1},
        "tui": {"animations": False},
        f"projects.{quoted(str(lab.project))}": {"trust_level": "trusted"},
    }
    text = _values(settings)
    for name, table in tables.items():
        text += f"\n[{name}]\n" + _values(table)
    (folder / "config.toml").write_text(text)
    hooks = lab.registrations(EVENTS)
    written = json.dumps({"hooks": hooks}, indent=1)
    for place in lab.scenario.places:
        match place:
            case "user":
                (folder / "hooks.json").write_text(written)
            case "config":
                with (folder / "config.toml").open("a") as config:
                    config.write(_tables(hooks))
            case "project":
                (lab.project / ".codex").mkdir(exist_ok=True)
                (lab.project / ".codex" / "hooks.json").write_text(written)
            case "plugin":
                _write_market(lab.home / MARKET, written)


def _write_market(folder: Path, hooks: str) -> None:
    """Write a marketplace with one plugin that has nothing but the hooks."""
    plugin = folder / "plugins" / "recorder"
    about = {"name": "recorder", "version": "0.1.0", "description": "Records hook payloads"}
    offered = {
        "name": "recorder",
        "source": {"source": "local", "path": "./plugins/recorder"},
        "policy": {"installation": "AVAILABLE", "authentication": "ON_INSTALL"},
        "category": "Productivity",
    }
    for path, text in {
        folder / ".agents" / "plugins" / "marketplace.json": json.dumps(
            {"name": MARKET, "plugins": [offered]}
        ),
        plugin / ".codex-plugin" / "plugin.json": json.dumps(about),
        plugin / "hooks" / "hooks.json": hooks,
    }.items():
        path.parent.mkdir(parents=True)
        path.write_text(text)


def _tables(hooks: dict[str, list[dict[str, Any]]]) -> str:
    """Return the hooks as tables of the configuration file."""
    text = ""
    for event, groups in hooks.items():
        for group in groups:
            text += f"\n[[hooks.{event}]]\n" + _values(group, "hooks")
            for handler in group["hooks"]:
                text += f"[[hooks.{event}.hooks]]\n" + _values(handler)
    return text


def _values(table: dict[str, Any], *but: str) -> str:
    return "".join(f"{quoted(key)} = {value(table[key])}\n" for key in table if key not in but)


def environment(lab: Lab, url: str) -> dict[str, str]:
    """Return nothing: Codex finds all in its home."""
    del lab, url
    return {}


def command(binary: Path, lab: Lab, run: Run, conversation: str) -> list[str]:
    """Return `codex exec …`, or `codex …` for the terminal interface."""
    verb = [] if run.begin == "new" else [run.begin, conversation]
    bypass = [flag for what, flag in BYPASS.items() if what not in lab.scenario.asks]
    if run.terminal:
        return [str(binary), *verb, *bypass, *run.arguments, *([run.prompt] if run.prompt else [])]
    head = [str(binary), "exec", "--skip-git-repo-check", *bypass, "--cd", str(lab.project)]
    return [*head, *run.arguments, *verb, run.prompt]


def shell(command: str, lab: Lab) -> Call:
    """Return `exec_command`, or a script that runs it and shows its output in code mode."""
    if lab.scenario.mode == "code":
        script = f"const r = await tools.exec_command({{cmd: {json.dumps(command)}}}); text(r.output);"
        return Call(tool="exec", text=script)
    return Call(tool="exec_command", arguments={"cmd": command})


def transcripts(lab: Lab) -> dict[str, list[Line]]:
    """Return the tool-related lines of every rollout below the home."""
    sessions = lab.home / ".codex" / "sessions"
    return {str(path): list(_kept(path)) for path in sorted(sessions.glob("**/*.jsonl"))}


def _kept(path: Path) -> Iterator[Line]:
    for line in lines(path):
        payload = line.data.get("payload")
        if not isinstance(payload, dict):
            continue
        kind = (line.data.get("type"), payload.get("type"))
        if kind[0] == "session_meta":
            # The host's own instructions stand here too; they are no evidence.
            known = {key: value for key, value in payload.items() if key in META}
            yield Line(line.end, {**line.data, "payload": known})
        elif kind == COMPLETED:
            item = payload.get("item")
            if isinstance(item, dict) and item.get("type") == "CommandExecution":
                yield line
        elif kind in KEPT:
            yield line

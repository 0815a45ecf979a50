"""What both hosts tell their hooks of a call, and what their models get, in the form of their recordings."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Mapping
from math import ceil
from pathlib import Path
from typing import Any
from uuid import uuid4

from adapters.hosts import load
from adapters.registration import registration

Payload = dict[str, Any]


class Host:
    """A conversation of a host in a project, with the hooks that an installed readmark registers there."""

    NAME = ""

    def __init__(self, place: Path, program: Path, session: str) -> None:
        """Take a conversation by its id; `program` is the command that is registered.

        `place` holds the project, the home and the folder of readmark's own state.
        """
        self.project, self.home, self.state = (place / name for name in ("project", "home", "state"))
        self.session = session
        self.environ = {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "READMARK_HOME": str(self.state),
        }
        self._folder = self.project
        self.sent: list[str] = []
        """What the model got, call by call."""
        self._number = 0
        self._hooks = registration(load(self.NAME), str(program)).hooks
        self.transcript = self._transcript()

    def begin(self) -> None:
        """Begin the conversation."""
        self.transcript.parent.mkdir(parents=True)
        self.transcript.touch()

    def bash(self, command: str) -> None:
        """Let the agent run a command."""
        raise NotImplementedError

    def end(self) -> None:
        """Come to where the host has shown all that was sent."""

    def _transcript(self) -> Path:
        raise NotImplementedError

    def _id(self) -> str:
        self._number += 1
        return f"call_{self._number}_0"

    def _call(self, payload: Payload) -> None:
        """Give a payload to each command that is registered for it, through the shell that the host uses."""
        said = json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()
        for group in self._hooks.get(payload["hook_event_name"], ()):
            tool = payload.get("tool_name")
            if group.matcher is None or (tool is not None and re.fullmatch(group.matcher, tool)):
                for hook in group.hooks:
                    done = self._run(["/bin/sh", "-c", hook.command], said)
                    assert (done.returncode, done.stderr) == (0, b""), done

    def _write(self, line: Payload) -> None:
        with self.transcript.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")

    def _shell(self, words: list[str], folder: Path) -> subprocess.CompletedProcess[bytes]:
        """Run what an agent runs, both outputs in one."""
        return subprocess.run(
            words,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            timeout=60,
            env=self.environ,
        )

    def _run(self, words: list[str], stdin: bytes) -> subprocess.CompletedProcess[bytes]:
        environ = {**self.environ, **self._stated()}
        return subprocess.run(
            words, cwd=self._folder, input=stdin, capture_output=True, check=False, timeout=60, env=environ
        )

    def _stated(self) -> Mapping[str, str]:
        """Return what the host puts into the environment of its hooks."""
        return {}


class ClaudeCode(Host):
    """Claude Code 2.1.332, as `read_windows`, `read_cut`, `read_offsets` and `read_grep` show it."""

    NAME = "claude-code"

    CUT = 30_000
    """At how many bytes a command's output is cut."""
    FOUND = 20_000
    """At how many characters a search's result is."""
    PREVIEW = 2_000
    """How many characters of one that is too large the model gets."""

    def bash(self, command: str) -> None:
        """Run a command as the tool Bash; of one that fails there is an event that nobody registers for.

        The next command, and already the hook of this one, find the folder in which it ended (`moved`).
        """
        left = self.transcript.with_suffix(".folder")
        words = ["/bin/bash", "-c", 'eval "$1" < /dev/null && pwd -P > "$2"', "bash", command, str(left)]
        done = self._shell(words, self._folder)
        whole = _trimmed(done.stdout.decode(errors="replace"))
        if done.returncode:
            self.sent.append(f"Exit code {done.returncode}\n{whole}")
            return
        self._folder = Path(left.read_text(encoding="utf-8").removesuffix("\n"))
        response: Payload = {"stdout": whole, "stderr": "", "interrupted": False, "isImage": False}
        response["noOutputExpected"] = False
        sent = whole or "(Bash completed with no output)"
        if len(done.stdout) > self.CUT:
            response["stdout"] = _trimmed(done.stdout[: self.CUT].decode(errors="replace"))
            response |= self._kept(len(done.stdout))
            sent = self._preview(response["stdout"], response)
        self._used("Bash", {"command": command, "description": "Run a command"}, response, sent)

    def read(self, path: str, **asked: int) -> None:
        """Show a file with the tool Read, from line `offset` on and at most `limit` lines."""
        file = self.project / path
        lines = _plain(file.read_bytes().decode()).split("\n")
        given: Payload = {"file_path": str(file), **asked}
        start = asked.get("offset", 1)
        first = max(start, 1)
        held = lines[first - 1 : first - 1 + asked.get("limit", len(lines))]
        shown = {"filePath": str(file), "content": "\n".join(held), "numLines": len(held)}
        shown |= {"startLine": start, "totalLines": len(lines)}
        sent = "\n".join(f"{number}\t{line}" for number, line in enumerate(held, start))
        if not held:
            sent = (
                "<system-reminder>Warning: the file exists but is shorter than the provided offset"
                f" ({start}). The file has {len(lines)} lines.</system-reminder>"
            )
        self._used("Read", given, {"type": "text", "file": shown}, sent)

    def grep(self, asked: Payload) -> None:
        """Search with the tool Grep; its form for lines, numbers and names is that of `grep`."""
        around = [f"{name}{asked[name]}" for name in ("-A", "-B", "-C") if name in asked]
        place = asked.get("path", ".")
        many = (self.project / place).is_dir()
        words = ["grep", "-E", *(["-rH"] if many else []), *around]
        words += [f"--include={asked['glob']}"] if "glob" in asked else []
        words += ["-i"] if asked.get("-i") else []
        words += ["-n"] if asked.get("-n", True) else []
        done = self._shell([*words, "-e", asked["pattern"], place], self.project)
        lines = done.stdout.decode().removesuffix("\n").split("\n")
        first, limit = asked.get("offset", 0), asked.get("head_limit", 250)
        held = lines[first : first + limit]
        response: Payload = {"mode": "content", "numFiles": 0, "filenames": [], "content": "\n".join(held)}
        response |= {"numLines": len(held), "totalLines": len(lines)}
        limits = {"limit": len(lines) > first + limit and limit, "offset": first}
        response |= {f"applied{name.title()}": value for name, value in limits.items() if value}
        sent = response["content"]
        if len(sent) > self.FOUND:
            sent = self._preview(sent, self._kept(len(sent.encode())))
        elif any(limits.values()):
            told = ", ".join(f"{name}: {value}" for name, value in limits.items() if value)
            sent += f"\n\n[Showing results with pagination = {told}]"
        self._used("Grep", {**asked, "output_mode": "content"}, response, sent)

    def _used(self, tool: str, asked: Payload, response: Payload, sent: str) -> None:
        """Tell the hooks of a call that ended, and of the batch with what the model gets."""
        call = {"tool_name": tool, "tool_input": asked, "tool_use_id": self._id()}
        told = {"tool_response": response, "duration_ms": 24}
        used = {"tool_name": tool, "tool_input": asked, **told, "tool_use_id": call["tool_use_id"]}
        self._hook({"hook_event_name": "PostToolUse", **used})
        self._hook({"hook_event_name": "PostToolBatch", "tool_calls": [{**call, "tool_response": sent}]})
        self.sent.append(sent)

    def _kept(self, size: int) -> Payload:
        path = self.transcript.with_suffix("") / "tool-results" / "bo01d0fq9.txt"
        return {"persistedOutputPath": str(path), "persistedOutputSize": size}

    def _preview(self, text: str, kept: Payload) -> str:
        shown = text[: self.PREVIEW]
        end = shown.rfind("\n")
        shown = shown[:end] if end > self.PREVIEW // 2 else shown
        size = f"{kept['persistedOutputSize'] / 1024:.1f}KB"
        told = f"Output too large ({size}). Full output saved to: {kept['persistedOutputPath']}"
        return f"<persisted-output>\n{told}\n\nPreview (first 2KB):\n{shown}\n...\n</persisted-output>"

    def _transcript(self) -> Path:
        return self.home / ".claude" / "projects" / "-project" / f"{self.session}.jsonl"

    def begin(self) -> None:
        """Begin the conversation, of which the transcript is empty at first."""
        super().begin()
        self._call({**self._base(), "hook_event_name": "SessionStart", "source": "startup"})

    def _hook(self, more: Payload) -> None:
        turn = {"prompt_id": "713dd2b6-14f2-4a10-93cc-31ec50796c6a", "permission_mode": "bypassPermissions"}
        self._call({**self._base(), **turn, "effort": {"level": "medium"}, **more})

    def _base(self) -> Payload:
        return {"session_id": self.session, "transcript_path": str(self.transcript), "cwd": str(self._folder)}

    def _stated(self) -> Mapping[str, str]:
        return {"AI_AGENT": "claude-code_2-1-332_agent", "CLAUDE_PROJECT_DIR": str(self.project)}


class Codex(Host):
    """Codex 0.171.0, as `read_windows` and `read_cut` show it."""

    NAME = "codex"

    TOKEN = 4
    """How many bytes are a token where an output is cut."""
    MOST = 10_000
    """How many tokens of an output the model gets at most, whatever it asks for."""

    def bash(self, command: str, max_output_tokens: int = MOST, workdir: str = ".") -> None:
        """Run a command with the tool `exec_command`."""
        number, turn = self._id(), "01a23195-31c0-7351-92c5-9eb94f9f24e0"
        folder = (self.project / workdir).resolve()
        words = ["/bin/bash", "-lc", command]
        asked = {"cmd": command, "max_output_tokens": max_output_tokens, "workdir": str(folder)}
        self._item({"type": "function_call", "id": f"fc_{number}", "name": "exec_command"} | {
            "arguments": json.dumps(asked), "call_id": number,
        })  # fmt: skip
        done = self._shell(words, folder)
        whole = done.stdout.decode(errors="replace")
        item = {"type": "CommandExecution", "id": number, "process_id": "85788", "command": words}
        item |= {"cwd": folder.as_uri(), "source": "unified_exec_startup"}
        item |= {"status": "failed" if done.returncode else "completed", "aggregated_output": whole}
        item |= {"exit_code": done.returncode, "duration": {"secs": 0, "nanos": 5817}}
        told = {"type": "item_completed", "thread_id": self.session, "turn_id": turn, "item": item}
        self._write({**self._at(), "type": "event_msg", "payload": told})
        text = _shortened(done.stdout, min(max_output_tokens, self.MOST) * self.TOKEN)
        used = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_response": text}
        # The hook of a call hears of the folder that the call asked for (`file_workdir`).
        self._hook({"hook_event_name": "PostToolUse", **used, "tool_use_id": number, "cwd": str(folder)})
        head = f"Chunk ID: a81036\nWall time: 0.0000 seconds\nProcess exited with code {done.returncode}\n"
        head += f"Original token count: {ceil(len(done.stdout) / self.TOKEN)}\nOutput:\n"
        self._item({"type": "function_call_output", "call_id": number, "output": head + text})
        self.sent.append(text)

    def end(self) -> None:
        """Start a subagent: that a result was sent shows at the next event."""
        agent = {"agent_id": str(uuid4()), "agent_type": "default"}
        self._hook({"hook_event_name": "SubagentStart", **agent})

    def _item(self, payload: Payload) -> None:
        self._write({**self._at(), "type": "response_item", "payload": payload})

    def _at(self) -> Payload:
        return {"timestamp": "2026-12-01T12:29:51.151Z"}

    def _transcript(self) -> Path:
        name = f"rollout-2026-12-01T12-29-50-{self.session}.jsonl"
        return self.home / ".codex" / "sessions" / "2026" / "12" / "01" / name

    def begin(self) -> None:
        """Begin the conversation with the first line of its rollout file."""
        super().begin()
        meta = {"session_id": self.session, "id": self.session, "timestamp": "2026-12-01T12:29:50.902Z"}
        meta |= {"cwd": str(self.project), "originator": "codex_exec", "cli_version": "0.171.0"}
        meta |= {"source": "exec", "thread_source": "user", "history_mode": "paginated"}
        self._write({**self._at(), "ordinal": 0, "type": "session_meta", "payload": meta})
        self._hook({"hook_event_name": "SessionStart", "source": "startup"}, turn=False)

    def _hook(self, more: Payload, *, turn: bool = True) -> None:
        base = {"session_id": self.session, "transcript_path": str(self.transcript)}
        base |= {"turn_id": "01a23195-31c0-7351-92c5-9eb94f9f24e0"} if turn else {}
        base |= {"cwd": str(self.project), "model": "gpt-unknown", "permission_mode": "bypassPermissions"}
        self._call({**base, **more})


HOSTS: dict[str, type[Host]] = {one.NAME: one for one in (ClaudeCode, Codex)}


def _trimmed(text: str) -> str:
    """Return an output as Claude Code trims it: no blank lines before it, nothing blank behind."""
    return re.sub(r"\A(?:[\s\ufeff]*\n)+", "", text).rstrip()


def _plain(text: str) -> str:
    """Return a file's text as the tool Read takes it."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def _shortened(output: bytes, room: int) -> str:
    """Return an output as Codex cuts it: both ends, and between them how many tokens are not there."""
    if len(output) <= room:
        return output.decode(errors="replace")
    tokens, rows = ceil(len(output) / Codex.TOKEN), len(output.splitlines())
    first, last = output[: room // 2].decode(errors="ignore"), output[-(room // 2) :].decode(errors="ignore")
    gone = tokens - room // Codex.TOKEN
    head = f"Warning: truncated output (original token count: {tokens})\nTotal output lines: {rows}\n\n"
    return head + f"{first}…{gone} tokens truncated…{last}"

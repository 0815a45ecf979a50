"""What a hook costs in the path of an agent: whole processes, against bare ones, in one run.

`python benchmarks/hook.py [ROUNDS]`. In every round each case runs once, in a new order, so that whatever
else the machine does falls on all of them alike; a ratio is taken within its round. Times are wall clock.
"""

from __future__ import annotations

import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from adapters.evidence.replay import load, replay
from adapters.hosts import claude_code, codex
from adapters.registration import command_line
from adapters.verdicts import proven
from ledger.pipeline import handle
from ledger.runtime import open_ledger

ROUNDS = 25
RECORDING = Path(__file__).parents[1] / "contracts/evidence/codex/0.171.0/first/read_and_spawn.json"
READ_AT, SPAWNED_AT = 4, 7
"""Where the recorded conversation reads `root.one`, and where its subagent starts."""
FIRST_CALLS = {"practice": "direct", "document": "file_whole", "skill": "skill_project"}
"""Recordings of Claude Code whose first call reads one of each."""
CLAUDE = RECORDING.parents[3] / "claude-code/2.1.197"
AS_IF_PROVEN = """#!{python}
import sys
from adapters import verdicts
verdicts.proven = lambda host: True
from ledger.entry import main
sys.exit(main())
"""
"""Stands in for the installed command while the host has no passing verdict, and does the same work."""


class Case(msgspec.Struct):
    """One process to time; `state` is the ledger that it finds."""

    name: str
    command: list[str]
    payload: bytes = b""
    state: Path | None = None


def program(folder: Path) -> Path:
    """Return the installed command, or what stands in for it."""
    installed = Path(sys.executable).with_name("readmark")
    if proven(codex.NAME):
        return installed
    print("no passing verdict for codex: a stand-in for the installed command is timed")
    stand_in = folder / "readmark"
    stand_in.write_text(AS_IF_PROVEN.format(python=sys.executable))
    stand_in.chmod(0o755)
    return stand_in


def prepared(folder: Path) -> tuple[dict[str, bytes], dict[str, Path]]:
    """Play the recorded conversation; return payloads, and the ledger as it was before each."""
    payloads: dict[str, bytes] = {}
    states: dict[str, Path] = {}
    home = folder / "played"
    for step in replay(load(RECORDING), folder / "transcripts"):
        name = {READ_AT: "read", SPAWNED_AT: "spawn"}.get(step.index)
        if name:
            payloads[name] = step.payload
            states[name] = folder / name
            shutil.copytree(home, states[name])
        if step.index >= SPAWNED_AT:
            break
        with open_ledger({"READMARK_HOME": str(home)}, 1000) as ledger:
            if not home.exists():
                # A ledger that is there already is the usual case.
                first = msgspec.json.decode(step.payload) | {"session_id": "another"}
                handle(codex, msgspec.json.encode(first), ledger)
                ledger.prune()
                home.mkdir(mode=0o700, exist_ok=True)
            handle(codex, step.payload, ledger)
    other = msgspec.json.decode(payloads["read"])
    other["tool_input"]["command"], other["tool_response"] = "git log", "commit\n" * 100
    payloads["other"] = msgspec.json.encode(other)
    return payloads, states


def calls(folder: Path) -> dict[str, bytes]:
    """Return Claude Code's payload of each kind of read, in a project that has the files."""
    project = folder / "project"
    payloads: dict[str, bytes] = {}
    for kind, name in FIRST_CALLS.items():
        steps = replay(load(CLAUDE / f"{name}.json"), folder / "transcripts")
        found = next(step.payload for step in steps if step.event == "PostToolUse")
        called = msgspec.json.decode(found) | {"cwd": str(project)}
        if kind == "document":
            file = called["tool_response"]["file"]
            called["tool_input"]["file_path"] = file["filePath"] = str(project / "docs/guide.md")
            (project / "docs").mkdir(parents=True)
            (project / "docs/guide.md").write_text(file["content"])
            (project / ".readmark.toml").write_text('documents = ["docs/*.md", "**/DESIGN.md"]\n')
        elif kind == "skill":
            skill = project / ".claude/skills" / called["tool_input"]["skill"] / "SKILL.md"
            skill.parent.mkdir(parents=True)
            skill.write_text("---\nname: reading\ndescription: Reads with care\n---\n# Reading\n")
        payloads[kind] = msgspec.json.encode(called)
    return payloads


def cases(folder: Path) -> list[Case]:
    """Return everything that is timed, the bare processes first."""
    readmark = str(program(folder))
    payloads, states = prepared(folder)
    tool = next(hook for hook in codex.REGISTRATION.hooks if hook.only_readers)
    plain = next(hook for hook in codex.REGISTRATION.hooks if hook.event == "SubagentStart")
    registered = ["/bin/sh", "-c", command_line(codex.NAME, tool, readmark)]
    claudes = next(hook for hook in claude_code.REGISTRATION.hooks if hook.only_readers)
    claude = ["/bin/sh", "-c", command_line(claude_code.NAME, claudes, readmark)]
    return [
        Case("sh -c :", ["/bin/sh", "-c", ":"]),
        Case("python -I -c pass", [sys.executable, "-I", "-c", "pass"]),
        Case("event that names no reader, as registered", registered, payloads["other"], states["read"]),
        Case(
            "the same, straight to the command",
            [readmark, "hook", "codex"],
            payloads["other"],
            states["read"],
        ),
        Case("recorded read, as registered", registered, payloads["read"], states["read"]),
        Case(
            "briefing, as registered",
            ["/bin/sh", "-c", command_line(codex.NAME, plain, readmark)],
            payloads["spawn"],
            states["spawn"],
        ),
        *(
            Case(f"{kind} of Claude Code, as registered", claude, payload, states["read"])
            for kind, payload in calls(folder).items()
        ),
    ]


def timed(case: Case, home: Path) -> tuple[float, bytes]:
    """Run a case on its own copy of its ledger; return milliseconds and what it printed."""
    shutil.rmtree(home, ignore_errors=True)
    if case.state is not None:
        shutil.copytree(case.state, home)
    environ = {**os.environ, "READMARK_HOME": str(home)}
    started = time.perf_counter()
    done = subprocess.run(case.command, input=case.payload, env=environ, capture_output=True, check=True)  # noqa: S603 - our own
    return (time.perf_counter() - started) * 1000, done.stdout


def check(every: list[Case], home: Path) -> None:
    """Make sure that each case does what its name says."""
    printed = {case.name: timed(case, home)[1] for case in every}
    assert b"root.one" in printed["briefing, as registered"], printed  # noqa: S101 - a benchmark of nothing
    for case in every:
        if case.name.startswith(("recorded", *FIRST_CALLS)):
            timed(case, home)
            assert b"pending" in (home / "diagnostics.jsonl").read_bytes(), case.name  # noqa: S101 - as above


def main() -> int:
    """Time every case and print medians, quartiles, and ratios to the bare processes."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        every = cases(folder)
        check(every, folder / "home")
        times: dict[str, list[float]] = {case.name: [] for case in every}
        for _ in range(rounds):
            for case in random.sample(every, len(every)):
                times[case.name].append(timed(case, folder / "home")[0])
    print(f"{rounds} rounds; ms: median (quartiles); ratios: median within a round")
    print(f"{'':44}{'ms':>8}{'':18}{'x sh':>7}{'x python':>10}")
    shell, python = times[every[0].name], times[every[1].name]
    for name, found in times.items():
        low, middle, high = statistics.quantiles(found, n=4)
        ratios = [statistics.median(map(float.__truediv__, found, bare)) for bare in (shell, python)]
        print(f"{name:44}{middle:8.1f}  ({low:5.1f} - {high:5.1f}){ratios[0]:9.2f}{ratios[1]:10.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

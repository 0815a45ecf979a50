"""The main job on real input: recorded conversations go through the installed hook, and a person sees it.

Run by `make demo`. Everything happens in a throw-away state folder.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from adapters import hosts
from adapters.evidence.replay import Step, load, replay
from adapters.evidence.workspace import environment
from adapters.readers import hinted
from adapters.verdicts import FOLDER
from contracts.evidence import Recording
from contracts.host import Host
from contracts.limits import Limits
from contracts.outcome import Ready
from contracts.reasons import REFUSALS
from ledger.calls import Ledger
from ledger.diagnostics import Entry, entries
from ledger.runtime import now_ms

SHOWN = {
    "Skills and documents, in Claude Code": {
        "claude-code/2.1.332/file_told": "The root reads a document, uses a skill, and starts a subagent.",
    },
    "Skills and documents, in Codex": {
        "codex/0.171.0/file_subagent": "The root prints a document and a skill, and a subagent two more.",
        "codex/0.171.0/file_part": "Commands print a part of a document, or other text beside it.",
    },
    "Practices of Lorelum, in Codex": {
        "codex/0.171.0/sub_v1": "The root reads a practice, then starts a subagent.",
        "codex/0.171.0/first/cm_discard": "A script runs the reader and drops what it says: no model saw it.",
        "codex/0.171.0/first/pipe": "A failed read behind a pipe looks like a success.",
        "codex/0.171.0/first/fail": "A read that fails.",
    },
    "Practices of Lorelum, in Claude Code": {
        "claude-code/2.1.197/sub_foreground": "The root reads a practice, then starts a subagent.",
        "claude-code/2.1.197/first/bash_matrix": "Fifty ways to call a reader; few of them prove a read.",
        "claude-code/2.1.197/first/tui_esc_during_posthook": "The user rejects what the hook has seen.",
        "claude-code/2.1.197/first/clear_then_resume_old": "The user clears, and later resumes the old one.",
    },
}
"""What is shown, each part with a ledger of its own: recordings of the evidence folder, with what happens in
them. What most people have comes first."""


class _Line(msgspec.Struct):
    """One thing to show, with how often it happened in a row of the same."""

    text: str
    times: int = 1


def readmark() -> str:
    """Return the installed command; the one beside this interpreter comes first."""
    beside = Path(sys.executable).with_name("readmark")
    found = str(beside) if beside.exists() else shutil.which("readmark")
    if found is None:
        raise SystemExit("The command `readmark` is not installed: run `make demo`, which installs it.")
    return found


@contextmanager
def _state() -> Iterator[dict[str, str]]:
    with TemporaryDirectory(prefix="readmark-demo-") as folder:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("READMARK_")}
        yield {**kept, "READMARK_HOME": str(Path(folder, "state"))}


def _concerns_hook(host: Host, step: Step) -> bool:
    """Whether the host, with our registration, would start the hook for this payload."""
    for hook in host.REGISTRATION.hooks:
        if hook.event == step.event:
            return not hook.only_readers or hinted(step.payload)
    return False


def _call(command: str, host: str, payload: bytes, environ: dict[str, str]) -> tuple[bytes, Entry | None]:
    folder = Path(environ["READMARK_HOME"])
    before = len(entries(folder))
    done = subprocess.run(  # noqa: S603 - our own command
        [command, "hook", host], input=payload, env=environ, capture_output=True, check=True, timeout=30
    )
    said = entries(folder)[before:]
    return done.stdout, said[-1] if said else None


def _told(answer: bytes) -> str:
    text: str = msgspec.json.decode(answer)["hookSpecificOutput"]["additionalContext"]
    return text


def _show(entry: Entry, answer: bytes) -> list[str]:
    summary = entry.summary
    if summary.withdrawn:
        return [f"withdrawn  {summary.withdrawn} read: the model did not get it"]
    match summary.outcome:
        case "skipped":
            return [f"refused    {summary.reason}: {REFUSALS[summary.reason].meaning}"]
        case "cleared":
            return ["cleared    the host says that the user cleared this conversation"]
        case "briefed":
            told = [f"    | {line}" for line in _told(answer).splitlines()]
            return ["briefed    the subagent receives exactly this:", "", *told, ""]
        case "nothing-to-brief":
            return ["briefed    a subagent starts; there is nothing to tell, so it receives nothing"]
        case "unavailable":
            return [f"unavailable {summary.reason}"]
    return []


def _recorded(ledger: Ledger, seen: set[tuple[str, int]]) -> list[str]:
    """Return what is new in the ledger, oldest first, and remember it."""
    listed = ledger.list()
    if not isinstance(listed, Ready):
        return [f"unavailable {listed.reason}"]
    new = [
        (one.conversation.reference, candidate)
        for one in listed.conversations
        for candidate in reversed(one.candidates)
        if (one.conversation.reference, candidate.ordinal) not in seen
    ]
    seen.update((reference, candidate.ordinal) for reference, candidate in new)
    return [
        f"recorded   {candidate.read.item_id}, in conversation …{reference[-4:]}: every gate passed"
        for reference, candidate in new
    ]


def _waiting(ledger: Ledger, recording: Recording) -> list[str]:
    own = {str(event.stdin.get("session_id")) for event in recording.events if event.stdin}
    listed = ledger.list(recording.host)
    waiting = [one for one in listed.conversations if one.pending] if isinstance(listed, Ready) else []
    return [
        f"waiting    {one.pending} read: the host has not shown that the model got it, so nobody is told"
        for one in waiting
        if one.conversation.reference in own
    ]


def _play(command: str, recording: Recording, environ: dict[str, str], folder: Path) -> None:
    host = hosts.load(recording.host)
    # Claude Code's own word for its version, which its hooks find in their environment.
    agent = f"{recording.host}_{recording.version.replace('.', '-')}_harness"
    environ = {**environ, **environment(recording, folder), "AI_AGENT": agent}
    lines: list[_Line] = []
    seen: set[tuple[str, int]] = set()
    calls = 0
    with Ledger(Path(environ["READMARK_HOME"]), Limits(), now_ms) as ledger:
        _recorded(ledger, seen)
        for step in replay(recording, folder):
            if not _concerns_hook(host, step):
                continue
            calls += 1
            answer, entry = _call(command, recording.host, step.payload, environ)
            shown = _recorded(ledger, seen) if entry and entry.summary.recorded else []
            for text in [*shown, *(_show(entry, answer) if entry else [])]:
                if text and lines and lines[-1].text == text:
                    lines[-1].times += 1
                else:
                    lines.append(_Line(text))
        lines += [_Line(text) for text in _waiting(ledger, recording)]
    for line in lines:
        print(f"  {line.text}" + (f"  (x{line.times})" if line.times > 1 else ""))
    total = sum(event.stdin is not None for event in recording.events)
    print(f"  ({total} events in the recording; the hook had to run for {calls})\n", flush=True)


def _command(command: str, environ: dict[str, str], *words: str) -> None:
    print(f"$ readmark {' '.join(words)}", flush=True)
    done = subprocess.run([command, *words], env=environ, check=False, capture_output=True, text=True)  # noqa: S603 - our own command
    print("".join(f"  {line}\n" for line in done.stdout.splitlines()))


def main() -> None:
    """Replay the shown recordings part by part and list what came of each, then clear."""
    command = readmark()
    for part, recordings in SHOWN.items():
        print(f"{part}\n{'=' * len(part)}\n")
        # One folder for all of a part: the list looks at the files that were read.
        with _state() as environ, TemporaryDirectory(prefix="readmark-demo-") as folder:
            for name, purpose in recordings.items():
                print(f"{name}: {purpose}")
                _play(command, load(FOLDER / f"{name}.json"), environ, Path(folder, name))
            print("What the ledger holds:\n")
            _command(command, environ, "list")
            if part == [*SHOWN][-1]:
                print("And after a clear:\n")
                _command(command, environ, "clear", "--all", "--yes")
                _command(command, environ, "list")


if __name__ == "__main__":
    main()

"""Moments of recorded Codex runs: a payload as its hook got it, with the transcript as it was then."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import contracts
from adapters.evidence.replay import load, replay
from adapters.hosts import codex
from adapters.readers import sent
from contracts.event import HostEvent, ShellResult
from contracts.outcome import Skipped
from contracts.read import Locator, PendingRead, Read, Settlement

RECORDED = Path(contracts.__file__).parent / "evidence" / "codex" / "0.171.0" / "first"
READ = Read("lore", "scope", "a.b.c", "sha256:00", "T", "W", ())


def concerns(command: str) -> bool:
    """Tell whether a command names the reader of the recordings."""
    return "lore" in command


class Moment:
    """One payload with its transcript, both free to be changed."""

    def __init__(self, payload: dict[str, Any]) -> None:
        """Take a payload whose transcript, if it names one, stands where it says."""
        self.payload = payload
        self.transcript = Path(payload["transcript_path"] or "/nonexistent")

    def parse(self, **changes: Any) -> HostEvent | Skipped:
        """Hand the payload to the adapter, with some keys changed."""
        return codex.parse(json.dumps(self.payload | changes).encode(), concerns)

    def proven(self) -> ShellResult:
        """Hand the payload to the adapter and insist on a result."""
        result = self.parse()
        assert isinstance(result, ShellResult)
        return result

    def lines(self) -> list[dict[str, Any]]:
        """Return the transcript's lines."""
        return [json.loads(line) for line in self.transcript.read_bytes().splitlines()]

    def write(self, lines: list[dict[str, Any]]) -> None:
        """Replace the transcript's lines."""
        self.transcript.write_bytes(b"".join(encoded(line) for line in lines))

    def append(self, *lines: dict[str, Any]) -> None:
        """Add lines, as the host does."""
        with self.transcript.open("ab") as file:
            file.writelines(encoded(line) for line in lines)

    def change_item(self, **changes: Any) -> None:
        """Change fields of the host's records of calls."""
        lines = self.lines()
        for line in lines:
            if "item" in line["payload"]:
                line["payload"]["item"] |= changes
        self.write(lines)


def encoded(line: dict[str, Any]) -> bytes:
    """Return a transcript line as the host writes it."""
    return json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def moments(scenario: str, folder: Path) -> list[Moment]:
    """Play a recording to its end and return all its moments; the transcripts are those of the end."""
    return [Moment(json.loads(step.payload)) for step in replay(load(RECORDED / f"{scenario}.json"), folder)]


def moment(scenario: str, folder: Path, event: str = "PostToolUse", nth: int = 0) -> Moment:
    """Play a recording up to the nth event of a name, of tool events the shell's, and stop there."""
    for step in replay(load(RECORDED / f"{scenario}.json"), folder):
        payload = json.loads(step.payload)
        if step.event == event and payload.get("tool_name", "Bash") == "Bash":
            if nth == 0:
                return Moment(payload)
            nth -= 1
    raise LookupError(scenario)


def tool_output(call_id: str, output: Any, kind: str = "function_call_output") -> dict[str, Any]:
    """Return the line that says what the model was sent for a call."""
    return {"type": "response_item", "payload": {"type": kind, "call_id": call_id, "output": output}}


def pending(result: ShellResult) -> PendingRead:
    """Return what the ledger keeps of a result that awaits its delivery."""
    digest = sha256(result.output.strip().encode()).hexdigest()
    return PendingRead(result.event_id, (READ,), digest, result.locator, 0)


def pending_at(path: str, offset: int, text: str, event_id: str = "call_1_0") -> PendingRead:
    """Return a pending read with a locator of the test's own."""
    return PendingRead(event_id, (READ,), sha256(text.strip().encode()).hexdigest(), Locator(path, offset), 0)


def played(scenario: str, folder: Path) -> list[Skipped | HostEvent | Settlement]:
    """Play a recording as the ledger does: every event settles first what it can, then says what it is."""
    waiting: list[PendingRead] = []
    outcomes: list[Skipped | HostEvent | Settlement] = []
    for step in replay(load(RECORDED / f"{scenario}.json"), folder):
        event = codex.parse(step.payload, concerns)
        if not isinstance(event, Skipped):
            settled = codex.settle(event, waiting, sent)
            outcomes += settled
            done = {one.event_id for one in settled}
            waiting = [one for one in waiting if one.event_id not in done]
        if isinstance(event, ShellResult):
            waiting.append(pending(event))
        outcomes.append(event)
    return outcomes

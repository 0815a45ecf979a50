"""Runs the command line: in this process where that is fast, as a real process where it matters."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from click.testing import CliRunner
from jsonschema import Draft202012Validator

import contracts
from adapters import verdicts
from adapters.verdicts import SHAPES
from contracts.conversation import Conversation
from contracts.outcome import Ready, Recorded
from contracts.read import Read, Source
from contracts.reasons import GATES
from contracts.verdict import Verdict
from ledger import cli
from ledger.diagnostics import Entry, Summary, append
from ledger.home import state_folder
from ledger.runtime import open_ledger

EVIDENCE = Path(contracts.__file__).parent / "evidence"
SCHEMAS = Path(contracts.__file__).parent / "schemas"
CODEX, CLAUDE = ("codex", "0.171.0"), ("claude-code", "2.1.197")

READ_AT, SHOWN_AT = 4, 5
"""Where in Codex's `read_and_spawn` the root reads, and where that shows as delivered."""

WITH_VERDICTS = (
    "import sys; from pathlib import Path; from adapters import verdicts; "
    "verdicts.FOLDER = Path(sys.argv.pop(1)); "
    "from ledger.entry import main; sys.exit(main())"
)
"""The installed command's own way in, with verdicts from the folder of a test."""


class Ran(msgspec.Struct, frozen=True):
    """What a command did."""

    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        """What it printed, as text."""
        return self.out.decode()

    @property
    def json(self) -> Any:
        """What it printed, as the one line of JSON that it must be."""
        assert self.out.count(b"\n") == 1, self.out
        return msgspec.json.decode(self.out)


class _Through:
    """Lets click's runner go through our own handler of errors."""

    name = "readmark"

    def main(self, args: list[str], prog_name: str, **extra: object) -> None:
        """Run as the installed command does."""
        del prog_name, extra
        sys.exit(cli.run(args))


def run(*arguments: str, charset: str = "utf-8") -> Ran:
    """Run the command line in this process, with streams of an encoding."""
    done = CliRunner(charset=charset).invoke(_Through(), list(arguments))  # type: ignore[arg-type] # all that the runner needs
    return Ran(done.exit_code, done.stdout_bytes, done.stderr)


def command(*arguments: str) -> list[str]:
    """Return the command line as a process of its own, with the verdicts of this test."""
    return [sys.executable, "-c", WITH_VERDICTS, str(verdicts.FOLDER), *arguments]


def process(*arguments: str, stdin: bytes = b"", environ: Mapping[str, str] | None = None) -> Ran:
    """Run the command line as a process of its own."""
    done = subprocess.run(
        command(*arguments),
        input=stdin,
        capture_output=True,
        check=False,
        timeout=60,
        env={**os.environ, **(environ or {})},
    )
    return Ran(done.returncode, done.stdout, done.stderr.decode(errors="replace"))


def put_verdict(folder: Path, host: str, version: str, **states: str) -> None:
    """Write a verdict that passes every gate but those that are given, beside the recorded shapes."""
    gates = {gate: {"state": states.get(gate, "passed"), "scenarios": ["direct"]} for gate in GATES}
    made = msgspec.convert({"host": host, "version": version, "gates": gates}, type=Verdict)
    file = folder / host / version / "verdict.json"
    file.parent.mkdir(parents=True)
    file.write_bytes(msgspec.json.encode(made))
    shapes = folder / host / SHAPES
    if not shapes.exists():
        shapes.symlink_to(EVIDENCE / host / SHAPES)


def assert_valid(verb: str, report: Any) -> None:
    """Check a report against the schema of its verb."""
    schema = msgspec.json.decode((SCHEMAS / f"{verb}.json").read_bytes())
    Draft202012Validator(schema).validate(report)


def held(host: str, reference: str) -> list[str]:
    """Return the ids that the ledger itself holds of a conversation, newest first."""
    with open_ledger(os.environ, 1000) as ledger:
        found = ledger.list(host, reference)
    assert isinstance(found, Ready)
    return [one.read.item_id for conversation in found.conversations for one in conversation.candidates]


def keep(host: str, reference: str, item_id: str = "a.b", **fields: Any) -> None:
    """Put a candidate into the ledger, without a payload to prove it."""
    stated: dict[str, Any] = {
        "reader": "lore",
        "store_scope": "default",
        "content_digest": "sha256:00",
        "title": "A title",
        "applies_when": "always",
        "sources": (Source("pack", "path.md"),),
    }
    read = Read(item_id=item_id, **(stated | fields))
    with open_ledger(os.environ, 1000) as ledger:
        assert isinstance(ledger.record(Conversation(host, reference), read, None), Recorded)


def seen_by_hook(
    host: str, event: str, outcome: str, reason: str = "", *, recorded: int = 0, **fields: Any
) -> None:
    """Write a line of diagnostics, as a hook does."""
    state_home().mkdir(parents=True, exist_ok=True, mode=0o700)
    stated: dict[str, Any] = {"at": 1_800_000_000_000, "ms": 80} | fields
    append(
        state_home(),
        Entry(host=host, event=event, summary=Summary(outcome, reason, recorded=recorded), **stated),
    )


def state_home() -> Path:
    """Return the state folder of this test."""
    return state_folder(os.environ).path

"""What each recorded event must come to, and what it does come to, in the words of the checked-in tables."""

import csv
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from adapters import hosts
from adapters.evidence.items import named
from adapters.evidence.replay import load, replay
from adapters.evidence.workspace import environment
from contracts.conversation import Conversation
from contracts.evidence import Recording
from contracts.limits import Limits
from contracts.outcome import Life, Noted, Ready, Repeated, Settled, Skipped, Unavailable
from ledger.calls import Ledger
from ledger.library import look
from ledger.pipeline import Briefed, Handled, handle, settle

TABLE = "expected.tsv"
START = 1_796_000_000_000
"""The clock of a replay, in milliseconds: no rule but idling depends on it, and no recording idles."""


class Row(msgspec.Struct, frozen=True, order=True):
    """One event of one recording with its outcome in the tables' grammar (contracts/evidence/README.md)."""

    scenario: str
    index: int
    event: str
    outcome: str


def rows(table: Path) -> list[Row]:
    """Read a table; comment lines start with `#`."""
    with table.open(encoding="utf-8", newline="") as opened:
        lines = (line for line in opened if not line.startswith("#"))
        reader = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [
            Row(line["scenario"], int(line["index"]), line["event"], line["outcome"].strip())
            for line in reader
        ]


def _main_part(handled: Handled) -> str:
    match handled.outcome:
        case Noted(reads):
            return f"pending {', '.join(map(named, reads))}"
        case Repeated():
            return "repeated"
        case Skipped(reason):
            return f"refused {reason}"
        case Unavailable(reason):
            return f"unavailable {reason}"
        case Briefed(text, candidates):
            ids = ", ".join(named(candidate.read) for candidate in candidates)
            return f"briefing {ids if text else 'nothing'}"
        case Life():
            return handled.event.lower()
        case _:
            return "ignored"


def outcome(handled: Handled) -> str:
    """Put what came of a payload into the tables' grammar."""
    parts: list[str] = []
    settled = handled.settled
    if isinstance(settled, Settled):
        if settled.recorded:
            ids = ", ".join(named(one.candidate.read) for one in settled.recorded)
            parts.append(f"settles {ids}")
        if settled.withdrawn:
            parts.append("withdraws " + ", ".join(one.read.item_id for one in settled.withdrawn))
    return "; ".join([*parts, _main_part(handled)])


def _conversations(run: Recording) -> Iterator[str]:
    for event in run.events:
        name = (event.stdin or {}).get("session_id")
        if isinstance(name, str):
            yield name


class Replayed(msgspec.Struct, frozen=True):
    """What a recording came to: a row for each event, and the items that the ledger holds at the end.

    `held` are their names as `items.named` gives them, sorted.
    """

    rows: list[Row]
    held: list[str]


def replayed(recording: Path) -> Replayed:
    """Play one recording through its adapter and a fresh ledger; items come sorted."""
    run = load(recording)
    host = hosts.load(run.host)
    found: list[Row] = []
    with TemporaryDirectory() as folder, Ledger(Path(folder, "state"), Limits(), lambda: START) as ledger:
        files = look(environment(run, Path(folder)))
        for step in replay(run, Path(folder)):
            handled = handle(host, step.payload, ledger, look=files)
            found.append(Row(run.scenario, step.index, step.event, outcome(handled)))
        # As a person who lists them at the end would.
        for name in dict.fromkeys(_conversations(run)):
            settle(host, ledger, Conversation(run.host, name), None)
        listed = ledger.list()
    conversations = listed.conversations if isinstance(listed, Ready) else ()
    return Replayed(found, sorted(named(one.read) for each in conversations for one in each.candidates))

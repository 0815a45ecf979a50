"""Plays scenarios with the installed readmark as the hook, and tells what came of it."""

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import msgspec

from adapters.evidence.holds import BRIEFING, briefed, failures
from adapters.evidence.items import of_lines
from adapters.evidence.lab import Lab
from adapters.evidence.runner import Options, Played, play
from adapters.evidence.scenario import Scenario, stated
from contracts.lines import Lines, Range
from ledger.briefing import HEADER

LIST_SECONDS = 20

FLEETING = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\ba[0-9a-f]{16}\b|/tmp/\S*|:\d{4,5}\b"
)
"""What differs between two runs of one scenario: ids, folders, ports."""

_TOLD = HEADER.partition("{")[0]
"""How a briefing begins."""


class Proof(msgspec.Struct, frozen=True):
    """What readmark made of one scenario.

    `kept` are the items in its ledger at the end, each with its lines if it is a part, in the order in which
    they were recorded; None where the ledger was not available. `failures` say what does not hold, each in
    one sentence.
    """

    played: Played
    kept: tuple[str, ...] | None
    failures: tuple[str, ...]


class _Item(msgspec.Struct, rename="camel"):
    id: str
    recorded_at: str
    read_ordinal: int
    lines: tuple[Range, ...] = ()
    of: int = 0

    @property
    def name(self) -> str:
        return of_lines(self.id, Lines(self.lines, self.of) if self.lines else None)


class _Told(msgspec.Struct):
    id: str
    lines: str = ""

    @property
    def name(self) -> str:
        return of_lines(self.id, self.lines)


class _Conversation(msgspec.Struct):
    candidates: list[_Item] = []


class _Listed(msgspec.Struct):
    state: str
    conversations: list[_Conversation] = []


def prove(scenario: Scenario, binary: Path, readmark: Sequence[str], options: Options | None = None) -> Proof:
    """Play one scenario with `readmark` (the words that start it) behind every hook.

    What else the scenario's hook answers comes from a hook beside it. All that the scenario says must hold
    is checked, the ledger and the briefings too.
    """
    options = options or Options()
    found: list[_Listed] = []

    def look(lab: Lab) -> None:
        found.append(_list(lab, readmark))
        if options.after is not None:
            options.after(lab)

    played = play(
        scenario,
        binary,
        msgspec.structs.replace(
            options,
            through=(*readmark, "hook", scenario.host),
            marks={**options.marks, BRIEFING: _TOLD},
            after=look,
        ),
    )
    (listed,) = found
    kept = _ids(listed) if listed.state == "ready" else None
    return Proof(played, kept, (*played.faults, *_failures(scenario, played, kept)))


def start(played: Played) -> list[str]:
    """Return all texts of the first subagent's first request, without what differs between two runs."""
    for request in played.requests:
        if request.asker == "subagent":
            return [FLEETING.sub("*", text) for text in request.texts]
    return []


def _failures(scenario: Scenario, played: Played, kept: tuple[str, ...] | None) -> list[str]:
    holds = scenario.holds
    found = failures(played.recording, holds)
    # Calls that run at once may end in any order.
    records = stated(holds.records, played.recording.version)
    if records is not None and (kept is None or sorted(kept) != sorted(records)):
        found.append(f"The ledger has {'no answer' if kept is None else list(kept)}, not {records}.")
    told = briefed(played.recording, [BRIEFING])
    if told is None:
        found.append("A briefing reached the root itself.")
    elif holds.told is not None and told != holds.told:
        found.append(f"{told} subagents were told of reads, not {holds.told}.")
    if holds.told_of is not None:
        for items in _told_of(played):
            if items != holds.told_of:
                found.append(f"A subagent was told of {items}, not {holds.told_of}.")
    return found


def _told_of(played: Played) -> list[list[str]]:
    """Return the names in the briefing of each subagent's first request, none where it has no briefing.

    A host may put a text of its own around it (Claude Code).
    """
    first = {one.agent: one for one in reversed(played.requests) if one.asker == "subagent"}
    return [
        [
            msgspec.json.decode(line, type=_Told).name
            for text in request.texts
            for line in text.partition(_TOLD)[2].split("\n")
            if line.startswith("{")
        ]
        for request in first.values()
    ]


def _list(lab: Lab, readmark: Sequence[str]) -> _Listed:
    result = subprocess.run(  # noqa: S603 - the readmark that the person named
        [*readmark, "list", "--json"],
        env=lab.environment({}),
        cwd=lab.project,
        capture_output=True,
        timeout=LIST_SECONDS,
        check=False,
    )
    try:
        return msgspec.json.decode(result.stdout, type=_Listed)
    except msgspec.MsgspecError:
        return _Listed("unreadable")


def _ids(listed: _Listed) -> tuple[str, ...]:
    items = [item for conversation in listed.conversations for item in conversation.candidates]
    return tuple(item.name for item in sorted(items, key=lambda item: (item.recorded_at, item.read_ordinal)))

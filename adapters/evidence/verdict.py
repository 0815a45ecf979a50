"""Computes what recordings show of each gate: a verdict is never typed.

A gate is passed when today's adapters come to what is stated for every event of the recordings that show it,
when at least one of them shows the gate shut, and when at least one read got through all gates. It has failed
when one comes to something else, and is not shown when no recording puts it to the test. A recording that
comes to something else and shows no gate shut lacks a result, or has one too many.
"""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from adapters.evidence.expected import TABLE, Replayed, Row, replayed, rows
from adapters.evidence.holds import BRIEFING, CONTEXT, briefed, failures
from adapters.evidence.replay import FIRST, load, recordings
from adapters.evidence.scenario import Holds, named, stated
from contracts.evidence import Recording
from contracts.reasons import GATES, REFUSALS, Gate
from contracts.verdict import GateVerdict, Verdict

FILE = "verdict.json"


def _shuts(outcomes: Iterable[str]) -> frozenset[Gate]:
    """Return the gates that these outcomes show shut."""
    found: set[Gate] = set()
    waiting = 0
    for outcome in outcomes:
        for part in outcome.split("; "):
            word, _, rest = part.partition(" ")
            match word:
                case "refused" if (gate := REFUSALS[rest].gate) is not None:
                    found.add(gate)
                case "resumed" | "cleared":
                    # The conversation goes on, or ends, under the reference that the host states.
                    found.add("conversation")
                case "withdraws":
                    found.add("delivery")
                case "pending":
                    waiting += 1
                case "settles":
                    waiting -= len(rest.split(", "))
                case _:
                    pass
    # A read that waits for ever is the gate of delivery at work.
    return frozenset(found | ({"delivery"} if waiting > 0 else set()))


def _opens(outcomes: Iterable[str]) -> bool:
    return any(outcome.startswith("settles ") for outcome in outcomes)


def visible(
    runs: Iterable[Recording], deviating: frozenset[str], astray: frozenset[str] = frozenset()
) -> GateVerdict:
    """Say whether handed text reached the subagents' own first requests, and never the root's.

    `astray` are the recordings of which it is stated that it reached the root: they show the gate shut.
    """
    counts = {
        run.scenario: briefed(run)
        for run in runs
        if any(not {CONTEXT, BRIEFING}.isdisjoint(one.holds) for one in run.requests)
    }
    if not counts.keys() - astray:
        return GateVerdict("not-shown")
    bad = tuple(
        sorted(
            name for name, count in counts.items() if name in deviating or (not count and name not in astray)
        )
    )
    return GateVerdict("failed", bad) if bad else GateVerdict("passed", tuple(sorted(counts)))


def _astray(paths: Iterable[Path]) -> frozenset[str]:
    """Return the scenarios that state that the handed text reaches the root."""
    return frozenset(
        path.stem for path in paths if named(path.parents[1].name, path.stem).holds.briefed == "root"
    )


def _gate(scenarios: Iterable[str], deviating: frozenset[str]) -> GateVerdict:
    shown = tuple(sorted(scenarios))
    failed = tuple(name for name in shown if name in deviating)
    if failed:
        return GateVerdict("failed", failed)
    return GateVerdict("passed", shown) if shown else GateVerdict("not-shown")


class _Shown(msgspec.Struct, frozen=True):
    """One recording's part in a verdict: what its events come to, and whether that is what is stated."""

    outcomes: list[str]
    as_stated: bool


def _first(folder: Path) -> dict[str, _Shown]:
    """Hold the first recordings against the table that was judged event by event."""
    stated: dict[str, list[Row]] = {}
    for row in rows(folder / TABLE):
        stated.setdefault(row.scenario, []).append(row)
    found: dict[str, _Shown] = {}
    for name, said in stated.items():
        came = replayed(folder / f"{name}.json").rows
        found[f"{FIRST}/{name}"] = _Shown([row.outcome for row in came], came == said)
    return found


def _scenarios(paths: Iterable[Path]) -> dict[str, _Shown]:
    """Hold the recordings of scenarios against what their scenarios say must hold."""
    found: dict[str, _Shown] = {}
    for path in paths:
        holds = named(path.parents[1].name, path.stem).holds
        came = replayed(path)
        outcomes = [row.outcome for row in came.rows]
        met = as_stated(came, holds, path.parent.name) and not failures(load(path), holds)
        found[path.stem] = _Shown(outcomes, met)
    return found


def as_stated(came: Replayed, holds: Holds, version: str = "") -> bool:
    """Whether a replay comes to the records, the refusals and the briefings that its scenario states."""
    records, refuses = stated(holds.records, version), stated(holds.refuses, version)
    last = [row.outcome.rpartition("; ")[2] for row in came.rows]
    refused = [outcome.removeprefix("refused ") for outcome in last if outcome.startswith("refused ")]
    told = [outcome.removeprefix("briefing ") for outcome in last if outcome.startswith("briefing ")]
    return (
        (records is None or sorted(records) == came.held)
        and (refuses is None or sorted(refuses) == sorted(refused))
        and (holds.told != 0 or set(told) <= {"nothing"})
        and (holds.told_of is None or set(told) == {", ".join(holds.told_of) or "nothing"})
    )


def compute(folder: Path) -> Verdict:
    """Compute the verdict of `<host>/<version>/` from its recordings and what is stated of them."""
    paths = [path for path in recordings(folder.parent.parent, folder.parent.name) if path.parent == folder]
    shown = _scenarios(paths) | (_first(folder / FIRST) if (folder / FIRST / TABLE).exists() else {})
    deviating = frozenset(name for name, one in shown.items() if not one.as_stated)
    opens = any(_opens(one.outcomes) for name, one in shown.items() if name not in deviating)
    shut = {name: _shuts(one.outcomes) for name, one in shown.items()}
    gates: dict[Gate, GateVerdict] = {}
    for gate in GATES:
        # Where no read ever gets through, a shut gate shows nothing.
        scenarios = [name for name, gates_shut in shut.items() if opens and gate in gates_shut]
        if gate == "result":
            scenarios += [name for name in deviating if not shut[name]]
        gates[gate] = (
            visible(map(load, paths), deviating, _astray(paths))
            if gate == "visible"
            else _gate(scenarios, deviating)
        )
    return Verdict(folder.parent.name, folder.name, gates)


def text(verdict: Verdict) -> bytes:
    """Return a verdict as it is kept in the tree."""
    return msgspec.json.format(msgspec.json.encode(verdict), indent=2) + b"\n"

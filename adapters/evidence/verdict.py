"""Computes what recordings show of each gate: a verdict is never typed.

A gate is passed when today's adapters come to what is stated for every event of the recordings that show it,
when at least one of them shows the gate shut (`shows`), and when at least one read got through all gates. It
has failed when one comes to something else, and is not shown when no recording puts it to the test. A
recording that comes to something else and shows no gate shut lacks a result, or has one too many.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from adapters import hosts
from adapters.evidence.collect import MARKED
from adapters.evidence.expected import TABLE, Replayed, Row, replayed, rows
from adapters.evidence.holds import BRIEFING, CONTEXT, briefed, failures
from adapters.evidence.replay import FIRST, VERDICT, load, recordings
from adapters.evidence.scenario import Holds, Scenario, named
from adapters.evidence.shows import by_rows, by_scenario
from adapters.evidence.unmet import unmet
from contracts.evidence import Recording
from contracts.reasons import GATES, Gate
from contracts.verdict import GateVerdict, Verdict
from contracts.wire import Malformed, decode

FILE = VERDICT
START = "SubagentStart"
"""The event whose answer is a briefing."""


def _opens(rows: Iterable[Row]) -> bool:
    return any(row.outcome.startswith("settles ") for row in rows)


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


def unlike(host: str, scenario: Scenario) -> bool:
    """Whether the answer that reached a subagent is another than the adapter gives to carry that text.

    Both are compared as the JSON documents that hosts take them for. So what was recorded as visible is what
    readmark itself says.
    """
    if not isinstance(scenario.holds.briefed, int) or not scenario.holds.briefed:
        return False
    answer = scenario.answers[START].out
    carried = MARKED.findall(answer)
    said = decode(hosts.load(host).brief("".join(carried)), dict[str, Any])
    return isinstance(said, Malformed) or said != decode(answer, dict[str, Any])


def _gate(scenarios: Iterable[str], deviating: frozenset[str], *, opens: bool) -> GateVerdict:
    shown = tuple(sorted(scenarios))
    failed = tuple(name for name in shown if name in deviating)
    if failed:
        return GateVerdict("failed", failed)
    # Where no read ever gets through, a shut gate shows nothing.
    return GateVerdict("passed", shown) if shown and opens else GateVerdict("not-shown")


class _Shown(msgspec.Struct, frozen=True):
    """One recording's part in a verdict: the gates that it shows, and whether it comes to what is stated.

    `opens` says that a read got through all gates in it. `handed` says that something is stated of where a
    handed text went, `astray` that it reaches the root, `unlike` that the adapter would not say it so.
    """

    shuts: frozenset[Gate]
    opens: bool
    as_stated: bool
    handed: bool = False
    astray: bool = False
    unlike: bool = False


def _first(folder: Path) -> dict[str, _Shown]:
    """Hold the first recordings against the table that was judged event by event."""
    stated: dict[str, list[Row]] = {}
    for row in rows(folder / TABLE):
        stated.setdefault(row.scenario, []).append(row)
    found: dict[str, _Shown] = {}
    for name, said in stated.items():
        came = replayed(folder / f"{name}.json").rows
        found[f"{FIRST}/{name}"] = _Shown(by_rows([*said, *came]), _opens(came), came == said)
    return found


def _scenarios(runs: Iterable[tuple[Path, Recording]]) -> dict[str, _Shown]:
    """Hold the recordings of scenarios against what their scenarios say must hold."""
    found: dict[str, _Shown] = {}
    for path, run in runs:
        scenario = named(run.host, path.stem)
        holds = scenario.holds
        came = replayed(path)
        found[path.stem] = _Shown(
            by_scenario(run, came, scenario),
            _opens(came.rows),
            as_stated(came, holds, run.version) and not failures(run, holds),
            handed=holds.briefed is not None,
            astray=holds.briefed == "root",
            unlike=unlike(run.host, scenario),
        )
    return found


def as_stated(came: Replayed, holds: Holds, version: str = "") -> bool:
    """Whether a replay comes to the records, the refusals and the briefings that its scenario states."""
    return not any(unmet(came, holds, version))


def compute(folder: Path) -> Verdict:
    """Compute the verdict of `<host>/<version>/` from its recordings and what is stated of them.

    Nothing may be wrong with the folder itself (`tree.faults`).
    """
    host, version = folder.parent.name, folder.name
    every = [path for path in recordings(folder.parent.parent, host) if path.is_relative_to(folder)]
    runs = [(path, load(path)) for path in every if path.parent == folder]
    shown = _scenarios(runs) | (_first(folder / FIRST) if (folder / FIRST / TABLE).exists() else {})
    deviating = frozenset(name for name, one in shown.items() if not one.as_stated)
    opens = any(one.opens for one in shown.values() if one.as_stated)
    gates: dict[Gate, GateVerdict] = {}
    for gate in GATES:
        scenarios = [name for name, one in shown.items() if gate in one.shuts]
        if gate == "result":
            scenarios += [name for name in deviating if not shown[name].shuts]
        gates[gate] = _gate(scenarios, deviating, opens=opens)
    gates["visible"] = visible(
        (run for path, run in runs if shown[path.stem].handed),
        deviating | {name for name, one in shown.items() if one.unlike},
        frozenset(name for name, one in shown.items() if one.astray),
    )
    names = (path.relative_to(folder).with_suffix("").as_posix() for path in every)
    return Verdict(host, version, gates, tuple(sorted(names)))


def text(verdict: Verdict) -> bytes:
    """Return a verdict as it is kept in the tree."""
    return msgspec.json.format(msgspec.json.encode(verdict), indent=2) + b"\n"

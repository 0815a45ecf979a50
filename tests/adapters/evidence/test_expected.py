"""Every recorded event comes to what its table states."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters.evidence.expected import TABLE, Row, replayed, rows
from adapters.evidence.replay import load, recordings

EVIDENCE = Path(__file__).parents[3] / "contracts" / "evidence"
TABLES = sorted(EVIDENCE.glob(f"*/*/first/{TABLE}"))
STATED = {
    table.parent: {scenario: [row for row in rows(table) if row.scenario == scenario] for scenario in names}
    for table in TABLES
    for names in [sorted({row.scenario for row in rows(table)})]
}
RECORDED = [path for path in recordings(EVIDENCE) if path.stem in STATED.get(path.parent, {})]


@pytest.mark.parametrize("recording", RECORDED, ids=lambda path: f"{path.parents[1].name}/{path.stem}")
def test_every_event_of_a_recording_comes_to_what_is_stated(recording: Path) -> None:
    """Adapter, reader and ledger together, event by event, against the judgement of a person."""
    expected: list[Row] = STATED[recording.parent][recording.stem]

    assert replayed(recording).rows == expected


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.parents[1].name)
def test_a_table_leaves_out_no_event_of_its_recordings(table: Path) -> None:
    """A recording with hook events has a row for each; no row is of a recording that is not there."""
    runs = [load(path) for path in recordings(EVIDENCE) if path.parent == table.parent]
    events = {
        (run.scenario, index, event.event)
        for run in runs
        for index, event in enumerate(run.events)
        if event.stdin is not None and not run.requests
    }

    assert {(row.scenario, row.index, row.event) for row in rows(table)} == events

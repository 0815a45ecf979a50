"""Whether the replay of a recording comes to what its scenario states: one measure for runs and verdicts."""

from collections.abc import Iterator

from adapters.evidence.expected import Replayed
from adapters.evidence.scenario import Holds, stated


def unmet(came: Replayed, holds: Holds, version: str = "") -> Iterator[str]:
    """Yield what a replay came to instead of what is stated, each in one sentence.

    `version` is the host's, for what is stated by version.
    """
    records, refuses = stated(holds.records, version), stated(holds.refuses, version)
    if records is not None and sorted(records) != came.held:
        yield f"Today's adapter records {_listed(came.held)} of it, not {_listed(sorted(records))}."
    last = [row.outcome.rpartition("; ")[2] for row in came.rows]
    refused = sorted(outcome.removeprefix("refused ") for outcome in last if outcome.startswith("refused "))
    if refuses is not None and sorted(refuses) != refused:
        yield f"It refuses {_listed(refused)}, not {_listed(sorted(refuses))}."
    told = {outcome.removeprefix("briefing ") for outcome in last if outcome.startswith("briefing ")}
    if holds.told == 0 and not told <= {"nothing"}:
        yield f"It tells a subagent of {'; '.join(sorted(told))}, not of nothing."
    if holds.told_of is not None:
        wanted = ", ".join(holds.told_of) or "nothing"
        if told != {wanted}:
            yield f"It tells subagents of {'; '.join(sorted(told)) or 'nothing at all'}, not of {wanted}."


def _listed(words: list[str]) -> str:
    return ", ".join(words) or "nothing"

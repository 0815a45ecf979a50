"""The refusals on the page: what hooks refused or could not do, by reason."""

from collections.abc import Sequence

import msgspec

from contracts.reasons import NOTHING_TO_DO, REFUSALS
from contracts.report.base import Explained
from ledger.cli.failure import explain
from ledger.cli.page.moment import Almanac, Moment
from ledger.diagnostics import Entry


class Refusal(msgspec.Struct, frozen=True):
    """How often hooks met one reason, and what it means; `share` is its part of all refusals in percent."""

    why: Explained
    nothing_to_do: bool
    gate: str
    count: int
    last: Moment
    ago: str
    hosts: str
    share: int


def refusals(entries: Sequence[Entry], almanac: Almanac) -> tuple[Refusal, ...]:
    """Return what hooks refused or could not do, the most frequent reason first."""
    met: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.summary.reason:
            met.setdefault(entry.summary.reason, []).append(entry)
    total = sum(map(len, met.values()))
    found = []
    for reason, those in met.items():
        why, known = explain(reason), REFUSALS.get(reason)
        last = those[-1].at
        found.append(
            Refusal(
                why=why,
                nothing_to_do=why.remedy == NOTHING_TO_DO,
                gate=known.gate or "" if known else "",
                count=len(those),
                last=almanac.moment(last),
                ago=almanac.ago(last),
                hosts=", ".join(sorted({one.host for one in those})),
                share=round(100 * len(those) / total),
            )
        )
    return tuple(sorted(found, key=lambda one: (-one.count, one.why.reason)))

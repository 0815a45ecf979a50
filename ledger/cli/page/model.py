"""What the page says: everything on it as plain values, made from what the ledger and the hooks told."""

from collections.abc import Sequence
from datetime import tzinfo

import msgspec

from contracts.outcome import Conversed, Ready, Unavailable
from contracts.reasons import GATES
from contracts.report.base import Explained
from contracts.report.hosts import HostReport
from contracts.version import __version__
from ledger.cli.failure import explain
from ledger.cli.page.answer import Answer
from ledger.cli.page.conversations import Day, days
from ledger.cli.page.hosts import ShownHost, host
from ledger.cli.page.moment import Almanac, Moment
from ledger.cli.page.refusals import Refusal, refusals
from ledger.cli.page.timeline import Mark, Scale, heights, stamps
from ledger.cli.words import counted
from ledger.diagnostics import Entry


class Page(msgspec.Struct, frozen=True):
    """The whole page; `trouble` is why the ledger cannot answer."""

    version: str
    made: Moment
    zone: str
    trouble: Explained | None
    problems: tuple[Explained, ...]
    totals: tuple[tuple[str, str], ...]
    days: tuple[Day, ...]
    marks: tuple[Mark, ...]
    reads_path: str
    reads_words: str
    cleared: int
    calls: int
    since: Moment | None
    refused: int
    refusals: tuple[Refusal, ...]
    gates: tuple[str, ...]
    hosts: tuple[ShownHost, ...]


def page(
    answer: Answer, entries: Sequence[Entry], hosts: Sequence[HostReport], zone: tzinfo | None = None
) -> Page:
    """Return everything that the page says, in the local time of a zone (None: the machine's own)."""
    almanac = Almanac(answer.now, zone)
    found = answer.found
    conversations = () if isinstance(found, Unavailable) else found.conversations
    scale = Scale((at for one in conversations for at in stamps(one)), almanac)
    reads = [each.recorded_at for one in conversations for each in one.candidates]
    refused = refusals(entries, almanac)
    trouble = explain(found.reason, found.detail) if isinstance(found, Unavailable) else None
    return Page(
        version=__version__,
        made=almanac.moment(almanac.now),
        zone=almanac.zone_name(),
        trouble=trouble,
        problems=tuple(one for one in answer.problems if trouble is None or one.reason != trouble.reason),
        totals=_totals(found, conversations, refused, hosts),
        days=days(conversations, answer.files, almanac, scale),
        marks=scale.marks(),
        reads_path=heights(reads, scale),
        reads_words=_words(reads, almanac),
        cleared=answer.cleared,
        calls=len(entries),
        since=almanac.moment(entries[0].at) if entries else None,
        refused=sum(one.count for one in refused),
        refusals=refused,
        gates=tuple(str(gate) for gate in GATES),
        hosts=tuple(host(one, entries, almanac) for one in hosts),
    )


def _totals(
    found: Ready | Unavailable,
    conversations: Sequence[Conversed],
    refused: Sequence[Refusal],
    hosts: Sequence[HostReport],
) -> tuple[tuple[str, str], ...]:
    """Return the numbers at the head of the page; what the ledger cannot say stays unknown, never 0."""
    sums = {
        "Conversations": len(conversations),
        "Reads": sum(len(one.candidates) for one in conversations),
        "Subagents told": sum(len(one.told) for one in conversations),
        "Waiting for proof": sum(one.pending for one in conversations),
    }
    unknown = isinstance(found, Unavailable)
    held = tuple((name, "unknown" if unknown else f"{number:,}") for name, number in sums.items())
    on = sum(one.on for one in hosts)
    return (
        *held,
        ("Refusals", f"{sum(one.count for one in refused):,}"),
        ("Hosts on", f"{on} of {len(hosts)}"),
    )


def _words(reads: Sequence[int], almanac: Almanac) -> str:
    """Return what the drawing of all reads shows, in words."""
    if not reads:
        return "No reads."
    days: dict[str, int] = {}
    for at in reads:
        day = almanac.day(at)
        days[day] = days.get(day, 0) + 1
    most = max(days, key=lambda day: days[day])
    first, last = almanac.moment(min(reads)).dated, almanac.moment(max(reads)).dated
    return f"{counted(len(reads), 'read')} from {first} to {last}; most on {most} ({days[most]:,})."

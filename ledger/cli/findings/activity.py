"""What hooks did last, host by host: from their diagnostics, and from the ledger what they recorded."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from adapters.hosts import HOSTS
from contracts.findings import DIAGNOSTICS_UNREADABLE, FINDINGS
from contracts.outcome import Conversed
from contracts.reasons import UNAVAILABLE
from contracts.report.base import Explained
from contracts.report.status import LastRecorded, SeenEvent, SeenRefusal
from ledger.cli.failure import explain
from ledger.cli.words import printable, stamp
from ledger.diagnostics import Damage, Entry
from ledger.hook import UNKNOWN

REFUSALS_SHOWN = 5


def seen(entry: Entry | None) -> SeenEvent | None:
    """Return a hook call as it is reported."""
    if entry is None:
        return None
    summary = entry.summary
    return SeenEvent(stamp(entry.at), entry.event, summary.outcome, entry.ms, summary.reason, summary.detail)


def last(found: Iterable[Entry], host: str, fits: Callable[[Entry], bool] = lambda _: True) -> Entry | None:
    """Return the last entry of a host that fits."""
    newest = None
    for entry in found:
        if entry.host == host and fits(entry):
            newest = entry
    return newest


def last_refused(found: Sequence[Entry], host: str) -> Entry | None:
    """Return the last call of a host that was refused for a reason."""
    return last(found, host, lambda entry: entry.summary.reason not in {"", *UNAVAILABLE})


def last_briefed(found: Sequence[Entry], host: str) -> Entry | None:
    """Return the last call of a host that told a subagent something."""
    return last(found, host, lambda entry: entry.summary.outcome == "briefed")


def by_event(found: Sequence[Entry], host: str, events: Iterable[str]) -> dict[str, SeenEvent | None]:
    """Return the last call of each event, None where it never came."""
    newest = {entry.event: entry for entry in found if entry.host == host}
    return {event: seen(newest.get(event)) for event in events}


def last_recorded(kept: Iterable[Conversed], host: str) -> LastRecorded | None:
    """Return the newest item that the ledger keeps of a host."""
    newest = None
    for one in kept:
        if one.conversation.host != host:
            continue
        for candidate in one.candidates:
            if newest is None or candidate.recorded_at > newest[0].recorded_at:
                newest = candidate, one.conversation.reference
    if newest is None:
        return None
    candidate, reference = newest
    return LastRecorded(stamp(candidate.recorded_at), candidate.read.item_id, candidate.read.title, reference)


def refusals(found: Sequence[Entry]) -> list[SeenRefusal]:
    """Return the last refusals, the newest first."""
    refused = [entry for entry in found if entry.summary.reason]
    return [
        SeenRefusal(stamp(one.at), one.host, one.event, explain(one.summary.reason, one.summary.detail))
        for one in reversed(refused[-REFUSALS_SHOWN:])
    ]


def last_refused_of(found: Sequence[Entry], path: str) -> SeenRefusal | None:
    """Return the last refusal that names a file by its path in its root."""
    named = [
        one
        for one in found
        if one.summary.reason
        and (one.summary.detail == path or one.summary.detail.endswith(f" lines of {path}"))
    ]
    return next(iter(refusals(named[-1:])), None)


def unreadable(folder: Path, damage: Sequence[Damage]) -> list[Explained]:
    """Return the one thing that is wrong with the diagnostics, with the path of each file that is."""
    if not damage:
        return []
    finding = FINDINGS[DIAGNOSTICS_UNREADABLE]
    named = "; ".join(f"{printable(folder / one.name)}: {one.what}" for one in damage)
    return [Explained(DIAGNOSTICS_UNREADABLE, finding.meaning, finding.remedy, named)]


def last_troubles(found: Sequence[Entry]) -> list[Explained]:
    """Return what hooks met at their very last call, host by host: it may still be so."""
    troubles: list[Explained] = []
    for name in (*HOSTS, UNKNOWN):
        newest = last(found, name)
        if newest is None:
            continue
        reason = "host-unknown" if name == UNKNOWN else newest.summary.reason
        if name == UNKNOWN or reason in UNAVAILABLE:
            whose = "a hook" if name == UNKNOWN else f"the last hook of {name}"
            detail = f": {newest.summary.detail}" if newest.summary.detail else ""
            troubles.append(explain(reason, f"{whose}, {stamp(newest.at)}{detail}"))
    return troubles

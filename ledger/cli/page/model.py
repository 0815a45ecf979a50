"""What the page says: everything on it as plain values, made from what the ledger and the hooks told."""

from collections.abc import Sequence
from itertools import groupby

import msgspec

from contracts.conversation import Conversation
from contracts.outcome import Conversed, Ready, Told, Unavailable
from contracts.read import Candidate
from contracts.reasons import GATES, NOTHING_TO_DO, REFUSALS
from contracts.report.base import Explained
from contracts.report.hosts import HostReport, VersionReport
from contracts.version import __version__
from ledger.cli.failure import explain
from ledger.cli.kinds import Looked, gone, groups
from ledger.cli.output import counted, spoken
from ledger.cli.page.moment import Almanac, Moment
from ledger.cli.page.timeline import Bar, Mark, Scale, bar, heights
from ledger.diagnostics import Entry

TEXT = 400
"""Most characters of one text on the page; what is longer ends in a word on how much is left out."""
SOURCES = 5
STORE = 12


class Text(msgspec.Struct, frozen=True):
    """A text of the ledger, and how many characters of it are left out."""

    shown: str
    left_out: int


class ShownRead(msgspec.Struct, frozen=True):
    """One read; `store` tells two stores of one conversation apart and is else empty.

    `changed` says that its file is not any more what was read.
    """

    ordinal: int
    title: Text
    item: Text
    applies_when: Text
    sources: tuple[Text, ...]
    more_sources: int
    store: str
    at: Moment
    changed: bool


class ShownTold(msgspec.Struct, frozen=True):
    """What one subagent was told: titles where they are still known, else ids."""

    at: Moment
    items: tuple[Text, ...]
    left_out: int


class ShownConversation(msgspec.Struct, frozen=True):
    """One conversation on the time line; `kinds` are its `reads` by kind, each with the kind's name.

    `gone` says in words how many reads are not shown because their files have gone.
    """

    host: str
    reference: str
    life: int
    active: Moment
    ago: str
    counts: str
    latest: Text | None
    reads: tuple[ShownRead, ...]
    kinds: tuple[tuple[str, tuple[ShownRead, ...]], ...]
    gone: str
    told: tuple[ShownTold, ...]
    pending: int
    bar: Bar


class Day(msgspec.Struct, frozen=True):
    """The conversations that were last active on one local day."""

    name: str
    conversations: tuple[ShownConversation, ...]


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


class ShownGate(msgspec.Struct, frozen=True):
    """One gate of one version of a host; `state` is its name in our contract, `words` what people read."""

    state: str
    words: str
    scenarios: str


class ShownVersion(msgspec.Struct, frozen=True):
    """One version of a host, its gates in the order of `GATES`."""

    name: str
    gates: tuple[ShownGate, ...]


class ShownHost(msgspec.Struct, frozen=True):
    """One host: its versions, the newest first, and when a hook of it called."""

    name: str
    on: bool
    why_off: str
    versions: tuple[ShownVersion, ...]
    last: str
    briefed: str


class Standing(msgspec.Struct, frozen=True):
    """What else the ledger told: how many conversations are cleared, and what is wrong.

    `files` tells of conversations how the files of their reads are; what has gone is in no list already.
    """

    cleared: int = 0
    problems: tuple[Explained, ...] = ()
    files: dict[Conversation, Looked] = {}


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


def text(of: str) -> Text:
    """Return a text of the ledger as far as the page shows it."""
    return Text(of, 0) if len(of) <= TEXT else Text(of[:TEXT], len(of) - TEXT)


def _read(candidate: Candidate, almanac: Almanac, *, stores: bool, changed: bool) -> ShownRead:
    read = candidate.read
    return ShownRead(
        ordinal=candidate.ordinal,
        title=text(read.title or read.item_id),
        item=text(read.item_id),
        applies_when=text(read.applies_when),
        # No path of `read.file`: where things lie on this machine is no part of the page.
        sources=tuple(text(f"{one.pack}: {one.path}") for one in read.sources[:SOURCES]),
        more_sources=max(len(read.sources) - SOURCES, 0),
        store=read.store_scope[:STORE] if stores else "",
        at=almanac.moment(candidate.recorded_at),
        changed=changed,
    )


def _told(one: Told, titles: dict[str, str], almanac: Almanac) -> ShownTold:
    return ShownTold(
        almanac.moment(one.at), tuple(text(titles.get(item) or item) for item in one.items), one.left_out
    )


def _counts(one: Conversed) -> str:
    words = [counted(len(one.candidates), "read")]
    if one.told:
        words.append(f"{counted(len(one.told), 'subagent')} told")
    if one.pending:
        words.append(f"{one.pending} waiting")
    return ", ".join(words)


def _conversation(files: Looked, almanac: Almanac, scale: Scale) -> ShownConversation:
    one = files.conversed
    titles = {each.read.item_id: each.read.title for each in one.candidates}
    stores = len({each.read.store_scope for each in one.candidates}) > 1
    reads = {
        each.ordinal: _read(each, almanac, stores=stores, changed=each.ordinal in files.changed)
        for each in one.candidates
    }
    return ShownConversation(
        host=one.conversation.host,
        reference=one.conversation.reference,
        life=one.incarnation,
        active=almanac.moment(one.last_active_at),
        ago=almanac.ago(one.last_active_at),
        counts=_counts(one),
        latest=next((each.title for each in reads.values()), None),
        reads=tuple(reads.values()),
        kinds=tuple(
            (f"{kind.capitalize()}s", tuple(reads[each.ordinal] for each in those))
            for kind, those in groups(one.candidates)
        ),
        gone=gone(files.gone),
        told=tuple(_told(each, titles, almanac) for each in one.told),
        pending=one.pending,
        bar=bar(one, scale),
    )


def _stamps(one: Conversed) -> list[int]:
    reads = (each.recorded_at for each in one.candidates)
    return [one.last_active_at, *reads, *(each.at for each in one.told)]


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


def _version(version: VersionReport) -> ShownVersion:
    states = [version.gates[gate] for gate in GATES]
    cells = (ShownGate(s.state, spoken(s.state), counted(len(s.scenarios), "scenario")) for s in states)
    return ShownVersion(version.version, tuple(cells))


def _host(report: HostReport, entries: Sequence[Entry], almanac: Almanac) -> ShownHost:
    called = [entry.at for entry in entries if entry.host == report.host]
    told = [entry.at for entry in entries if entry.host == report.host and entry.summary.outcome == "briefed"]
    return ShownHost(
        name=report.host,
        on=report.on,
        why_off=report.why_off,
        versions=tuple(_version(one) for one in report.versions),
        last=almanac.ago(called[-1]) if called else "never",
        briefed=almanac.ago(told[-1]) if told else "never",
    )


def page(
    found: Ready | Unavailable,
    standing: Standing,
    entries: Sequence[Entry],
    hosts: Sequence[HostReport],
    almanac: Almanac,
) -> Page:
    """Return everything that the page says."""
    conversations = () if isinstance(found, Unavailable) else found.conversations
    scale = Scale((at for one in conversations for at in _stamps(one)), almanac)
    reads = [each.recorded_at for one in conversations for each in one.candidates]
    days = groupby(conversations, key=lambda one: almanac.day(one.last_active_at))
    refused = refusals(entries, almanac)
    trouble = explain(found.reason, found.detail) if isinstance(found, Unavailable) else None
    return Page(
        version=__version__,
        made=almanac.moment(almanac.now),
        zone=almanac.zone_name(),
        trouble=trouble,
        problems=tuple(one for one in standing.problems if trouble is None or one.reason != trouble.reason),
        totals=_totals(found, conversations, refused, hosts),
        days=tuple(
            Day(
                name,
                tuple(
                    _conversation(standing.files.get(one.conversation, Looked(one)), almanac, scale)
                    for one in those
                ),
            )
            for name, those in days
        ),
        marks=scale.marks(),
        reads_path=heights(reads, scale),
        reads_words=_words(reads, almanac),
        cleared=standing.cleared,
        calls=len(entries),
        since=almanac.moment(entries[0].at) if entries else None,
        refused=sum(one.count for one in refused),
        refusals=refused,
        gates=tuple(str(gate) for gate in GATES),
        hosts=tuple(_host(one, entries, almanac) for one in hosts),
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

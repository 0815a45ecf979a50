"""The conversations on the page: what was read and what subagents were told, by day."""

from collections.abc import Mapping, Sequence
from itertools import groupby

import msgspec

from contracts.conversation import Conversation
from contracts.outcome import Conversed, Told
from contracts.read import Candidate
from ledger.cli.kinds import Looked, gone, groups, stores
from ledger.cli.page.moment import Almanac, Moment
from ledger.cli.page.text import Text, text
from ledger.cli.page.timeline import Bar, Scale, bar
from ledger.cli.words import counted

SOURCES = 5
"""Most sources of one read that are named."""


class ShownRead(msgspec.Struct, frozen=True):
    """One read; `store` tells two stores of one conversation apart and is else empty.

    `part` says which lines of its file were read, where that is not all of it, and `changed` that its file is
    not any more what was read.
    """

    ordinal: int
    title: Text
    item: Text
    applies_when: Text
    sources: tuple[Text, ...]
    more_sources: int
    store: str
    at: Moment
    part: str
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


def days(
    conversations: Sequence[Conversed], files: Mapping[Conversation, Looked], almanac: Almanac, scale: Scale
) -> tuple[Day, ...]:
    """Return conversations by the day of their last activity, in their order; `files` may lack some."""
    found = groupby(conversations, key=lambda one: almanac.day(one.last_active_at))
    return tuple(
        Day(
            name,
            tuple(_conversation(files.get(one.conversation, Looked(one)), almanac, scale) for one in those),
        )
        for name, those in found
    )


def _conversation(files: Looked, almanac: Almanac, scale: Scale) -> ShownConversation:
    one = files.conversed
    titles = {each.read.item_id: each.read.title for each in one.candidates}
    known = stores(one.candidates)
    reads = {
        each.ordinal: _read(
            each, almanac, store=known.get(each.ordinal, ""), changed=each.ordinal in files.changed
        )
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


def _counts(one: Conversed) -> str:
    words = [counted(len(one.candidates), "read")]
    if one.told:
        words.append(f"{counted(len(one.told), 'subagent')} told")
    if one.pending:
        words.append(f"{one.pending} waiting")
    return ", ".join(words)


def _read(candidate: Candidate, almanac: Almanac, *, store: str, changed: bool) -> ShownRead:
    read = candidate.read
    return ShownRead(
        ordinal=candidate.ordinal,
        title=text(read.title or read.item_id),
        item=text(read.item_id),
        applies_when=text(read.applies_when),
        # No path of `read.file`: where things lie on this machine is no part of the page.
        sources=tuple(text(f"{one.pack}: {one.path}") for one in read.sources[:SOURCES]),
        more_sources=max(len(read.sources) - SOURCES, 0),
        store=store,
        at=almanac.moment(candidate.recorded_at),
        part="" if read.lines is None else f"lines {read.lines}",
        changed=changed,
    )


def _told(one: Told, titles: dict[str, str], almanac: Almanac) -> ShownTold:
    return ShownTold(
        almanac.moment(one.at), tuple(text(titles.get(item) or item) for item in one.items), one.left_out
    )

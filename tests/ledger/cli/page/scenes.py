"""What a page can be made of: quiet and crowded ledgers, hostile texts, hook calls and hosts."""

from __future__ import annotations

from datetime import timedelta, timezone

from msgspec.structs import replace

from contracts.conversation import Conversation
from contracts.outcome import Conversed, Ready, Told, Unavailable
from contracts.read import Candidate, File, Read, Source
from contracts.reasons import GATES
from contracts.report.hosts import GateReport, HostReport, VersionReport
from ledger.cli.kinds import Looked
from ledger.cli.page.answer import Answer
from ledger.cli.page.model import Page, page
from ledger.cli.page.render import render
from ledger.diagnostics import Entry, Summary

NOW = 1_800_000_000_000
"""15 January 2027, 08:00 in UTC."""
MINUTE = 60_000
TITLES = (
    "Handle timeouts at the edge of a service",
    "Write a migration that can be rolled back",
    "Name things after what they are, not how they work",
    "Review checklist for concurrent code",
    "Keep secrets out of logs",
    "Choose between a queue and a cron job",
    "Test what a user sees",
    "Structure of a good error message",
)
HOSTILE = (
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><a href="https://example.org/" onclick=alert(1)>',
    "{{ 7 * 7 }}{% for x in y %}",
    "left \u202eright to left\u202c \u2028 line \u2029 paragraph",
    "]]> --> </style></title></textarea> <!--",
    "null \x00 bell \x07 zero\u200bwidth \ufeffmark",
    "&lt;b&gt; &amp;amp; &#x3c;",
    "עברית ו-English יחד",
    "🦊 emoji 👩‍👩‍👧 family",
    "lone \ud800 surrogate",
    "w" * 4096,
)


def candidate(ordinal: int, at: int, title: str = "", scope: str = "default", sources: int = 1) -> Candidate:
    """Return a read as the ledger keeps one."""
    title = title or TITLES[ordinal % len(TITLES)]
    read = Read(
        reader="lore",
        store_scope=scope,
        item_id=f"practice.{'-'.join(title.lower().split()[:4])}-{ordinal}",
        content_digest="sha256:" + "0" * 64,
        title=title,
        applies_when="a service calls another one and the answer may never come",
        sources=tuple(Source("engineering", f"practices/{ordinal:03}-{n}.md") for n in range(sources)),
        file=File("/home/somebody/private", "practices/x.md", 1, 1),
    )
    return Candidate(read, at, ordinal)


def conversed(  # noqa: PLR0913 - a small language for scenes
    reference: str,
    ago: int,
    reads: int,
    *,
    host: str = "codex",
    told: int = 0,
    pending: int = 0,
    apart: int = 7,
) -> Conversed:
    """Return a conversation last active so many minutes ago, with reads and briefings before that."""
    last = NOW - ago * MINUTE
    candidates = tuple(candidate(n, last - (reads - n) * apart * MINUTE) for n in range(reads, 0, -1))
    ids = tuple(one.read.item_id for one in candidates[:6])
    briefings = tuple(Told(last - n * 11 * MINUTE, ids, max(reads - 6, 0)) for n in range(told))
    return Conversed(Conversation(host, reference), 1, last, candidates, pending, briefings)


def quiet() -> Ready:
    """Return what a few days of work leave behind."""
    return Ready(
        (
            conversed("019a2f3c-77aa-7c31-9f0e-8d1c5b6a7e01", 4, 7, told=3, pending=1),
            conversed("5d3c1c1e-0f5b-4b51-8a53-2f1f8a0c9b11", 65, 3, host="claude-code", told=1),
            conversed("019a2e11-1b2c-7d3e-8f90-a1b2c3d4e5f6", 190, 12, told=2, apart=9),
            conversed("e2b7a7b0-8a56-4a0c-b1be-c0ffee123456", 1_500, 1, host="claude-code"),
            conversed("019a2a00-3c4d-7e5f-9a0b-c1d2e3f4a5b6", 1_730, 5, told=1, apart=25),
            conversed("019a2711-5e6f-7a8b-8c9d-e0f1a2b3c4d5", 4_400, 21, told=5, apart=13),
            conversed("b1be0000-8a56-4a0c-b1be-0123456789ab", 6_100, 2, host="claude-code", pending=2),
        )
    )


def mixed() -> Answer:
    """Return a conversation with items of every kind, of which one changed and two have gone."""
    readers = ("document", "skill", "lore", "document", "skill", "lore")
    candidates = []
    for n, reader in enumerate(readers, 1):
        made = candidate(n, NOW - n * MINUTE)
        candidates.append(replace(made, read=replace(made.read, reader=reader)))
    *left, skill, practice = candidates
    last, *others = left[::-1]
    one = Conversed(Conversation("codex", "mixed"), 1, NOW, (last, *others))
    files = {one.conversation: Looked(one, frozenset({last.ordinal}), (practice, skill))}
    return Answer(Ready((one,)), NOW, files=files)


def crowded(conversations: int = 512, reads: int = 64) -> Ready:
    """Return a ledger at its default bounds."""
    return Ready(
        tuple(
            conversed(f"019a{n:04x}-77aa-7c31-9f0e-8d1c5b6a7e01", n * 19, reads, told=4, apart=3)
            for n in range(conversations)
        )
    )


def hostile() -> Ready:
    """Return a ledger whose every text tries to be more than text."""
    made = []
    for n, words in enumerate(HOSTILE):
        read = Read("lore", words, words, words, words, words, (Source(words, words),) * 7)
        other = Read("lore", "x", words, words, words, words, ())
        told = (Told(NOW - n, (words, "known no more " + words), 1),)
        candidates = (Candidate(read, NOW, 2), Candidate(other, -1, 1))
        made.append(Conversed(Conversation(words, words), 1, NOW - n, candidates, 1, told))
    return Ready(tuple(made))


def entries(calls: int = 240) -> list[Entry]:
    """Return hook calls of some days, the oldest first."""
    kinds = (
        Summary("noted", recorded=1),
        Summary("skipped", "command-unstructured"),
        Summary("briefed"),
        Summary("skipped", "actor-subagent"),
        Summary("ignored"),
        Summary("skipped", "command-indirect"),
        Summary("ignored"),
        Summary("skipped", "command-indirect"),
        Summary("ignored"),
        Summary("unavailable", "store-locked"),
        Summary("ignored"),
    )
    found = []
    for n in range(calls):
        host = "codex" if n % 3 else "claude-code"
        summary = kinds[n % len(kinds)] if n % 5 else Summary("ignored")
        found.append(Entry(NOW - (calls - n) * 30 * MINUTE, host, "PostToolUse", 9, summary))
    return found


def hosts() -> list[HostReport]:
    """Return one host that is on and one that is off."""
    good = {gate: GateReport("passed", ["direct", "read_and_spawn", "code_mode"]) for gate in GATES}
    bad = good | {"visible": GateReport("failed", ["spawn"]), "delivery": GateReport("not-shown", [])}
    return [
        HostReport(
            "claude-code",
            on=True,
            versions=[VersionReport("2.1.332", True, good), VersionReport("2.1.197", True, good)],
        ),
        HostReport("codex", on=True, versions=[VersionReport("0.171.0", True, good)]),
        HostReport(
            "elsewhere",
            on=False,
            versions=[VersionReport("1.0.0", False, bad)],
            why_off="1.0.0: delivery not-shown, visible failed",
        ),
    ]


ZONE = timezone(timedelta(hours=1))


def model(told: Ready | Unavailable | Answer, calls: list[Entry] | None = None) -> Page:
    """Return the page's values, made at one time in one zone."""
    answer = told if isinstance(told, Answer) else Answer(told, NOW)
    return page(answer, entries() if calls is None else calls, hosts(), ZONE)


def html(told: Ready | Unavailable | Answer, calls: list[Entry] | None = None) -> str:
    """Return the page's text."""
    return render(model(told, calls)).html.decode()

"""`readmark status --watch`: a line for each hook call as it arrives, until the person has seen enough."""

import errno
import os
import sys
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from contracts.outcome import Conversed, Unavailable
from contracts.report.watch import WatchedEvent, WatchedItem
from ledger.calls import Ledger
from ledger.cli import access
from ledger.cli.failure import explain, sentence
from ledger.cli.output import OutputLost, print_json, print_text
from ledger.cli.words import spoken, stamp
from ledger.diagnostics import Entry
from ledger.errors import ReadmarkError
from ledger.escape import one_line
from ledger.runtime import WIDEST, now_ms, settings
from ledger.tail import Tail

POLL = 0.2
"""Seconds between two looks at the diagnostics."""

Look = Callable[[], tuple[Conversed, ...] | None]
"""Returns what the ledger keeps, or None where it cannot answer just now."""


class News:
    """The items that hook calls have recorded: what the ledger keeps now and did not at the last look."""

    def __init__(self, look: Look) -> None:
        """Take a first look; what is kept by now is no news."""
        self._look = look
        self._known: set[tuple[str, str, int, int]] = set()
        self._waiting: list[tuple[str, int, WatchedItem]] = []
        self._refresh()
        self._waiting.clear()

    def of(self, entry: Entry) -> list[WatchedItem]:
        """Return the items that a call recorded, in their order; what has gone again by now is missed."""
        if not entry.summary.recorded:
            return []
        self._refresh()
        fit = [one for one in self._waiting if one[0] == entry.host and one[1] <= entry.at]
        # A person's own command settles reads too, and writes no line: what it recorded came before.
        self._waiting = [one for one in self._waiting if one not in fit]
        return [item for _, _, item in fit[-entry.summary.recorded :]]

    def _refresh(self) -> None:
        kept = self._look()
        if kept is None:
            return
        known = set()
        fresh = []
        for one in kept:
            host, reference = one.conversation.host, one.conversation.reference
            for candidate in one.candidates:
                at = (host, reference, one.incarnation, candidate.ordinal)
                known.add(at)
                if at not in self._known:
                    item = WatchedItem(candidate.read.item_id, candidate.read.title)
                    fresh.append((host, candidate.recorded_at, candidate.ordinal, item))
        fresh.sort(key=lambda one: one[1:3])
        self._waiting += [(host, when, item) for host, when, _, item in fresh]
        self._known = known


def kept(folder: Path) -> tuple[Conversed, ...] | None:
    """Return what the ledger in a state folder keeps, or None where it cannot answer."""
    try:
        limits = settings(os.environ).limits
    except ReadmarkError:
        limits = WIDEST
    with Ledger(folder, limits, now_ms, access.PATIENCE_MS) as ledger:
        found = ledger.list()
    return None if isinstance(found, Unavailable) else found.conversations


def watched(entry: Entry, items: list[WatchedItem]) -> WatchedEvent:
    """Return a hook call in the form that `--json` prints."""
    why = entry.summary
    return WatchedEvent(
        at=stamp(entry.at),
        host=entry.host,
        event=entry.event,
        outcome=why.outcome,
        ms=entry.ms,
        items=items,
        refusal=explain(why.reason, why.detail) if why.reason else None,
    )


def line(event: WatchedEvent, explained: set[str]) -> str:
    """Return a hook call as one line for a person, in the time of the person's clock.

    A reason is explained once: what is `explained` already is only named, and what is not yet comes to it.
    """
    at = datetime.fromisoformat(event.at).astimezone()
    said = (
        f"{at:%H:%M:%S}  {one_line(event.host)}  {one_line(event.event)}  {one_line(spoken(event.outcome))}"
    )
    if event.items:
        recorded = "" if event.outcome == "recorded" else "; recorded"
        said += recorded + ": " + ", ".join(f'"{one_line(item.title or item.id)}"' for item in event.items)
    why = event.refusal
    if why is None:
        return said
    if why.reason not in explained:
        explained.add(why.reason)
        return f"{said}: {sentence(why)}"
    return f"{said}: {one_line(why.reason)}" + (f" ({one_line(why.detail)})" if why.detail else "")


def watch(folder: Path, first: Callable[[], None], *, as_json: bool) -> None:
    """Print what `first` prints, then a line for each call of a hook as it arrives; ends by an interrupt.

    Raises OutputLost where there is no standard output: nothing would ever end it.
    """
    if sys.stdout is None:
        raise OutputLost(OSError(errno.EBADF, os.strerror(errno.EBADF)))
    explained: set[str] = set()
    with Tail(folder) as tail:
        news = News(lambda: kept(folder))
        first()
        while True:
            for entry in tail.new():
                event = watched(entry, news.of(entry))
                if as_json:
                    print_json(event)
                else:
                    print_text(line(event, explained) + "\n")
            time.sleep(POLL)

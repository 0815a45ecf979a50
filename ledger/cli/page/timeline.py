"""The time line: where moments lie between its two ends, as numbers and paths of an SVG."""

from collections.abc import Iterable, Sequence
from datetime import timedelta

import msgspec

from contracts.outcome import Conversed
from ledger.cli.page.moment import DAY_MS, Almanac, Moment

WIDTH = 1000
"""Width of every drawing in its own units; the page stretches it."""
SLOTS = 100
SLOT_HEIGHT = 40
LONGEST_MS = 14 * DAY_MS
"""A time line reaches back no further; what is older lies at its left end."""
SHORTEST_MS = 3_600_000
MINUTES = (10, 30, 60, 180, 360, 720, 1440, 2880)
"""Distances that marks may have, in minutes."""
MARKS = 7
LABEL_ROOM = 40
"""Units at the left that a mark's label must have before it."""


class Mark(msgspec.Struct, frozen=True):
    """One mark of the axis: where it is, from 0 to `WIDTH`, and what stands at it."""

    x: int
    label: str
    moment: Moment


class Bar(msgspec.Struct, frozen=True):
    """One conversation on the time line, as SVG paths: its span, its reads above, briefings below."""

    span: str
    reads: str
    told: str


class Scale:
    """Where times lie on the time line, which ends at the time of making."""

    def __init__(self, stamps: Iterable[int], almanac: Almanac) -> None:
        """Reach back to the earliest of the stamps, within bounds."""
        self.end = almanac.now
        earliest = min(stamps, default=self.end)
        self.start = max(min(earliest, self.end - SHORTEST_MS), self.end - LONGEST_MS)
        self._almanac = almanac

    def x(self, milliseconds: int) -> int:
        """Return the place of a time; what lies outside is at the nearer end."""
        share = (milliseconds - self.start) / (self.end - self.start)
        return round(min(max(share, 0), 1) * WIDTH)

    def marks(self) -> tuple[Mark, ...]:
        """Return marks at round local times, few enough to be read."""
        minutes = (self.end - self.start) / 60_000
        step = next((one for one in MINUTES if minutes / one <= MARKS), MINUTES[-1])
        days = step >= DAY_MS // 60_000
        midnight = self._almanac.local(self.start).replace(hour=0, minute=0, second=0)
        found = []
        for turn in range(round(minutes / step) + DAY_MS // 60_000 // step + 2):
            at = round((midnight + timedelta(minutes=turn * step)).timestamp() * 1000)
            x = self.x(at)
            if at < self.end and LABEL_ROOM <= x <= WIDTH - LABEL_ROOM:
                local = self._almanac.local(at)
                label = f"{local.day} {local:%b}" if days or local.hour == local.minute == 0 else ""
                found.append(Mark(x, label or f"{local:%H:%M}", self._almanac.moment(at)))
        return tuple(found)


def _ticks(places: Iterable[int], y: int, height: int) -> str:
    """Return upright strokes, one for all that fall on one place."""
    return "".join(f"M{x} {y}v{height}" for x in sorted(set(places)))


def stamps(one: Conversed) -> list[int]:
    """Return all times of a conversation."""
    reads = (each.recorded_at for each in one.candidates)
    return [one.last_active_at, *reads, *(each.at for each in one.told)]


def bar(one: Conversed, scale: Scale) -> Bar:
    """Return how a conversation lies on the time line."""
    places = [scale.x(at) for at in stamps(one)]
    return Bar(
        f"M{min(places)} 10H{max(*places, min(places) + 2)}",
        _ticks((scale.x(each.recorded_at) for each in one.candidates), 2, 7),
        _ticks((scale.x(each.at) for each in one.told), 11, 7),
    )


def heights(stamps: Sequence[int], scale: Scale) -> str:
    """Return how many reads fall into each slot of the time line, as one filled path."""
    counts = [0] * SLOTS
    for at in stamps:
        counts[min(scale.x(at) * SLOTS // WIDTH, SLOTS - 1)] += 1
    highest = max(counts, default=0)
    wide = WIDTH // SLOTS
    path = []
    for slot, count in enumerate(counts):
        if count:
            # One read among thousands must still be seen.
            tall = max(round(count / highest * SLOT_HEIGHT), 2)
            path.append(f"M{slot * wide} {SLOT_HEIGHT}v-{tall}h{wide - 1}v{tall}z")
    return "".join(path)

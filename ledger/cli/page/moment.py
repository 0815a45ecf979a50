"""Moments as the page tells them: in the local time of the machine for people, in UTC for programs."""

from datetime import UTC, datetime, tzinfo

import msgspec

from ledger.cli.words import LAST_MS, ago, stamp

DAY_MS = 86_400_000


class Moment(msgspec.Struct, frozen=True):
    """One time in three forms: RFC 3339 in UTC, local time of day, and with its local date."""

    machine: str
    clock: str
    dated: str


def _inside(milliseconds: int) -> int:
    return min(max(milliseconds, DAY_MS), LAST_MS - DAY_MS)


class _Minute(msgspec.Struct, frozen=True):
    """What all times within one minute share."""

    machine: str
    clock: str
    dated: str
    day: str


class Almanac:
    """Tells times for people: `now` in milliseconds since the epoch, in a zone (None: the machine's own)."""

    def __init__(self, now: int, zone: tzinfo | None = None) -> None:
        """Remember the time of making, which decides whether a year is worth saying."""
        self.now = now
        self._zone = zone
        self._year = self.local(now).year
        self._minutes: dict[int, _Minute] = {}

    def local(self, milliseconds: int) -> datetime:
        """Return the local time; what lies outside the years that have one becomes the nearest."""
        return datetime.fromtimestamp(_inside(milliseconds) // 1000, UTC).astimezone(self._zone)

    def _minute(self, milliseconds: int) -> _Minute:
        # Tens of thousands of reads lie in far fewer minutes.
        minute = _inside(milliseconds) // 60_000
        if minute not in self._minutes:
            at = self.local(milliseconds)
            year = "" if at.year == self._year else f" {at.year}"
            clock = f"{at:%H:%M}"
            self._minutes[minute] = _Minute(
                stamp(minute * 60_000)[:17],
                clock,
                f"{at:%a} {at.day} {at:%b}{year}, {clock}",
                f"{at:%A} {at.day} {at:%B}{year}",
            )
        return self._minutes[minute]

    def day(self, milliseconds: int) -> str:
        """Return the local day in words."""
        return self._minute(milliseconds).day

    def moment(self, milliseconds: int) -> Moment:
        """Return all forms of a time."""
        minute = self._minute(milliseconds)
        seconds, rest = divmod(_inside(milliseconds) % 60_000, 1000)
        return Moment(f"{minute.machine}{seconds:02}.{rest:03}Z", minute.clock, minute.dated)

    def ago(self, milliseconds: int) -> str:
        """Return how long before the time of making that was."""
        return ago(milliseconds, self.now)

    def zone_name(self) -> str:
        """Return the zone of the times as its distance from UTC."""
        offset = f"{self.local(self.now):%z}"
        return "UTC" if offset in {"+0000", "-0000"} else f"UTC{offset[:3]}:{offset[3:5]}"

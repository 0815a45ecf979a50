"""What `readmark record` prints."""

from typing import Literal

from contracts.lines import Range
from contracts.outcome import Change
from contracts.reasons import Gate, GateState
from contracts.report.base import Explained, Part


class PendingItem(Part, frozen=True):
    """An item that a call read; a candidate once the host shows that the model got it.

    `lines` are those of its file that the result shows, as pairs of first and last, `of` how many lines the
    file has; both are absent where it shows all of them.
    """

    id: str
    lines: list[Range] | None = None
    of: int | None = None


class RecordedRead(Part, frozen=True):
    """A read that settled into a candidate; `change` says how it met what was there before.

    `lines` and `of` are those of the candidate, which may hold lines of earlier reads too.
    """

    id: str
    read_ordinal: int
    change: Change
    lines: list[Range] | None = None
    of: int | None = None


class RefusedItem(Explained, frozen=True, kw_only=True):
    """An item that becomes no candidate, and why."""

    id: str


class SettledReads(Part, frozen=True):
    """What became of earlier pending reads of the conversation; `unavailable` is why it could not be said."""

    recorded: list[RecordedRead] = []  # noqa: RUF012 - msgspec makes each its own
    refused: list[RefusedItem] = []  # noqa: RUF012 - msgspec makes each its own
    unavailable: Explained | None = None


RecordedState = Literal[
    "pending",
    "recorded",
    "withdrawn",
    "repeated",
    "skipped",
    "unavailable",
    "briefed",
    "nothing-to-brief",
    "begun",
    "resumed",
    "cleared",
    "ignored",
]


class RecordReport(Part, frozen=True, kw_only=True):
    """What came of one payload, gate by gate.

    `event` is the host's name of the event, or "other". `host_version` is absent where nothing states it; one
    that is not `version_proven` counts only in exactly the recorded shape. `gates` stands only where the
    payload is about a read. `items` are what the call read, in the order in which its result shows them,
    `item` is the id of the first, and `refused` are those that can never be kept. `briefing` is the text for
    a subagent, `incarnation` the conversation's life after a lifecycle event, with `dropped` candidates gone.
    """

    state: RecordedState
    event: str
    host_version: str = ""
    version_proven: bool
    refusal: Explained | None = None
    gates: dict[Gate, GateState] | None = None
    item: str | None = None
    items: list[PendingItem] = []  # noqa: RUF012 - msgspec makes each its own
    refused: list[RefusedItem] = []  # noqa: RUF012 - msgspec makes each its own
    briefing: str | None = None
    incarnation: int | None = None
    dropped: int | None = None
    settled: SettledReads

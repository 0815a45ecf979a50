"""What `readmark record` prints."""

from typing import Literal

from contracts.outcome import Change
from contracts.reasons import Gate, GateState
from contracts.report.base import Explained, Part, Report


class RecordedRead(Report, frozen=True):
    """A read that settled into a candidate; `change` says how it met what was there before."""

    id: str
    read_ordinal: int
    change: Change


class SettledReads(Part, frozen=True):
    """What became of earlier pending reads of the conversation; `unavailable` is why it could not be said."""

    recorded: list[RecordedRead] = []  # noqa: RUF012 - msgspec makes each its own
    refused: list[Explained] = []  # noqa: RUF012 - msgspec makes each its own
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
    payload is about a read. `item` is the id of the read item, `briefing` the text for a subagent,
    `incarnation` the conversation's life after a lifecycle event, with `dropped` candidates gone.
    """

    state: RecordedState
    event: str
    host_version: str = ""
    version_proven: bool
    refusal: Explained | None = None
    gates: dict[Gate, GateState] | None = None
    item: str | None = None
    briefing: str | None = None
    incarnation: int | None = None
    dropped: int | None = None
    settled: SettledReads

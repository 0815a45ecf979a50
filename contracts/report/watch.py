"""What `readmark status --watch` prints, one a line."""

from contracts.report.base import Explained, Part, Report


class WatchedItem(Report, frozen=True):
    """An item that a hook recorded."""

    id: str
    title: str


class WatchedEvent(Part, frozen=True, kw_only=True, tag="arrived", tag_field="state"):
    """One hook call, as it arrived; `items` are what it recorded, `refusal` why it did not do its work."""

    at: str
    host: str
    event: str
    outcome: str
    ms: int
    items: list[WatchedItem] = []  # noqa: RUF012 - msgspec makes each its own
    refusal: Explained | None = None

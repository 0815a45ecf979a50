"""What `readmark show` prints."""

from typing import Literal

from contracts.report.base import Part


class ShowReport(Part, frozen=True, kw_only=True):
    """A page that was written; `unavailable` says that the ledger could not answer, and so does the page.

    `bytes` is its size, `opened` whether a browser took it, and `left_out` counts reads it had no room for.
    """

    state: Literal["ready", "unavailable"]
    file: str
    url: str
    bytes: int
    opened: bool
    conversations: int | None = None
    candidates: int | None = None
    left_out: int = 0
    reason: str = ""
    detail: str = ""

"""What `readmark brief` prints."""

from contracts.report.base import Report


class Brief(Report, frozen=True, tag="ready", tag_field="state"):
    """The text that a subagent receives now; `items` are the whole items in it.

    `units` is its length in UTF-16 code units.
    """

    text: str
    items: int
    units: int

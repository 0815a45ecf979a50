"""What `readmark prune` prints."""

from contracts.report.base import Report


class PrunedReport(Report, frozen=True, tag="pruned", tag_field="state"):
    """What a purge of the expired removed."""

    conversations: int
    candidates: int
    pending: int

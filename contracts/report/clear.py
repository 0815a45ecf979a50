"""What `readmark clear` prints."""

from contracts.report.base import Report


class ClearedReport(Report, frozen=True, tag="cleared", tag_field="state"):
    """What went; `known` is false where the ledger held nothing of the conversation, closed all the same."""

    known: bool
    conversations: int
    candidates: int

"""The exceptions of broken machinery; a refusal is a value (`contracts.outcome.Skipped`), never one."""


class ReadmarkError(Exception):
    """The ledger cannot answer.

    `reason` is a key of `contracts.reasons.UNAVAILABLE`; `detail` holds numbers and names of our own
    only, never text of a payload.
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        """Take the reason by its key."""
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail


class HomeError(ReadmarkError):
    """There is no state folder that may be used."""


class StoreError(ReadmarkError):
    """The ledger's file cannot be used."""

"""A text of the ledger, as far as the page shows it."""

import msgspec

TEXT = 400
"""Most characters of one text on the page; what is longer ends in a word on how much is left out."""


class Text(msgspec.Struct, frozen=True):
    """A text of the ledger, and how many characters of it are left out."""

    shown: str
    left_out: int


def text(of: str) -> Text:
    """Return a text of the ledger as far as the page shows it."""
    return Text(of, 0) if len(of) <= TEXT else Text(of[:TEXT], len(of) - TEXT)

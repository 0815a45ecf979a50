"""The bounds of the ledger and of a briefing, with their defaults."""

from typing import Annotated

import msgspec

Positive = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every bound that a user can set; each is a whole number of at least 1.

    Bytes are bytes of UTF-8. `briefing_units` counts UTF-16 code units, as hosts do, and is
    capped at 9,000 because the recorded hosts cut a context at 10,000 characters.
    """

    candidate_bytes: Positive = 4096
    candidates: Positive = 64
    conversations: Positive = 512
    idle_seconds: Positive = 7 * 24 * 3600
    pending_seconds: Positive = 3600
    briefing_units: Annotated[int, msgspec.Meta(ge=1, le=9000)] = 1800

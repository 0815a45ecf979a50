"""What came of an event or of a call to the ledger."""

from typing import Literal

import msgspec

from contracts.conversation import Conversation
from contracts.read import Candidate, Read


class Skipped(msgspec.Struct, frozen=True):
    """A named refusal: a key of `contracts.reasons.REFUSALS`.

    `detail` holds numbers and names of our own only, such as a file's path in its root, never text of a
    payload.
    """

    reason: str
    detail: str = ""


class Unavailable(msgspec.Struct, frozen=True, tag="unavailable", tag_field="state"):
    """The ledger cannot answer: a key of `contracts.reasons.UNAVAILABLE`. Never the same as empty."""

    reason: str
    detail: str = ""


class Withdrawn(msgspec.Struct, frozen=True):
    """An item of a pending read that becomes no candidate, and why."""

    read: Read
    why: Skipped


class Noted(msgspec.Struct, frozen=True):
    """What one call read is pending until the host shows that the model got its result.

    `withdrawn` are items of the same call that can never be kept.
    """

    reads: tuple[Read, ...]
    withdrawn: tuple[Withdrawn, ...] = ()


Change = Literal["new", "again", "extended", "replaced"]
"""How a read meets what was there of its item before.

"again" shows nothing that was not shown of this content, "extended" shows more of its lines, and "replaced"
takes the place of what was there.
"""


class Recorded(msgspec.Struct, frozen=True):
    """The read is a candidate now."""

    candidate: Candidate
    change: Change


class Repeated(msgspec.Struct, frozen=True):
    """The same host event came again; nothing changed."""


class Settled(msgspec.Struct, frozen=True):
    """What became of pending reads, in the order in which they were noted."""

    recorded: tuple[Recorded, ...] = ()
    withdrawn: tuple[Withdrawn, ...] = ()


class Life(msgspec.Struct, frozen=True):
    """The conversation's life after a lifecycle event.

    `incarnation` is 0 where the ledger knows nothing of the conversation and made no row for it.
    `dropped` counts candidates that went with the life that ended.
    """

    incarnation: int
    dropped: int = 0


class Pruned(msgspec.Struct, frozen=True):
    """What a purge removed."""

    conversations: int
    candidates: int
    pending: int


class Told(msgspec.Struct, frozen=True):
    """What one subagent was told at its start.

    `at` is in milliseconds since the epoch. `items` are the item ids that the briefing showed, newest
    first, and `left_out` is how many candidates it had no room for.
    """

    at: int
    items: tuple[str, ...]
    left_out: int


class Conversed(msgspec.Struct, frozen=True):
    """One live conversation with its candidates and what its subagents were told, both newest first.

    Times are milliseconds since the epoch.
    """

    conversation: Conversation
    incarnation: int
    last_active_at: int
    candidates: tuple[Candidate, ...]
    pending: int = 0
    told: tuple[Told, ...] = ()


class Ready(msgspec.Struct, frozen=True):
    """The ledger's answer to a question about what was read: most recently active conversation first."""

    conversations: tuple[Conversed, ...]

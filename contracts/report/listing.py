"""What `readmark list` prints."""

from contracts.lines import Range
from contracts.report.base import Part, Report


class ListedSource(Report, frozen=True):
    """Where a part of an item came from: a pack and a path inside it."""

    pack: str
    path: str


class ListedCandidate(Part, frozen=True):
    """One item that the main agent read; `read_ordinal` orders the reads of a conversation.

    `reader` is what it was read with, and `changed` says that its file is not any more what was read.
    `lines` are those of the file that the agent got, as pairs of first and last, `of` how many lines the file
    had; both are absent where it got all of them.
    """

    id: str
    title: str
    applies_when: str
    content_digest: str
    sources: list[ListedSource]
    store_scope: str
    recorded_at: str
    read_ordinal: int
    reader: str
    changed: bool
    lines: list[Range] | None = None
    of: int | None = None


class ListedTold(Report, frozen=True):
    """What one subagent was told at its start: the ids of items, and how many had no room."""

    at: str
    items: list[str]
    left_out: int


class ListedConversation(Report, frozen=True):
    """One conversation; `incarnation` counts its lives, candidates come newest first.

    `told` is what its last subagents were told, newest first. `gone` counts items that are left out, here
    and in a briefing, because their files are not there any more.
    """

    host: str
    conversation: str
    incarnation: int
    last_active_at: str
    candidates: list[ListedCandidate]
    told: list[ListedTold]
    gone: int


class Listed(Report, frozen=True, tag="ready", tag_field="state"):
    """What was read, by conversation, the most recently active first; `left_out` are not in the list."""

    conversations: list[ListedConversation]
    left_out: int

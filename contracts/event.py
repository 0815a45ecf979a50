"""What a host can say that concerns the ledger, after its adapter has checked who says it."""

import msgspec

from contracts.conversation import Conversation
from contracts.outcome import Skipped
from contracts.read import Locator


class ShellResult(msgspec.Struct, frozen=True):
    """What one shell command of the root agent, or a search tool, gave back after it ended.

    `command` is the text that really ran, `output` what the tool returned. `part` is why that is not the
    whole output of a command that ended well, None where it is; a part can only prove lines of files.
    `locator` is where the host will show the delivery, if it keeps such a place.
    """

    conversation: Conversation
    event_id: str
    command: str
    output: str
    locator: Locator | None
    part: Skipped | None = None


class FileResult(msgspec.Struct, frozen=True):
    """One file, or a part of it, that the host's own tool read for the root agent.

    `path` is as the host states it, `content` the text without what the tool puts around it, and `first` the
    number of its first line, from 1.
    """

    conversation: Conversation
    event_id: str
    path: str
    content: str
    locator: Locator | None
    first: int = 1


class SkillResult(msgspec.Struct, frozen=True):
    """One skill that the host itself loaded for the root agent.

    `name` is the host's own for it, `shown` what the model gets as the call's result.
    """

    conversation: Conversation
    event_id: str
    name: str
    shown: str
    locator: Locator | None


ToolResult = ShellResult | FileResult | SkillResult


class Delivered(msgspec.Struct, frozen=True):
    """Texts that the host states it sent to the root agent's model, by event id."""

    conversation: Conversation
    texts: dict[str, str]


class SubagentStarted(msgspec.Struct, frozen=True):
    """A subagent of this root conversation is about to make its first model request."""

    conversation: Conversation


class Begun(msgspec.Struct, frozen=True):
    """A new, empty life of this conversation: started, forked, or of a source that is not known."""

    conversation: Conversation


class Resumed(msgspec.Struct, frozen=True):
    """The host states that this very conversation goes on (resume, compaction)."""

    conversation: Conversation


class Cleared(msgspec.Struct, frozen=True):
    """The host states that this conversation was cleared by its user."""

    conversation: Conversation


class Ignored(msgspec.Struct, frozen=True):
    """An event that says nothing for the ledger, yet pending reads of its conversation can settle."""

    conversation: Conversation | None = None


HostEvent = ToolResult | Delivered | SubagentStarted | Begun | Resumed | Cleared | Ignored

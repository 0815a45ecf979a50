"""The adapter of Claude Code: what its hooks say, and when that proves a read of the root agent.

Recorded from 2.1.197 and 2.1.332; scenario names here and in the modules beside it, such as `fork` or
`first/bash_matrix`, are recordings in `contracts/evidence/claude-code/<version>`.
"""

import re
from collections.abc import Callable, Mapping, Sequence

import msgspec

from adapters.hosts import claude_transcript
from adapters.hosts.claude_delivery import LAUNCHING, delivered
from adapters.hosts.claude_payload import Payload, decline, hear, is_claudes
from adapters.hosts.claude_registration import REGISTRATION
from adapters.hosts.claude_skills import roots
from adapters.hosts.claude_tools import (
    ASKED,
    MISMATCH,
    Call,
    asked,
    content_of,
    lines_of,
    output_of,
    unloaded,
)
from adapters.hosts.fields import folder, given, text_of, there
from contracts.conversation import REFERENCE_BYTES, Conversation
from contracts.event import (
    Begun,
    Cleared,
    Delivered,
    FileResult,
    HostEvent,
    Ignored,
    Resumed,
    ShellResult,
    SkillResult,
    SubagentStarted,
    ToolResult,
)
from contracts.outcome import Skipped
from contracts.read import EVENT_ID_BYTES, Locator, PendingRead, Sent, Settlement
from contracts.wire import REPLACEMENT, Malformed, decode

__all__ = [
    "NAME",
    "REGISTRATION",
    "brief",
    "decline",
    "folder",
    "parse",
    "roots",
    "settle",
    "trust",
    "version",
]

NAME = "claude-code"

_AGENT = re.compile(r"claude-code_(\d+-\d+-\d+)_.*", re.ASCII)

MALFORMED = Skipped("payload-malformed")
FOREIGN = Skipped("foreign-payload")
CONVERSATION_UNPROVEN = Skipped("conversation-unproven")
ACTOR_SUBAGENT = Skipped("actor-subagent")


def parse(payload: bytes, concerns: Callable[[str], bool]) -> HostEvent | Skipped:
    """Check one payload of a Claude Code hook; see `contracts.host.Host.parse`."""
    heard = hear(payload)
    if heard is None:
        return MALFORMED
    if not is_claudes(heard):
        return FOREIGN
    conversation = _conversation(heard)
    match given(heard.hook_event_name):
        case "PostToolUse" | "PostToolUseFailure":
            return _tool_used(heard, conversation, concerns)
        case "PostToolBatch":
            return _batch_done(heard, conversation, concerns)
        case "SessionStart" | "SessionEnd" | "SubagentStart" as name:
            return CONVERSATION_UNPROVEN if conversation is None else _lifecycle(heard, name, conversation)
        case str():
            return Ignored(conversation)
    return MISMATCH


def settle(event: HostEvent | None, pending: Sequence[PendingRead], sent: Sent) -> list[Settlement]:
    """Say what became of pending reads; see `contracts.host.Host.settle`."""
    return delivered(event.texts if isinstance(event, Delivered) else {}, pending, sent)


def brief(text: str) -> bytes:
    """Return the answer to SubagentStart that puts `text` into every request of that subagent."""
    answer = {"hookEventName": "SubagentStart", "additionalContext": text}
    return msgspec.json.encode({"hookSpecificOutput": answer})


def _conversation(heard: Payload) -> Conversation | None:
    reference = text_of(heard.session_id)
    if not reference or REPLACEMENT in reference or len(reference.encode()) > REFERENCE_BYTES:
        return None
    return Conversation(NAME, reference)


def _lifecycle(heard: Payload, event: str, conversation: Conversation) -> HostEvent | Skipped:
    if event == "SubagentStart":
        return SubagentStarted(conversation) if isinstance(given(heard.agent_id), str) else MISMATCH
    if there(heard.agent_id):
        return ACTOR_SUBAGENT
    match (event, given(heard.source if event == "SessionStart" else heard.reason)):
        case ("SessionStart", "resume"):
            return Resumed(conversation)
        case ("SessionStart", str(source)):
            return Ignored(conversation) if source == "compact" else Begun(conversation)
        case ("SessionEnd", str(reason)):
            return Cleared(conversation) if reason == "clear" else Ignored(conversation)
    return MISMATCH


def _tool_used(
    heard: Payload, conversation: Conversation | None, concerns: Callable[[str], bool]
) -> HostEvent | Skipped:
    """Ask a tool call's gates in order; `first/pre_rewrite` shows that its command is the one that ran."""
    tool = given(heard.tool_name)
    if not isinstance(tool, str):
        return MISMATCH
    if tool not in ASKED:
        return Ignored(conversation)
    wanted = asked(tool, heard.tool_input)
    if wanted is None:
        return MISMATCH
    if not _concern(tool, wanted, concerns):
        return Ignored(conversation)
    if conversation is None:
        return CONVERSATION_UNPROVEN
    if there(heard.agent_id):
        return ACTOR_SUBAGENT
    return _ended(heard, conversation, tool, wanted)


def _ended(heard: Payload, conversation: Conversation, tool: str, wanted: str) -> ToolResult | Skipped:
    if given(heard.hook_event_name) == "PostToolUseFailure":
        return Skipped("call-failed")
    if given(heard.tool_use_id) is None:
        return Skipped("delivery-unproven")
    event_id, path = _event_id(heard.tool_use_id), text_of(heard.transcript_path)
    if event_id is None or path is None:
        return MISMATCH
    locator = Locator(path, claude_transcript.size(path))
    if tool == "Skill":
        shown = LAUNCHING + wanted
        refused = unloaded(heard.tool_response)
        return refused or SkillResult(conversation, event_id, wanted, shown, locator)
    if tool == "Read":
        content = content_of(heard.tool_response)
        if isinstance(content, Skipped):
            return content
        text, first = content
        return FileResult(conversation, event_id, wanted, text, locator, first)
    if tool == "Grep":
        found = lines_of(heard.tool_response)
        return (
            found
            if isinstance(found, Skipped)
            else ShellResult(conversation, event_id, wanted, found, locator)
        )
    output = output_of(heard.tool_response)
    if isinstance(output, Skipped):
        return output
    text, part = output
    return ShellResult(conversation, event_id, wanted, text, locator, part)


def _batch_done(
    heard: Payload, conversation: Conversation | None, concerns: Callable[[str], bool]
) -> HostEvent | Skipped:
    """Return what the root's model is sent for the calls that concern a reader."""
    if there(heard.agent_id):
        return Ignored(conversation)
    calls = decode(bytes(heard.tool_calls), list[Call])
    if isinstance(calls, Malformed):
        return MISMATCH
    texts: dict[str, str] = {}
    for call in calls:
        wanted = asked(call.tool_name, call.tool_input) if call.tool_name in ASKED else None
        # A call that the host refused has no command (`first/read_skill`).
        if wanted is None or not _concern(call.tool_name, wanted, concerns):
            continue
        text, event_id = claude_transcript.said(call.tool_response), _event_id(call.tool_use_id)
        if not text or event_id is None:
            return MISMATCH
        texts[event_id] = text
    if not texts:
        return Ignored(conversation)
    return CONVERSATION_UNPROVEN if conversation is None else Delivered(conversation, texts)


def _concern(tool: str, wanted: str, concerns: Callable[[str], bool]) -> bool:
    """Whether a call may read what counts; a skill is asked for by its name alone."""
    return tool == "Skill" or concerns(wanted)


def _event_id(field: msgspec.Raw) -> str | None:
    """Return a call's id where it can name the call in the ledger."""
    found = text_of(field)
    # Of two ids with half a character each nobody could tell one from the other.
    sound = found and REPLACEMENT not in found and len(found.encode()) <= EVENT_ID_BYTES
    return found if sound else None


def trust(program: str, folder: str, left: Callable[[], float]) -> None:
    """Say that Claude Code runs the hooks of its own file without asking for trust in them."""


def version(environ: Mapping[str, str]) -> str | None:
    """Return the version in `AI_AGENT`, which hooks get as `claude-code_2-1-197_harness`."""
    stated = _AGENT.fullmatch(environ.get("AI_AGENT", ""))
    return stated[1].replace("-", ".") if stated else None

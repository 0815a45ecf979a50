"""The adapter of Claude Code: what its hooks say, and when that proves a read of the root agent.

Recorded from 2.1.197 and 2.1.332; scenario names in this file are recordings in
`contracts/evidence/claude-code/<version>/first`.
"""

import re
from collections.abc import Callable, Mapping, Sequence

import msgspec

from adapters.hosts import claude_transcript
from adapters.hosts.claude_payload import (
    EMPTY,
    MISMATCH,
    Call,
    Payload,
    command_of,
    decline,
    folder,
    hear,
    is_claudes,
    is_event_id,
    output_of,
)
from contracts.conversation import REFERENCE_BYTES, Conversation
from contracts.event import (
    Begun,
    Cleared,
    Delivered,
    HostEvent,
    Ignored,
    Resumed,
    ShellResult,
    SubagentStarted,
)
from contracts.host import Hook, Plugin, Registration
from contracts.outcome import Skipped
from contracts.read import Locator, PendingRead, Settlement, result_digest
from contracts.wire import Malformed, decode

__all__ = ["NAME", "REGISTRATION", "brief", "decline", "folder", "parse", "settle", "trust", "version"]

NAME = "claude-code"

REGISTRATION = Registration(
    file=".claude/settings.json",
    timeout_unit="s",
    program="claude",
    folder_variable="CLAUDE_CONFIG_DIR",
    version_line=r"(\d+\.\d+\.\d+[0-9A-Za-z.+-]{0,32}) \(Claude Code\)",
    hooks=(
        # No matcher: 2.1.332 has the source `fork`, and a source that is not known yet is a new life too.
        Hook("SessionStart", None, 5),
        Hook("PostToolUse", "Bash", 5, only_readers=True),
        Hook("PostToolBatch", None, 5, only_readers=True),
        # Never async: such a hook speaks to the root instead of the subagent (`hook_async`).
        Hook("SubagentStart", None, 5),
        # The host kills it after 1.5 s unless a timeout is set (`hook_sessionend_default_timeout`).
        Hook("SessionEnd", None, 2),
    ),
    plugin=Plugin(
        marketplace=".claude-plugin/marketplace.json",
        folder="readmark",
        manifest=".claude-plugin/plugin.json",
        listing={
            "owner": {"name": "readmark"},
            "metadata": {"description": "readmark, built for Claude Code by `readmark plugin build`."},
        },
        entry={"source": "./readmark"},
        add=("claude plugin marketplace add {folder}", "claude plugin install readmark@readmark"),
        remove=("claude plugin uninstall readmark@readmark", "claude plugin marketplace remove readmark"),
        switch_file="settings.json",
        switch_table="enabledPlugins",
    ),
)

_AGENT = re.compile(r"claude-code_(\d+-\d+-\d+)_.*", re.ASCII)

SETTLE_BYTES = 8 * claude_transcript.WINDOW_BYTES
"""How many bytes of transcripts one call of `settle` reads at most."""

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
    conversation = _conversation(heard.session_id)
    match heard.hook_event_name:
        case "PostToolUse" | "PostToolUseFailure":
            return _tool_used(heard, conversation, concerns)
        case "PostToolBatch":
            return _batch_done(heard, conversation, concerns)
        case "SessionStart" | "SessionEnd" | "SubagentStart":
            return CONVERSATION_UNPROVEN if conversation is None else _lifecycle(heard, conversation)
        case str(name) if name:
            return Ignored(conversation)
        case _:
            return MISMATCH


def settle(event: HostEvent | None, pending: Sequence[PendingRead]) -> list[Settlement]:
    """Say what became of pending reads; see `contracts.host.Host.settle`.

    A `PostToolBatch` states what was sent. After an Esc there is none (`tui_esc_during_posthook`), and
    of some batches the model got a part without one (`tui_interrupt`); the transcript holds both.
    """
    texts = event.texts if isinstance(event, Delivered) else {}
    settled: dict[str, bool] = {}
    left = SETTLE_BYTES
    # The newest first: a read that is never settled must not use up the bytes of those after it.
    for read in reversed(pending):
        if read.event_id in texts:
            settled[read.event_id] = result_digest(texts[read.event_id]) == read.result_digest
        elif read.locator is not None and left > 0:
            lines = claude_transcript.window(read.locator, left)
            left -= len(lines)
            result = claude_transcript.find(lines, read.event_id)
            if result is not None:
                same = result_digest(result.text) == read.result_digest
                settled[read.event_id] = same and not result.failed
    return [Settlement(read.event_id, settled[read.event_id]) for read in pending if read.event_id in settled]


def brief(text: str) -> bytes:
    """Return the answer to SubagentStart that puts `text` into every request of that subagent."""
    answer = {"hookEventName": "SubagentStart", "additionalContext": text}
    return msgspec.json.encode({"hookSpecificOutput": answer})


def _conversation(session_id: object) -> Conversation | None:
    if not isinstance(session_id, str) or not 0 < len(session_id.encode()) <= REFERENCE_BYTES:
        return None
    return Conversation(NAME, session_id)


def _lifecycle(heard: Payload, conversation: Conversation) -> HostEvent | Skipped:
    if heard.hook_event_name == "SubagentStart":
        child = heard.agent_id
        return SubagentStarted(conversation) if isinstance(child, str) and child else MISMATCH
    if heard.agent_id is not msgspec.UNSET:
        return ACTOR_SUBAGENT
    word = heard.source if heard.hook_event_name == "SessionStart" else heard.reason
    match (heard.hook_event_name, word):
        case (_, ""):
            return MISMATCH
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
    """Ask a tool call's gates in order; `pre_rewrite` shows that its command is the one that ran."""
    if not isinstance(heard.tool_name, str) or not heard.tool_name:
        return MISMATCH
    if heard.tool_name != "Bash":
        return Ignored(conversation)
    command = command_of(heard.tool_input)
    if command is None:
        return MISMATCH
    if not concerns(command):
        return Ignored(conversation)
    if conversation is None:
        return CONVERSATION_UNPROVEN
    if heard.agent_id is not msgspec.UNSET:
        return ACTOR_SUBAGENT
    return _shell_ended(heard, conversation, command)


def _shell_ended(heard: Payload, conversation: Conversation, command: str) -> ShellResult | Skipped:
    if heard.hook_event_name == "PostToolUseFailure":
        return Skipped("call-failed")
    if heard.tool_use_id in EMPTY:
        return Skipped("delivery-unproven")
    if not is_event_id(heard.tool_use_id):
        return MISMATCH
    output = output_of(heard.tool_response)
    if isinstance(output, Skipped):
        return output
    path = heard.transcript_path
    return ShellResult(
        conversation, heard.tool_use_id, command, output, Locator(path, claude_transcript.size(path))
    )


def _batch_done(
    heard: Payload, conversation: Conversation | None, concerns: Callable[[str], bool]
) -> HostEvent | Skipped:
    """Return what the root's model is sent for the calls that concern a reader."""
    if heard.agent_id is not msgspec.UNSET:
        return Ignored(conversation)
    calls = decode(bytes(heard.tool_calls), list[Call])
    if isinstance(calls, Malformed):
        return MISMATCH
    texts: dict[str, str] = {}
    for call in calls:
        command = command_of(call.tool_input) if call.tool_name == "Bash" else None
        # A call that the host refused has no command (`read_skill`).
        if command is None or not concerns(command):
            continue
        text = claude_transcript.text_of(call.tool_response)
        if not text or not is_event_id(call.tool_use_id):
            return MISMATCH
        texts[call.tool_use_id] = text
    if not texts:
        return Ignored(conversation)
    return CONVERSATION_UNPROVEN if conversation is None else Delivered(conversation, texts)


def trust(program: str, folder: str, left: Callable[[], float]) -> None:
    """Say that Claude Code runs the hooks of its own file without asking for trust in them."""


def version(environ: Mapping[str, str]) -> str | None:
    """Return the version in `AI_AGENT`, which hooks get as `claude-code_2-1-197_harness`."""
    stated = _AGENT.fullmatch(environ.get("AI_AGENT", ""))
    return stated[1].replace("-", ".") if stated else None

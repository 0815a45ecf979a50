"""The adapter of Claude Code: what its hooks say, and when that proves a read of the root agent.

Recorded from 2.1.197 and 2.1.332; scenario names in this file are recordings in
`contracts/evidence/claude-code/<version>/first`.
"""

import re
from collections.abc import Callable, Mapping, Sequence

import msgspec

from adapters.hosts import claude_skill_text, claude_transcript
from adapters.hosts.claude_payload import (
    EMPTY,
    MISMATCH,
    Call,
    Payload,
    command_of,
    content_of,
    decline,
    folder,
    hear,
    is_claudes,
    is_event_id,
    loaded,
    output_of,
    path_of,
    skill_of,
)
from adapters.hosts.claude_skills import roots
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
from contracts.host import Hook, Plugin, Registration
from contracts.outcome import Skipped
from contracts.read import Locator, PendingRead, Settlement, result_digest
from contracts.wire import Malformed, decode

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

REGISTRATION = Registration(
    file=".claude/settings.json",
    timeout_unit="s",
    program="claude",
    folder_variable="CLAUDE_CONFIG_DIR",
    version_line=r"(\d+\.\d+\.\d+[0-9A-Za-z.+-]{0,32}) \(Claude Code\)",
    hooks=(
        # No matcher: 2.1.332 has the source `fork`, and a source that is not known yet is a new life too.
        Hook("SessionStart", None, 5),
        Hook("PostToolUse", "Bash|Read|Skill", 5, only_readers=True),
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

_ASKED = {"Bash": command_of, "Read": path_of, "Skill": skill_of}
"""What each tool that can read was asked for, by its name."""
LAUNCHING = "Launching skill: "
"""The whole result of a loaded skill, but for its name."""

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
    of some batches the model got a part without one (`tui_interrupt`); the transcript holds both. Of a
    loaded skill the batch has no more than its name; its text follows in the transcript (`skill_project`).
    """
    texts = event.texts if isinstance(event, Delivered) else {}
    settled: dict[str, bool] = {}
    left = SETTLE_BYTES
    # The newest first: a read that is never settled must not use up the bytes of those after it.
    for read in reversed(pending):
        text = texts.get(read.event_id)
        if text is not None and not _launched(text):
            settled[read.event_id] = _is_of(text, read)
        elif read.locator is not None and left > 0:
            lines = claude_transcript.window(read.locator, left)
            left -= len(lines)
            verdict = _shown(lines, read)
            if verdict is not None:
                settled[read.event_id] = verdict
    return [Settlement(read.event_id, settled[read.event_id]) for read in pending if read.event_id in settled]


def _shown(lines: bytes, read: PendingRead) -> bool | None:
    """Return whether the model got a read's result, as a transcript shows it, or None if it does not yet."""
    result = claude_transcript.find(lines, read.event_id)
    if result is None:
        return None
    if result.failed or not _is_of(result.text, read):
        return False
    if read.read.file is None or not _launched(result.text):
        return True
    shown = claude_transcript.loaded_from(lines, read.event_id)
    return None if shown is None else claude_skill_text.sent(read, *shown)


def _is_of(text: str, read: PendingRead) -> bool:
    """Whether a result's text is the one that was noted; the model gets a file's with numbers before it."""
    if result_digest(text) == read.result_digest:
        return True
    lines = text.split("\n")
    marks = [f"{number}\t" for number in range(1, len(lines) + 1)]
    if not all(map(str.startswith, lines, marks)):
        return False
    plain = "\n".join(line[len(mark) :] for line, mark in zip(lines, marks, strict=True))
    return result_digest(plain) == read.result_digest


def _launched(text: str) -> bool:
    return text.startswith(LAUNCHING)


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
    asking = _ASKED.get(heard.tool_name)
    if asking is None:
        return Ignored(conversation)
    asked = asking(heard.tool_input)
    if asked is None:
        return MISMATCH
    if heard.tool_name != "Skill" and not concerns(asked):
        return Ignored(conversation)
    if conversation is None:
        return CONVERSATION_UNPROVEN
    if heard.agent_id is not msgspec.UNSET:
        return ACTOR_SUBAGENT
    return _ended(heard, conversation, asked)


def _ended(heard: Payload, conversation: Conversation, asked: str) -> ToolResult | Skipped:
    if heard.hook_event_name == "PostToolUseFailure":
        return Skipped("call-failed")
    if heard.tool_use_id in EMPTY:
        return Skipped("delivery-unproven")
    if not is_event_id(heard.tool_use_id):
        return MISMATCH
    path = heard.transcript_path
    locator = Locator(path, claude_transcript.size(path))
    if heard.tool_name == "Skill":
        refused = loaded(heard.tool_response)
        shown = LAUNCHING + asked
        return refused or SkillResult(conversation, heard.tool_use_id, asked, shown, locator)
    of, kind = (content_of, FileResult) if heard.tool_name == "Read" else (output_of, ShellResult)
    text = of(heard.tool_response)
    if isinstance(text, Skipped):
        return text
    return kind(conversation, heard.tool_use_id, asked, text, locator)


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
        asking = _ASKED.get(call.tool_name)
        asked = None if asking is None else asking(call.tool_input)
        # A call that the host refused has no command (`read_skill`).
        if asked is None or (call.tool_name != "Skill" and not concerns(asked)):
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

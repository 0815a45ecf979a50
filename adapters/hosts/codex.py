"""The adapter of Codex CLI: what its hooks say, and when that proves a read of the root agent.

Recorded from 0.171.0; scenario names here and in the modules beside it, such as `sub_v1` or `first/big`, are
recordings in `contracts/evidence/codex/0.171.0`.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from posixpath import basename
from re import ASCII, fullmatch
from re import compile as pattern

import msgspec

from adapters.hosts import regular
from adapters.hosts.codex_delivery import delivered
from adapters.hosts.codex_payload import Payload, command_of, hear
from adapters.hosts.codex_registration import REGISTRATION, VERSION
from adapters.hosts.codex_skills import roots
from adapters.hosts.codex_transcript import Call, Work, find_call
from adapters.hosts.fields import OTHER, folder, given, text_of
from contracts.conversation import REFERENCE_BYTES, Conversation
from contracts.event import Begun, HostEvent, Ignored, Resumed, ShellResult, SubagentStarted
from contracts.outcome import Skipped
from contracts.read import EVENT_ID_BYTES, Locator, PendingRead, Sent, Settlement
from contracts.trust import HooksListed, TrustUnknown
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

NAME = "codex"

SETTLE_BYTES = 16 * 1024 * 1024
"""How many bytes of transcripts one call of `settle` reads at most."""
SETTLE_SECONDS = 0.3
"""How long one call of `settle` looks; what it does not reach stays pending until the next event."""

MANIFEST_BYTES = 65_536
"""Longest manifest of a package that is read; that of 0.171.0 has 1 KiB."""

SHELLS = frozenset({"bash", "dash", "sh", "zsh"})
CUT = "Warning: truncated output (original token count: "
"""How an output begins that the host cut (`first/big`, `first/small_max`)."""

_UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
ROLLOUT = pattern(
    rf"(?:.*[/\\])?rollout-\d{{4}}-\d\d-\d\dT\d\d-\d\d-\d\d-(?P<thread>{_UUID})(?:_{_UUID})?\.jsonl", ASCII
)
"""A transcript's path: time, thread, and after a rewind an id of its own (`first/tui_resume_fork`)."""


class _Manifest(msgspec.Struct):
    version: str = ""


MISMATCH = Skipped("contract-mismatch")
CONVERSATION_UNPROVEN = Skipped("conversation-unproven")
ACTOR_UNPROVEN = Skipped("actor-unproven")
CALL_UNPROVEN = Skipped("call-unproven")


def parse(payload: bytes, concerns: Callable[[str], bool]) -> HostEvent | Skipped:
    """Check one payload of a Codex hook; see `contracts.host.Host.parse`."""
    heard = hear(payload)
    if heard is None:
        return Skipped("payload-malformed")
    if not _is_codex(heard):
        return Skipped("foreign-payload")
    match given(heard.hook_event_name):
        case "SessionStart":
            return _session_started(heard)
        case "SubagentStart":
            return _subagent_started(heard)
        case "PostToolUse":
            return _tool_used(heard, concerns)
        case str():
            return _ignored(heard)
    return MISMATCH


def _is_codex(heard: Payload) -> bool:
    """Whether the payload is of Codex: no other recorded host names its transcripts so, or says null."""
    return _has_none(heard) or ROLLOUT.fullmatch(text_of(heard.transcript_path) or "") is not None


def _has_none(heard: Payload) -> bool:
    """Whether the host says that it keeps no transcript; a key that is not there does not say so."""
    return bytes(heard.transcript_path) == b"null"


def _sound(text: str, size: int) -> bool:
    """Whether an id can be one: printable, whole, and within the bound in bytes."""
    return text.isprintable() and REPLACEMENT not in text and len(text.encode()) <= size


def _conversation(heard: Payload) -> Conversation | Skipped:
    """Return the root conversation: every recorded payload names it in `session_id`, subagents' too."""
    reference = given(heard.session_id)
    if reference is OTHER:
        return MISMATCH
    if reference is None or not _sound(reference, REFERENCE_BYTES):
        return CONVERSATION_UNPROVEN
    return Conversation(NAME, reference)


def _ignored(heard: Payload) -> Ignored:
    conversation = _conversation(heard)
    return Ignored(None if isinstance(conversation, Skipped) else conversation)


def _refused_actor(heard: Payload, conversation: Conversation) -> Skipped | None:
    """Return why this is not proven to be the root agent's thread, or None.

    A subagent has an `agent_id` (`sub_v1`). A review has none and bears the root's `session_id`, but
    its transcript is named after its own thread; without a transcript nothing can tell (`ephemeral`).
    """
    agent = given(heard.agent_id)
    if agent is not None:
        return MISMATCH if agent is OTHER else Skipped("actor-subagent")
    named = ROLLOUT.fullmatch(text_of(heard.transcript_path) or "")
    return None if named and named["thread"] == conversation.reference else ACTOR_UNPROVEN


def _session_started(heard: Payload) -> HostEvent | Skipped:
    conversation = _conversation(heard)
    if isinstance(conversation, Skipped):
        return conversation
    # A thread that is not the root's must not end the root's life; none was recorded to say so.
    if not _has_none(heard) and (refused := _refused_actor(heard, conversation)):
        return refused
    match given(heard.source):
        case "resume":
            return Resumed(conversation)
        case "compact":
            return Ignored(conversation)
        case str():
            return Begun(conversation)
    return MISMATCH


def _subagent_started(heard: Payload) -> HostEvent | Skipped:
    conversation = _conversation(heard)
    if isinstance(conversation, Skipped):
        return conversation
    return SubagentStarted(conversation) if isinstance(given(heard.agent_id), str) else MISMATCH


def _tool_used(heard: Payload, concerns: Callable[[str], bool]) -> HostEvent | Skipped:
    match given(heard.tool_name):
        case "Bash":
            command = command_of(heard.tool_input)
            if command is None:
                return MISMATCH
            return _shell_result(heard, command) if concerns(command) else _ignored(heard)
        case str():
            return _ignored(heard)
    return MISMATCH


def _shell_result(heard: Payload, command: str) -> ShellResult | Skipped:
    """Ask the gates of a shell command: conversation, actor, success."""
    conversation = _conversation(heard)
    if isinstance(conversation, Skipped):
        return conversation
    if refused := _refused_actor(heard, conversation):
        return refused
    call_id, output, transcript = map(
        text_of, (heard.tool_use_id, heard.tool_response, heard.transcript_path)
    )
    if given(heard.tool_use_id) is None:
        return Skipped("delivery-unproven")
    if call_id is None or output is None or transcript is None:
        return MISMATCH
    if not _sound(call_id, EVENT_ID_BYTES):
        return Skipped("delivery-unproven")
    call = find_call(transcript, call_id)
    if call is None or call.thread != conversation.reference:
        return CALL_UNPROVEN
    if refused := _refused_call(call, command):
        return refused
    part = _part(call, output)
    # What came in pieces, or was cut for the model, stands whole in the host's record unless it is long.
    text = output if part is None or call.long else call.output
    return ShellResult(conversation, call_id, command, text, Locator(transcript, call.offset), part)


def _refused_call(call: Call, command: str) -> Skipped | None:
    """Return why the host's record does not prove that this command ended well, or None."""
    if not call.completed:
        return Skipped("call-failed")
    match call.argv:
        case (shell, "-lc" | "-c", ran) if basename(shell) in SHELLS and ran == command:
            return None
    return CALL_UNPROVEN


def _part(call: Call, output: str) -> Skipped | None:
    """Return why what the hook was given is not all that the command wrote, or None."""
    if output.startswith(CUT):
        return Skipped("output-cut")
    return None if call.wrote(output) else Skipped("output-partial")


def settle(event: HostEvent | None, pending: Sequence[PendingRead], sent: Sent) -> list[Settlement]:  # noqa: ARG001 - no event of Codex states a delivery, its transcripts do
    """Say what of pending reads the transcripts show as sent; see `contracts.host.Host.settle`."""
    found = delivered(pending, Work(SETTLE_BYTES, SETTLE_SECONDS), sent)
    return [Settlement(pending[index].event_id, found[index]) for index in sorted(found)]


def brief(text: str) -> bytes:
    """Return the answer that puts `text` before a subagent's first request (`sub_v1`, `sub_v2`).

    Nothing else may stand in it: an unknown field voids the whole answer.
    """
    context = {"hookEventName": "SubagentStart", "additionalContext": text}
    return msgspec.json.encode({"hookSpecificOutput": context})


def decline(payload: bytes) -> bytes:  # noqa: ARG001 - no other host is known to run Codex's hooks
    """Return nothing; see `contracts.host.Host.decline`."""
    return b""


def trust(program: str, folder: str, left: Callable[[], float]) -> HooksListed | TrustUnknown:
    """Ask Codex which hooks it would run in a folder, and which of them its user trusts."""
    from adapters.hosts.codex_trust import ask  # noqa: PLC0415 - no hook asks this

    return ask(program, folder, left)


def version(environ: Mapping[str, str]) -> str | None:
    """Return the version in the manifest of the package that the hook's environment names.

    Only a Codex from its npm package says so (0.171.0); without it the version is not known.
    """
    place = Path(environ.get("CODEX_MANAGED_PACKAGE_ROOT", ""), "package.json")
    found = decode(regular.read(place, MANIFEST_BYTES, links=True) or b"", _Manifest)
    if isinstance(found, Malformed) or not fullmatch(VERSION, found.version, ASCII):
        return None
    return found.version

"""What Claude Code's hooks send: the fields that are used, and whether it was Claude Code that sent them."""

from ntpath import isabs

import msgspec

from adapters.hosts.fields import text_of, there
from contracts.wire import Malformed, decode


class Payload(msgspec.Struct):
    """The fields that are used, as `fields` reads them: what is wrong with one is said by its gate."""

    hook_event_name: msgspec.Raw = msgspec.Raw()
    session_id: msgspec.Raw = msgspec.Raw()
    transcript_path: msgspec.Raw = msgspec.Raw()
    source: msgspec.Raw = msgspec.Raw()
    reason: msgspec.Raw = msgspec.Raw()
    agent_id: msgspec.Raw = msgspec.Raw()
    tool_name: msgspec.Raw = msgspec.Raw()
    tool_input: msgspec.Raw = msgspec.Raw()
    tool_response: msgspec.Raw = msgspec.Raw()
    tool_use_id: msgspec.Raw = msgspec.Raw()
    tool_calls: msgspec.Raw = msgspec.Raw()
    # Keys of other hosts that call themselves by the same event names.
    cursor_version: msgspec.Raw = msgspec.Raw()
    conversation_id: msgspec.Raw = msgspec.Raw()
    generation_id: msgspec.Raw = msgspec.Raw()
    turn_id: msgspec.Raw = msgspec.Raw()
    timestamp: msgspec.Raw = msgspec.Raw()
    session: msgspec.Raw = msgspec.field(default=msgspec.Raw(), name="sessionId")


def hear(payload: bytes) -> Payload | None:
    """Return the payload's fields; None if it is not one JSON object."""
    heard = decode(payload, Payload)
    return None if isinstance(heard, Malformed) else heard


def decline(payload: bytes) -> bytes:
    """Return what to print for a sender that is not Claude Code; nothing is right for most.

    Cursor runs the hooks of this very file, and takes an empty answer for broken JSON; `{}` decides nothing.
    """
    heard = hear(payload)
    if heard is None:
        return b""
    return b"{}" if there(heard.cursor_version) or there(heard.generation_id) else b""


def is_claudes(heard: Payload) -> bool:
    """Whether the payload has Claude Code's own form.

    Its transcript is always `<config>/projects/<folder>/<session_id>.jsonl`, the root's even in a subagent.
    Droid has `sessions` for `projects`; Qwen Code and Cursor have one folder more.
    """
    marks = [heard.cursor_version, heard.conversation_id, heard.generation_id, heard.timestamp, heard.session]
    if text_of(heard.hook_event_name) != "MessageDisplay":
        # That one event has a turn's id in Claude Code too.
        marks.append(heard.turn_id)
    path = text_of(heard.transcript_path)
    if path is None or any(map(there, marks)):
        return False
    if not path.startswith("/") and not isabs(path):
        return False
    # Not recorded on Windows; there the same folders are taken to stand behind backslashes.
    match path.replace("\\", "/").rsplit("/", 3):
        case [_, "projects", folder, file]:
            name = text_of(heard.session_id)
            return bool(folder) and (file == f"{name}.jsonl" if name else file.endswith(".jsonl"))
    return False

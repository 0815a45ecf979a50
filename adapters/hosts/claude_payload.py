"""What Claude Code's hooks send, as it comes: the fields that are used, and who it was that sent them."""

from ntpath import isabs
from pathlib import Path
from typing import Any

import msgspec

from contracts.outcome import Skipped
from contracts.read import EVENT_ID_BYTES
from contracts.wire import Malformed, decode

OUTPUT_UNITS = 30_000
"""At this length the host cuts an output (`large`); it counts UTF-16 units."""

MISMATCH = Skipped("contract-mismatch")
EMPTY: tuple[object, ...] = (None, "", [], {})
"""What an optional field says nothing by, as much as by being absent."""


class Payload(msgspec.Struct):
    """The fields that are used, as they come: what is wrong with one is said by the gate that asks it."""

    hook_event_name: Any = None
    session_id: Any = None
    transcript_path: Any = None
    source: Any = None
    reason: Any = None
    agent_id: Any = msgspec.UNSET
    tool_name: Any = None
    tool_input: msgspec.Raw = msgspec.Raw()
    tool_response: msgspec.Raw = msgspec.Raw()
    tool_use_id: Any = None
    tool_calls: msgspec.Raw = msgspec.Raw()
    # Keys of other hosts that call themselves by the same event names.
    cursor_version: Any = msgspec.UNSET
    conversation_id: Any = msgspec.UNSET
    generation_id: Any = msgspec.UNSET
    turn_id: Any = msgspec.UNSET
    timestamp: Any = msgspec.UNSET
    session: Any = msgspec.field(default=msgspec.UNSET, name="sessionId")


class _Command(msgspec.Struct):
    command: str


class _Placed(msgspec.Struct):
    cwd: str


class Call(msgspec.Struct):
    """One call of a batch; `tool_response` is what the model is sent for it, a text or a list of blocks."""

    tool_name: str
    tool_input: msgspec.Raw = msgspec.Raw()
    tool_use_id: Any = None
    tool_response: Any = None


class _Path(msgspec.Struct):
    file_path: str


class _Text(msgspec.Struct, rename="camel"):
    """A file as the Read tool gives it: lines count from 1, and an empty one after the last line end too."""

    content: str
    start_line: int
    num_lines: int
    total_lines: int
    truncated_by_token_cap: Any = None


class _FileRead(msgspec.Struct):
    """The Read tool's result object; for a picture, a notebook or an unchanged file it has another type."""

    type: str
    file: _Text


class _Skill(msgspec.Struct):
    skill: str


class _Loaded(msgspec.Struct):
    """The Skill tool's result object; a skill with a context of its own has a status."""

    success: bool
    status: Any = None


class _Shell(msgspec.Struct, rename="camel"):
    """The Bash tool's result object; there is no exit code in it."""

    stdout: str
    interrupted: bool
    is_image: Any = None
    background_task_id: Any = None
    backgrounded_by_user: Any = None
    timed_out_after_ms: Any = None
    persisted_output_path: Any = None
    persisted_output_size: Any = None
    return_code_interpretation: Any = None


def decline(payload: bytes) -> bytes:
    """Return what to print for a sender that is not Claude Code; nothing is right for most.

    Cursor runs the hooks of this very file, and takes an empty answer for broken JSON; `{}` decides nothing.
    """
    heard = hear(payload)
    if heard is None:
        return b""
    cursors = (heard.cursor_version, heard.generation_id)
    return b"{}" if any(mark is not msgspec.UNSET for mark in cursors) else b""


def hear(payload: bytes) -> Payload | None:
    """Return the payload's fields; None if it is not one JSON object in UTF-8."""
    try:
        # A decoder passes over bad bytes in fields that are not wanted.
        text = payload.decode()
    except UnicodeDecodeError:
        return None
    heard = decode(text, Payload)
    return None if isinstance(heard, Malformed) else heard


def folder(payload: bytes) -> str | None:
    """Return the folder of an event: every recorded payload of both versions has an absolute `cwd`.

    A subagent with a worktree of its own starts in that (`sub_worktree`).
    """
    placed = decode(payload, _Placed)
    return placed.cwd if isinstance(placed, _Placed) and Path(placed.cwd).is_absolute() else None


def is_claudes(heard: Payload) -> bool:
    """Whether the payload has Claude Code's own form.

    Its transcript is always `<config>/projects/<folder>/<session_id>.jsonl`, the root's even in a subagent.
    Droid has `sessions` for `projects`; Qwen Code and Cursor have one folder more.
    """
    marks = [heard.cursor_version, heard.conversation_id, heard.generation_id, heard.timestamp, heard.session]
    if heard.hook_event_name != "MessageDisplay":
        # That one event has a turn's id in Claude Code too.
        marks.append(heard.turn_id)
    path = heard.transcript_path
    if any(mark is not msgspec.UNSET for mark in marks) or not isinstance(path, str):
        return False
    if not path.startswith("/") and not isabs(path):
        return False
    # Not recorded on Windows; there the same folders are taken to stand behind backslashes.
    match path.replace("\\", "/").rsplit("/", 3):
        case [_, "projects", folder, file]:
            name = heard.session_id if isinstance(heard.session_id, str) else ""
            return bool(folder) and (file == f"{name}.jsonl" if name else file.endswith(".jsonl"))
    return False


def output_of(response: msgspec.Raw) -> str | Skipped:
    """Return the whole output of a command that ended well, or say why it is not proven to be that.

    A failure comes as another event; what comes here can still be on its way (`background`), cut
    (`large`) or excused by the host (`returnCodeInterpretation` in `bash_matrix`).
    """
    shell = decode(bytes(response), _Shell)
    if isinstance(shell, Malformed):
        return MISMATCH
    unfinished = (shell.background_task_id, shell.backgrounded_by_user, shell.timed_out_after_ms)
    if shell.interrupted or not all(map(_off, unfinished)):
        return Skipped("call-unfinished")
    if not _off(shell.persisted_output_path) or not _off(shell.persisted_output_size):
        return Skipped("output-cut")
    if not _off(shell.return_code_interpretation):
        return Skipped("call-failed")
    if not _off(shell.is_image):
        return Skipped("result-malformed")
    if len(shell.stdout.encode("utf-16-le")) >= 2 * OUTPUT_UNITS:
        return Skipped("output-cut")
    return shell.stdout


def command_of(tool_input: msgspec.Raw) -> str | None:
    """Return a shell call's command; None where the input is of another form."""
    given = decode(bytes(tool_input), _Command)
    return None if isinstance(given, Malformed) else given.command


def path_of(tool_input: msgspec.Raw) -> str | None:
    """Return the path that the Read tool was asked for; None where the input is of another form."""
    given = decode(bytes(tool_input), _Path)
    return None if isinstance(given, Malformed) else given.file_path


def skill_of(tool_input: msgspec.Raw) -> str | None:
    """Return the name that the Skill tool was asked for; None where the input is of another form."""
    given = decode(bytes(tool_input), _Skill)
    return None if isinstance(given, Malformed) else given.skill


def content_of(response: msgspec.Raw) -> str | Skipped:
    """Return the whole text of a file that the Read tool gave, or say why it is not proven to be that.

    The first byte order mark is gone from it and each CRLF is one LF (`file_endings`).
    """
    read = decode(bytes(response), _FileRead)
    if isinstance(read, Malformed) or read.type != "text":
        # An unchanged file is not given again (2.1.197/file_again): the model got no text.
        return Skipped("output-partial")
    lines = read.file
    if not _off(lines.truncated_by_token_cap):
        return Skipped("output-cut")
    if lines.start_line != 1 or lines.num_lines != lines.total_lines:
        return Skipped("output-partial")
    return lines.content


def loaded(response: msgspec.Raw) -> Skipped | None:
    """Return why a skill is not proven to be loaded into the root's own conversation, or None."""
    found = decode(bytes(response), _Loaded)
    if isinstance(found, Malformed):
        return MISMATCH
    # A forked skill is read by a subagent of its own (`skill_forked`).
    return None if found.success and _off(found.status) else Skipped("call-failed")


def is_event_id(value: object) -> bool:
    """Whether a call's id can name it in the ledger."""
    return isinstance(value, str) and 0 < len(value.encode()) <= EVENT_ID_BYTES


def _off(mark: object) -> bool:
    return mark is False or mark in EMPTY

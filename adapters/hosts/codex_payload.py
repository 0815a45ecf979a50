"""What Codex's hooks send, as it comes: of a field that is no text nothing is built, however large it is."""

from enum import Enum
from pathlib import Path
from re import compile as pattern
from typing import Literal

import msgspec

from contracts.wire import Malformed, decode


class Other(Enum):
    """What stands for a value that is neither a text nor empty: its type is all that a gate asks for."""

    OTHER = "other"


OTHER = Other.OTHER
Value = str | Literal[Other.OTHER] | None
"""A text that is not empty, a value of another type, or None for what is absent, null or empty."""

_EMPTY = pattern(rb'(?:null|""|\[[ \t\r\n]*\]|\{[ \t\r\n]*\})?')


class Payload(msgspec.Struct):
    """The fields that are used, still JSON: what is wrong with one is said by the gate that asks it.

    A payload has up to 16 MB, and a value of any depth can stand in any field; as objects of Python it
    would hold the interpreter for seconds, past every deadline.
    """

    hook_event_name: msgspec.Raw = msgspec.Raw()
    session_id: msgspec.Raw = msgspec.Raw()
    transcript_path: msgspec.Raw = msgspec.Raw()
    source: msgspec.Raw = msgspec.Raw()
    agent_id: msgspec.Raw = msgspec.Raw()
    tool_name: msgspec.Raw = msgspec.Raw()
    tool_input: msgspec.Raw = msgspec.Raw()
    tool_response: msgspec.Raw = msgspec.Raw()
    tool_use_id: msgspec.Raw = msgspec.Raw()


class _Command(msgspec.Struct):
    command: str


class _Placed(msgspec.Struct):
    cwd: str


def hear(payload: bytes) -> Payload | None:
    """Return the payload's fields; None if it is not one JSON object."""
    heard = decode(payload, Payload)
    return None if isinstance(heard, Malformed) else heard


def placed(payload: bytes) -> str | None:
    """Return the folder of an event: every recorded payload has an absolute `cwd`.

    At a command it is where that runs, which can lie outside of the conversation's folder (`workdir`).
    """
    found = decode(payload, _Placed)
    return found.cwd if isinstance(found, _Placed) and Path(found.cwd).is_absolute() else None


def text_of(field: msgspec.Raw) -> str | None:
    """Return a field's text, an empty one too; None where it is no text."""
    text = decode(bytes(field), str)
    return None if isinstance(text, Malformed) else text


def given(field: msgspec.Raw) -> Value:
    """Return the value of an optional key, None where it is empty: the host may write either."""
    if _EMPTY.fullmatch(field):
        return None
    text = text_of(field)
    return OTHER if text is None else text


def command_of(tool_input: msgspec.Raw) -> str | None:
    """Return a shell call's command; None where the input is of another form."""
    found = decode(bytes(tool_input), _Command)
    return None if isinstance(found, Malformed) else found.command

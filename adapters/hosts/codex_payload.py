"""What Codex's hooks send: the fields that are used."""

import msgspec

from contracts.wire import Malformed, decode


class Payload(msgspec.Struct):
    """The fields that are used, as `fields` reads them: what is wrong with one is said by its gate."""

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


def hear(payload: bytes) -> Payload | None:
    """Return the payload's fields; None if it is not one JSON object."""
    heard = decode(payload, Payload)
    return None if isinstance(heard, Malformed) else heard


def command_of(tool_input: msgspec.Raw) -> str | None:
    """Return a shell call's command; None where the input is of another form."""
    found = decode(bytes(tool_input), _Command)
    return None if isinstance(found, Malformed) else found.command

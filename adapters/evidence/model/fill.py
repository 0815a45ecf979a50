"""Puts what the host told the model into the calls of a scripted turn."""

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from adapters.evidence.scenario import Call

PLACES = {
    "$agent": re.compile(r'"agent_id"\s*:\s*"([^"]+)"|agentId: ([0-9a-zA-Z_-]+)'),
    "$process": re.compile(r"session ID (\d+)"),
    "$cell": re.compile(r"cell ID (\w+)"),
}
"""What a scripted call may ask for: `$agent` and `$process` are the newest id in the conversation,
`$agent1`, `$agent2` and so on the first, the second."""

_PLACE = re.compile(r"\$(agent|process|cell)(\d*)")


def filled(call: Call, texts: Sequence[str]) -> Call:
    """Return the call with its places filled from the texts of the conversation.

    A place that nothing fills stays as it is, so that it shows in the recording.
    """
    return msgspec.structs.replace(
        call, arguments=_fill(call.arguments, texts), text=call.text and _fill(call.text, texts)
    )


def _fill(value: Any, texts: Sequence[str]) -> Any:
    match value:
        case dict():
            return {key: _fill(item, texts) for key, item in value.items()}
        case list():
            return [_fill(item, texts) for item in value]
        case str() if (whole := _PLACE.fullmatch(value)) is not None:
            found = _found(whole, texts)
            # The hosts' tools take a process's id as a number.
            return int(found) if whole[1] == "process" and found.isdigit() else found
        case str():
            return _PLACE.sub(lambda match: _found(match, texts), value)
        case _:
            return value


def _found(place: re.Match[str], texts: Sequence[str]) -> str:
    pattern = PLACES[f"${place[1]}"]
    every = [next(filter(None, match.groups())) for text in texts for match in pattern.finditer(text)]
    ids = list(dict.fromkeys(every))
    index = int(place[2]) - 1 if place[2] else len(ids) - 1
    return ids[index] if 0 <= index < len(ids) else place[0]

"""What a wire protocol of model requests must offer to the scripted model."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

import msgspec

from adapters.evidence.scenario import Call


class Asked(msgspec.Struct, frozen=True):
    """What the scripted model understands of one request.

    `thread` names the agent that asks, `conversation` its root conversation, both in the host's own ids.
    `asker` is `aside` where the host asks for itself (a title, a summary): no play answers that, and
    `agent` is empty but for a subagent.
    `prompts` are what a user, a parent agent or the host itself told the agent, in order; `texts` are all
    texts of the conversation, hence tool results too, and `system` the host's own instructions.
    """

    thread: str
    conversation: str
    asker: Literal["root", "subagent", "aside"]
    agent: str
    prompts: Sequence[str]
    texts: Sequence[str]
    system: Sequence[str]
    stream: bool
    kind: str = ""


class Reply(msgspec.Struct, frozen=True):
    """What the scripted model answers: words, then calls. `number` counts answers and makes ids unique."""

    number: int
    model: str
    say: str
    calls: Sequence[Call]
    tokens: int


class Wire(Protocol):
    """A module that satisfies this is a wire protocol."""

    def asked(self, path: str, headers: Mapping[str, str], body: dict[str, Any]) -> Asked | None:
        """Understand one request, or return None where it asks for no answer of a model.

        `headers` have lower-case names.
        """

    def other(self, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Answer a request that asks for no answer of a model: a status and a JSON body."""

    def stream(self, reply: Reply) -> bytes:
        """Return the answer as server-sent events."""

    def whole(self, reply: Reply) -> bytes:
        """Return the answer as one JSON document."""

    def error(self, status: int) -> bytes:
        """Return the body of an error."""


def events(items: Sequence[tuple[str, dict[str, Any]]]) -> bytes:
    """Return server-sent events: names with their data."""
    return b"".join(
        b"event: " + name.encode() + b"\ndata: " + msgspec.json.encode(data) + b"\n\n" for name, data in items
    )


def strings(value: Any) -> list[str]:
    """Return every string inside a JSON value, in order, but for keys and for what a `type` says."""
    match value:
        case str():
            return [value]
        case dict():
            return [text for key, item in value.items() if key != "type" for text in strings(item)]
        case list():
            return [text for item in value for text in strings(item)]
        case _:
            return []

from __future__ import annotations

from collections.abc import Mapping
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest

from adapters.evidence.model import anthropic_messages, openai_responses
from adapters.evidence.model.server import Model
from adapters.evidence.model.wire import Wire
from adapters.evidence.scenario import Call, Turn

MESSAGES: Wire = anthropic_messages
RESPONSES: Wire = openai_responses
PATHS = {MESSAGES: "/v1/messages?beta=true", RESPONSES: "/v1/responses"}
CALLS: list[str | Call] = [
    Call(tool="run", arguments={"command": "one"}),
    Call(tool="spawn", namespace="agents", arguments={}),
]


def post(model: Model, path: str, body: Any, headers: Mapping[str, str] = {}) -> tuple[int, bytes]:
    """Send one request to the scripted model."""
    connection = HTTPConnection(urlsplit(model.url).netloc, timeout=10)
    try:
        connection.request("POST", path, msgspec.json.encode(body), dict(headers))
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def body(wire: Wire, *prompts: str, stream: bool = True) -> dict[str, Any]:
    """Return a request body in which a user says the prompts."""
    if wire is MESSAGES:
        messages = [{"role": "user", "content": [{"type": "text", "text": text}]} for text in prompts]
        return {"model": "m", "stream": stream, "tools": [{}], "system": "be good", "messages": messages}
    items = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
        for text in prompts
    ]
    return {"model": "m", "stream": stream, "input": items, "instructions": "be good"}


def events(data: bytes) -> list[dict[str, Any]]:
    """Return the data of server-sent events, and check that each names its own type."""
    found = []
    for part in data.decode().strip().split("\n\n"):
        name, _, rest = part.partition("\n")
        document = msgspec.json.decode(rest.removeprefix("data: "))
        assert name == f"event: {document['type']}"
        found.append(document)
    return found


def test_messages_are_streamed_with_words_and_parallel_calls() -> None:
    """The blocks start empty and are filled by deltas, as the host expects."""
    with Model(MESSAGES, {"p": [Turn(say="words", calls=CALLS)]}) as model:
        status, data = post(model, PATHS[MESSAGES], body(MESSAGES, "[[play p]]"))
    found = events(data)
    assert status == 200
    assert [event["type"] for event in found] == [
        "message_start",
        *["content_block_start", "content_block_delta", "content_block_stop"] * 3,
        "message_delta",
        "message_stop",
    ]
    deltas = [event["delta"] for event in found if event["type"] == "content_block_delta"]
    assert deltas[0] == {"type": "text_delta", "text": "words"}
    assert msgspec.json.decode(deltas[1]["partial_json"]) == {"command": "one"}
    starts = [event["content_block"] for event in found if event["type"] == "content_block_start"]
    assert [start.get("name") for start in starts] == [None, "run", "spawn"]
    assert len({start["id"] for start in starts[1:]}) == 2
    assert found[-2]["delta"]["stop_reason"] == "tool_use"
    assert found[0]["message"]["content"] == []


def test_responses_are_streamed_with_words_and_parallel_calls() -> None:
    """Each item is announced and completed, and the whole response stands at the end."""
    free = Call(tool="exec", text="text(1)")
    with Model(RESPONSES, {"p": [Turn(say="words", calls=[*CALLS, free])]}) as model:
        status, data = post(model, PATHS[RESPONSES], body(RESPONSES, "[[play p]]"))
    found = events(data)
    assert status == 200
    assert found[0]["type"] == "response.created"
    done = [event["item"] for event in found if event["type"] == "response.output_item.done"]
    assert [item["type"] for item in done] == [
        "message",
        "function_call",
        "function_call",
        "custom_tool_call",
    ]
    assert msgspec.json.decode(done[1]["arguments"]) == {"command": "one"}
    assert done[2]["namespace"] == "agents"
    assert done[3]["input"] == "text(1)"
    assert found[-1]["type"] == "response.completed"
    assert found[-1]["response"]["output"] == done


@pytest.mark.parametrize("wire", [MESSAGES, RESPONSES])
def test_an_answer_can_be_one_document(wire: Wire) -> None:
    """A host may ask without a stream."""
    with Model(wire, {"p": [Turn(say="words")]}) as model:
        status, data = post(model, PATHS[wire], body(wire, "[[play p]]", stream=False))
    assert status == 200
    assert b'"words"' in data
    assert msgspec.json.decode(data)["model"] == "m"


@pytest.mark.parametrize("wire", [MESSAGES, RESPONSES])
def test_a_scripted_error_has_its_status(wire: Wire) -> None:
    """The host sees the status and a body in the protocol's own form."""
    with Model(wire, {"p": [Turn(status=529)]}) as model:
        status, data = post(model, PATHS[wire], body(wire, "[[play p]]"))
    assert status == 529
    assert b"scripted error" in data


@pytest.mark.parametrize("wire", [MESSAGES, RESPONSES])
def test_what_is_no_model_request_is_not_offered(wire: Wire) -> None:
    """Nothing but the model's own addresses answers, and none of it is logged as a request."""
    with Model(wire, {}) as model:
        assert post(model, "/v1/elsewhere", {})[0] == 404
        assert model.requests == []
        assert model.faults == []


@pytest.mark.parametrize("wire", [MESSAGES, RESPONSES])
def test_the_log_keeps_no_prompt_of_the_host(wire: Wire) -> None:
    """The host's own instructions are only digests."""
    with Model(wire, {}) as model:
        post(model, PATHS[wire], body(wire, "hello"))
    (logged,) = model.requests
    assert logged.prompts == ["hello"]
    assert len(logged.system) == 1
    assert len(logged.system[0]) == 64
    assert b"be good" not in msgspec.json.encode(model.requests)


def test_claude_code_names_its_subagents_in_a_header() -> None:
    """Without the header the root asks; without tools, or for a summary, the host asks for itself."""
    headers = {"X-Claude-Code-Session-Id": "s"}
    summary = "Your task is to create a detailed summary of the conversation so far"
    with Model(MESSAGES, {}) as model:
        post(model, PATHS[MESSAGES], body(MESSAGES, "x"), headers)
        post(model, PATHS[MESSAGES], body(MESSAGES, "x"), {**headers, "X-Claude-Code-Agent-Id": "a1"})
        post(model, PATHS[MESSAGES], {**body(MESSAGES, "x"), "tools": []}, headers)
        post(model, PATHS[MESSAGES], body(MESSAGES, "x", summary), headers)
    assert [(one.asker, one.agent, one.thread, one.conversation) for one in model.requests] == [
        ("root", "", "s", "s"),
        ("subagent", "a1", "a1", "s"),
        ("aside", "", "s", "s"),
        ("aside", "", "s", "s"),
    ]


def test_codex_names_its_threads_in_headers() -> None:
    """A request that is no turn, and a thread that only finds a title, are the host's own."""
    root = {"session-id": "s", "thread-id": "s"}
    about = '{"request_kind": "compaction", "thread_source": "user"}'
    title = '{"request_kind": "turn", "thread_source": "thread_title"}'
    with Model(RESPONSES, {}) as model:
        post(model, PATHS[RESPONSES], body(RESPONSES, "x"), root)
        spawned = {**root, "thread-id": "t", "x-openai-subagent": "collab_spawn"}
        post(model, PATHS[RESPONSES], body(RESPONSES, "x"), spawned)
        post(model, PATHS[RESPONSES], body(RESPONSES, "x"), {**root, "x-codex-turn-metadata": about})
        post(model, PATHS[RESPONSES], body(RESPONSES, "x"), {**root, "x-codex-turn-metadata": title})
    assert [(one.asker, one.agent, one.thread) for one in model.requests] == [
        ("root", "", "s"),
        ("subagent", "t", "t"),
        ("aside", "", "s"),
        ("aside", "", "s"),
    ]


def test_a_mark_in_a_call_or_a_result_starts_no_play() -> None:
    """A parent's call names its child's play; the parent must go on with its own."""
    plays = {"root": [Turn(say="1")], "child": [Turn(say="2")]}
    messages = body(MESSAGES, "[[play root]]")
    messages["messages"] += [
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "t", "name": "Agent", "input": {"p": "[[play child]]"}}],
        },
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "t", "content": "[[play child]]"}],
        },
    ]
    with Model(MESSAGES, plays) as model:
        post(model, PATHS[MESSAGES], messages)
    assert model.requests[0].play == "root"
    responses = body(RESPONSES, "[[play root]]")
    responses["input"] += [
        {"type": "function_call", "name": "spawn_agent", "arguments": "[[play child]]", "call_id": "c"},
        {"type": "function_call_output", "call_id": "c", "output": "[[play child]]"},
    ]
    with Model(RESPONSES, plays) as model:
        post(model, PATHS[RESPONSES], responses)
    assert model.requests[0].play == "root"
    assert "[[play child]]" in model.requests[0].texts

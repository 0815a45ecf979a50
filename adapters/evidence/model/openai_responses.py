"""The wire protocol of Codex: OpenAI Responses, with streaming."""

from collections.abc import Mapping
from typing import Any

import msgspec

from adapters.evidence.model.wire import Asked, Reply, events, strings

TOLD = ("message", "agent_message")
"""The input items that tell the agent something; others are its own calls and their results."""


def asked(path: str, headers: Mapping[str, str], body: dict[str, Any]) -> Asked | None:
    """Understand one request; the host states in a header what kind of request and of thread it is."""
    if not path.partition("?")[0].endswith("/responses"):
        return None
    prompts, texts, system = [], [], [str(body.get("instructions", ""))]
    for item in body.get("input", ()):
        found = strings(item.get("content") if "content" in item else item)
        told = item.get("type", "message") in TOLD
        if told and item.get("role") == "system":
            system += found
            continue
        texts += found
        if told and item.get("role") not in {"assistant", "developer"}:
            prompts += found
    about = _about(headers)
    thread, root = headers.get("thread-id", ""), headers.get("session-id", "")
    spawned = "x-openai-subagent" in headers
    aside = about.get("request_kind", "turn") != "turn" or about.get("thread_source") == "thread_title"
    return Asked(
        thread=thread,
        conversation=root,
        asker="aside" if aside else "subagent" if spawned else "root",
        agent=thread if spawned and not aside else "",
        prompts=prompts,
        texts=texts,
        system=system,
        stream=bool(body.get("stream")),
        kind=str(headers.get("x-openai-subagent") or about.get("request_kind", "")),
    )


def _about(headers: Mapping[str, str]) -> dict[str, Any]:
    try:
        return msgspec.json.decode(headers.get("x-codex-turn-metadata", "{}"), type=dict[str, Any])
    except msgspec.MsgspecError:
        return {}


def other(path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Offer nothing else."""
    del path, body
    return 404, {"error": {"message": "not offered"}}


def stream(reply: Reply) -> bytes:
    """Return the answer as server-sent events."""
    document = _response(reply)
    found: list[dict[str, Any]] = [{"type": "response.created", "response": {"id": document["id"]}}]
    for index, item in enumerate(document["output"]):
        found += [
            {"type": "response.output_item.added", "output_index": index, "item": item},
            {"type": "response.output_item.done", "output_index": index, "item": item},
        ]
    found.append({"type": "response.completed", "response": document})
    return events([(str(item["type"]), item) for item in found])


def whole(reply: Reply) -> bytes:
    """Return the answer as one JSON document."""
    return msgspec.json.encode(_response(reply))


def error(status: int) -> bytes:
    """Return the body of an error."""
    return msgspec.json.encode({"error": {"message": "scripted error", "code": str(status)}})


def _response(reply: Reply) -> dict[str, Any]:
    return {
        "id": f"resp_{reply.number}",
        "object": "response",
        "status": "completed",
        "model": reply.model,
        "output": _items(reply),
        "usage": {
            "input_tokens": reply.tokens,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 10,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": reply.tokens + 10,
        },
    }


def _items(reply: Reply) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    if reply.say:
        words = [{"type": "output_text", "text": reply.say, "annotations": []}]
        found.append({"type": "message", "id": f"msg_{reply.number}", "role": "assistant", "content": words})
    for index, call in enumerate(reply.calls):
        one: dict[str, Any] = {"call_id": f"call_{reply.number}_{index}", "name": call.tool}
        if call.namespace:
            one["namespace"] = call.namespace
        if call.text is not None:
            one |= {"type": "custom_tool_call", "id": f"ctc_{reply.number}_{index}", "input": call.text}
        else:
            arguments = msgspec.json.encode(call.arguments).decode()
            one |= {"type": "function_call", "id": f"fc_{reply.number}_{index}", "arguments": arguments}
        found.append(one)
    return found

"""The wire protocol of Claude Code: Anthropic Messages, with streaming."""

from collections.abc import Mapping
from typing import Any

import msgspec

from adapters.evidence.model.wire import Asked, Reply, events, strings

SUMMARY = "Your task is to create a detailed summary of"
"""How the host's prompt for a compaction begins."""


def asked(path: str, headers: Mapping[str, str], body: dict[str, Any]) -> Asked | None:
    """Understand one request; one without tools, or for a summary, is the host's own."""
    if path.partition("?")[0] != "/v1/messages":
        return None
    prompts, texts = [], []
    for message in body.get("messages", ()):
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for block in blocks:
            texts += strings(block)
            if message["role"] == "user" and block["type"] == "text":
                prompts.append(block["text"])
    agent = headers.get("x-claude-code-agent-id", "")
    conversation = headers.get("x-claude-code-session-id", "")
    aside = not body.get("tools") or bool(prompts and SUMMARY in prompts[-1])
    return Asked(
        thread=agent or conversation,
        conversation=conversation,
        asker="aside" if aside else "subagent" if agent else "root",
        agent=agent,
        prompts=prompts,
        texts=texts,
        system=strings([block["text"] for block in body["system"]] if _blocks(body) else body.get("system")),
        stream=bool(body.get("stream")),
    )


def _blocks(body: dict[str, Any]) -> bool:
    return isinstance(body.get("system"), list)


def other(path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Count tokens on demand, roughly; nothing else is offered."""
    if path.partition("?")[0] == "/v1/messages/count_tokens":
        return 200, {"input_tokens": len(msgspec.json.encode(body)) // 4}
    return 404, {"type": "error", "error": {"type": "not_found_error", "message": "not offered"}}


def stream(reply: Reply) -> bytes:
    """Return the answer as server-sent events."""
    blocks = _content(reply)
    found: list[dict[str, Any]] = [{"type": "message_start", "message": {**_message(reply), "content": []}}]
    for index, block in enumerate(blocks):
        if block["type"] == "text":
            start, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            written = msgspec.json.encode(block["input"]).decode()
            start, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": written}
        found += [
            {"type": "content_block_start", "index": index, "content_block": start},
            {"type": "content_block_delta", "index": index, "delta": delta},
            {"type": "content_block_stop", "index": index},
        ]
    end = {"stop_reason": _message(reply)["stop_reason"], "stop_sequence": None}
    found += [
        {"type": "message_delta", "delta": end, "usage": {"output_tokens": 10}},
        {"type": "message_stop"},
    ]
    found[0]["message"]["stop_reason"] = None
    return events([(str(item["type"]), item) for item in found])


def whole(reply: Reply) -> bytes:
    """Return the answer as one JSON document."""
    return msgspec.json.encode(_message(reply))


def error(status: int) -> bytes:
    """Return the body of an error."""
    kind = "invalid_request_error" if status < 500 else "api_error"  # noqa: PLR2004 - HTTP's own border
    return msgspec.json.encode({"type": "error", "error": {"type": kind, "message": "scripted error"}})


def _message(reply: Reply) -> dict[str, Any]:
    return {
        "id": f"msg_{reply.number:06}",
        "type": "message",
        "role": "assistant",
        "model": reply.model,
        "content": _content(reply),
        "stop_reason": "tool_use" if reply.calls else "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": reply.tokens,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": 10,
        },
    }


def _content(reply: Reply) -> list[dict[str, Any]]:
    words = [{"type": "text", "text": reply.say}] if reply.say else []
    return words + [
        {
            "type": "tool_use",
            "id": f"toolu_{reply.number:04}_{index}",
            "name": call.tool,
            "input": call.arguments,
        }
        for index, call in enumerate(reply.calls)
    ]

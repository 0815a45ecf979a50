"""The gates of one tool call, each shut in turn on an otherwise good payload (synthetic, after `direct`)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from contracts.event import Delivered, HostEvent, Ignored, ShellResult, SubagentStarted
from contracts.outcome import Skipped

Parsed = HostEvent | Skipped
Payload = Callable[..., dict[str, Any]]
Said = Callable[[dict[str, Any]], Parsed]

EMPTY = [None, "", [], {}]


def response(**fields: Any) -> dict[str, Any]:
    """Return the Bash tool's result object with some fields changed."""
    return {"stdout": '{"ok": true}', "stderr": "", "interrupted": False, "isImage": False} | fields


def without(payload: dict[str, Any], key: str) -> dict[str, Any]:
    """Return the payload less one key."""
    return {name: value for name, value in payload.items() if name != key}


def test_a_good_payload_is_a_result_with_a_place_in_the_transcript(payload: Payload, said: Said) -> None:
    """The locator is the transcript's size at that moment: the delivery will be written after it."""
    good = payload()
    transcript = Path(good["transcript_path"])
    transcript.parent.mkdir(parents=True)
    transcript.write_bytes(b"x" * 77)
    event = said(good)
    assert isinstance(event, ShellResult)
    assert event.conversation.host == "claude-code"
    assert event.conversation.reference == good["session_id"]
    assert (event.event_id, event.command, event.output) == (
        "toolu_lab000200",
        "lore get a.b.c --json",
        '{"ok": true}',
    )
    assert event.locator is not None
    assert (event.locator.path, event.locator.offset) == (good["transcript_path"], 77)


def test_without_a_transcript_the_place_is_its_start(payload: Payload, said: Said) -> None:
    """`--no-session-persistence` names a file that does not exist."""
    event = said(payload())
    assert isinstance(event, ShellResult)
    assert event.locator is not None
    assert event.locator.offset == 0


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"interrupted": True}, "call-unfinished"),
        ({"backgroundTaskId": "b2kv34hnj"}, "call-unfinished"),
        ({"backgroundedByUser": True}, "call-unfinished"),
        ({"timedOutAfterMs": 1500}, "call-unfinished"),
        ({"timedOutAfterMs": 0}, "call-unfinished"),
        ({"isImage": True}, "result-malformed"),
        ({"isImage": "png"}, "result-malformed"),
        ({"stdout": None}, "contract-mismatch"),
        ({"stdout": ["x"]}, "contract-mismatch"),
        ({"interrupted": None}, "contract-mismatch"),
        ({"interrupted": "false"}, "contract-mismatch"),
        ({"interrupted": 0}, "contract-mismatch"),
    ],
)
def test_a_result_that_did_not_end_is_refused(
    changed: dict[str, Any], reason: str, payload: Payload, said: Said
) -> None:
    """Still running, an image, or not of the recorded types."""
    assert said(payload(tool_response=response(**changed))) == Skipped(reason)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"persistedOutputPath": "/x/tool-results/y.txt"}, "output-cut"),
        ({"persistedOutputSize": 31398}, "output-cut"),
        ({"persistedOutputSize": 0}, "output-cut"),
        ({"stdout": "x" * 30_000}, "output-cut"),
        ({"stdout": "\N{OPEN BOOK}" * 15_000}, "output-cut"),
        ({"returnCodeInterpretation": "No matches found"}, "call-failed"),
    ],
)
def test_a_result_that_is_not_whole_says_so(
    changed: dict[str, Any], reason: str, payload: Payload, said: Said
) -> None:
    """Cut or excused: it proves no practice, and of files those lines that are there."""
    event = said(payload(tool_response=response(**changed)))
    assert isinstance(event, ShellResult)
    assert event.part == Skipped(reason)


@pytest.mark.parametrize(
    "changed",
    [
        {"stdout": "x" * 29_999},
        {"stdout": "\N{OPEN BOOK}" * 14_999},
        {"stdout": ""},
        {"stderr": "\nShell cwd was reset to /project"},
        {"backgroundedByUser": False},
        {"a_field_of_tomorrow": {"x": 1}},
    ],
)
def test_a_whole_result_passes(changed: dict[str, Any], payload: Payload, said: Said) -> None:
    """The command's own stderr is part of stdout; the field stderr only carries notes of the host."""
    assert isinstance(said(payload(tool_response=response(**changed))), ShellResult)


@pytest.mark.parametrize("empty", EMPTY)
@pytest.mark.parametrize(
    "key",
    [
        "backgroundTaskId",
        "backgroundedByUser",
        "timedOutAfterMs",
        "persistedOutputPath",
        "persistedOutputSize",
        "returnCodeInterpretation",
        "isImage",
        "stderr",
    ],
)
def test_an_empty_mark_of_a_result_counts_as_absent(
    key: str, empty: object, payload: Payload, said: Said
) -> None:
    """A key that exists and holds nothing says nothing."""
    assert isinstance(said(payload(tool_response=response(**{key: empty}))), ShellResult)


@pytest.mark.parametrize("key", ["stdout", "interrupted"])
def test_a_result_that_lacks_a_recorded_field_is_a_mismatch(key: str, payload: Payload, said: Said) -> None:
    """Every recorded result has these."""
    assert said(payload(tool_response=without(response(), key))) == Skipped("contract-mismatch")


@pytest.mark.parametrize("other", [*EMPTY, "text", ["text"], 5, True])
def test_a_result_of_another_form_is_a_mismatch(other: object, payload: Payload, said: Said) -> None:
    """2.1.197 and 2.1.332 send an object."""
    assert said(payload(tool_response=other)) == Skipped("contract-mismatch")


def test_a_result_under_another_name_is_a_mismatch(payload: Payload, said: Said) -> None:
    """With tool_result only, the host has changed; beside tool_response, it is just one more field."""
    assert said(without(payload(tool_result=response()), "tool_response")) == Skipped("contract-mismatch")
    assert isinstance(said(payload(tool_result=response())), ShellResult)


@pytest.mark.parametrize("empty", EMPTY)
def test_a_call_without_an_id_can_never_be_settled(empty: object, payload: Payload, said: Said) -> None:
    """Absent or empty: nothing could tie the delivery to it."""
    assert said(payload(tool_use_id=empty)) == Skipped("delivery-unproven")
    assert said(without(payload(), "tool_use_id")) == Skipped("delivery-unproven")


@pytest.mark.parametrize("other", [5, False, ["x"], {"id": "x"}, "x" * 257, "ü" * 129])
def test_a_calls_id_of_another_form_is_a_mismatch(other: object, payload: Payload, said: Said) -> None:
    """An id is a text of at most 256 bytes."""
    assert said(payload(tool_use_id=other)) == Skipped("contract-mismatch")


@pytest.mark.parametrize("value", [*EMPTY, "a4efb740a84f32ef8", False, 0])
def test_the_mere_presence_of_agent_id_means_a_subagent(value: object, payload: Payload, said: Said) -> None:
    """Whatever it holds; agent_type alone means nothing, `claude --agent x` puts it on the root's events."""
    assert said(payload(agent_id=value)) == Skipped("actor-subagent")
    assert isinstance(said(payload(agent_type="x")), ShellResult)


@pytest.mark.parametrize("event", ["SessionStart", "SessionEnd"])
def test_a_subagent_cannot_begin_or_clear_the_roots_life(event: str, payload: Payload, said: Said) -> None:
    """Never recorded, and never taken for the root's."""
    found = said(payload(hook_event_name=event, source="startup", reason="clear", agent_id=None))
    assert found == Skipped("actor-subagent")


@pytest.mark.parametrize("value", [*EMPTY, 5, "x" * 257, "ü" * 129, "x" * 10_000])
def test_a_session_id_that_is_no_reference_proves_no_conversation(
    value: object, payload: Payload, said: Said, tmp_path: Path
) -> None:
    """Empty, of another type or too long; there is no id to fall back to."""
    path = str(tmp_path / f".claude/projects/-project/{value if isinstance(value, str) else 'x'}.jsonl")
    for event in ("PostToolUse", "SessionStart", "SubagentStart"):
        found = said(payload(session_id=value, transcript_path=path, hook_event_name=event, source="startup"))
        assert found == Skipped("conversation-unproven")


def test_gates_are_asked_in_order(payload: Payload, said: Said) -> None:
    """Conversation before actor, actor before success."""
    bad = response(interrupted=True)
    assert said(payload(session_id=None, agent_id="a", tool_response=bad)) == Skipped("conversation-unproven")
    assert said(payload(agent_id="a", tool_response=bad)) == Skipped("actor-subagent")
    assert said(payload(tool_response=bad)) == Skipped("call-unfinished")


def test_a_failed_call_is_refused_after_conversation_and_actor(payload: Payload, said: Said) -> None:
    """PostToolUseFailure carries no tool_response."""
    failed = without(payload(hook_event_name="PostToolUseFailure", error="Exit code 2\n…"), "tool_response")
    assert said(failed) == Skipped("call-failed")
    assert said(failed | {"agent_id": "a"}) == Skipped("actor-subagent")
    assert said(failed | {"session_id": ""}) == Skipped("conversation-unproven")


@pytest.mark.parametrize(
    ("event", "field"),
    [
        ("PostToolUse", "tool_name"),
        ("PostToolUse", "tool_input"),
        ("PostToolUseFailure", "tool_name"),
        ("PostToolBatch", "tool_calls"),
        ("SessionStart", "source"),
        ("SessionEnd", "reason"),
        ("SubagentStart", "agent_id"),
    ],
)
@pytest.mark.parametrize("value", [None, "", 5, [5], {"x": 1}])
def test_a_known_event_without_its_field_is_a_mismatch(
    event: str, field: str, value: object, payload: Payload, said: Said
) -> None:
    """Absent, empty or of another type."""
    known = payload(hook_event_name=event)
    assert said(without(known, field)) == Skipped("contract-mismatch")
    assert said(known | {field: value}) == Skipped("contract-mismatch")


@pytest.mark.parametrize("name", [*EMPTY, 5])
def test_a_payload_without_an_events_name_is_a_mismatch(name: object, payload: Payload, said: Said) -> None:
    """The rest of it is Claude Code's."""
    assert said(payload(hook_event_name=name)) == Skipped("contract-mismatch")


@pytest.mark.parametrize("name", ["Stop", "PreToolUse", "AnEventOfTomorrow", "posttooluse"])
def test_an_event_that_is_not_used_is_ignored_with_its_conversation(
    name: str, payload: Payload, said: Said
) -> None:
    """Pending reads of that conversation can settle then."""
    found = said(payload(hook_event_name=name))
    assert isinstance(found, Ignored)
    assert found.conversation is not None
    assert found.conversation.reference == payload()["session_id"]
    assert said(payload(hook_event_name=name, session_id=None)) == Ignored(None)


def test_a_subagents_start_needs_the_subagents_id(payload: Payload, said: Said) -> None:
    """There it is the child's, and required."""
    found = said(payload(hook_event_name="SubagentStart", agent_id="ado-it-playb-15714ad1965183de"))
    assert isinstance(found, SubagentStarted)


def batch(*calls: dict[str, Any]) -> dict[str, Any]:
    """Return what makes a payload a batch of these calls."""
    return {"hook_event_name": "PostToolBatch", "tool_calls": list(calls)}


def call(**fields: Any) -> dict[str, Any]:
    """Return one call of a batch as it is recorded, with some fields changed."""
    return {
        "tool_name": "Bash",
        "tool_input": {"command": "lore get a.b.c --json"},
        "tool_use_id": "toolu_1",
        "tool_response": "sent",
    } | fields


def test_a_batch_gives_the_texts_of_readers_only(payload: Payload, said: Said) -> None:
    """Another command, another tool with the reader's name in it, a call without a command."""
    found = said(
        payload(
            **batch(
                call(),
                call(tool_use_id="toolu_2", tool_input={"command": "pwd"}),
                call(tool_use_id="toolu_3", tool_name="Read"),
                call(tool_use_id="toolu_4", tool_input={"cmd": "lore get a.b.c --json"}),
            )
        )
    )
    assert isinstance(found, Delivered)
    assert found.texts == {"toolu_1": "sent"}


def test_a_text_sent_as_blocks_is_joined(payload: Payload, said: Said) -> None:
    """The form that the Agent tool's result has (`sub_foreground`)."""
    blocks = [{"type": "text", "text": "se"}, {"type": "text", "text": "nt"}]
    found = said(payload(**batch(call(tool_response=blocks))))
    assert isinstance(found, Delivered)
    assert found.texts == {"toolu_1": "sent"}


@pytest.mark.parametrize(
    "changed",
    [
        {"tool_use_id": None},
        {"tool_use_id": 5},
        {"tool_use_id": "x" * 257},
        {"tool_response": None},
        {"tool_response": ""},
        {"tool_response": {"stdout": "sent"}},
        {"tool_response": [{"type": "image"}]},
        {"tool_response": ["sent"]},
        {"tool_response": []},
        {"tool_name": 5},
    ],
)
def test_a_batch_whose_read_cannot_be_understood_states_nothing(
    changed: dict[str, Any], payload: Payload, said: Said
) -> None:
    """It would be wrong to say that the text was not sent."""
    assert said(payload(**batch(call(**changed)))) == Skipped("contract-mismatch")


def test_a_batch_of_a_subagent_is_ignored(payload: Payload, said: Said) -> None:
    """It says what the subagent's model got."""
    found = said(payload(**batch(call()), agent_id=""))
    assert isinstance(found, Ignored)
    assert found.conversation is not None


def test_a_batch_without_a_reader_is_ignored(payload: Payload, said: Said) -> None:
    """Also an empty one."""
    assert isinstance(said(payload(**batch())), Ignored)
    assert isinstance(said(payload(**batch(call(tool_name="Read", tool_response=5)))), Ignored)
    assert said(payload(**batch(call()), session_id="")) == Skipped("conversation-unproven")

"""Whatever bytes come, the adapter answers with a value and claims no read that is not proven."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.evidence.replay import Step
from adapters.hosts import claude_code, claude_payload
from contracts.event import Ignored, ShellResult
from contracts.outcome import Skipped
from contracts.reasons import REFUSALS

Payload = Callable[..., dict[str, Any]]

MARKS = (
    "backgroundTaskId",
    "backgroundedByUser",
    "timedOutAfterMs",
    "persistedOutputPath",
    "persistedOutputSize",
)
CALL = {
    "tool_name": "Bash",
    "tool_input": {"command": "lore get a.b.c --json"},
    "tool_use_id": "toolu_1",
    "tool_response": "{}",
}
"""One call of a batch."""
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=10,
)
QUICK = settings(
    deadline=None,
    max_examples=200,
    # The fixtures give functions without a state of their own.
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def say(payload: bytes) -> object:
    """Parse, with every command a reader's; check that a refusal is a known one."""
    event = claude_code.parse(payload, lambda _: True)
    if isinstance(event, Skipped):
        assert event.reason in REFUSALS
        assert event.detail == ""
    assert claude_code.decline(payload) in {b"", b"{}"}
    return event


def encoded(payload: dict[str, Any]) -> bytes:
    """Return the payload as a host writes it."""
    return msgspec.json.encode(payload)


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\n",
        b"null",
        b"5",
        b'"text"',
        b"[]",
        b"[{}]",
        b"{",
        b"{}{}",
        b"{} x",
        b'{"title": "K\xfcche"}',
        b'{"cwd": "\xed\xa0\x80"}',
        b'{"duration_ms": NaN}',
        b'{"duration_ms": Infinity}',
        b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"tool_input": ' + b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"}",
        b'{"a": "\x00"}',
        b"{'a': 1}",
        b'{"a": 1,}',
    ],
)
def test_what_is_not_one_json_object_is_malformed(payload: bytes) -> None:
    """Also where the fault is in a field that is not used."""
    assert say(payload) == Skipped("payload-malformed")


def test_an_empty_object_is_nobodys() -> None:
    """Nothing in it is Claude Code's."""
    assert say(b"{}") == Skipped("foreign-payload")


def test_a_payload_cut_anywhere_is_malformed(payload: Payload) -> None:
    """No half of a payload counts, and no default conversation takes it."""
    whole = encoded(payload())
    assert isinstance(say(whole), ShellResult)
    for length in range(len(whole)):
        assert say(whole[:length]) == Skipped("payload-malformed")


@pytest.mark.parametrize("value", [None, "", [], {}])
def test_a_payload_with_any_key_empty_is_a_result_or_a_refusal(value: object, payload: Payload) -> None:
    """Only keys that are not used may be empty without a refusal."""
    good = payload()
    unused = {"cwd", "prompt_id", "permission_mode", "effort", "duration_ms"}
    for key in good:
        assert isinstance(say(encoded(good | {key: value})), ShellResult) is (key in unused)


def test_the_last_of_two_equal_keys_counts(payload: Payload) -> None:
    """As in the host's own parser; a host never writes this."""
    whole = encoded(payload())
    again = whole[:-1] + b',"tool_response":{"stdout":"","interrupted":true}}'
    assert say(again) == Skipped("call-unfinished")
    assert say(whole[:-1] + b',"agent_id":null}') == Skipped("actor-subagent")


@pytest.mark.parametrize("field", ["cwd", "session_id", "transcript_path", "tool_use_id", "hook_event_name"])
def test_a_text_of_8_mb_is_just_a_text(field: str, payload: Payload) -> None:
    """It is refused where it is used, and no harm elsewhere."""
    event = say(encoded(payload(**{field: "x" * 8_000_000})))
    assert isinstance(event, {"cwd": ShellResult, "hook_event_name": Ignored}.get(field, Skipped))


HALF = "\ud83d"


@pytest.mark.parametrize("marks", [1, 3])
def test_byte_order_marks_before_the_object_make_no_difference(marks: int, payload: Payload) -> None:
    """As a shell may put them there."""
    plain = encoded(payload())
    assert say(b"\xef\xbb\xbf" * marks + plain) == say(plain)


@pytest.mark.parametrize("field", ["cwd", "permission_mode", "prompt_id", "new"])
def test_half_a_character_in_an_unused_field_loses_nothing(field: str, payload: Payload) -> None:
    """It is replaced there, and nobody looks."""
    whole = json.dumps(payload() | {field: f"x{HALF}"}).encode()
    assert say(whole) == say(encoded(payload()))


def test_half_a_character_in_an_id_refuses_it(payload: Payload) -> None:
    """Else two ids could become one."""
    call = json.dumps(payload() | {"tool_use_id": f"toolu_{HALF}"}).encode()
    assert say(call) == Skipped("contract-mismatch")
    whole = payload()
    odd = f"{whole['session_id']}{HALF}"
    path = whole["transcript_path"].replace(whole["session_id"], odd)
    session = json.dumps(whole | {"session_id": odd, "transcript_path": path}).encode()
    assert say(session) == Skipped("conversation-unproven")


def test_an_output_of_8_mb_is_cut_output(payload: Payload) -> None:
    """The host never sends as much."""
    response = payload()["tool_response"] | {"stdout": "x" * 8_000_000}
    event = say(encoded(payload(tool_response=response)))
    assert isinstance(event, ShellResult)
    assert event.part == Skipped("output-cut")


@pytest.mark.parametrize("unit", ["[],", "[[]],", '{"a":[]},', "0,"])
@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"hook_event_name": "MANY"}, "contract-mismatch"),
        ({"session_id": "MANY"}, "conversation-unproven"),
        ({"transcript_path": "MANY"}, "foreign-payload"),
        ({"cursor_version": "MANY"}, "foreign-payload"),
        ({"agent_id": "MANY"}, "actor-subagent"),
        ({"tool_name": "MANY"}, "contract-mismatch"),
        ({"tool_input": "MANY"}, "contract-mismatch"),
        ({"tool_input": {"command": "MANY"}}, "contract-mismatch"),
        ({"tool_response": "MANY"}, "contract-mismatch"),
        ({"tool_response": {"stdout": "", "interrupted": False, "isImage": "MANY"}}, "result-malformed"),
        ({"tool_use_id": "MANY"}, "contract-mismatch"),
        ({"hook_event_name": "SessionStart", "source": "MANY"}, "contract-mismatch"),
        ({"hook_event_name": "SessionEnd", "reason": "MANY"}, "contract-mismatch"),
        ({"hook_event_name": "PostToolBatch", "tool_calls": "MANY"}, "contract-mismatch"),
        (
            {"hook_event_name": "PostToolBatch", "tool_calls": [CALL | {"tool_response": "MANY"}]},
            "contract-mismatch",
        ),
        (
            {"hook_event_name": "PostToolBatch", "tool_calls": [CALL | {"tool_use_id": "MANY"}]},
            "contract-mismatch",
        ),
        ({"cwd": "MANY"}, None),
    ],
)
def test_a_value_of_many_values_is_told_apart_without_building_them(
    changed: dict[str, Any], expected: str | None, unit: str, payload: Payload
) -> None:
    """Built, they would hold the interpreter for seconds, and no deadline could end it."""
    whole = encoded(payload(**changed)).replace(b'"MANY"', f"[{unit * 100_000}0]".encode())
    tracemalloc.start()
    event = claude_code.parse(whole, lambda _: True)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert event == Skipped(expected) if expected else isinstance(event, ShellResult)
    assert peak < 3 * len(whole) + 200_000


@QUICK
@given(st.binary(max_size=300))
def test_no_bytes_raise(data: bytes) -> None:
    """Arbitrary bytes are malformed, or nobody's."""
    assert isinstance(say(data), Skipped)


@QUICK
@given(data=st.data())
def test_no_flipped_bytes_raise(data: st.DataObject, payload: Payload) -> None:
    """A good payload with some bytes replaced."""
    whole = bytearray(encoded(payload()))
    for _ in range(data.draw(st.integers(1, 5))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    say(bytes(whole))


@QUICK
@given(
    changes=st.dictionaries(st.sampled_from(sorted(claude_payload.Payload.__struct_encode_fields__)), JSON)
)
def test_no_value_in_any_used_field_raises(changes: dict[str, Any], payload: Payload) -> None:
    """And what comes out as a result has the marks of none of the others."""
    event = say(encoded(payload(**changes)))
    if "agent_id" in changes:
        assert not isinstance(event, ShellResult)


@pytest.mark.parametrize("version", ["2.1.197", "2.1.332"])
@pytest.mark.parametrize(
    "scenario", ["bash_matrix", "sub_foreground", "tui_interrupt", "session_resume_fork"]
)
def test_no_recorded_payload_with_a_mark_becomes_a_result(
    version: str, scenario: str, steps: Callable[[str, str], list[Step]]
) -> None:
    """A subagent's id, an interruption, the background, a file for the rest: each alone refuses."""
    results = 0
    for step in steps(version, scenario):
        event = say(step.payload)
        if not isinstance(event, ShellResult):
            continue
        results += 1
        recorded = json.loads(step.payload)
        for value in ("x", 1, True, None, "", [], {}):
            assert not isinstance(say(encoded(recorded | {"agent_id": value})), ShellResult)
        for value in ("x", 1, 0, True, ["x"], {"x": 1}):
            for mark in MARKS:
                response = recorded["tool_response"] | {mark: value}
                marked = say(encoded(recorded | {"tool_response": response}))
                assert not isinstance(marked, ShellResult) or marked.part is not None
        for value in (True, None, "", 0, 1):
            response = recorded["tool_response"] | {"interrupted": value}
            assert not isinstance(say(encoded(recorded | {"tool_response": response})), ShellResult)
    assert results


@QUICK
@given(text=st.text(max_size=200))
def test_a_briefing_is_one_json_document_in_the_hosts_form(text: str) -> None:
    """Whatever the text, it comes back whole."""
    assert json.loads(claude_code.brief(text).decode()) == {
        "hookSpecificOutput": {"hookEventName": "SubagentStart", "additionalContext": text}
    }

"""Whatever the bytes are: a payload is refused by name, and never raises."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from adapters.hosts import codex
from adapters.readers import sent
from contracts.event import Ignored, ShellResult
from contracts.outcome import Skipped
from contracts.reasons import REFUSALS
from tests.adapters.hosts.codex_fixtures import Moment, concerns, encoded, moment, pending, tool_output

MALFORMED = Skipped("payload-malformed")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Moment:
    """Return the plain case; nothing here changes its transcript for good."""
    return moment("direct", tmp_path_factory.mktemp("bytes"))


@pytest.fixture(scope="module")
def spare(tmp_path_factory: pytest.TempPathFactory) -> Moment:
    """Return the plain case with a transcript to spoil."""
    return moment("direct", tmp_path_factory.mktemp("spare"))


def test_a_payload_cut_anywhere_is_malformed(read: Moment) -> None:
    """A cut payload is never taken for an empty or a shorter one."""
    whole = json.dumps(read.payload).encode()
    assert isinstance(codex.parse(whole, concerns), ShellResult)
    assert {codex.parse(whole[:size], concerns) for size in range(len(whole))} == {MALFORMED}


@pytest.mark.parametrize("field", ["cwd", "tool_response", "tool_input", "session_id", "transcript_path"])
@pytest.mark.parametrize("depth", [5_000, 100_000])
def test_deep_nesting_is_malformed(field: str, depth: int, read: Moment) -> None:
    """In a field that is used or in one that is not."""
    payload = json.dumps(read.payload | {field: "DEEP"}).replace('"DEEP"', "[" * depth + "]" * depth)
    assert codex.parse(payload.encode(), concerns) == MALFORMED


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "01", "1e", "0x1"])
@pytest.mark.parametrize("field", ["cwd", "tool_response"])
def test_what_json_does_not_know_is_malformed(number: str, field: str, read: Moment) -> None:
    """Other parsers let it pass."""
    payload = json.dumps(read.payload | {field: "NUMBER"}).replace('"NUMBER"', number)
    assert codex.parse(payload.encode(), concerns) == MALFORMED


@pytest.mark.parametrize("field", ["cwd", "tool_response", "tool_use_id", "session_id"])
@pytest.mark.parametrize("junk", [b"K\xfcche", b"\xed\xa0\x80", b"\xf0\x9f", b"\xc0\x80"])
def test_what_is_not_utf8_is_malformed(field: str, junk: bytes, read: Moment) -> None:
    """In a field that is used or in one that is not."""
    payload = json.dumps(read.payload | {field: "JUNK"}).encode().replace(b"JUNK", junk)
    assert codex.parse(payload, concerns) == MALFORMED


@pytest.mark.parametrize("wrapped", [b"%s\xef\xbb\xbf", b"%s%s", b"%s x", b"[%s]", b"\0%s", b"", b" ", b"{"])
def test_more_or_less_than_one_object_is_malformed(wrapped: bytes, read: Moment) -> None:
    """One JSON document; white space around it is none of it."""
    whole = json.dumps(read.payload).encode()
    assert codex.parse(wrapped.replace(b"%s", whole), concerns) == MALFORMED
    assert isinstance(codex.parse(b" \n" + whole + b"\r\n", concerns), ShellResult)


@pytest.mark.parametrize("marks", [1, 3])
def test_byte_order_marks_before_the_object_make_no_difference(marks: int, read: Moment) -> None:
    """As a shell may put them there."""
    whole = b"\xef\xbb\xbf" * marks + json.dumps(read.payload).encode()
    assert codex.parse(whole, concerns) == read.proven()


HALF = "\ud83d"


@pytest.mark.parametrize("field", ["cwd", "model", "turn_id", "new"])
def test_half_a_character_in_an_unused_field_loses_nothing(field: str, read: Moment) -> None:
    """It is replaced there, and nobody looks."""
    assert read.parse(**{field: f"x{HALF}"}) == read.proven()


@pytest.mark.parametrize(
    ("field", "reason"), [("session_id", "conversation-unproven"), ("tool_use_id", "delivery-unproven")]
)
def test_half_a_character_in_an_id_refuses_it(field: str, reason: str, read: Moment) -> None:
    """Else two ids could become one."""
    assert read.parse(**{field: f"{read.payload[field]}{HALF}"}) == Skipped(reason)


def test_half_a_character_in_a_record_does_not_lose_it(read: Moment, spare: Moment) -> None:
    """A command may print such, and other fields hold what they like."""
    lines = deepcopy(read.lines())
    record = next(line for line in lines if "item" in line["payload"])
    record["payload"]["item"] |= {"cwd": HALF, "aggregated_output": f"{HALF} text"}
    spare.transcript.write_text("".join(json.dumps(line) + "\n" for line in lines))
    event = spare.parse(tool_response=f"{HALF} text")
    assert isinstance(event, ShellResult)
    assert (event.output, event.part) == ("\ufffd text", None)


def test_of_a_key_that_comes_twice_the_last_counts(read: Moment) -> None:
    """And is checked like any other: no pair of keys passes a gate that one does not."""
    whole = json.dumps(read.payload)
    twice = whole[:-1] + ', "session_id": "other"}'
    assert codex.parse(twice.encode(), concerns) == Skipped("actor-unproven")
    assert isinstance(codex.parse(('{"session_id": "other", ' + whole[1:]).encode(), concerns), ShellResult)


@pytest.mark.parametrize("field", ["cwd", "session_id", "tool_use_id", "tool_response", "agent_id", "source"])
def test_a_string_of_eight_megabytes_is_no_read(field: str, read: Moment) -> None:
    """Ids are bounded; an output must be the recorded one; other fields do not matter."""
    told = read.parse(**{field: "x" * 8_000_000})
    expected = {
        "session_id": Skipped("conversation-unproven"),
        "tool_use_id": Skipped("delivery-unproven"),
        "tool_response": replace(read.proven(), part=Skipped("output-partial")),
        "agent_id": Skipped("actor-subagent"),
    }
    assert told == expected.get(field, read.proven())


def test_a_command_of_eight_megabytes_is_not_the_recorded_one(read: Moment) -> None:
    """It is compared, not stored."""
    told = read.parse(tool_input={"command": "lore " * 1_600_000})
    assert told == Skipped("call-unproven")


@pytest.mark.parametrize(
    "key", ["hook_event_name", "session_id", "transcript_path", "tool_name", "tool_input"]
)
def test_a_payload_without_a_needed_key_is_refused(key: str, read: Moment) -> None:
    """And says nothing of any conversation."""
    told = codex.parse(
        json.dumps({name: value for name, value in read.payload.items() if name != key}).encode(), concerns
    )
    assert isinstance(told, Skipped)


@pytest.mark.parametrize("unit", ["[],", "[[]],", '{"a":[]},', "0,"])
@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("tool_input", Skipped("contract-mismatch")),
        ("tool_response", Skipped("contract-mismatch")),
        ("tool_use_id", Skipped("contract-mismatch")),
        ("tool_name", Skipped("contract-mismatch")),
        ("agent_id", Skipped("contract-mismatch")),
        ("session_id", Skipped("contract-mismatch")),
        ("hook_event_name", Skipped("contract-mismatch")),
        ("transcript_path", Skipped("foreign-payload")),
        ("source", None),
        ("cwd", None),
    ],
)
def test_a_value_of_many_values_is_told_apart_without_building_them(
    field: str, expected: Skipped | None, unit: str, read: Moment
) -> None:
    """Built, they would hold the interpreter for seconds, and no deadline could end it."""
    payload = json.dumps(read.payload | {field: "MANY"}).replace('"MANY"', f"[{unit * 100_000}0]").encode()
    tracemalloc.start()
    told = codex.parse(payload, concerns)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert told == (expected or read.proven())
    assert peak < 3 * len(payload) + 200_000


@pytest.mark.parametrize("empty", ["[ ]", "{\n}", "[\t\r\n ]", "null", '""'])
def test_an_empty_value_is_empty_however_it_is_written(empty: str, read: Moment) -> None:
    """White space within a list or an object is none of its values."""
    for field, expected in (("agent_id", read.proven()), ("tool_use_id", Skipped("delivery-unproven"))):
        payload = json.dumps(read.payload | {field: "EMPTY"}).replace('"EMPTY"', empty)
        assert codex.parse(payload.encode(), concerns) == expected


def assert_sound(told: object, read: Moment) -> None:
    """Check that an outcome claims nothing beyond the one recorded call."""
    if isinstance(told, Skipped):
        assert told.reason in REFUSALS
    elif isinstance(told, ShellResult):
        # What is not the recorded output is said to be a part, and the recorded one is kept.
        assert replace(told, part=None) == read.proven()
        assert told.part in {None, Skipped("output-partial"), Skipped("output-cut")}
    elif isinstance(told, Ignored):
        assert told.conversation is None or told.conversation.host == "codex"


@given(st.binary(max_size=200))
def test_any_bytes_are_answered(data: bytes) -> None:
    """A refusal or nothing, never an exception."""
    told = codex.parse(data, concerns)
    assert isinstance(told, Skipped)


@settings(deadline=None, max_examples=200)
@given(data=st.data())
def test_a_payload_with_any_bytes_changed_claims_no_more_than_the_record(
    data: st.DataObject, read: Moment
) -> None:
    """Whatever a changed payload says, the only read is the one that the host recorded."""
    whole = bytearray(json.dumps(read.payload).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(whole) - 1))
        whole[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    told = codex.parse(bytes(whole), concerns)
    assert_sound(told, read)


@settings(deadline=None, max_examples=200)
@given(changes=st.dictionaries(st.sampled_from(sorted({
    "session_id", "transcript_path", "hook_event_name", "tool_name", "tool_input", "tool_response",
    "tool_use_id", "agent_id", "agent_type", "source", "cwd",
})), VALUES, max_size=3))  # fmt: skip
def test_a_payload_with_any_values_changed_claims_no_more_than_the_record(
    changes: dict[str, Any], read: Moment
) -> None:
    """Types, empties and nonsense in every field that is used."""
    assert_sound(read.parse(**changes), read)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value within a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from places(inner, (*path, key))


@settings(deadline=None, max_examples=200)
@given(data=st.data())
def test_a_record_with_any_value_changed_proves_no_other_call(
    data: st.DataObject, read: Moment, spare: Moment
) -> None:
    """Where the changed value matters, the read is refused; where it does not, it stays the same read."""
    lines = deepcopy(read.lines())
    record = next(line for line in lines if "item" in line["payload"])
    *path, last = data.draw(st.sampled_from(list(places(record))))
    holder: Any = record
    for key in path:
        holder = holder[key]
    holder[last] = data.draw(VALUES)
    spare.write(lines)
    told = spare.parse()
    original = next(line for line in read.lines() if "item" in line["payload"])
    used = {"payload", "item", "thread_id", "id", "command", "status", "exit_code", "aggregated_output"}
    matters = used & {last, *path[2:]} or (last == "type" and "parsed_cmd" not in path)
    shell = [*path[2:], last] == ["command", 0]  # one known shell may become another
    if matters and record != original and not shell:
        # Another output of this very call is a part at most.
        assert isinstance(told, Skipped) or (isinstance(told, ShellResult) and told.part is not None)
    elif isinstance(told, ShellResult):
        assert told.output == spare.payload["tool_response"]


@settings(deadline=None, max_examples=200)
@given(
    junk=st.lists(st.binary(max_size=60) | VALUES.map(lambda value: json.dumps(value).encode()), max_size=5)
)
def test_any_bytes_behind_a_record_deliver_nothing(junk: list[bytes], read: Moment, spare: Moment) -> None:
    """Nor do they hide a delivery that follows on a line of its own."""
    record = read.transcript.read_bytes()
    spare.transcript.write_bytes(record + b"\n".join(junk) + b"\n")
    waiting = pending(spare.proven())
    assert codex.settle(None, [waiting], sent) == []
    spare.transcript.write_bytes(
        record + b"\n".join(junk) + b"\n" + encoded(tool_output("call_1_0", spare.payload["tool_response"]))
    )
    assert [bool(one.reads) for one in codex.settle(None, [waiting], sent)] == [True]


@settings(deadline=None, max_examples=200)
@given(output=VALUES | st.lists(st.fixed_dictionaries({"type": st.just("input_text"), "text": st.text()})))
def test_any_tool_output_is_read(output: Any, read: Moment, spare: Moment) -> None:
    """JSON of any form, also inside a text, is searched and never believed."""
    spare.transcript.write_bytes(read.transcript.read_bytes())
    waiting = pending(spare.proven())
    spare.append(tool_output("call_2_0", output), tool_output("call_3_0", json.dumps(output)))
    assert codex.settle(None, [waiting], sent) == []


def test_deep_nesting_in_a_tool_output_delivers_nothing(read: Moment, spare: Moment) -> None:
    """A script may send what it likes."""
    spare.transcript.write_bytes(read.transcript.read_bytes())
    waiting = pending(spare.proven())
    for depth in (500, 5_000):
        spare.append(tool_output("call_2_0", "[" * depth + "]" * depth))
    assert codex.settle(None, [waiting], sent) == []

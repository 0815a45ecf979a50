"""When the transcript shows that the model got a result, and when that it certainly did not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from adapters.hosts import codex
from adapters.hosts.codex_result import SHORT
from adapters.readers import sent
from contracts.event import ShellResult
from contracts.outcome import Skipped
from contracts.read import Locator, PendingRead, Settlement
from tests.adapters.hosts.codex_fixtures import Moment, moment, pending, pending_at, played, tool_output


@pytest.fixture
def read(tmp_path: Path) -> Moment:
    """Return the plain case, at the moment of its hook: its output is not yet in the transcript."""
    return moment("direct", tmp_path)


def settled(read: Moment, waiting: PendingRead | None = None) -> bool | None:
    """Tell what became of a read, None while it is pending."""
    answers = codex.settle(None, [waiting or pending(read.proven())], sent)
    return bool(answers[0].reads) if answers else None


@pytest.mark.parametrize(
    ("scenario", "deliveries"),
    [
        ("direct", {"call_1_0": True}),
        ("direct_tty", {"call_1_0": True}),
        ("big_toollimit_max", {"call_1_0": True}),
        ("background", {"call_1_0": True}),
        ("background_twopolls", {"call_1_0": True}),
        ("parallel", {"call_1_1": True, "call_1_0": True}),
        ("read_and_spawn", {"call_1_0": True}),
        ("sub_v1", {"call_1_0": True, "call_6_0": True}),
        ("cm_direct", {"exec-ddbe5771-2cd4-496f-b223-371bb783776e": True}),
        ("cm_yield", {"exec-bc3aa264-89ee-4e56-ae3b-47cce11f63b5": True}),
        ("cm_background", {"exec-ab694372-c8db-434c-8dfe-1acae41972bf": True}),
        (
            "cm_parallel",
            {
                "exec-ad8cfc2c-b0d1-4b91-b3ba-38a27e1c527c": True,
                "exec-19ac06a5-ecbd-45cb-8ea3-a366d7dbec3e": True,
            },
        ),
        ("cm_discard", {}),
        ("redirect", {}),
        ("cm_big_max", {}),
        ("resume_exec", dict.fromkeys(("call_1_0", "call_3_0", "call_5_0", "call_7_0", "call_9_0"), True)),
    ],
)
def test_a_recorded_run_shows_what_the_model_got(
    scenario: str, deliveries: dict[str, bool], tmp_path: Path
) -> None:
    """A script that drops its result leaves the read pending; every other read settles, in order."""
    answers = [one for one in played(scenario, tmp_path) if isinstance(one, Settlement)]
    assert [(one.event_id, bool(one.reads)) for one in answers] == list(deliveries.items())


def test_at_its_own_hook_a_read_is_still_pending(read: Moment) -> None:
    """The host runs the hook before it writes the output to the transcript."""
    assert settled(read) is None


@pytest.mark.parametrize("kind", ["function_call_output", "custom_tool_call_output"])
@pytest.mark.parametrize(
    "form",
    [
        "{}",
        "Chunk ID: 1\nProcess exited with code 0\nOutput:\n{}",
        "Script completed\nOutput:\nfirst\n{}\nlast",
        [{"type": "input_text", "text": "Output:\n"}, {"type": "input_text", "text": "{}"}],
        [{"type": "input_image", "image_url": "data:"}, {"type": "input_text", "text": " {} "}],
    ],
)
def test_a_text_that_holds_the_whole_result_is_a_delivery(kind: str, form: Any, read: Moment) -> None:
    """Whatever the host or a script puts around it."""
    result = read.proven()
    read.append(tool_output("call_2_0", json.loads(filled(form, result.output)), kind))
    assert settled(read, pending(result)) is True


def filled(form: Any, text: str) -> str:
    """Put a text in the place of the braces, as JSON."""
    return json.dumps(form).replace("{}", json.dumps(text)[1:-1])


@pytest.mark.parametrize("prefix", ["", "Script completed\nWall time 0.2 seconds\nOutput:\n"])
@pytest.mark.parametrize(
    "wrap",
    [
        lambda text: {"exit_code": 0, "output": text},
        lambda text: [{"output": "other"}, {"output": text}],
        lambda text: "got " + text,
    ],
)
def test_a_result_inside_json_is_a_delivery(prefix: str, wrap: Any, read: Moment) -> None:
    """Code mode's `text(r)` sends the call's result as JSON, with the output as an escaped string."""
    result = read.proven()
    output = prefix + json.dumps(wrap(result.output))
    assert result.output.strip() not in output
    read.append(tool_output("call_2_0", output, "custom_tool_call_output"))
    assert settled(read, pending(result)) is True


@pytest.mark.parametrize(
    "text", ['say \\"hi\\" a1', "back\\\\slash", "\\", '"q', "— ü —", '",:["', "a", "é\u2028\U0001f9f5"]
)
@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("around", ["", "\\", '"', '\\"', '"\\', "x\n"])
def test_a_string_within_json_is_found_whatever_is_escaped_in_it(
    around: str,
    text: str,
    ascii_only: bool,  # noqa: FBT001 - pytest hands it over by name
    read: Moment,
) -> None:
    """Quotes and backslashes in it or in its neighbours move none of its ends."""
    long = f"{text} and more {'and more ' * (SHORT // 8)}{text}"
    read.change_item(aggregated_output=long)
    result = read.parse(tool_response=long)
    assert isinstance(result, ShellResult)
    document = [around, {around + "k": [around + long + around, 1]}, around]
    read.append(tool_output("c", json.dumps([around, long[:-1], long[1:]]), "custom_tool_call_output"))
    assert settled(read, pending(result)) is None
    quoted = json.dumps(document, ensure_ascii=ascii_only)
    read.append(tool_output("c", quoted, "custom_tool_call_output"))
    assert settled(read, pending(result)) is True


SENTENCE = "Work in progress"


@pytest.mark.parametrize(
    ("result", "text", "delivered"),
    [
        ("0", "exit 0", None),
        ("0", "10\n200", None),
        ("0", '{"exit_code": 0, "output": ""}', None),
        ("0", "0", True),
        ("0", "Output:\nfirst\n 0\r\nlast", True),
        ("0", '{"exit_code": 0, "output": "0\\n"}', True),
        ("0", 'Output:\n{"output": "exit 0"}', None),
        ("0", "0" * 3_000_000 + "1", None),
        (SENTENCE, f"# {SENTENCE} since May, never read the document", None),
        (SENTENCE, f"{SENTENCE}: see elsewhere", None),
        (SENTENCE, f"Output:\n{SENTENCE}\n", True),
    ],
    ids=range(11),
)
def test_a_short_result_counts_only_where_it_stands_by_itself(
    result: str,
    text: str,
    delivered: bool | None,  # noqa: FBT001 - pytest hands it over by name
    read: Moment,
) -> None:
    """A document may be a word or a sentence; a script that says it within others did not show it."""
    read.change_item(aggregated_output=f"{result}\n")
    read.payload["tool_response"] = f"{result}\n"
    waiting = pending(read.proven())
    read.append(tool_output("call_2_0", text, "custom_tool_call_output"))
    assert settled(read, waiting) is delivered


@pytest.mark.parametrize("form", ["{{{}: 1}}", "{{{} : 1}}", "{{{}", "[{}", "[{}] x"])
def test_a_key_or_what_is_no_json_delivers_nothing(form: str, read: Moment) -> None:
    """Only a value of a whole document is what a script passed on."""
    result = read.proven()
    read.append(tool_output("c", form.format(json.dumps(result.output)), "custom_tool_call_output"))
    assert settled(read, pending(result)) is None


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text.strip()[:-1],
        lambda text: text.strip()[1:],
        lambda text: text.replace("T", "t"),
        lambda text: text.replace(", ", ","),
        lambda _: "",
    ],
)
def test_a_text_that_lacks_a_part_is_no_delivery(spoil: Any, read: Moment) -> None:
    """A script's own text does not refute either: the next one may hold it."""
    result = read.proven()
    read.append(tool_output("call_2_0", spoil(result.output), "custom_tool_call_output"))
    assert settled(read, pending(result)) is None
    read.append(tool_output("call_2_0", result.output, "custom_tool_call_output"))
    assert settled(read, pending(result)) is True


def test_the_calls_own_output_without_the_result_refutes_it(read: Moment) -> None:
    """Another hook may replace what the model sees, after this one saw the whole."""
    result = read.proven()
    read.append(tool_output("call_1_0", "blocked by a hook"), tool_output("call_2_0", result.output))
    assert settled(read, pending(result)) is False


def test_a_script_that_bears_the_calls_id_refutes_nothing(read: Moment) -> None:
    """What a script passes on is its own affair, and the next one may pass on more."""
    result = read.proven()
    read.append(tool_output("call_1_0", "exit 0", "custom_tool_call_output"))
    assert settled(read, pending(result)) is None


@pytest.mark.parametrize("head", ["", "Chunk ID: 1\nWall time: 0.5 seconds\n"])
def test_a_notice_that_the_process_runs_refutes_nothing(head: str, read: Moment) -> None:
    """The output comes under the polling call's id."""
    result = read.proven()
    read.append(tool_output("call_1_0", f"{head}Process running with session ID 82813\nOutput:\n"))
    assert settled(read, pending(result)) is None
    read.append(tool_output("call_2_0", result.output))
    assert settled(read, pending(result)) is True


def test_a_notice_inside_an_output_is_no_notice(read: Moment) -> None:
    """The host's own words stand before the output, a command's after."""
    read.append(tool_output("call_1_0", "Output:\nProcess running with session ID 1\n"))
    assert settled(read) is False


def test_what_stands_before_the_record_does_not_count(read: Moment) -> None:
    """The same item may have been read before, and dropped this time."""
    result = read.proven()
    earlier = tool_output("call_0_0", result.output)
    read.write([earlier, *read.lines()])
    assert settled(read) is None


@pytest.mark.parametrize(
    "line",
    [
        {"type": "event_msg", "payload": {"type": "function_call_output", "call_id": "c", "output": "OUT"}},
        {"type": "response_item", "payload": {"type": "function_call", "call_id": "c", "arguments": "OUT"}},
        {
            "type": "response_item",
            "payload": {"type": "message", "role": "user", "content": "_call_output OUT"},
        },
        {
            "type": "response_item",
            "payload": {"type": "function_call_output", "call_id": "c", "output": {"a": 1}},
        },
        tool_output("c", [{"type": "encrypted_text", "text": "OUT"}]),
        {"type": "compacted", "payload": {"message": "_call_output OUT"}},
    ],
)
def test_a_line_of_another_kind_delivers_nothing(line: dict[str, Any], read: Moment) -> None:
    """Only what the host sends as a tool's output is what the model got of it."""
    result = read.proven()
    read.append(json.loads(json.dumps(line).replace("OUT", json.dumps(result.output)[1:-1])))
    assert settled(read, pending(result)) is None


def test_a_cut_line_counts_when_it_is_whole(read: Moment) -> None:
    """The host may be writing it at this moment."""
    result = read.proven()
    before = read.transcript.stat().st_size
    read.append(tool_output("call_1_0", result.output))
    line = read.transcript.read_bytes()
    for size in range(before, len(line) - 1, 97):
        read.transcript.write_bytes(line[:size])
        assert settled(read, pending(result)) is None
    read.transcript.write_bytes(line)
    assert settled(read, pending(result)) is True


def test_a_long_result_must_arrive_whole_although_its_record_is_cut(tmp_path: Path) -> None:
    """The record lacks the middle; the digest of the whole tells."""
    read = moment("big_toollimit_max", tmp_path)
    result = read.proven()
    spoilt = result.output[:70_000] + "x" + result.output[70_001:]
    read.append(tool_output("call_2_0", spoilt))
    assert settled(read, pending(result)) is None
    read.append(tool_output("call_2_0", json.dumps({"output": "see " + result.output + " end"})))
    assert settled(read, pending(result)) is True


def test_a_result_of_nothing_is_never_delivered(read: Moment) -> None:
    """Every text holds it."""
    read.change_item(aggregated_output=" \n")
    result = read.parse(tool_response=" \n")
    assert isinstance(result, ShellResult)
    read.append(tool_output("call_2_0", "anything"))
    assert settled(read, pending(result)) is None


def test_a_read_whose_place_holds_something_else_stays_pending(read: Moment) -> None:
    """The file may have been replaced, or the record's line may be another call's."""
    result = read.proven()
    read.append(tool_output("call_1_0", result.output))
    assert result.locator is not None
    path, offset = result.locator.path, result.locator.offset
    size = read.transcript.stat().st_size
    for other in (0, offset - 1, offset + 1, size, size + 9, -1, 2**63 - 1, 2**64):
        assert settled(read, pending_at(path, other, result.output)) is None
    assert settled(read, pending_at(path, offset, result.output, "call_9_9")) is None
    assert settled(read, pending_at(path, offset, "another result")) is None
    assert settled(read, pending_at(path + "x", offset, result.output)) is None
    assert settled(read, pending_at("relative.jsonl", offset, result.output)) is None
    assert settled(read, PendingRead("call_1_0", pending(result).reads, "", None, 0)) is None
    assert settled(read, pending(result)) is True


def test_settlements_come_in_the_order_in_which_the_reads_were_noted(tmp_path: Path) -> None:
    """The ledger's ordinals follow them."""
    first, second = (moment("parallel", tmp_path, nth=nth).proven() for nth in (1, 2))
    moment("parallel", tmp_path, "SessionEnd")
    forth = codex.settle(None, [pending(first), pending(second)], sent)
    back = codex.settle(None, [pending(second), pending(first)], sent)
    assert [one.event_id for one in forth] == [first.event_id, second.event_id]
    assert forth == back[::-1]


def test_a_subagents_output_is_in_another_file(tmp_path: Path) -> None:
    """The root's read of the same item stays pending whatever the subagent was sent."""
    told = played("sub_v1_role", tmp_path)
    assert Skipped("actor-subagent") in told
    assert not [one for one in told if isinstance(one, Settlement)]


def test_nothing_pending_costs_nothing() -> None:
    """No file is touched."""
    assert codex.settle(None, [], sent) == []


def test_a_locator_of_a_directory_or_nothing_stays_pending(tmp_path: Path) -> None:
    """The ledger may outlive the transcript."""
    for path in (str(tmp_path), str(tmp_path / "gone.jsonl"), "", "\0", "/" + "x" * 5000):
        one = PendingRead("c", pending_at("/x", 0, "x").reads, "00", Locator(path, 0), 0)
        assert codex.settle(None, [one], sent) == []

"""When a shell command of the root is proven to have ended well, with its output whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from contracts.event import HostEvent, Ignored, ShellResult
from contracts.outcome import Skipped
from contracts.read import EVENT_ID_BYTES
from tests.adapters.hosts.codex_fixtures import Moment, encoded, moment, tool_output


@pytest.fixture
def read(tmp_path: Path) -> Moment:
    """Return the plain case, at the moment of its hook."""
    return moment("direct", tmp_path)


@pytest.mark.parametrize(
    ("scenario", "nth"),
    [
        ("direct", 0),
        ("direct_login_false", 0),
        ("fakeshell", 0),
        ("shshell", 0),
        ("direct_tty", 0),
        ("parallel", 1),
        ("parallel", 2),
        ("background", 0),
        ("cm_direct", 0),
        ("cm_discard", 0),
        ("cm_parallel", 0),
        ("cm_parallel", 1),
        ("big_toollimit_max", 0),
        ("sandbox_ww", 0),
        ("tui_perm", 0),
    ],
)
def test_a_recorded_command_that_ended_well_is_proven(scenario: str, nth: int, tmp_path: Path) -> None:
    """Its record is in the transcript when the hook runs, and its line is where the locator says."""
    one = moment(scenario, tmp_path, nth=nth)
    result = one.proven()
    assert result.command == one.payload["tool_input"]["command"]
    assert result.output == one.payload["tool_response"]
    assert result.locator is not None
    assert result.locator.path == str(one.transcript)
    record = json.loads(one.transcript.read_bytes()[result.locator.offset :].partition(b"\n")[0])
    assert record["payload"]["item"]["id"] == result.event_id


@pytest.mark.parametrize(
    ("scenario", "nth", "reason"),
    [
        ("fail", 0, "call-failed"),
        ("parallel", 0, "call-failed"),
        ("cm_fail", 0, "call-failed"),
        ("background_fail", 0, "call-failed"),
        ("sandbox_ro", 0, "call-failed"),
    ],
)
def test_a_recorded_command_that_did_not_is_refused(
    scenario: str, nth: int, reason: str, tmp_path: Path
) -> None:
    """The payload itself looks the same; the record or the host's own warning tells."""
    assert moment(scenario, tmp_path, nth=nth).parse() == Skipped(reason)


@pytest.mark.parametrize("scenario", ["big", "big_max", "small_max", "cm_big", "cm_big_max"])
def test_an_output_that_the_host_cut_says_so(scenario: str, tmp_path: Path) -> None:
    """The host's own warning stands before it."""
    assert part(moment(scenario, tmp_path).parse()) == "output-cut"


def part(event: HostEvent | Skipped) -> str | None:
    """Return why an output is not whole, None where it is."""
    assert isinstance(event, ShellResult)
    return event.part and event.part.reason


@pytest.mark.parametrize("tool_use_id", [None, "", [], {}, "x" * (EVENT_ID_BYTES + 1), "call\u00001", "a\nb"])
def test_a_call_without_a_sound_id_can_never_be_shown_as_delivered(tool_use_id: object, read: Moment) -> None:
    """No shared default stands in for the id."""
    assert read.parse(tool_use_id=tool_use_id) == Skipped("delivery-unproven")


def test_a_call_without_the_key_of_its_id_can_never_be_shown_as_delivered(read: Moment) -> None:
    """The same as an empty one."""
    del read.payload["tool_use_id"]
    assert read.parse() == Skipped("delivery-unproven")


@pytest.mark.parametrize(
    "change",
    [
        {"tool_use_id": 5},
        {"tool_use_id": ["call_1_0"]},
        {"tool_response": None},
        {"tool_response": 5},
        {"tool_response": {"stdout": "{}"}},
        {"tool_response": ["{}"]},
    ],
)
def test_a_field_of_another_type_is_no_contract_of_ours(change: dict[str, object], read: Moment) -> None:
    """An MCP tool's response is an object; a shell's never was."""
    assert read.parse(**change) == Skipped("contract-mismatch")


def test_a_result_under_another_name_is_no_contract_of_ours(read: Moment) -> None:
    """`tool_result` or `tool_output` is not what this host was seen to send."""
    read.payload["tool_result"] = read.payload.pop("tool_response")
    assert read.parse() == Skipped("contract-mismatch")


def test_a_forged_output_is_none(read: Moment) -> None:
    """What the host itself recorded counts, and what the payload says proves no practice."""
    forged = read.payload["tool_response"].replace('"id": "a.b.c"', '"id": "x.y.z"')
    assert forged != read.payload["tool_response"]
    event = read.parse(tool_response=forged)
    assert part(event) == "output-partial"
    assert isinstance(event, ShellResult)
    assert event.output == read.payload["tool_response"]


@pytest.mark.parametrize("some", [slice(5, None), slice(None, -5), slice(0, 0)])
def test_a_part_of_the_output_says_so(some: slice, read: Moment) -> None:
    """A poll of a background command returns only what came since the last one, perhaps nothing."""
    assert part(read.parse(tool_response=read.payload["tool_response"][some])) == "output-partial"


def test_a_long_output_must_have_both_ends_of_its_record(tmp_path: Path) -> None:
    """The record keeps head and tail of it; a poll's rest would lack the head."""
    read = moment("big_toollimit_max", tmp_path)
    whole = read.payload["tool_response"]
    assert isinstance(read.parse(), ShellResult)
    for some in (whole[1:], whole[:-2], whole[:40_000], "", whole[:30_000] + whole[-30_000:]):
        assert part(read.parse(tool_response=some)) == "output-partial"


def test_the_two_ends_of_a_long_output_may_not_overlap(read: Moment) -> None:
    """Of one letter only, a short text would have both."""
    half = "a" * 32_743
    read.change_item(aggregated_output=f"{half}\n... command output truncated for persistence ...\n{half}")
    assert part(read.parse(tool_response="a" * 70_000)) is None
    assert part(read.parse(tool_response="a" * 40_000)) == "output-partial"


def test_a_text_that_only_mentions_the_hosts_mark_is_compared_whole(read: Moment) -> None:
    """A document about it is short, so its record holds it whole."""
    text = "head\n... command output truncated for persistence ...\ntail"
    read.change_item(aggregated_output=text)
    assert part(read.parse(tool_response=text)) is None
    for some in ("headtail", "head and tail", "tail"):
        assert part(read.parse(tool_response=some)) == "output-partial"


def test_a_command_without_output_is_proven_too(read: Moment) -> None:
    """Whether nothing is a result is for the reader to say."""
    for nothing in ("", None):
        read.change_item(aggregated_output=nothing)
        assert isinstance(read.parse(tool_response=""), ShellResult)


@pytest.mark.parametrize(
    "change",
    [
        {"status": "failed"},
        {"status": "in_progress"},
        {"status": ""},
        {"exit_code": 1},
        {"exit_code": -1},
        {"exit_code": None},
    ],
)
def test_only_a_completed_record_with_exit_code_zero_is_success(change: dict[str, Any], read: Moment) -> None:
    """Both are asked; a code that is not there is not zero."""
    read.change_item(**change)
    assert read.parse() == Skipped("call-failed")


@pytest.mark.parametrize(
    "argv",
    [
        ["/bin/bash", "-lc", "lore get a.b.c --json; true"],
        ["/bin/bash", "-lc", "lore get a.b.c --json", "x"],
        ["/bin/bash", "-lc"],
        ["/bin/bash", "-xc", "lore get a.b.c --json"],
        ["/usr/bin/fish", "-lc", "lore get a.b.c --json"],
        ["pwsh", "-c", "lore get a.b.c --json"],
        ["bash/", "-lc", "lore get a.b.c --json"],
        ["lore", "get", "a.b.c", "--json"],
        [],
    ],
)
def test_the_command_that_ran_must_be_the_payloads_in_a_known_shell(argv: list[str], read: Moment) -> None:
    """What another shell makes of the text is not known."""
    read.change_item(command=argv)
    assert read.parse() == Skipped("call-unproven")


@pytest.mark.parametrize("shell", ["/bin/bash", "/usr/bin/zsh", "sh", "/opt/bin/dash"])
@pytest.mark.parametrize("flag", ["-lc", "-c"])
def test_a_posix_shell_is_known_by_its_name(shell: str, flag: str, read: Moment) -> None:
    """A login shell or not, wherever it stands."""
    read.change_item(command=[shell, flag, "lore get a.b.c --json"])
    assert isinstance(read.parse(), ShellResult)


def test_a_record_of_another_thread_proves_nothing(read: Moment) -> None:
    """A copy of a subagent's or a parent's record bears its own thread."""
    lines = read.lines()
    for line in lines:
        if "thread_id" in line["payload"]:
            line["payload"]["thread_id"] = "01a22b13-0000-7000-8000-000000000000"
    read.write(lines)
    assert read.parse() == Skipped("call-unproven")


def test_without_a_record_of_the_call_nothing_is_proven(read: Moment) -> None:
    """Neither the model's call nor another call's record is one."""
    assert read.parse(tool_use_id="call_9_9") == Skipped("call-unproven")
    read.write([line for line in read.lines() if "item" not in line["payload"]])
    assert "call_1_0" in read.transcript.read_text()
    assert read.parse() == Skipped("call-unproven")


def test_an_output_that_quotes_a_record_is_none(read: Moment) -> None:
    """A record is a line of its own, not a text in another line."""
    record = next(line for line in read.lines() if "item" in line["payload"])
    read.write([tool_output("call_1_0", "\n" + encoded(record).decode())])
    assert read.parse() == Skipped("call-unproven")


@pytest.mark.parametrize("kind", ["function_call", "FileChange", "McpToolCall"])
def test_a_record_of_another_kind_is_none(kind: str, read: Moment) -> None:
    """Only a command's record says how a command ended."""
    read.change_item(type=kind)
    assert read.parse() == Skipped("call-unproven")


def test_of_two_records_with_one_id_the_newer_counts(read: Moment) -> None:
    """An id that comes again belongs to the later call; the older record must not vouch for it."""
    record = next(line for line in read.lines() if "item" in line["payload"])
    record["payload"]["item"] |= {"exit_code": 2, "status": "failed"}
    read.append(record)
    assert read.parse() == Skipped("call-failed")


@pytest.mark.parametrize(
    "hostile", ["type", "id", "x", '"', "\\", "call_1_", "CALL_1_0", "call_1_0 ", "é", "💥"]
)
def test_an_odd_id_finds_only_its_own_record(hostile: str, read: Moment) -> None:
    """An id is compared as a whole, whatever else in the lines looks like it."""
    assert read.parse(tool_use_id=hostile) == Skipped("call-unproven")
    read.change_item(id=hostile)
    assert isinstance(read.parse(tool_use_id=hostile), ShellResult)


@pytest.mark.parametrize(
    "key", ["agent_id", "agent_type", "model", "permission_mode", "cwd", "turn_id", "source"]
)
@pytest.mark.parametrize("empty", ["", None, [], {}])
def test_an_empty_optional_key_changes_nothing(key: str, empty: object, read: Moment) -> None:
    """It counts as a key that is not there."""
    assert read.parse(**{key: empty}) == read.proven()


def test_a_command_that_concerns_no_reader_is_not_looked_up(read: Moment) -> None:
    """The reader is asked about the exact text of the command."""
    told = read.parse(tool_input={"command": "ls"}, tool_use_id=5)
    assert isinstance(told, Ignored)

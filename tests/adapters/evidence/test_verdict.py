"""A verdict is what the recordings show with today's adapters, and nothing else."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from adapters.evidence import shapes, verdict
from adapters.evidence.expected import TABLE, Replayed, Row
from adapters.evidence.replay import load, recordings
from adapters.evidence.scenario import Holds
from adapters.hosts import HOSTS
from adapters.hosts import load as load_host
from adapters.readers import concerns, runs
from adapters.verdicts import FOLDER, SHAPES, departure, proven, proven_versions, verdicts
from contracts.evidence import RecordedRequest, Recording
from contracts.outcome import Skipped
from contracts.verdict import GateVerdict

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDERS = sorted(path for path in FOLDER.glob("*/*") if path.is_dir())


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: f"{folder.parent.name}-{folder.name}")
def test_the_verdict_in_the_tree_is_the_one_that_the_recordings_give(folder: Path) -> None:
    """`readmark evidence check --update` writes it anew; it is never typed."""
    assert (folder / verdict.FILE).read_bytes() == verdict.text(verdict.compute(folder))


@pytest.mark.parametrize("host", HOSTS)
def test_every_host_that_is_switched_on_has_a_passing_verdict(host: str) -> None:
    """The two hosts of this version are proven; a host without evidence is off."""
    assert proven(host)
    assert verdicts("no-such-host") == []
    assert not proven("no-such-host")


@pytest.fixture
def copied(tmp_path: Path) -> Callable[..., Path]:
    """Copy some recordings of Codex, with their rows, into an evidence folder of their own."""

    def copy(*scenarios: str, change: Callable[[str], str] = str) -> Path:
        source = FOLDER / "codex" / "0.171.0" / verdict.FIRST
        target = tmp_path / "codex" / "0.171.0" / verdict.FIRST
        target.mkdir(parents=True)
        lines = (source / TABLE).read_text().splitlines()
        kept = [line for line in lines if line.split("\t")[0] in {"scenario", *scenarios}]
        (target / TABLE).write_text("\n".join(map(change, kept)) + "\n")
        for scenario in scenarios:
            (target / f"{scenario}.json").write_bytes((source / f"{scenario}.json").read_bytes())
        return target.parent

    return copy


def states(folder: Path) -> dict[str, str]:
    """Return each gate's state."""
    return {gate: found.state for gate, found in verdict.compute(folder).gates.items()}


def test_a_gate_passes_where_it_is_seen_shut_and_a_read_got_through(copied: Callable[..., Path]) -> None:
    """`direct` gets through, `fail` meets the gate of success, `pipe` the gate of the direct command."""
    found = states(copied("direct", "fail", "pipe"))

    assert (found["success"], found["direct"], found["actor"]) == ("passed", "passed", "not-shown")


def test_a_gate_is_not_shown_where_no_read_ever_gets_through(copied: Callable[..., Path]) -> None:
    """An adapter that refuses everything proves nothing."""
    assert set(states(copied("fail", "pipe")).values()) == {"not-shown"}


def test_a_gate_fails_where_an_event_comes_to_something_else(copied: Callable[..., Path]) -> None:
    """What is stated decides, not what the adapter says."""

    def wrong(line: str) -> str:
        return line.replace("refused call-failed", "ignored")

    assert states(copied("direct", "fail", "pipe", change=wrong))["success"] == "failed"


REACHED = [RecordedRequest(0.0, "subagent", "C", "a1", holds=["context SubagentStart"])]
CASES = [
    (REACHED, "passed"),
    ([*REACHED, RecordedRequest(1.0, "root", "C", holds=["context SubagentStart"])], "failed"),
    ([RecordedRequest(0.0, "subagent", "C", "a1"), *REACHED], "failed"),
    ([RecordedRequest(0.0, "root", "C", holds=["practice a.b"])], "not-shown"),
]


FILES = {"file_changed", "file_endings", "file_part", "file_told", "skill_edited", "skill_twins"}
READINGS = {"read_search", "read_windows"}


@pytest.fixture
def readings(files: Path) -> Path:
    """Copy recordings of parts and of searches beside them."""
    for name in READINGS:
        (files / f"{name}.json").write_bytes((FOLDER / "claude-code/2.1.332" / f"{name}.json").read_bytes())
    return files


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Copy recordings in which Claude Code reads files and skills into an evidence folder of their own."""
    target = tmp_path / "claude-code" / "2.1.332"
    target.mkdir(parents=True)
    for name in FILES:
        (target / f"{name}.json").write_bytes(
            (FOLDER / "claude-code" / "2.1.332" / f"{name}.json").read_bytes()
        )
    return target


def test_files_and_skills_are_part_of_a_verdict(files: Path) -> None:
    """They show gates shut as commands do, and a subagent that was told of them."""
    found = states(files)

    assert {gate for gate, state in found.items() if state == "passed"} == {
        "actor",
        "success",
        "result",
        "delivery",
        "visible",
    }
    assert "failed" not in found.values()


def _no_runs(*_: object) -> list[runs.Run]:
    return []


@pytest.mark.parametrize(
    ("place", "broken", "failing"),
    [
        (
            "adapters.readers.files._same",
            lambda *_: True,
            {"file_changed", "file_part", "file_told", *READINGS},
        ),
        ("adapters.readers.runs.runs", _no_runs, {"file_changed", "file_part", "file_told", *READINGS}),
        ("adapters.readers.runs.counts", lambda *_: True, {"read_search"}),
        (
            "adapters.readers.document.read",
            lambda *_: Skipped("scope-unknown"),
            {"file_changed", "file_endings", "file_part", "file_told", "read_windows"},
        ),
        ("adapters.readers.skill.confirm", lambda *_: None, {"file_told", "skill_twins"}),
        ("adapters.hosts.claude_transcript.loaded", lambda *_: None, {"file_told", "skill_twins"}),
        ("adapters.hosts.claude_skill_text.holds", lambda *_, **__: True, {"skill_edited"}),
        ("adapters.hosts.claude_skill_text.holds", lambda *_, **__: False, {"file_told", "skill_twins"}),
    ],
)
def test_a_broken_reader_fails_a_verdict(
    place: str,
    broken: Callable[..., object],
    failing: set[str],
    readings: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One that takes too much, one that takes too little, and one that sees nothing at all."""
    monkeypatch.setattr(place, broken)
    gates = verdict.compute(readings).gates

    assert {name for one in gates.values() if one.state == "failed" for name in one.scenarios} == failing


@pytest.mark.parametrize("broken", [b"", b"{}", b"MARK handed", b'{"additionalContext": "MARK handed over"}'])
def test_a_briefing_in_another_form_than_was_recorded_is_not_visible(
    broken: bytes, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The recorder answered with words of its own: they prove nothing of an adapter that says others."""
    monkeypatch.setattr("adapters.hosts.claude_code.brief", lambda _: broken)

    assert verdict.compute(files).gates["visible"] == GateVerdict("failed", ("file_told",))


def test_a_briefing_that_loses_its_text_is_not_visible(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The form alone is not enough."""
    kept = load_host("claude-code").brief
    monkeypatch.setattr("adapters.hosts.claude_code.brief", lambda text: kept(text[:-1]))

    assert verdict.compute(files).gates["visible"].state == "failed"


@pytest.mark.parametrize(("requests", "state"), CASES, ids=["reached", "root too", "too late", "no text"])
def test_a_handed_text_is_visible_in_the_subagents_own_first_request_only(
    requests: list[RecordedRequest], state: str
) -> None:
    """Where the root gets it too, or a subagent's first request does not have it, the gate has failed."""
    run = Recording("codex", "0.171.0", "sub_v1", [], requests=requests)

    assert verdict.visible([run], frozenset()).state == state


def test_a_scenario_that_does_not_hold_shows_no_visibility() -> None:
    """One of three subagents is not enough where three must be told."""
    run = Recording("codex", "0.171.0", "sub_v1", [], requests=REACHED)

    assert verdict.visible([run], frozenset({"sub_v1"})) == GateVerdict("failed", ("sub_v1",))


def test_a_text_that_is_stated_to_reach_the_root_shows_the_gate_shut() -> None:
    """It proves nothing alone, fails nothing beside another, and fails where it is not as stated."""
    held = ["context SubagentStart"]
    astray = Recording("codex", "1", "astray", [], requests=[RecordedRequest(0.0, "root", "C", holds=held)])
    child = RecordedRequest(0.0, "subagent", "C", agent="a-1", holds=held)
    fine = Recording("codex", "1", "fine", [], requests=[child])
    stated = frozenset({"astray"})
    assert verdict.visible([astray], frozenset(), stated).state == "not-shown"
    assert verdict.visible([astray, fine], frozenset(), stated).state == "passed"
    assert verdict.visible([astray, fine], stated, stated) == GateVerdict("failed", ("astray",))
    assert verdict.visible([astray, fine], frozenset()) == GateVerdict("failed", ("astray",))


TOLD = Replayed(
    [
        Row("s", 0, "PostToolUse", "pending a.md"),
        Row("s", 1, "PostToolUse", "refused content-differs"),
        Row("s", 2, "SubagentStart", "settles a.md; briefing a.md"),
    ],
    ["a.md"],
)


@pytest.mark.parametrize(
    ("holds", "met"),
    [
        (Holds(), True),
        (Holds(records=["a.md"], refuses=["content-differs"], told=1, told_of=["a.md"]), True),
        (Holds(records=[]), False),
        (Holds(records=["a.md", "b.md"]), False),
        (Holds(refuses=[]), False),
        (Holds(refuses=["content-differs", "content-differs"]), False),
        (Holds(told=0), False),
        (Holds(told_of=[]), False),
        (Holds(told_of=["b.md"]), False),
        (Holds(told_of=["a.md", "b.md"]), False),
    ],
)
def test_a_replay_is_held_to_all_that_its_scenario_states(holds: Holds, *, met: bool) -> None:
    """What is recorded, what is refused on the way, and what a subagent is told."""
    assert verdict.as_stated(TOLD, holds) is met


@pytest.mark.parametrize(
    "holds",
    [Holds(refuses={"1": ["content-differs"], "2": []}), Holds(records={"1": ["a.md"], "2": []})],
)
def test_a_version_may_have_records_and_refusals_of_its_own(holds: Holds) -> None:
    """Of a version that is not named, nothing is stated."""
    assert [verdict.as_stated(TOLD, holds, version) for version in ("1", "2", "3")] == [True, False, True]


def test_a_stated_briefing_that_never_comes_does_not_hold() -> None:
    """Nor one that comes empty."""
    never = Replayed(TOLD.rows[:2], ["a.md"])
    empty = Replayed([Row("s", 0, "SubagentStart", "briefing nothing")], [])

    assert not verdict.as_stated(never, Holds(told_of=["a.md"]))
    assert not verdict.as_stated(empty, Holds(told_of=["a.md"]))
    assert verdict.as_stated(empty, Holds(told=0, told_of=[]))


def test_shapes_come_from_passing_versions_alone() -> None:
    """What a version sends that does not pass is no measure for any other (claude-code/2.1.332)."""
    older = shapes.of_host("claude-code", FOLDER, {"2.1.197"})

    assert b"context_tokens" not in older
    assert b"context_tokens" in shapes.of_host("claude-code", FOLDER, {"2.1.197", "2.1.332"})
    assert shapes.of_host("claude-code", FOLDER, ()) == b"{}\n"


@pytest.mark.parametrize("host", HOSTS)
def test_the_shapes_in_the_tree_are_those_of_the_recordings(host: str) -> None:
    """They are written with the verdicts."""
    assert (FOLDER / host / SHAPES).read_bytes() == shapes.of_host(host, FOLDER, proven_versions(host))


@pytest.mark.parametrize("path", recordings(FOLDER), ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_no_recorded_payload_departs_from_the_recorded_shapes(path: Path) -> None:
    """A version that sends what was recorded is never refused for its shape."""
    run = load(path)
    registered = {hook.event for hook in load_host(run.host).REGISTRATION.hooks}
    departures = [
        departure(run.host, event.event, msgspec.json.encode(event.stdin))
        for event in run.events
        if event.event in registered
        and event.stdin is not None
        and (event.event != "PostToolUse" or [*shapes.opened(event.stdin, concerns)])
    ]

    assert set(departures) <= {None}


SHAPED = (
    b'{"session_id":"s","transcript_path":"/t","cwd":"/c","hook_event_name":"SessionEnd","reason":"other"}'
)


def tool_used(tool: str, scenario: str) -> dict[str, Any]:
    """Return a recorded payload of a tool's result in the older of Claude Code's versions."""
    run = load(FOLDER / "claude-code" / "2.1.197" / f"{scenario}.json")
    return next(
        event.stdin
        for event in run.events
        if event.event == "PostToolUse" and event.stdin is not None and event.stdin["tool_name"] == tool
    )


@pytest.mark.parametrize(
    ("tool", "scenario", "changed", "found"),
    [
        ("Read", "file_whole", {}, None),
        ("Read", "file_whole", {"type": 5}, "type"),
        ("Read", "file_whole", {"cut": False}, "a new field"),
        ("Read", "file_whole", {"file": {"content": ""}}, "filePath"),
        ("Read", "file_whole", {"file": {"new": {}}, "type": "text"}, "filePath"),
        ("Skill", "skill_project", {}, None),
        ("Skill", "skill_project", {"success": "yes"}, "success"),
        ("Skill", "skill_project", {"background": {"id": "1"}}, "a new field"),
        ("Bash", "file_cat", {}, None),
        ("Bash", "file_cat", {"type": "text"}, "a new field"),
    ],
)
def test_what_a_tool_gave_is_held_to_what_that_tool_gave(
    tool: str, scenario: str, changed: dict[str, Any], found: str | None
) -> None:
    """Another tool's fields are new ones here, and so is a new field of an object inside."""
    payload = tool_used(tool, scenario)
    payload["tool_response"] |= changed

    assert departure("claude-code", "PostToolUse", msgspec.json.encode(payload)) == found


def test_a_new_field_in_the_file_that_a_tool_gave_departs() -> None:
    """So did the mark of a cut file come (2.1.332)."""
    payload = tool_used("Read", "file_whole")
    payload["tool_response"]["file"]["shortened"] = True

    assert departure("claude-code", "PostToolUse", msgspec.json.encode(payload)) == "a new field"


def test_a_tool_that_was_never_recorded_departs() -> None:
    """Nothing says what it gives."""
    payload = tool_used("Read", "file_whole") | {"tool_name": "ReadMany"}

    assert departure("claude-code", "PostToolUse", msgspec.json.encode(payload)) == "tool_input"


@pytest.mark.parametrize(
    ("payload", "found"),
    [
        (SHAPED, None),
        (SHAPED.replace(b'"other"', b"5"), "reason"),
        (SHAPED.replace(b'"cwd":"/c",', b""), "cwd"),
        (SHAPED.replace(b"{", b'{"ghp_secret":1,', 1), "a new field"),
        (b"[]", "no recorded shape"),
        (b"{", "no recorded shape"),
    ],
)
def test_a_departure_is_named_by_our_own_words(payload: bytes, found: str | None) -> None:
    """A recorded field by its name; a new one not, since its name is text of a payload."""
    assert departure("codex", "SessionEnd", payload) == found
    assert departure("codex", "Unheard", payload) == "no recorded shape"
    assert departure("no-such-host", "SessionEnd", payload) == "no recorded shapes"


@pytest.mark.parametrize("unit", [b"[],", b'{"a":[]},', b"0,"])
@pytest.mark.parametrize(
    ("fields", "departed"),
    [(b'"reason":%s', "reason"), (b'"reason":"other","new":%s', "a new field")],
)
def test_a_departure_is_found_without_building_what_departs(
    fields: bytes, departed: str, unit: bytes
) -> None:
    """Built, many small values would hold the interpreter for seconds, and no deadline could end it."""
    payload = SHAPED.replace(b'"reason":"other"', fields % (b"[" + unit * 100_000 + b"0]"))
    tracemalloc.start()
    found = departure("codex", "SessionEnd", payload)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found == departed
    assert peak < 3 * len(payload) + 500_000

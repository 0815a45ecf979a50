"""A recorded run played again shows each hook its own moment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

import contracts
from adapters.evidence.replay import SCRUBBED, Step, load, recordings, replay
from contracts.evidence import RecordedEvent, Recording

EVIDENCE = Path(contracts.__file__).parent / "evidence"
PATH = "/home/dev/x/sessions/2026/11/30/rollout-1.jsonl"
CHILD = "/home/dev/x/sessions/2026/11/30/rollout-2.jsonl"
POLLED = ("background", "read_polled")
"""How the recordings begin in which a command goes on after its first output."""


def stamp(milliseconds: int) -> str:
    """Return the wall-clock stamp of a moment, counted from the first event's true one."""
    return f"2026-11-30T06:10:{10 + milliseconds // 1000:02d}.{milliseconds % 1000:03d}Z"


def command(milliseconds: int, call: str) -> dict[str, Any]:
    """Return the line that a finished command leaves."""
    item = {"type": "CommandExecution", "id": call}
    return {"timestamp": stamp(milliseconds), "payload": {"type": "item_completed", "item": item}}


def note(milliseconds: int, text: str = "note") -> dict[str, Any]:
    """Return any other line."""
    return {"timestamp": stamp(milliseconds), "payload": {"type": text}}


def hook(at: float | None, call: str | None = None, path: str = PATH) -> RecordedEvent:
    """Return a hook's event, of a finished call if one is named."""
    stdin: dict[str, Any] = {"session_id": "s", "transcript_path": path}
    if call is not None:
        stdin["tool_use_id"] = call
    return RecordedEvent(event="Stop" if call is None else "PostToolUse", stdin=stdin, at=at)


def run(events: list[RecordedEvent], **transcripts: list[dict[str, Any]]) -> Recording:
    """Return a recording with the root's and the child's lines."""
    places = {"root": PATH, "child": CHILD}
    return Recording(
        "codex", "1", "made", events, {places[name]: lines for name, lines in transcripts.items()}
    )


def counts(recording: Recording, folder: Path) -> list[int]:
    """Return how many lines each hook finds in the transcript that its payload names; 0 without a file."""
    found = []
    for step in replay(recording, folder):
        path = Path(json.loads(step.payload)["transcript_path"])
        found.append(len(path.read_bytes().splitlines()) if path.exists() else 0)
    return found


def test_a_line_is_there_once_its_moment_has_come(tmp_path: Path) -> None:
    """The pair says that the first event was at 0.1 s or later; so lines are counted from there."""
    recording = run(
        [hook(0.0), hook(0.3, "c"), hook(0.5), hook(0.6)],
        root=[note(0), command(400, "c"), note(600), note(601), note(700)],
    )
    assert counts(recording, tmp_path) == [1, 2, 3, 5]


def test_the_greatest_bound_counts(tmp_path: Path) -> None:
    """Each pair bounds the start from below; the record was there at every one of these hooks."""
    recording = run(
        [hook(0.3, "c"), hook(0.8, "d")], root=[note(0), command(320, "c"), command(900, "d"), note(901)]
    )
    assert counts(recording, tmp_path) == [2, 3]


def test_the_first_of_a_calls_hooks_counts(tmp_path: Path) -> None:
    """The same call's hook ran twice: the record was there at the first run."""
    recording = run([hook(0.3, "c"), hook(0.9, "c")], root=[command(400, "c"), note(700), note(1100)])
    assert counts(recording, tmp_path) == [1, 2]


def test_an_id_that_a_transcript_has_twice_bounds_nothing(tmp_path: Path) -> None:
    """It could pair a hook with another call's record, and show lines too early."""
    recording = run([hook(0.3, "c"), hook(0.9)], root=[note(0), command(300, "c"), command(5000, "c")])
    assert counts(recording, tmp_path) == [2, 2]


def test_a_record_of_another_transcript_bounds_nothing(tmp_path: Path) -> None:
    """Ids are a conversation's own."""
    recording = run([hook(0.3, "c"), hook(0.9)], root=[note(0), note(300)], child=[command(5000, "c")])
    assert counts(recording, tmp_path) == [2, 2]


def test_without_a_pair_the_first_line_is_the_start(tmp_path: Path) -> None:
    """A host opens its transcript before the first hook runs."""
    recording = run([hook(0.0), hook(0.2), hook(0.25)], root=[note(50), note(250), note(300), note(301)])
    assert counts(recording, tmp_path) == [1, 2, 3]


def test_an_event_without_a_time_stands_at_the_one_before(tmp_path: Path) -> None:
    """Never later."""
    recording = run([hook(None), hook(0.2), hook(None), hook(0.3)], root=[note(0), note(200), note(300)])
    assert counts(recording, tmp_path) == [1, 2, 2, 3]


def test_a_line_after_one_from_the_future_waits_for_it(tmp_path: Path) -> None:
    """Files only grow at their end."""
    recording = run([hook(0.2), hook(0.5)], root=[note(0), note(500), note(100)])
    assert counts(recording, tmp_path) == [1, 3]


def test_a_transcript_without_a_line_is_no_file_yet(tmp_path: Path) -> None:
    """A hook that names it finds nothing."""
    recording = run([hook(0.1, path=CHILD), hook(0.5, path=CHILD)], root=[note(0)], child=[note(400)])
    assert counts(recording, tmp_path) == [0, 1]


def test_every_step_is_a_payload_at_its_place(tmp_path: Path) -> None:
    """A process that a tool started is no step, but keeps its place in the count."""
    recording = Recording(
        "codex",
        "1",
        "made",
        [hook(0.0), RecordedEvent(tool_process=["lore"], at=0.1), hook(0.2, "c")],
    )
    assert [(step.index, step.event) for step in replay(recording, tmp_path)] == [
        (0, "Stop"),
        (2, "PostToolUse"),
    ]


def test_transcripts_move_into_the_folder_and_nothing_else_does(tmp_path: Path) -> None:
    """Base name and folders stay; null stays null; the rest of the payload is as recorded."""
    stdin = {
        "transcript_path": None,
        "agent_transcript_path": CHILD,
        "cwd": "/home/dev/x",
        "tool_input": {"transcript_path": PATH},
        "text": "\x00 é \N{OPEN BOOK}",
    }
    [step] = replay(Recording("codex", "1", "made", [RecordedEvent(event="E", stdin=stdin)]), tmp_path)
    assert json.loads(step.payload) == stdin | {"agent_transcript_path": f"{tmp_path}{CHILD}"}


def test_a_path_that_leads_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    """A recording is data of others."""
    with pytest.raises(ValueError, match="leads out"):
        list(replay(run([hook(0.0, path="/home/../../x.jsonl")]), tmp_path))


def test_a_run_without_transcripts_makes_no_files(tmp_path: Path) -> None:
    """Claude Code's recordings."""
    steps = list(replay(load(EVIDENCE / "claude-code/2.1.197/first/direct.json"), tmp_path))
    assert steps
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_lines_come_out_as_they_were_recorded(tmp_path: Path) -> None:
    """One JSON document a line, in order; its paths are those of the replay."""
    recording = load(EVIDENCE / "codex/0.171.0/first/direct.json")
    list(replay(recording, tmp_path))
    [(path, lines)] = recording.transcripts.items()
    written = Path(f"{tmp_path}{path}").read_bytes().splitlines()
    # The last hook's moment is before nothing that was recorded.
    plain = [line.replace(str(tmp_path).encode(), b"") for line in written]
    assert [json.loads(line) for line in plain] == lines


def test_a_count_of_lines_holds_for_the_transcript_that_the_payload_names(tmp_path: Path) -> None:
    """What was counted when the hook began is more than any reckoning with stamps."""
    events = [msgspec.structs.replace(hook(at), transcript_lines=lines) for at, lines in ((0.0, 0), (0.3, 2))]
    assert counts(run(events, root=[note(0), note(900)]), tmp_path) == [0, 2]


def test_playing_again_into_the_same_folder_gives_the_same(tmp_path: Path) -> None:
    """The first line of a replay starts its file anew."""
    recording = run([hook(0.0), hook(0.3)], root=[note(0), note(300)])
    assert counts(recording, tmp_path) == counts(recording, tmp_path) == [1, 2]


def bash_results(step: Step) -> dict[str, Any] | None:
    """Return the payload if it is of a finished command with a transcript."""
    payload: dict[str, Any] = json.loads(step.payload)
    finished = step.event == "PostToolUse" and payload["tool_name"] == "Bash"
    return payload if finished and payload["transcript_path"] else None


def test_every_recorded_command_finds_its_record_and_not_yet_its_delivery(tmp_path: Path) -> None:
    """Codex 0.171.0: the record is written before the hook runs, the output for the model after it.

    In the `background` runs, and that of a file, the model had part of the output before the command ended.
    A transcript of the older form has no such record.
    """
    found = 0
    paths = [path for path in recordings(EVIDENCE, "codex") if path.stem != "legacy_history"]
    for number, path in enumerate(paths):
        for step in replay(load(path), tmp_path / str(number)):
            if (payload := bash_results(step)) is None:
                continue
            found += 1
            # Bytes: in a text, other characters end a line too.
            written = Path(payload["transcript_path"]).read_bytes().splitlines()
            lines = [json.loads(line)["payload"] for line in written]
            call = payload["tool_use_id"]
            assert any(line.get("item", {}).get("id") == call for line in lines), path.stem
            sent = any(line.get("call_id") == call and "output" in line for line in lines)
            assert sent is path.stem.removeprefix("file_").startswith(POLLED), path.stem
    assert found > 50


def test_paths_that_scrubbing_removed_get_the_hosts_form(tmp_path: Path) -> None:
    """Claude Code 2.1.332 is recorded with `/lab` for every transcript; 2.1.197 shows the form."""
    scrubbed = load(EVIDENCE / "claude-code/2.1.332/first/bash_matrix.json")
    assert {event.stdin["transcript_path"] for event in scrubbed.events if event.stdin} == {SCRUBBED}
    for step in replay(scrubbed, tmp_path):
        payload = json.loads(step.payload)
        path = Path(payload["transcript_path"])
        assert path.is_relative_to(tmp_path)
        assert path.name == f"{payload['session_id']}.jsonl"
        assert path.parent.parent.name == "projects"


def test_recordings_are_listed_by_their_place(tmp_path: Path) -> None:
    """Verdicts, tables and folders at other depths are none; a damaged one is not passed over."""
    recording = msgspec.json.encode(Recording("codex", "1", "made", []))
    for name in (
        "codex/1/b.json",
        "codex/1/a.json",
        "codex/2/a.json",
        "claude-code/1/a.json",
        "codex/a.json",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(recording)
    (tmp_path / "codex/1/verdict.json").write_bytes(b'{"host": "codex", "version": "1", "gates": {}}')
    (tmp_path / "codex/1/broken.json").write_bytes(b"{")
    (tmp_path / "codex/1/expected.tsv").write_bytes(recording)
    codex = ["codex/1/a.json", "codex/1/b.json", "codex/1/broken.json", "codex/2/a.json"]
    every = ["claude-code/1/a.json", *codex]
    assert recordings(tmp_path) == [tmp_path / name for name in every]
    assert recordings(tmp_path, "codex") == [tmp_path / name for name in every[1:]]
    assert recordings(tmp_path, "gemini-cli") == []


def test_what_is_no_recording_does_not_load(tmp_path: Path) -> None:
    """Broken evidence is broken machinery."""
    path = tmp_path / "verdict.json"
    path.write_bytes(b'{"host": "codex", "version": "1", "gates": {}}')
    with pytest.raises(msgspec.MsgspecError):
        load(path)

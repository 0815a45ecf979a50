"""Plays a recorded run of a host again: its payloads in order, with transcripts and files as they were."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from adapters.evidence import workspace
from adapters.evidence.paths import replaced
from contracts.evidence import RecordedEvent, Recording

TRANSCRIPT_FIELDS = ("transcript_path", "agent_transcript_path")
"""The top-level fields of a payload that name a transcript file."""

FIRST = "first"
"""The folder of the recordings that were judged event by event and hold no model requests."""

VERDICT = "verdict.json"
"""The file beside the recordings that says what they show."""

SCRUBBED = "/lab"
"""What stands for a path that scrubbing removed."""


class Step(msgspec.Struct, frozen=True):
    """One payload to hand to a hook; `index` is its place in `Recording.events`."""

    index: int
    event: str
    payload: bytes


def recordings(root: Path, host: str | None = None) -> list[Path]:
    """Return the recordings under `root`, of one host or of all, sorted by path.

    Recordings stand at `<host>/<version>/<scenario>.json`, and the first ones in the folder `FIRST` there.
    Every JSON file there but the verdict counts as one: what is broken must be noticed, not passed over.
    """
    found = [path for form in ("", f"{FIRST}/") for path in root.glob(f"{host or '*'}/*/{form}*.json")]
    return sorted(path for path in found if path.name != VERDICT)


def load(path: Path) -> Recording:
    """Read one recording; raises `msgspec.MsgspecError` where the file is none."""
    return msgspec.json.decode(path.read_bytes(), type=Recording)


def replay(recording: Recording, folder: Path) -> Iterator[Step]:
    """Yield each recorded payload in order, after its transcripts and files were brought to that moment.

    The run's workspace `/project/NAME` and home `/home/dev/NAME` stand below `folder`, and payloads and
    transcripts name them there; see `workspace`. They hold what the scenario lays, and what events say of
    files. A transcript `/a/b/c.jsonl` stands at `folder/a/b/c.jsonl`; a recording without transcripts makes
    none. A line is in its file iff it was stamped at or before the moment of the event, or, where an event
    tells how many lines the payload's transcript had (`transcript_lines`), iff it is one of those. After the
    last event the transcripts are as they were at the end of the run.

    The first recordings of Claude Code 2.1.332 have `SCRUBBED` for every transcript. Each payload of them
    gets a path of the form that those of 2.1.197 show throughout, `…/projects/<folder>/<session_id>.jsonl`;
    so they are no evidence for the form of that path, only for everything else.
    """
    start = _start(recording)
    workspace.lay(recording, folder)
    written = dict.fromkeys(recording.transcripts, 0)
    now = 0
    for index, event in enumerate(recording.events):
        if event.at is not None:
            now = max(now, _milliseconds(event.at))
        if event.stdin is None:
            continue
        workspace.change(recording, event.files, folder)
        for name in written:
            due = _due(recording, name, event, start + now)
            written[name] = _grow(recording, name, written[name], folder, due)
        yield Step(index, event.event or "", msgspec.json.encode(_moved(recording, event.stdin, folder)))
    for name, lines in recording.transcripts.items():
        _grow(recording, name, written[name], folder, len(lines))


def _moved(recording: Recording, stdin: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return the payload with its files and transcripts in `folder`."""
    named = {field: stdin[field] for field in TRANSCRIPT_FIELDS if isinstance(stdin.get(field), str)}
    if recording.host == "claude-code" and named.get("transcript_path") == SCRUBBED:
        named["transcript_path"] = f"{SCRUBBED}/projects/-lab/{stdin['session_id']}.jsonl"
    moved: dict[str, Any] = replaced(stdin, workspace.folders(recording, folder))
    return {**moved, **{field: str(workspace.placed(path, folder)) for field, path in named.items()}}


def _due(recording: Recording, name: str, event: RecordedEvent, until: int) -> int:
    """Return how many lines a transcript has at an event: as counted there, else those stamped by then."""
    named = None if event.stdin is None else event.stdin.get("transcript_path")
    if name == named and event.transcript_lines is not None:
        return event.transcript_lines
    lines = recording.transcripts[name]
    return next((place for place, line in enumerate(lines) if _stamp(line) > until), len(lines))


def _grow(recording: Recording, name: str, written: int, folder: Path, due: int) -> int:
    """Append lines to one transcript up to a count, and return how many it has then."""
    if due <= written:
        return written
    path = workspace.placed(name, folder)
    places = workspace.folders(recording, folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    # From the start anew where an earlier replay left its file.
    with path.open("ab" if written else "wb") as file:
        file.writelines(
            msgspec.json.encode(replaced(line, places)) + b"\n"
            for line in recording.transcripts[name][written:due]
        )
    return due


def _start(recording: Recording) -> int:
    """Return the greatest proven lower bound of the first event's wall-clock time, in milliseconds.

    Stamps are wall-clock times, events are seconds since the first one. When the hook of a call ran, the host
    had written the record of that very call (`item_completed` / `CommandExecution` with the hook's
    `tool_use_id`); so each such pair says: the first event was at the record's stamp minus the hook's `at`,
    or later. So does the last line that an event counted. A lower bound may show a line late but never too
    early; the greatest shows every such record to its hook. Without any it is the first line's stamp: a host
    opens its transcript before it runs the first hook.
    """
    hooks: dict[tuple[str, str], int] = {}
    for event in recording.events:
        if event.event == "PostToolUse" and event.stdin is not None and event.at is not None:
            key = (str(event.stdin.get("transcript_path")), str(event.stdin.get("tool_use_id")))
            # A call's hook may run several times; the record was there at the first of them.
            hooks.setdefault(key, _milliseconds(event.at))
    stamps: dict[tuple[str, str], list[int]] = {}
    for name, lines in recording.transcripts.items():
        for line in lines:
            if (call := _command(line)) is not None:
                stamps.setdefault((name, call), []).append(_stamp(line))
    # Where one transcript has an id twice, nothing says which record a hook belongs to.
    bounds = [found[0] - hooks[key] for key, found in stamps.items() if key in hooks and len(found) == 1]
    bounds += _counted(recording)
    if bounds:
        return max(bounds)
    return min((_stamp(lines[0]) for lines in recording.transcripts.values() if lines), default=0)


def _counted(recording: Recording) -> Iterator[int]:
    """Yield a lower bound for each event that counted the lines of its transcript."""
    for event in recording.events:
        if event.stdin is not None and event.transcript_lines and event.at is not None:
            lines = recording.transcripts.get(str(event.stdin.get("transcript_path")), [])
            if event.transcript_lines <= len(lines):
                yield _stamp(lines[event.transcript_lines - 1]) - _milliseconds(event.at)


def _command(line: dict[str, Any]) -> str | None:
    """Return the id of the call that a transcript's line records as ended, if it is such a line."""
    match line:
        case {"payload": {"type": "item_completed", "item": {"type": "CommandExecution", "id": str(call)}}}:
            return call
    return None


def _stamp(line: dict[str, Any]) -> int:
    return _milliseconds(datetime.fromisoformat(line["timestamp"]).timestamp())


def _milliseconds(seconds: float) -> int:
    """Return whole milliseconds, the recordings' own grain, so that sums stay exact."""
    return round(seconds * 1000)

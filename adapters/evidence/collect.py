"""Turns what a lab kept of a run into a recording."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec

from adapters.evidence import lore, scrub
from adapters.evidence.drivers.driver import Driver
from adapters.evidence.drivers.lines import Line
from adapters.evidence.holds import HANDED, LOOKED, PRACTICE
from adapters.evidence.lab import Lab
from adapters.evidence.model.server import Logged
from contracts.evidence import RecordedEvent, RecordedRequest, Recording

MARKED = re.compile(r"MARK [\w ]*\w")
"""A text in a scenario's answer that is looked for in model requests."""


class Hooked(msgspec.Struct, frozen=True):
    """One hook as the recorder kept it: the payload's bytes and what stood around it."""

    event: str
    at: float
    sizes: dict[str, int]
    files: dict[str, str | None] = {}
    payload: bytes = b""
    answer: bytes | None = None


class Tool(msgspec.Struct, frozen=True):
    """One process that a tool started, as the stand-in reader kept it."""

    argv: list[str]
    env: dict[str, str]
    at: float


def hooked(lab: Lab) -> list[Hooked]:
    """Return every hook of the lab so far, in the order in which they were called."""
    found = []
    for folder in lab.hooks.iterdir():
        if folder.name.startswith("."):
            continue
        meta = msgspec.json.decode((folder / "meta.json").read_bytes(), type=Hooked)
        answer = folder / "answer"
        found.append(
            msgspec.structs.replace(
                meta,
                payload=(folder / "payload").read_bytes(),
                answer=answer.read_bytes() if answer.exists() else None,
            )
        )
    return sorted(found, key=lambda hook: hook.at)


def counts(lab: Lab) -> Counter[str]:
    """Return how often each event was recorded so far."""
    return Counter(hook.event for hook in hooked(lab))


def tools(lab: Lab) -> int:
    """Return how often the stand-in reader was started so far."""
    return len(_tool_files(lab))


def conversations(lab: Lab) -> list[str]:
    """Return the ids of the conversations that had a prompt, in order of their first one.

    A start alone does not count: Claude Code 2.1.197 starts a fork with its parent's id (`fork`).
    """
    ids = [
        _object(hook.payload).get("session_id") for hook in hooked(lab) if hook.event == "UserPromptSubmit"
    ]
    return [name for name in dict.fromkeys(ids) if isinstance(name, str)]


def recording(
    lab: Lab, driver: Driver, version: str, requests: Sequence[Logged], marks: Mapping[str, str]
) -> Recording:
    """Return the scrubbed recording of a run."""
    hooks = hooked(lab)
    processes = [msgspec.json.decode(path.read_bytes(), type=Tool) for path in _tool_files(lab)]
    start = min([hook.at for hook in hooks] + [tool.at for tool in processes], default=0.0)
    transcripts = driver.transcripts(lab)
    changes = _changes(lab, hooks)
    events = sorted(
        [
            *(_event(hook, start, transcripts, files) for hook, files in zip(hooks, changes, strict=True)),
            *(
                RecordedEvent(at=_since(tool.at, start), tool_process=tool.argv, env=tool.env)
                for tool in processes
            ),
        ],
        key=lambda event: event.at or 0,
    )
    wanted = {**_contexts(lab), **_practices(processes), **_looks(lab), **marks}
    made = Recording(
        host=driver.NAME,
        version=version,
        scenario=lab.scenario.name,
        events=events,
        transcripts={path: [line.data for line in lines] for path, lines in transcripts.items() if lines},
        requests=[_request(logged, start, wanted) for logged in requests],
    )
    return scrub.scrubbed(made, lab)


def unfaithful(lab: Lab) -> list[str]:
    """Return which payloads a recording would not hold as they came, each in one sentence.

    A recording holds a payload as a JSON value, its keys in their order: spaces, escapes and the way a number
    is written are lost, and nothing else may be.
    """
    return [
        f"Payload {number} ({hook.event}) is not one JSON object that a recording can hold as it came."
        for number, hook in enumerate(hooked(lab), 1)
        if not _survives(hook.payload)
    ]


def _survives(payload: bytes) -> bool:
    try:
        document = msgspec.json.decode(payload, type=dict[str, Any])
        return bool(_pairs(payload) == _pairs(msgspec.json.encode(document)))
    except (ValueError, ArithmeticError):
        return False


def _pairs(text: bytes) -> Any:
    """Return JSON with nothing of it lost: every key in its place, twice where it stands twice."""
    return json.loads(text, object_pairs_hook=tuple, parse_float=Decimal)


def _changes(lab: Lab, hooks: Sequence[Hooked]) -> Iterator[dict[str, str | None]]:
    """Yield for each hook which files were other than before; None is one that is gone.

    One that is there and was not kept is taken to be as before.
    """
    known: dict[str, str | None] = {
        str(base / name): text
        for base, files in ((lab.project, lab.scenario.files), (lab.home, lab.scenario.home))
        for name, text in files.items()
    }
    seen: set[str] = set()
    for hook in hooks:
        kept = {name: text for name, text in hook.files.items() if text is not None}
        gone = dict.fromkeys(sorted(seen - hook.files.keys()))
        changed = {name: text for name, text in (kept | gone).items() if known.get(name) != text}
        known |= changed
        seen |= kept.keys()
        yield changed


def _event(
    hook: Hooked,
    start: float,
    transcripts: Mapping[str, Sequence[Line]],
    files: dict[str, str | None],
) -> RecordedEvent:
    payload = _object(hook.payload)
    path = payload.get("transcript_path")
    there = hook.sizes.get(path) if isinstance(path, str) else None
    lines = transcripts.get(path, ()) if isinstance(path, str) else ()
    return RecordedEvent(
        event=hook.event,
        stdin=payload,
        at=_since(hook.at, start),
        transcript_lines=None if there is None else sum(1 for line in lines if line.end <= there),
        answer=None if hook.answer is None else hook.answer.decode("utf-8", "replace"),
        files=files,
    )


def _request(logged: Logged, start: float, wanted: Mapping[str, str]) -> RecordedRequest:
    return RecordedRequest(
        at=_since(logged.at, start),
        asker=logged.asker,
        agent=logged.agent or None,
        conversation=logged.conversation,
        kind=logged.kind or None,
        play=f"{logged.play} {logged.turn}" if logged.play else None,
        holds=[name for name, text in wanted.items() if any(text in found for found in logged.texts)],
    )


def _contexts(lab: Lab) -> dict[str, str]:
    """Return the texts that the recording hook hands to the host for a model, by name.

    They begin with MARK in whatever form the scenario puts them, broken forms included.
    """
    found = {event: MARKED.search(answer.out) for event, answer in lab.scenario.answers.items()}
    return {f"{HANDED}{event}": match[0] for event, match in found.items() if match is not None}


def _looks(lab: Lab) -> dict[str, str]:
    """Return the texts that the scenario itself looks for, by name."""
    texts: dict[str, str] = lab.filled(lab.scenario.looks)
    return {f"{LOOKED}{name}": text for name, text in texts.items()}


def _practices(processes: Sequence[Tool]) -> dict[str, str]:
    """Return the whole documents that the stand-in reader printed, by name."""
    items = sorted({tool.argv[2] for tool in processes if len(tool.argv) > 2 and tool.argv[1] == "get"})  # noqa: PLR2004 - lore get ID
    return {f"{PRACTICE}{item}": lore.line(lore.get(item)[0]) for item in items}


def _object(payload: bytes) -> dict[str, Any]:
    try:
        return msgspec.json.decode(payload, type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeError):
        return {}


def _since(at: float, start: float) -> float:
    return round(max(at - start, 0), 3)


def _tool_files(lab: Lab) -> list[Path]:
    return sorted(lab.tools.glob("[0-9]*.json"))

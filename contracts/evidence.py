"""The form of a recorded run of a real host: `contracts/evidence/<host>/<version>/<scenario>.json`."""

from typing import Any, Literal

import msgspec


class RecordedEvent(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that happened, in order: a hook's payload, or a process that a tool started.

    `at` is in seconds since the first event. `transcript_lines` is how many of the recording's lines of
    the payload's `transcript_path` were written when the hook began, where that was kept. `answer` is
    what the hook answered, where it was readmark that did. `files` are the watched files that were other than
    before when the hook began, by path; None is one that was gone (`adapters.evidence.recorder`).
    """

    event: str | None = None
    stdin: dict[str, Any] | None = None
    at: float | None = None
    tool_process: list[str] | None = None
    env: dict[str, str] | None = None
    transcript_lines: int | None = None
    answer: str | None = None
    files: dict[str, str | None] = {}


class RecordedRequest(msgspec.Struct, frozen=True, omit_defaults=True):
    """One model request, in order: who asked, and which of the known texts it held whole.

    `asker` is `root`, `subagent`, or `aside` where the host asked for itself (a title, a summary).
    `agent` is a subagent's id, `conversation` the root conversation's, as the host states them to its
    model; `kind` is the host's own word for such a request, where it has one. `play` is the play and the
    number of the turn that answered. `holds` names the texts: `context EVENT` for what the recording hook
    handed over at an event, `practice ID` for a whole document of the reader, and what else was looked
    for, such as `briefing`.
    """

    at: float
    asker: Literal["root", "subagent", "aside"]
    conversation: str
    agent: str | None = None
    kind: str | None = None
    play: str | None = None
    holds: list[str] = []


class Recording(msgspec.Struct, frozen=True, omit_defaults=True):
    """One scenario as one run of the real host showed it.

    `transcripts` maps a path that payloads name to the tool-related lines of that file at the end of the run.
    `requests` are the model requests of the run, where they were kept.
    """

    host: str
    version: str
    scenario: str
    events: list[RecordedEvent]
    transcripts: dict[str, list[dict[str, Any]]] = {}
    requests: list[RecordedRequest] = []

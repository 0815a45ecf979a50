"""The form of a recorded run of a real host: `contracts/evidence/<host>/<version>/<scenario>.json`."""

from typing import Any

import msgspec


class RecordedEvent(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that happened, in order: a hook's payload, or a process that a tool started.

    `at` is in seconds since the first event.
    """

    event: str | None = None
    stdin: dict[str, Any] | None = None
    at: float | None = None
    tool_process: list[str] | None = None
    env: dict[str, str] | None = None


class Recording(msgspec.Struct, frozen=True, omit_defaults=True):
    """One scenario as one run of the real host showed it.

    `transcripts` maps a path that payloads name to the tool-related lines of that file at the end of the run.
    """

    host: str
    version: str
    scenario: str
    events: list[RecordedEvent]
    transcripts: dict[str, list[dict[str, Any]]] = {}

"""What several tests of the evidence engine need."""

from __future__ import annotations

from pathlib import Path

from adapters.evidence.scenario import Run, Scenario, Turn


def scene(**changes: object) -> Scenario:
    """Return a scenario of one prompt, with what a test changes of it."""
    values: dict[str, object] = {
        "purpose": "A test.",
        "name": "test",
        "host": "codex",
        "runs": [Run(prompt="[[play read]]")],
        "play": {"read": [Turn(calls=["lore get a.b.c --json"]), Turn(say="done")]},
        "deadline": 20,
    }
    return Scenario(**{**values, **changes})  # type: ignore[arg-type]


def alive(pid: int) -> bool:
    """Whether a process still runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False

"""Which gates recorded evidence shows as passed, by host and version: the switch of every adapter."""

from pathlib import Path
from typing import Any

import contracts
from contracts.shape import OPEN, Shape, departs
from contracts.verdict import Verdict
from contracts.wire import Malformed, decode

FOLDER = Path(contracts.__file__).parent / "evidence"
"""The evidence that this readmark has with it; looked up at each call."""
SHAPES = "shapes.json"


def _order(version: str) -> tuple[int, ...]:
    return tuple(int(part) if part.isdigit() else -1 for part in version.split("."))


def verdicts(host: str) -> list[Verdict]:
    """Return the verdicts of a host, newest version first; a missing or damaged file is no verdict."""
    found: list[Verdict] = []
    for file in (FOLDER / host).glob("*/verdict.json"):
        verdict = decode(file.read_bytes(), Verdict)
        if not isinstance(verdict, Malformed) and verdict.host == host:
            found.append(verdict)
    return sorted(found, key=lambda verdict: _order(verdict.version), reverse=True)


def proven(host: str) -> bool:
    """Whether a verdict of this host passes every gate: without one, nothing is recorded or briefed."""
    return any(verdict.passing for verdict in verdicts(host))


def proven_versions(host: str) -> frozenset[str]:
    """Return the versions of a host whose verdicts pass every gate."""
    return frozenset(verdict.version for verdict in verdicts(host) if verdict.passing)


def departure(host: str, event: str, payload: bytes) -> str | None:
    """Return where a payload departs from what was recorded of this event in any version, or None.

    Where no shape of the event was recorded, everything departs; so does what a tool got or gave, where no
    such object was recorded of that tool.
    """
    try:
        shapes = decode((FOLDER / host / SHAPES).read_bytes(), dict[str, Shape])
    except OSError:
        return "no recorded shapes"
    value = decode(payload, dict[str, Any])
    if isinstance(shapes, Malformed) or isinstance(value, Malformed) or event not in shapes:
        return "no recorded shape"
    found = departs(value, shapes[event])
    for name in OPEN:
        if found is None and isinstance(value.get(name), dict):
            found = _inside(value[name], f"{event}.{value.get('tool_name')}.{name}", shapes)
    return found


def _inside(value: dict[str, Any], name: str, shapes: dict[str, Shape]) -> str | None:
    """Return where an object, or one in it, departs from what was recorded under its name."""
    if name not in shapes:
        return name.rpartition(".")[2]
    found = departs(value, shapes[name])
    for field, inner in sorted(value.items()):
        if found is None and isinstance(inner, dict):
            found = _inside(inner, f"{name}.{field}", shapes)
    return found

"""Which gates recorded evidence shows as passed, by host and version: the switch of every adapter."""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Raw, Struct

import contracts
from contracts.outcome import Skipped
from contracts.shape import OPEN, Shape, departs
from contracts.verdict import Verdict
from contracts.wire import Malformed, decode

FOLDER = Path(contracts.__file__).parent / "evidence"
"""The evidence that this readmark has with it; looked up at each call."""
SHAPES = "shapes.json"

_EMPTY: dict[bytes, object] = {b'"': "", b"{": {}, b"[": [], b"t": True, b"f": False, b"n": None}
"""An empty value of each JSON type, by the byte with which such a value begins; any other begins a number."""


def order(version: str) -> tuple[int, ...]:
    """Return what sorts versions from the oldest to the newest."""
    return tuple(int(part) if part.isdigit() else -1 for part in version.split("."))


def verdicts(host: str) -> list[Verdict]:
    """Return the verdicts of a host, newest version first; a damaged file is no verdict.

    Nor is one of another host or version than that of its folder.
    """
    found: list[Verdict] = []
    for file in (FOLDER / host).glob("*/verdict.json"):
        verdict = decode(file.read_bytes(), Verdict)
        place = (host, file.parent.name)
        if not isinstance(verdict, Malformed) and (verdict.host, verdict.version) == place:
            found.append(verdict)
    return sorted(found, key=lambda verdict: order(verdict.version), reverse=True)


def proven(host: str) -> bool:
    """Whether a verdict of this host passes every gate: without one, nothing is recorded or briefed."""
    return any(verdict.passing for verdict in verdicts(host))


class Standing(Struct, frozen=True):
    """How a version of a host stands: `off` is why nothing of it is recorded or briefed, or None.

    One that is on and not `proven` has no verdict of its own, and counts only in exactly the recorded shape.
    """

    off: Skipped | None
    proven: bool


def standing(host: str, version: str | None) -> Standing:
    """Return how a version of a host stands; None is one that nobody states.

    One with a verdict of its own works only where that passes; any other as long as some version's does.
    """
    known = verdicts(host)
    own = next((one for one in known if one.version == version), None)
    if not any(one.passing for one in known):
        return Standing(Skipped("host-unproven"), proven=False)
    if own is None or own.passing:
        return Standing(None, proven=own is not None)
    shut = ", ".join(f"{gate} {state}" for gate, state in own.shut.items())
    return Standing(Skipped("version-failed", shut), proven=False)


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
    value = decode(payload, dict[str, Raw])
    if isinstance(shapes, Malformed) or isinstance(value, Malformed) or event not in shapes:
        return "no recorded shape"
    found = departs(_outline(value), shapes[event])
    tool = decode(bytes(value.get("tool_name", Raw())), str)
    for name in OPEN:
        if found is None and _opens(value.get(name)):
            found = _inside(value[name], f"{event}.{tool}.{name}", shapes)
    return found


def _outline(value: Mapping[str, Raw]) -> dict[str, object]:
    """Return an object with an empty value of its type a field; whole, it may be millions of values."""
    return {name: _EMPTY.get(bytes(field)[:1], 0) for name, field in value.items()}


def _opens(field: Raw | None) -> bool:
    return field is not None and bytes(field)[:1] == b"{"


def _inside(field: Raw, name: str, shapes: Mapping[str, Shape]) -> str | None:
    """Return where an object, or one in it, departs from what was recorded under its name."""
    if name not in shapes:
        return name.rpartition(".")[2]
    value = decode(bytes(field), dict[str, Raw])
    if isinstance(value, Malformed):
        return name.rpartition(".")[2]
    found = departs(_outline(value), shapes[name])
    for key, inner in sorted(value.items()):
        if found is None and _opens(inner):
            found = _inside(inner, f"{name}.{key}", shapes)
    return found

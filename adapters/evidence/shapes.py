"""Which fields, of which types, the payloads of a host's events have: read off the recordings."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from contracts.evidence import Recording
from contracts.shape import OPEN, Field, Shape, kind_of


class _Seen:
    """What was seen of one object: how often it came, and how often and of which types each field."""

    def __init__(self) -> None:
        self.times = 0
        self.fields: dict[str, set[str]] = {}
        self.counts: dict[str, int] = {}

    def add(self, value: Mapping[str, Any]) -> None:
        self.times += 1
        for name, inner in value.items():
            self.fields.setdefault(name, set()).add(kind_of(inner))
            self.counts[name] = self.counts.get(name, 0) + 1

    def shape(self) -> Shape:
        return {
            name: Field(tuple(sorted(kinds)), always=self.counts[name] == self.times)
            for name, kinds in sorted(self.fields.items())
        }


def shapes(runs: Iterable[Recording], concerns: Callable[[str], bool]) -> dict[str, Shape]:
    """Return the shape of each event, by its name, and of what a tool got and gave, by `EVENT.FIELD`.

    Only calls whose command concerns a reader are looked into: what others are given concerns nobody here.
    """
    seen: dict[str, _Seen] = {}
    for run in runs:
        for event in run.events:
            if event.stdin is None or event.event is None:
                continue
            seen.setdefault(event.event, _Seen()).add(event.stdin)
            given = event.stdin.get("tool_input")
            if not isinstance(given, dict) or not concerns(str(given.get("command", ""))):
                continue
            for name in OPEN:
                inner = event.stdin.get(name)
                if isinstance(inner, dict):
                    seen.setdefault(f"{event.event}.{name}", _Seen()).add(inner)
    found = {name: each.shape() for name, each in sorted(seen.items())}
    # What a tool is given is the model's choice: that a scripted one always filled a field says nothing.
    return {name: _optional(shape) if name.endswith(OPEN[0]) else shape for name, shape in found.items()}


def _optional(shape: Shape) -> Shape:
    return {name: Field(field.kinds, always=False) for name, field in shape.items()}


def text(found: Mapping[str, Shape]) -> bytes:
    """Return shapes as they are kept in the tree."""
    return msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n"

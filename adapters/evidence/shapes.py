"""Which fields, of which types, the payloads of a host's events have: read off the recordings."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from adapters import hosts, readers
from adapters.evidence.replay import load, recordings
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


ASKED = {"Bash": ("command",), "Read": ("file_path",), "Skill": ("skill",), "Grep": ("path", "glob")}
"""What each tool that can read is asked for: fields of its input, by the tool's name in every host."""


def opened(stdin: Mapping[str, Any], concerns: Callable[[str], bool]) -> Iterator[tuple[str, Any]]:
    """Yield what a call that concerns a reader got and gave, by `TOOL.FIELD`, and each object in that.

    What others get and give concerns nobody here. A skill is asked for by its name alone.
    """
    tool, given = stdin.get("tool_name"), stdin.get("tool_input")
    if not isinstance(tool, str) or tool not in ASKED or not isinstance(given, dict):
        return
    if tool == "Skill" or any(concerns(str(given.get(field, ""))) for field in ASKED[tool]):
        for name in OPEN:
            if name in stdin:
                yield from _with_objects(f"{tool}.{name}", stdin[name])


def _with_objects(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    yield name, value
    if isinstance(value, dict):
        for field, inner in value.items():
            if isinstance(inner, dict):
                yield from _with_objects(f"{name}.{field}", inner)


def shapes(runs: Iterable[Recording], concerns: Callable[[str], bool]) -> dict[str, Shape]:
    """Return the shape of each event, by its name, and of what tools got and gave; see `opened`."""
    seen: dict[str, _Seen] = {}
    for run in runs:
        for event in run.events:
            if event.stdin is None or event.event is None:
                continue
            seen.setdefault(event.event, _Seen()).add(event.stdin)
            for name, inner in opened(event.stdin, concerns):
                if isinstance(inner, dict):
                    seen.setdefault(f"{event.event}.{name}", _Seen()).add(inner)
    found = {name: each.shape() for name, each in sorted(seen.items())}
    # What a tool is given is the model's choice: that a scripted one always filled a field says nothing.
    return {name: _optional(shape) if OPEN[0] in name else shape for name, shape in found.items()}


def _optional(shape: Shape) -> Shape:
    return {name: Field(field.kinds, always=False) for name, field in shape.items()}


def text(found: Mapping[str, Shape]) -> bytes:
    """Return shapes as they are kept in the tree."""
    return msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n"


def of_host(host: str, folder: Path, versions: Collection[str]) -> bytes:
    """Return the shapes of a host's registered events over some recorded versions, as kept in the tree.

    These are the versions that pass: what another one sends is no measure for any.
    """
    registered = {hook.event for hook in hosts.load(host).REGISTRATION.hooks}
    paths = (path for path in recordings(folder, host) if path.relative_to(folder).parts[1] in versions)
    found = shapes(map(load, paths), readers.concerns)
    return text({name: each for name, each in found.items() if name.split(".")[0] in registered})

"""Writes what each host's payloads hold as Markdown tables, read off the recordings: `docs/payloads/`."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from adapters import hosts, readers
from adapters.evidence.replay import load, recordings
from adapters.evidence.shapes import opened, shapes
from adapters.verdicts import FOLDER, order
from contracts.evidence import Recording
from contracts.shape import OPEN, Field, Shape, kind_of

PLACE = Path("docs/payloads")
"""Where the tables stand in a checkout: `<host>.md`."""

ABSENT = "-"
"""What stands in a cell where no payload of that version has the field."""

HEAD = """\
# What the hooks of {host} say

Generated from `contracts/evidence/{host}/` by `readmark evidence check --update`; a test fails where the two
differ. Do not edit it.

Each cell says of one recorded version which JSON types a field had, and whether every payload of that event
held it (`always`) or not (`sometimes`). `{absent}` means that none did. A name in bold differs between the
versions. "Always" carries no further than the number of payloads in the first table.
"""

MEANINGS = (
    "What the model gave to a call that concerns a reader; which fields it fills in is its own choice.",
    "What came of a call that concerns a reader.",
)
"""What the fields of `contracts.shape.OPEN` are, in their order."""


class _Version(msgspec.Struct, frozen=True):
    """What the recordings of one version show: how many payloads of each event, and their shapes.

    `kinds` are the JSON types of what calls that concern a reader were given and gave, by `EVENT.TOOL.FIELD`,
    and of each object in that.
    """

    name: str
    counts: Counter[str]
    shapes: Mapping[str, Shape]
    kinds: Mapping[str, set[str]]


def text(host: str, folder: Path = FOLDER) -> str:
    """Return the tables of a host, one section an event, one column a version; empty without recordings."""
    versions = _versions(host, folder)
    if not versions:
        return ""
    names = sorted({event for version in versions for event in version.counts})
    parts = [HEAD.format(host=host, absent=ABSENT), *_overview(host, names, versions)]
    for name in names:
        parts += [f"\n## {name}\n", *_fields(name, versions)]
        inside = {kind for version in versions for kind in version.kinds if kind.startswith(f"{name}.")}
        for kind in sorted(inside):
            parts += _opened(kind, MEANINGS[OPEN.index(kind.split(".")[2])], versions)
    return "\n".join(parts) + "\n"


def place(host: str, folder: Path = FOLDER) -> Path | None:
    """Return where the tables of a host stand beside its evidence, None outside a checkout."""
    found = folder.absolute().parents[1] / PLACE
    return found / f"{host}.md" if found.is_dir() else None


def _versions(host: str, folder: Path) -> list[_Version]:
    """Return what is recorded of each version, oldest first."""
    runs: dict[str, list[Recording]] = {}
    for run in map(load, recordings(folder, host)):
        runs.setdefault(run.version, []).append(run)
    return [
        _Version(name, _counts(runs[name]), shapes(runs[name], readers.concerns), _kinds(runs[name]))
        for name in sorted(runs, key=order)
    ]


def _counts(runs: Sequence[Recording]) -> Counter[str]:
    return Counter(
        event.event for run in runs for event in run.events if event.event and event.stdin is not None
    )


def _kinds(runs: Sequence[Recording]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for event in (event for run in runs for event in run.events):
        for name, value in opened(event.stdin or {}, readers.concerns):
            found.setdefault(f"{event.event}.{name}", set()).add(kind_of(value))
    return found


def _overview(host: str, names: Sequence[str], versions: Sequence[_Version]) -> Iterator[str]:
    registered = {hook.event for hook in hosts.load(host).REGISTRATION.hooks}
    yield from _header("Event", "readmark's hook", *(f"payloads of {version.name}" for version in versions))
    for name in names:
        counts = (str(version.counts[name] or ABSENT) for version in versions)
        yield _row(f"[{name}](#{name.lower()})", "yes" if name in registered else "no", *counts)


def _fields(name: str, versions: Sequence[_Version]) -> Iterator[str]:
    """Yield the table of one object; a version that lacks it has no column."""
    having = [version for version in versions if name in version.shapes]
    yield from _header("Field", *(version.name for version in having))
    for field in sorted({field for version in having for field in version.shapes[name]}):
        cells = [_cell(version.shapes[name].get(field)) for version in having]
        shown = f"`{field}`" if len(set(cells)) == 1 else f"**`{field}`**"
        yield _row(shown, *cells)


def _opened(name: str, meaning: str, versions: Sequence[_Version]) -> Iterator[str]:
    """Yield the section of what calls were given, or gave."""
    having = [version for version in versions if name in version.kinds]
    kinds = (f"{' or '.join(sorted(version.kinds[name]))} ({version.name})" for version in having)
    yield f"\n### {name}\n"
    yield f"{meaning} It is: {', '.join(kinds)}."
    if any(name in version.shapes for version in having):
        yield ""
        yield from _fields(name, having)


def _cell(field: Field | None) -> str:
    if field is None:
        return ABSENT
    return f"{' or '.join(field.kinds)}, {'always' if field.always else 'sometimes'}"


def _header(*names: str) -> Iterator[str]:
    yield _row(*names)
    yield _row(*("---" for _ in names))


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"

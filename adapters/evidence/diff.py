"""What changed in a host's payloads between two versions: events, fields, types, and the order of events."""

from collections.abc import Iterable, Iterator, Mapping

from contracts.evidence import Recording
from contracts.shape import Field, Shape


def _said(field: Field) -> str:
    return " or ".join(field.kinds) + ("" if field.always else ", not always")


def _fields(name: str, old: Shape, new: Shape) -> Iterator[str]:
    for field in sorted(old.keys() | new.keys()):
        if field not in new:
            yield f"- {name}.{field}: gone (was {_said(old[field])})"
        elif field not in old:
            yield f"+ {name}.{field}: new ({_said(new[field])})"
        elif old[field] != new[field]:
            yield f"~ {name}.{field}: {_said(old[field])} -> {_said(new[field])}"


def shape_changes(old: Mapping[str, Shape], new: Mapping[str, Shape]) -> Iterator[str]:
    """Yield a line for each event, field or type that changed; `+` is new, `-` gone, `~` other."""
    for name in sorted(old.keys() | new.keys()):
        if name not in new:
            yield f"- {name}: gone"
        elif name not in old:
            yield f"+ {name}: new"
        else:
            yield from _fields(name, old[name], new[name])


def order(run: Recording) -> list[str]:
    """Return the names of a run's events in order, a row of equal ones once."""
    names = [event.event for event in run.events if event.event is not None]
    return [name for place, name in enumerate(names) if place == 0 or names[place - 1] != name]


def order_changes(old: Iterable[Recording], new: Iterable[Recording]) -> Iterator[str]:
    """Yield a line for each scenario of both versions whose events came in another order."""
    before = {run.scenario: order(run) for run in old}
    for run in sorted(new, key=lambda each: each.scenario):
        if run.scenario in before and before[run.scenario] != order(run):
            yield f"~ order in {run.scenario}: {' '.join(before[run.scenario])} -> {' '.join(order(run))}"

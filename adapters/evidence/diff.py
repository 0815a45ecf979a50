"""What changed in a host's payloads between two versions: events, fields, types, and the order of events."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from adapters import readers
from adapters.evidence.replay import load
from adapters.evidence.shapes import shapes
from adapters.evidence.tree import held, named
from contracts.evidence import Recording
from contracts.report.evidence import Changed
from contracts.shape import Field, Shape

SIGNS = {"new": "+", "gone": "-", "other": "~", "order": "~"}
"""What stands before a change of each kind."""


def runs(folder: Path) -> dict[str, Recording]:
    """Return the recordings of `<host>/<version>/` by name; raises where one is broken."""
    return {named(folder, path): load(path) for path in held(folder)}


def changes(old: Mapping[str, Recording], new: Mapping[str, Recording]) -> Iterator[Changed]:
    """Yield what changed between recordings of the same scenarios, by name."""
    yield from shape_changes(shapes(old.values(), readers.concerns), shapes(new.values(), readers.concerns))
    # The first recordings had plays of their own, which nobody keeps.
    yield from order_changes(
        {name: run for name, run in old.items() if run.requests},
        {name: run for name, run in new.items() if run.requests},
    )


def line(change: Changed) -> str:
    """Return a change as one line for a person."""
    sign = SIGNS[change.kind]
    where = ".".join(filter(None, (change.event, change.field)))
    match change.kind:
        case "order":
            return f"{sign} order in {change.scenario}: {change.old} -> {change.new}"
        case "other":
            return f"{sign} {where}: {change.old} -> {change.new}"
        case "new":
            return f"{sign} {where}: new" + (f" ({change.new})" if change.new else "")
        case _:
            return f"{sign} {where}: gone" + (f" (was {change.old})" if change.old else "")


def _said(field: Field) -> str:
    return " or ".join(field.kinds) + ("" if field.always else ", not always")


def _changed(name: str, old: Field | Shape | None, new: Field | Shape | None) -> Changed:
    """Return the change of a field, or of a whole object, of which nothing more is said."""
    event, _, rest = name.partition(".")
    was, now = (_said(one) if isinstance(one, Field) else "" for one in (old, new))
    if old is None:
        return Changed("new", event, rest, new=now)
    return Changed("gone" if new is None else "other", event, rest, old=was, new=now)


def shape_changes(old: Mapping[str, Shape], new: Mapping[str, Shape]) -> Iterator[Changed]:
    """Yield each event, object or field that is new, gone, or of other types now."""
    for name in sorted(old.keys() | new.keys()):
        before, after = old.get(name), new.get(name)
        if before is None or after is None:
            yield _changed(name, before, after)
            continue
        for field in sorted(before.keys() | after.keys()):
            if before.get(field) != after.get(field):
                yield _changed(f"{name}.{field}", before.get(field), after.get(field))


def order(run: Recording) -> list[str]:
    """Return the names of a run's events in order, a row of equal ones once."""
    names = [event.event for event in run.events if event.event is not None]
    return [name for place, name in enumerate(names) if place == 0 or names[place - 1] != name]


def order_changes(old: Mapping[str, Recording], new: Mapping[str, Recording]) -> Iterator[Changed]:
    """Yield each scenario of both versions whose events came in another order."""
    for name in sorted(old.keys() & new.keys()):
        before, after = (" ".join(order(runs[name])) for runs in (old, new))
        if before != after:
            yield Changed("order", scenario=name, old=before, new=after)

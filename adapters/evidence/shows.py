"""Which gates one recording shows shut: only those of which something is stated that its replay can break."""

from collections.abc import Iterable, Iterator

from adapters.evidence.expected import Replayed, Row
from adapters.evidence.holds import delivered
from adapters.evidence.items import item, names
from adapters.evidence.scenario import Scenario, stated
from contracts.evidence import Recording
from contracts.reasons import REFUSALS, Gate


def by_rows(rows: Iterable[Row]) -> frozenset[Gate]:
    """Return the gates that rows of outcomes show shut, each of which is stated by itself.

    These recordings hold no model requests, so that a read which waits for ever shows nothing of delivery:
    only a host that itself says what its model got instead does, and the read is withdrawn.
    """
    found: set[Gate] = set()
    for word, rest in _parts(rows):
        match word:
            case "refused" if (gate := REFUSALS[rest].gate) is not None:
                found.add(gate)
            case "resumed" | "cleared":
                # The conversation goes on, or ends, under the reference that the host states.
                found.add("conversation")
            case "withdraws":
                found.add("delivery")
            case _:
                pass
    return frozenset(found)


def by_scenario(run: Recording, came: Replayed, scenario: Scenario) -> frozenset[Gate]:
    """Return the gates that a recording of a scenario shows shut, by what is stated and by what came.

    Where neither refusals nor records are stated, nothing could come to something else, so nothing is shown.
    """
    records = stated(scenario.holds.records, run.version)
    refuses = stated(scenario.holds.refuses, run.version)
    if refuses is None:
        return frozenset()
    wanted = {REFUSALS[reason].gate for reason in refuses}
    found = {*wanted, *by_rows(came.rows)} - {None, "conversation", "delivery"}
    if records is not None:
        found |= by_rows(came.rows) & {"conversation"}
        lost = [*_lost(run, came)]
        if not refuses:
            # Nothing else keeps these out, so whoever records one believes in a delivery that never was.
            lost += [(item(name), None) for name in came.held if name not in records]
        if any(_missed(run, one, at, scenario) for one, at in lost):
            found.add("delivery")
    return frozenset(gate for gate in found if gate is not None)


def _parts(rows: Iterable[Row]) -> Iterator[tuple[str, str]]:
    for row in rows:
        for part in row.outcome.split("; "):
            word, _, rest = part.partition(" ")
            yield word, rest


def _lost(run: Recording, came: Replayed) -> Iterator[tuple[str, float | None]]:
    """Yield each read that became no candidate for want of delivery, and since when it was waiting.

    None stands for one that was withdrawn: of it the host had said all.
    """
    waiting: dict[str, float] = {}
    for row in came.rows:
        for word, rest in _parts([row]):
            match word:
                case "pending":
                    for name in names(rest):
                        waiting[item(name)] = run.events[row.index].at or 0.0
                case "settles":
                    for name in names(rest):
                        waiting.pop(item(name), None)
                case "withdraws":
                    for name in names(rest):
                        waiting.pop(item(name), None)
                        yield item(name), None
                case _:
                    pass
    # A person who lists at the end settles what the host has shown by then.
    held = set(map(item, came.held))
    yield from ((name, at) for name, at in waiting.items() if name not in held)


def _missed(run: Recording, item: str, at: float | None, scenario: Scenario) -> bool:
    """Whether the host shows that the root's model did not get an item.

    Its requests are known, none held the item, and that is stated. One that waits counts only where the model
    was asked again after it: before that the host had not shown all that it would.
    """
    holds = scenario.holds
    practice = holds.delivered is not None and item not in delivered(run)
    text = holds.found is not None and bool(scenario.looks.keys() - set(holds.found))
    asked = at is None or any(one.asker == "root" and one.at > at for one in run.requests)
    return asked and (practice or text)

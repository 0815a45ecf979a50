"""Whether a recording shows what its scenario says must hold."""

from collections.abc import Iterator, Sequence

from adapters.evidence.scenario import Holds
from contracts.evidence import RecordedEvent, Recording

HANDED = "context "
"""How the name of a text begins that the recording hook hands over at an event."""
CONTEXT = f"{HANDED}SubagentStart"
"""The text that the recording hook hands over at a subagent's start."""
BRIEFING = "briefing"
"""What readmark hands over there."""
PRACTICE = "practice "
"""How the name of a whole document of the reader begins."""
LOOKED = "text "
"""How the name of a text begins that the scenario itself looks for."""


def failures(recording: Recording, holds: Holds) -> list[str]:
    """Return what does not hold, each in one sentence; an empty list where all does.

    `holds.records`, `holds.told` and `holds.told_of` are not looked at: they are for a run with readmark as
    the hook.
    """
    checks = (_order, _absent, _requests, _found)
    return [failure for check in checks for failure in check(recording, holds)]


def delivered(recording: Recording) -> list[str]:
    """Return the items whose whole document a request of the root agent held, in order of arrival."""
    names = [
        name.removeprefix(PRACTICE)
        for request in recording.requests
        if request.asker == "root"
        for name in request.holds
        if name.startswith(PRACTICE)
    ]
    return list(dict.fromkeys(names))


def briefed(recording: Recording, names: Sequence[str] = (CONTEXT, BRIEFING)) -> int | None:
    """Return how many subagents' first request held one of the texts, or None where a root's did."""
    first: dict[str, bool] = {}
    for request in recording.requests:
        held = any(name in request.holds for name in names)
        if request.asker == "root" and held:
            return None
        if request.asker == "subagent" and request.agent is not None:
            first.setdefault(request.agent, held)
    return sum(first.values())


def _order(recording: Recording, holds: Holds) -> Iterator[str]:
    events = iter(recording.events)
    for wanted in holds.events:
        if not any(_meets(event, wanted) for event in events):
            yield f"After what came before it, there is no {wanted!r}."
            return


def _absent(recording: Recording, holds: Holds) -> Iterator[str]:
    for unwanted in holds.absent:
        if any(_meets(event, unwanted) for event in recording.events):
            yield f"There is a {unwanted!r}."


def _requests(recording: Recording, holds: Holds) -> Iterator[str]:
    if holds.delivered is not None and (got := delivered(recording)) != holds.delivered:
        yield f"The root's model got {got}, not {holds.delivered}."
    if holds.briefed is not None and (said := _reached(briefed(recording, [CONTEXT]))) != (
        wanted := _reached(None if holds.briefed == "root" else holds.briefed)
    ):
        yield f"The handed text reached {said}, not {wanted}."


def _found(recording: Recording, holds: Holds) -> Iterator[str]:
    for asker, wanted in (("root", holds.found), ("subagent", holds.found_by_subagents)):
        held = {name for one in recording.requests if one.asker == asker for name in one.holds}
        got = sorted(name.removeprefix(LOOKED) for name in held if name.startswith(LOOKED))
        if wanted is not None and got != sorted(wanted):
            yield f"Requests of a {asker} held {got}, not {sorted(wanted)}."


def _reached(count: int | None) -> str:
    return "the root itself" if count is None else f"{count} subagents"


def _meets(event: RecordedEvent, wanted: str) -> bool:
    """Whether an event is the wanted one: `EVENT name=value …`, or `tool` for a process of the reader."""
    name, *fields = wanted.split()
    if name == "tool":
        return event.tool_process is not None and all(field in event.tool_process for field in fields)
    stdin = event.stdin or {}
    return event.event == name and all(
        ("agent_id" in stdin) == (value == "yes") if key == "agent" else str(stdin.get(key)) == value
        for key, _, value in (field.partition("=") for field in fields)
    )

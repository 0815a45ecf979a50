"""Finds what the harness could not play of a scenario, before a host is started for it."""

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from adapters.evidence.events import KNOWN
from adapters.evidence.keys import KEYS, SIGNALS
from adapters.evidence.scenario import Scenario
from contracts.reasons import REFUSALS

PLACES = ("$project", "$home")
"""Where a link may stand."""


def faults(scenario: Scenario) -> Iterator[str]:
    """Yield each fault in one sentence that begins with its place in the file."""
    yield from _keys(scenario)
    yield from _events(scenario)
    yield from _refusals(scenario)
    yield from _paths(scenario)


def _keys(scenario: Scenario) -> Iterator[str]:
    for index, run in enumerate(scenario.runs):
        place = f"runs[{index}]"
        yield from _one_of(f"{place}.signal", run.signal, "signal", SIGNALS)
        for number, key in enumerate(run.keys):
            at = f"{place}.keys[{number}]"
            yield from _one_of(f"{at}.press", key.press, "key", KEYS)
            yield from _one_of(f"{at}.signal", key.signal, "signal", SIGNALS)
            yield from _pattern(f"{at}.screen", key.screen)
            yield from _pattern(f"{at}.only", key.only)


def _pattern(place: str, pattern: str | None) -> Iterator[str]:
    try:
        re.compile(pattern or "")
    except re.error as error:
        yield f"{place}: {pattern!r} is no regular expression: {error}."


def _one_of(place: str, word: str | None, what: str, known: Iterable[str]) -> Iterator[str]:
    if word is not None and word not in known:
        yield f"{place}: {word!r} is no known {what}. Known: {', '.join(sorted(known))}."


def _events(scenario: Scenario) -> Iterator[str]:
    known = KNOWN.get(scenario.host)
    if known is None:
        return
    holds = scenario.holds
    named = {
        "hooks": scenario.hooks or [],
        "registered": scenario.registered,
        "answers": scenario.answers,
        "holds.events": [event for event in _names(holds.events) if event != "tool"],
        "holds.absent": [event for event in _names(holds.absent) if event != "tool"],
        **{
            f"runs[{index}].keys": [key.event for key in run.keys if key.event is not None]
            for index, run in enumerate(scenario.runs)
        },
        **{
            f"runs[{index}].input": [line.event for line in run.input if line.event is not None]
            for index, run in enumerate(scenario.runs)
        },
    }
    for place, events in named.items():
        for event in events:
            yield from _one_of(place, event, f"event of {scenario.host}", known)


def _names(stated: Iterable[str]) -> list[str]:
    return [(one.split() or [""])[0] for one in stated]


def _refusals(scenario: Scenario) -> Iterator[str]:
    refuses = scenario.holds.refuses
    for words in refuses.values() if isinstance(refuses, dict) else [refuses or []]:
        for word in words:
            yield from _one_of("holds.refuses", word, "reason of a refusal", REFUSALS)


def _paths(scenario: Scenario) -> Iterator[str]:
    for table, names in (("files", scenario.files), ("home", scenario.home)):
        for name in names:
            if not _inside(name):
                yield f"{table}: {name!r} is no path below the folder that it is put into."
    for name in scenario.links:
        place, _, rest = name.partition("/")
        if place not in PLACES or not _inside(rest):
            yield f"links: {name!r} is no path below $project or $home."


def _inside(name: str) -> bool:
    path = PurePosixPath(name)
    return bool(path.parts) and not path.is_absolute() and ".." not in path.parts and "\0" not in name

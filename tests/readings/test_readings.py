"""Each call of the tables of readings, through the installed hook of both hosts."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

import contracts
from tests.readings import project
from tests.readings.hosts import HOSTS, ClaudeCode, Codex, Host
from tests.readings.table import Row, Shown, rows

EVIDENCE = Path(contracts.__file__).parent / "evidence"
READMARK = Path(sys.executable).with_name("readmark")
TABLES = ("readings", "readings_more")
SHARE = 0.95
"""How much of what a table states must be recorded exactly so."""
SIDE_BY_SIDE = 4
"""How many rows are played at once: a hook waits for its shell about as long as it works."""

_OPTION = re.compile(r" (\w+)=(\S+)")
_OPTIONS = re.compile(r"((?: (?:max_output_tokens|workdir)=\S+)+)\Z")


class Played(msgspec.Struct, frozen=True):
    """What came of a row with a host."""

    row: Row
    host: str
    got: dict[str, Shown]
    sent: list[str]


def play(row: Row, host: Host) -> None:
    """Let the agent make the calls of a row."""
    for call in row.calls:
        if isinstance(host, ClaudeCode) and row.tool == "Read":
            path, *options = call.split()
            host.read(path, **{name: int(value) for name, _, value in (one.partition("=") for one in options)})
        elif isinstance(host, ClaudeCode) and row.tool == "Grep":
            host.grep(msgspec.json.decode(call))
        elif isinstance(host, Codex) and (found := _OPTIONS.search(call)):
            options = dict(_OPTION.findall(found[1]))
            tokens = int(options.get("max_output_tokens", Codex.MOST))
            host.bash(call[: found.start()], tokens, options.get("workdir", "."))
        else:
            host.bash(call)


def played(row: Row, name: str, folder: Path) -> Played:
    """Play a row in a project and with a ledger of its own."""
    place = folder / f"{row.id}-{name}"
    shutil.copytree(folder / "project", place / "project", symlinks=True)
    host = HOSTS[name](place / "project", folder / "home", place / "state", READMARK)
    play(row, host)
    got: dict[str, Shown] = {}
    for one in host.listed():
        lines = one.get("lines")
        got[one["id"]] = None if lines is None else frozenset((first, last) for first, last in lines)
    return Played(row, name, got, host.sent)


def everything(shown: Shown) -> Iterator[int]:
    """Yield the numbers of the lines in some ranges."""
    for first, last in shown or ():
        yield from range(first, last + 1)


def misses(one: Played) -> list[str]:
    """Return what a row states and the ledger does not hold exactly so."""
    return [
        f"{one.host} {one.row.id}: {item} is {said(one.got.get(item, frozenset()))}, not {said(shown)}"
        for item, shown in one.row.shown.items()
        if one.got.get(item, frozenset()) != shown and not (one.row.optional and item not in one.got)
    ]


def false(one: Played) -> list[str]:
    """Return what the ledger holds and a row does not allow."""
    found: list[str] = []
    for item, got in one.got.items():
        if item not in one.row.shown:
            found.append(f"{one.host} {one.row.id}: {item} {said(got)} was not shown")
            continue
        shown = one.row.shown[item]
        if shown is not None and (got is None or not set(everything(got)) <= set(everything(shown))):
            found.append(f"{one.host} {one.row.id}: {item} is {said(got)}, beyond {said(shown)}")
    return found


def said(shown: Shown) -> str:
    """Say which lines were shown."""
    if shown is None:
        return "whole"
    return ", ".join(f"{first}-{last}" for first, last in sorted(shown)) or "missing"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the project and the home that every row begins with."""
    folder = tmp_path_factory.mktemp("readings").resolve()
    project.make(folder / "project")
    project.lay(folder / "home", project.HOME, project.HOME_LINKS)
    return folder


@pytest.mark.parametrize("table", TABLES)
def test_what_a_call_shows_is_what_the_ledger_holds(table: str, folder: Path) -> None:
    """At least so much as the share says, to the line; and nothing that the table does not allow."""
    every = [(row, host) for row in rows(EVIDENCE / f"{table}.tsv") for host in row.hosts]
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        done = list(pool.map(lambda one: played(*one, folder), every))
    stated = sum(len(one.row.shown) for one in done)
    missed = [told for one in done for told in misses(one)]
    claimed = [told for one in done for told in false(one)]
    print(f"{stated - len(missed)} of {stated} as {table} says", *missed, *claimed, sep="\n")  # noqa: T201

    assert claimed == []
    assert len(missed) <= (1 - SHARE) * stated

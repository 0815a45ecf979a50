"""Each call of the tables of readings, through the installed hook of both hosts."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

import contracts
from tests.ledger.cli.running import run
from tests.readings import project
from tests.readings.hosts import HOSTS, ClaudeCode, Codex, Host
from tests.readings.table import Row, Shown, rows

EVIDENCE = Path(contracts.__file__).parent / "evidence"
READMARK = Path(sys.executable).with_name("readmark")
TABLES = ("readings", "readings_more")
SESSION = "01a23195-0b35-71a0-81ee-9f9881dc5fff"
SHARE = 0.95
"""How much of what a table states must be recorded exactly so."""
SIDE_BY_SIDE = 4
"""How many rows are played at once: a hook waits for its shell about as long as it works."""

_OPTION = re.compile(r" (\w+)=(\S+)")
_ASKED = re.compile(r"(?: (?:offset|limit)=\d+)+\Z")
_OPTIONS = re.compile(r"((?: (?:max_output_tokens|workdir)=\S+)+)\Z")


class Played(msgspec.Struct, frozen=True):
    """What came of a row with a host."""

    row: Row
    host: str
    got: dict[str, Shown]


def play(row: Row, host: Host) -> None:
    """Let the agent make the calls of a row."""
    for call in row.calls:
        if isinstance(host, ClaudeCode) and row.tool == "Read":
            path = call[: found.start()] if (found := _ASKED.search(call)) else call
            host.read(path, **{name: int(value) for name, value in _OPTION.findall(call[len(path) :])})
        elif isinstance(host, ClaudeCode) and row.tool == "Grep":
            host.grep(msgspec.json.decode(call))
        elif isinstance(host, Codex) and (found := _OPTIONS.search(call)):
            options = dict(_OPTION.findall(found[1]))
            tokens = int(options.get("max_output_tokens", Codex.MOST))
            host.bash(call[: found.start()], tokens, options.get("workdir", "."))
        else:
            host.bash(call)


def played(row: Row, name: str, begun: Path) -> Host:
    """Go on with a row where a conversation began, in a copy of its project, home and ledger."""
    place = begun.with_name(f"{row.id}-{name}")
    shutil.copytree(begun, place, symlinks=True)
    host = HOSTS[name](place, READMARK, SESSION)
    play(row, host)
    host.end()
    return host


def held() -> dict[str, Shown]:
    """Return what `readmark list` has."""
    found: dict[str, Shown] = {}
    for conversation in run("list", "--json").json["conversations"]:
        for one in conversation["candidates"]:
            lines = one.get("lines")
            found[one["id"]] = None if lines is None else frozenset((first, last) for first, last in lines)
    return found


def everything(shown: Shown) -> Iterator[int]:
    """Yield the numbers of the lines in some ranges."""
    for first, last in shown or ():
        yield from range(first, last + 1)


def misses(one: Played) -> list[str]:
    """Return what a row states and the ledger does not hold exactly so."""
    return [
        f"{one.host} {one.row.id}: {item} is {said(one.got.get(item, frozenset()))}, not {said(shown)}"
        for item, shown in one.row.shown.items()
        if item not in one.row.optional and one.got.get(item, frozenset()) != shown
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


def unseen(row: Row, host: Host) -> Iterator[str]:
    """Yield the lines that a row states and that nothing of what the model got holds: the row is wrong."""
    sent = "\n".join(host.sent)
    for item, shown in row.shown.items():
        name = item.removeprefix("skill:")
        skills = [
            *host.home.glob(f".*/skills/{name}/SKILL.md"),
            *host.project.glob(f".*/skills/{name}/SKILL.md"),
        ]
        [file, *_] = skills if name != item else [host.project / item]
        lines = file.read_text(encoding="utf-8-sig").splitlines()
        numbers = range(1, len(lines) + 1) if shown is None else everything(shown)
        lost = [number for number in numbers if lines[number - 1].strip() not in sent]
        yield from (f"{host.NAME} {row.id}: line {number} of {item}" for number in lost)


def said(shown: Shown) -> str:
    """Say which lines were shown."""
    if shown is None:
        return "whole"
    return ", ".join(f"{first}-{last}" for first, last in sorted(shown)) or "missing"


@pytest.fixture
def begun(tmp_path: Path) -> dict[str, Path]:
    """Begin a conversation of each host in a project, from which every row goes on."""
    places = {name: tmp_path.resolve() / name for name in HOSTS}
    for name, place in places.items():
        project.make(place / "project")
        project.lay(place / "home", project.HOME, project.HOME_LINKS)
        HOSTS[name](place, READMARK, SESSION).begin()
    return places


@pytest.mark.parametrize("table", TABLES)
def test_what_a_call_shows_is_what_the_ledger_holds(
    table: str, begun: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """At least so much as the share says, to the line; and nothing that the table does not allow."""
    every = [(row, host) for row in rows(EVIDENCE / f"{table}.tsv") for host in row.hosts]
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        hosts = list(pool.map(lambda one: played(*one, begun[one[1]]), every))
    done: list[Played] = []
    for (row, name), host in zip(every, hosts, strict=True):
        monkeypatch.setenv("READMARK_HOME", str(host.state))
        done.append(Played(row, name, held()))
        assert list(unseen(row, host)) == []
    stated = sum(len(one.row.shown.keys() - one.row.optional) for one in done)
    missed = [told for one in done for told in misses(one)]
    claimed = [told for one in done for told in false(one)]
    print(f"{stated - len(missed)} of {stated} as {table} says", *missed, *claimed, sep="\n")  # noqa: T201

    assert claimed == []
    assert len(missed) <= (1 - SHARE) * stated

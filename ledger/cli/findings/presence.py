"""Which hosts are on this machine, and where our hooks stand in their files."""

import os
import shutil
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec

from adapters.hosts import load
from contracts.host import Registration
from ledger.cli.command import COMMAND, wanted
from ledger.cli.command import program as own_program
from ledger.errors import HomeError
from ledger.install.files import Refusal
from ledger.install.hooks import Wanted
from ledger.install.look import Standing, look
from ledger.install.places import Scope, place
from ledger.install.plugins import hook_files

State = Literal["current", "elsewhere", "outdated", "incomplete", "program-missing", "unreadable"]
SCOPES: tuple[Scope, ...] = ("user", "project")


class Place(msgspec.Struct, frozen=True):
    """A place where our hooks stand, or may stand: a file that cannot be understood has a `refusal`.

    `target` is the file that the name `file` stands for. `commands` are our lines, by event.
    """

    how: Literal["settings", "plugin"]
    scope: Scope
    file: Path
    target: Path
    state: State
    program: str = ""
    commands: dict[str, tuple[str, ...]] = {}
    refusal: Refusal | None = None


class Presence(msgspec.Struct, frozen=True):
    """A host on this machine: `program` is the path of its command, or None where that was not found.

    `fault` says that the variable which moves its folder has a value that no host should be given.
    """

    host: str
    registration: Registration
    found: bool
    program: str | None
    places: tuple[Place, ...]
    fault: bool = False


def presence(host: str, environ: Mapping[str, str]) -> Presence:
    """Look for a host and for our hooks in its files; starts nothing and changes nothing."""
    registration = load(host).REGISTRATION
    program = shutil.which(registration.program, path=environ.get("PATH"))
    here = program is not None
    places: list[Place] = []
    fault = False
    for scope in SCOPES:
        try:
            file = place(registration, scope, environ)
        except HomeError:
            fault = fault or (scope == "user" and bool(environ.get(registration.folder_variable)))
            continue
        if scope == "user":
            places += _plugins(host, registration, file.parent)
        here = here or (scope == "user" and os.path.isdir(file.parent))  # noqa: PTH112 - never raises
        # In the home itself, both scopes may be one file.
        if os.path.realpath(file) not in {str(one.target) for one in places}:
            found = _place(host, scope, file)
            places += [] if found is None else [found]
    return Presence(host, registration, here, program, tuple(places), fault)


def _plugins(host: str, registration: Registration, folder: Path) -> list[Place]:
    """Return our plugin in a host's own folder, if it was taken in; what its copy holds is our own text."""

    def plugged(program: str) -> Wanted:
        return wanted(host, None if program == COMMAND else program)

    files = [] if registration.plugin is None else hook_files(folder, registration.plugin)
    standings = [(file, look(file, host, plugged)) for file in files]
    return [
        Place("plugin", "user", file, one.target, _state(one), one.programs[0], one.commands)
        for file, one in standings
        if isinstance(one, Standing)
    ]


def _place(host: str, scope: Scope, file: Path) -> Place | None:
    standing = look(file, host, partial(wanted, host), load(host).REGISTRATION.reading)
    if standing is None:
        return None
    if isinstance(standing, Refusal):
        target = Path(os.path.realpath(file))
        return Place("settings", scope, file, target, "unreadable", refusal=standing)
    return Place(
        "settings",
        scope,
        file,
        standing.target,
        _state(standing),
        standing.programs[0],
        standing.commands,
    )


def _state(standing: Standing) -> State:
    if not all(_runs(program) for program in standing.programs):
        return "program-missing"
    if len(standing.programs) > 1 and standing.state == "current":
        return "outdated"
    own = own_program()
    if standing.state == "current" and own is not None:
        named = standing.programs[0]
        same = os.path.realpath(own) == os.path.realpath(shutil.which(named) or named)
        return "current" if same else "elsewhere"
    return standing.state


def _runs(program: str) -> bool:
    """Whether a shell would find the program; without a slash it looks along the PATH."""
    if not os.path.isabs(program) and "/" in program:  # noqa: PTH117 - any text may stand there
        return False
    return shutil.which(program) is not None

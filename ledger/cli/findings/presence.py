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
from ledger.install.change import Task, plan
from ledger.install.files import Refusal
from ledger.install.handlers import Other
from ledger.install.hooks import Wanted
from ledger.install.look import Standing, look
from ledger.install.off import SwitchedOff, switched_off
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

    `off` is what switches all hooks off here, `others` are hooks that mention us, by file.
    `fault` says that the variable which moves its folder has a value that no host should be given.
    """

    host: str
    registration: Registration
    found: bool
    program: str | None
    places: tuple[Place, ...]
    fault: bool = False
    off: SwitchedOff | None = None
    others: tuple[tuple[Path, Other], ...] = ()


def presence(host: str, environ: Mapping[str, str]) -> Presence:
    """Look for a host and for our hooks in its files; starts nothing and changes nothing."""
    registration = load(host).REGISTRATION
    program = shutil.which(registration.program, path=environ.get("PATH"))
    here = program is not None
    places: list[Place] = []
    fault = False
    others: list[tuple[Path, Other]] = []
    seen: set[str] = set()
    for scope in SCOPES:
        try:
            file = place(registration, scope, environ)
        except HomeError:
            fault = fault or (scope == "user" and bool(environ.get(registration.folder_variable)))
            continue
        if scope == "user":
            places += _plugins(host, registration, file)
        here = here or (scope == "user" and os.path.isdir(file.parent))  # noqa: PTH112 - never raises
        # In the home itself, both scopes may be one file.
        if (target := os.path.realpath(file)) not in seen:
            seen.add(target)
            found = _place(host, scope, file)
            places += [] if found is None or found in places else [found]
            change = plan(Task(file, host, None))
            others += [] if isinstance(change, Refusal) else [(file, one) for one in change.others]
    off = switched_off(registration, environ)
    return Presence(host, registration, here, program, tuple(places), fault, off, tuple(others))


def _plugins(host: str, registration: Registration, file: Path) -> list[Place]:
    """Return our plugin in a host's own folder, if it was taken in; what its copy holds is our own text.

    Where the file that switches it on is the one for hooks, and its host does not take that in, that is told.
    """

    def plugged(program: str) -> Wanted:
        return wanted(host, None if program == COMMAND else program)

    form = registration.plugin
    files = [] if form is None else hook_files(file.parent, form)
    if files and form is not None and form.switch_file == file.name:
        refusal = plan(Task(file, host, {}, registration.reading))
        if isinstance(refusal, Refusal):
            return [_unreadable("user", file, refusal)]
    standings = [(copy, look(copy, host, plugged)) for copy in files]
    return [
        Place("plugin", "user", copy, one.target, _state(one), one.programs[0], one.commands)
        for copy, one in standings
        if isinstance(one, Standing)
    ]


def _place(host: str, scope: Scope, file: Path) -> Place | None:
    standing = look(file, host, partial(wanted, host), load(host).REGISTRATION.reading)
    if standing is None:
        return None
    if isinstance(standing, Refusal):
        return _unreadable(scope, file, standing)
    return Place(
        "settings",
        scope,
        file,
        standing.target,
        _state(standing),
        standing.programs[0],
        standing.commands,
    )


def _unreadable(scope: Scope, file: Path, refusal: Refusal) -> Place:
    target = Path(os.path.realpath(file))
    return Place("settings", scope, file, target, "unreadable", refusal=refusal)


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

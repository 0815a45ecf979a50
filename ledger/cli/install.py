"""`readmark install` and `uninstall`: our hooks in a host's own file, and out of it again."""

import os
import sys
from pathlib import Path

import click

from adapters.hosts import load
from contracts.report.install import InstallFault
from ledger.cli.command import NOT_FOUND, program, wanted
from ledger.cli.failure import DONE, REFUSED, UNAVAILABLE_CODE, say_error
from ledger.cli.installed import report, tell
from ledger.cli.output import print_json
from ledger.cli.parameters import Verb, examples, host_argument, json_option
from ledger.cli.words import printable
from ledger.errors import HomeError
from ledger.escape import encodable, one_line
from ledger.home import state_folder, user_home
from ledger.install.change import Task, perform, plan
from ledger.install.files import Refusal, backup_of
from ledger.install.places import Scope, place

NOT_HERE = Refusal(
    "readmark does not register hooks on Windows: it could not keep their records private there.",
    "Run the host and readmark in WSL.",
)
NO_TEXT = Refusal(
    "The path of the command is no valid UTF-8, which no host's file can hold.", "Move readmark."
)
HOMELESS = "The home folder {home} is not there, and readmark makes no home."
HOMELESS_REMEDY = "Make it, or set HOME to the folder that is your home."
BY_HAND = {
    "install": "Or add the hooks by hand: `readmark hosts {host} --registration` prints them.",
    "uninstall": "Or take the hooks out by hand: those whose command calls readmark with `hook {host}`.",
}


def _way_out(task: Task, refusal: Refusal) -> str:
    """Return what a person can do, by hand where that is another way, and where the bytes of before are."""
    verb = "uninstall" if task.wanted is None else "install"
    ways = [refusal.remedy]
    if refusal.by_hand:
        ways.append(BY_HAND[verb].format(host=task.host))
    kept = backup_of(Path(os.path.realpath(task.file)))
    if verb == "uninstall" and os.path.isfile(kept):  # noqa: PTH113 - never raises
        ways.append(f"What was there before a change of readmark: {kept}")
    return " ".join(ways)


def _refused(task: Task, refusal: Refusal, *, as_json: bool) -> int:
    fault = InstallFault(
        printable(task.file),
        printable(refusal.message),
        printable(_way_out(task, refusal)),
        refusal.line or None,
        refusal.column or None,
    )
    if as_json:
        print_json(fault)
    else:
        where = f", line {fault.line}, column {fault.column}" if fault.line else ""
        say_error(f"{one_line(fault.file)}{where}: {one_line(fault.message)} {one_line(fault.remedy)}")
        say_error("the file was left as it is.")
    return REFUSED


def _run(task: Task, scope: Scope, *, dry_run: bool, as_json: bool) -> int:
    if sys.platform == "win32":
        return _refused(task, NOT_HERE, as_json=as_json)
    state = state_folder(os.environ).path
    change = plan(task) if dry_run else perform(task, state)
    if isinstance(change, Refusal):
        return _refused(task, change, as_json=as_json)
    told = report(task, change, scope, dry_run=dry_run)
    if as_json:
        print_json(told)
    else:
        tell(told)
    return DONE


def _file(host: str, scope: Scope) -> Path:
    return place(load(host).REGISTRATION, scope, os.environ)


def _homeless(file: Path) -> Refusal | None:
    """Return why nothing may be made below a home that is not there, or None where nothing would be."""
    try:
        home = user_home(os.environ)
    except HomeError:  # then variables have decided on all places
        return None
    below = any(path.is_relative_to(home) for path in (file, state_folder(os.environ).path))
    if not below or os.path.exists(home):  # noqa: PTH110 - never raises
        return None
    return Refusal(HOMELESS.format(home=home), HOMELESS_REMEDY)


def _options(verb: Verb) -> Verb:
    """Give a verb what both of them take."""
    scope = click.option(
        "--scope",
        type=click.Choice(["user", "project"]),
        default="user",
        show_default=True,
        help="Your own file of the host, or that of the project in the current folder.",
    )
    dry = click.option("--dry-run", is_flag=True, help="Print a diff of what would change; change nothing.")
    return host_argument(required=True)(scope(dry(json_option(verb))))


@click.command(
    short_help="Add readmark's hooks to a host's own file.",
    epilog=examples(
        "readmark install codex --dry-run",
        "readmark install claude-code",
        "readmark install claude-code --scope project",
    ),
)
@_options
def install(host: str, scope: Scope, *, dry_run: bool, as_json: bool) -> int:
    """Add readmark's hooks to the file from which a host reads its hooks, and touch nothing else in it.

    Run it again after an update or a move of readmark: an earlier registration is changed in its place.
    What was there is kept beside the file. A file that cannot be understood is left as it is, with the
    place of the fault and exit code 3. Where HOME is empty or not absolute, the home of the password database
    counts, and that is said. `readmark uninstall` takes the hooks out again.
    """
    path = program()
    if path is None:
        say_error(NOT_FOUND)
        return UNAVAILABLE_CODE
    file = _file(host, scope)
    refusal = _homeless(file) if encodable(path) else NO_TEXT
    if refusal is not None:
        return _refused(Task(file, host, {}), refusal, as_json=as_json)
    return _run(
        Task(file, host, wanted(host, path), load(host).REGISTRATION.reading),
        scope,
        dry_run=dry_run,
        as_json=as_json,
    )


@click.command(
    short_help="Take readmark's hooks out of a host's own file.",
    epilog=examples("readmark uninstall codex", "readmark uninstall claude-code --dry-run"),
)
@_options
def uninstall(host: str, scope: Scope, *, dry_run: bool, as_json: bool) -> int:
    """Take exactly readmark's hooks out of a host's file; what else is there stays to the last byte.

    After an install the file is again what it was before, or gone if there was none. What readmark
    recorded stays: `readmark clear` and the state folder are another matter.
    """
    return _run(Task(_file(host, scope), host, None), scope, dry_run=dry_run, as_json=as_json)

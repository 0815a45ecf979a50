"""`readmark install` and `uninstall`: our hooks in a host's own file, and out of it again."""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import msgspec

from adapters.hosts import load
from adapters.registration import registration
from contracts.report.install import HookChange, InstallFault, InstallReport
from ledger.cli.diff import diff
from ledger.cli.failure import DONE, REFUSED, UNAVAILABLE_CODE, say_error
from ledger.cli.hosts import program
from ledger.cli.output import print_json, print_text, printable, say
from ledger.cli.parameters import examples, host_argument, json_option
from ledger.errors import HomeError
from ledger.escape import one_line
from ledger.home import state_folder, unnamed_home
from ledger.install.change import Change, Task, perform, plan
from ledger.install.files import Refusal, backup_of
from ledger.install.hooks import Wanted
from ledger.install.places import Scope, place
from ledger.install.plugins import hook_files

RESTART = "A conversation that is open already may not see the change; start a new one."
SUDO = "This is the file of root, through sudo. For your own, run it without sudo"
SUDO_DONE = ", and take this out again with `sudo readmark uninstall`"
UNNAMED = (
    "HOME names no usable folder (it is unset, empty or not absolute), so this is below the home of the"
    " password database: {home}"
)
NOT_HERE = Refusal(
    "readmark does not register hooks on Windows: it could not keep their records private there.",
    "Run the host and readmark in WSL.",
)
PLUGGED = (
    "This host has readmark as a plugin, too, which stays as it is. Nothing is recorded twice; one of both is"
    " enough."
)
SHARED = {
    "changed": "The project's file now holds a path of this machine: think before you commit it.",
    "unchanged": "The project's file holds a path of this machine: think before you commit it.",
    "planned": "The project's file would hold a path of this machine: think before you commit it then.",
}
BY_HAND = {
    "install": "Or add the hooks by hand: `readmark hosts {host} --registration` prints them.",
    "uninstall": "Or take the hooks out by hand: those whose command calls readmark with `hook {host}`.",
}
FATES = {"added": "add", "updated": "update", "removed": "remove", "unchanged": "leave as they are"}
"""What a plan does with the hooks of an event."""

Verb = Callable[..., Any]


def wanted(host: str, path: str | None) -> Wanted:
    """Return what is to stand in a host's file, or without a path in a plugin, as its JSON has it."""
    made: Wanted = msgspec.json.decode(msgspec.json.encode(registration(load(host), path)))["hooks"]
    return made


def _file_is(change: Change) -> str:
    if change.after is None:
        return "absent" if change.before is None else "removed"
    return "made" if change.before is None else "kept"


def _unnamed(task: Task) -> list[str]:
    """Return a note where a home that HOME does not name decided on the file."""
    try:
        home = unnamed_home(os.environ)
    except HomeError:  # then a variable of the host's own decided
        return []
    below = home is not None and task.file.is_relative_to(home)
    return [UNNAMED.format(home=one_line(printable(home)))] if below else []


def _notes(task: Task, change: Change, scope: Scope, state: str) -> list[str]:
    notes = _unnamed(task) if scope == "user" else []
    if task.wanted is not None:
        binary = load(task.host).REGISTRATION.program
        if shutil.which(binary) is None:
            notes.append(
                f"The command `{binary}` was not found on this machine; the hooks wait until it is there."
            )
        if trust := load(task.host).REGISTRATION.trust:
            notes.append(trust)
        if scope == "project":
            notes.append(SHARED[state])
        elif os.environ.get("SUDO_USER") and os.geteuid() == 0:
            notes.append(f"{SUDO}{'' if state == 'planned' else SUDO_DONE}.")
    form = load(task.host).REGISTRATION.plugin
    if scope == "user" and form is not None and hook_files(change.file.parent, form):
        notes.append(PLUGGED)
    if state == "changed":
        notes.append(RESTART)
    return notes


def report(task: Task, change: Change, scope: Scope, *, dry_run: bool) -> InstallReport:
    """Return what came of it, or would come of it, in the form that `--json` prints."""
    state = "unchanged" if not change.changes else "planned" if dry_run else "changed"
    return InstallReport(
        state=state,  # type: ignore[arg-type] # one of its words
        host=task.host,
        scope=scope,
        file=printable(change.file),
        target=None if change.target == change.file else printable(change.target),
        file_is=_file_is(change),  # type: ignore[arg-type] # one of its words
        hooks=[HookChange(event, fate) for event, fate in change.events.items()],
        backup=None if change.backup is None else printable(change.backup),
        diff=diff(change) if dry_run else None,
        notes=_notes(task, change, scope, state),
    )


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


def _summary(told: InstallReport) -> str:
    """Return in a line or two what a plan would do with the hooks of which events."""
    fates = {fate: [one.event for one in told.hooks if one.change == fate] for fate in FATES}
    parts = [
        f"{FATES[fate]} those of {', '.join(map(one_line, those))}" for fate, those in fates.items() if those
    ]
    words = f"{'; '.join(parts)}.".replace("those of", "the hooks of", 1)
    return words[0].upper() + words[1:]


def _tell(told: InstallReport) -> None:
    words = {"changed": "Changed", "unchanged": "Nothing to change in", "planned": "Would change"}
    state = words[told.state]
    if told.state != "unchanged" and told.file_is in {"made", "removed"}:
        state = {
            "changed": {"made": "Made", "removed": "Removed"},
            "planned": {"made": "Would make", "removed": "Would remove"},
        }[told.state][told.file_is]
    # Paths are not wrapped: a person copies them.
    link = f" (a link to {one_line(told.target)})" if told.target else ""
    print_text(f"{state} {one_line(told.file)}{link}\n")
    if told.state == "planned":
        say(f"  {_summary(told)}", "Nothing was changed by this; in detail it would be:", "")
        print_text(told.diff or "")
    else:
        for one in told.hooks:
            say(f"  {one_line(one.event)}: {one.change}")
    if told.backup is not None:
        print_text(f"What was there before: {one_line(told.backup)}\n")
    for note in told.notes:
        say("", note)


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
        _tell(told)
    return DONE


def _file(host: str, scope: Scope) -> Path:
    return place(load(host).REGISTRATION, scope, os.environ)


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
        say_error("the command `readmark` was not found; install it, or put it on the PATH.")
        return UNAVAILABLE_CODE
    file = _file(host, scope)
    try:
        path.encode()
    except UnicodeEncodeError:
        return _refused(
            Task(file, host, {}),
            Refusal(
                "The path of the command is no valid UTF-8, which no host's file can hold.", "Move readmark."
            ),
            as_json=as_json,
        )
    return _run(
        Task(file, host, wanted(host, path), load(host).REGISTRATION.plain_json),
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

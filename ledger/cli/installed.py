"""What became of a host's file, or would become of it: in the form that `--json` prints, and in words."""

import os
import shutil

from adapters.hosts import load
from contracts.report.install import FileIs, HookChange, InstallReport, State
from ledger.cli.diff import diff
from ledger.cli.findings.documents import hint
from ledger.cli.output import print_text, say
from ledger.cli.switches import here
from ledger.cli.words import printable
from ledger.errors import HomeError
from ledger.escape import one_line
from ledger.home import unnamed_home
from ledger.install.change import Change, Task
from ledger.install.off import switched_off
from ledger.install.places import Scope
from ledger.install.plugins import hook_files

RESTART = "A conversation that is open already may not see the change; start a new one."
SUDO = "This is the file of root, through sudo. For your own, run it without sudo"
SUDO_DONE = ", and take this out again with `sudo readmark uninstall`"
UNNAMED = (
    "HOME names no usable folder (it is unset, empty or not absolute), so this is below the home of the"
    " password database: {home}"
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
UNCHANGED = "Nothing was changed; `readmark status` shows whether {host} runs the hooks."
TAKEN_OVER = (
    "Hooks that called readmark already were taken over, in {events}. `readmark uninstall` does not bring"
    " them back."
)
OFF = "{host} runs no hook now: `{key}` in {file} switches all of them off."
OTHER = "Left alone, because its words are not those that readmark registers: {event} runs {command}"
EXPLAINED = (
    "Each is one line of shell: after a tool it looks whether the payload mentions a reader; it starts"
    " readmark, is silent, and exits with 0 whatever happens."
)
COMMAND_LENGTH = 80
"""Longest command of a user that is shown whole."""
FATES = {
    "added": "add",
    "updated": "update",
    "moved": "move",
    "removed": "remove",
    "unchanged": "leave as they are",
}
"""What a plan does with the hooks of an event."""


def report(task: Task, change: Change, scope: Scope, *, dry_run: bool) -> InstallReport:
    """Return what came of it, or would come of it, in the form that `--json` prints."""
    state: State = "unchanged" if not change.changes else "planned" if dry_run else "changed"
    return InstallReport(
        state=state,
        host=task.host,
        scope=scope,
        file=printable(change.file),
        target=None if change.target == change.file else printable(change.target),
        file_is=_file_is(change),
        hooks=[HookChange(event, fate) for event, fate in change.events.items()],
        backup=None if change.backup is None else printable(change.backup),
        diff=diff(change) if dry_run else None,
        notes=_notes(task, change, scope, state),
    )


def _file_is(change: Change) -> FileIs:
    if change.after is None:
        return "absent" if change.before is None else "removed"
    return "made" if change.before is None else "kept"


def _notes(task: Task, change: Change, scope: Scope, state: State) -> list[str]:
    registration = load(task.host).REGISTRATION
    notes = _unnamed(task) if scope == "user" else []
    if task.wanted is not None:
        notes += _of_hooks(task, change, state)
        if scope == "project":
            notes.append(SHARED[state])
        elif os.environ.get("SUDO_USER") and os.geteuid() == 0:
            notes.append(f"{SUDO}{'' if state == 'planned' else SUDO_DONE}.")
    form = registration.plugin
    if scope == "user" and form is not None and hook_files(change.file.parent, form):
        notes.append(PLUGGED)
    notes += [
        OTHER.format(event=one_line(printable(one.event)), command=shortened(one.command))
        for one in change.others
    ]
    if state == "changed":
        notes.append(RESTART)
    return notes


def _of_hooks(task: Task, change: Change, state: State) -> list[str]:
    """Return what decides on whether the hooks of an install run, and what became of a user's own."""
    registration = load(task.host).REGISTRATION
    notes = []
    if shutil.which(registration.program) is None:
        notes.append(
            f"The command `{registration.program}` was not found on this machine; the hooks wait"
            " until it is there."
        )
    if state == "unchanged":
        notes.append(UNCHANGED.format(host=task.host))
    elif registration.trust:
        notes.append(registration.trust)
    off = switched_off(registration, os.environ)
    if off is not None:
        notes.append(OFF.format(host=task.host, key=off.key, file=one_line(printable(off.file))))
    taken = [event for event, fate in change.events.items() if fate in {"moved", "removed"}]
    if taken:
        notes.append(TAKEN_OVER.format(events=", ".join(map(one_line, taken))))
    unlisted = hint(here())
    if unlisted is not None:
        notes.append(f"{unlisted.meaning} {unlisted.remedy}")
    return notes


def shortened(command: str) -> str:
    """Return a user's command on one line, and only its begin if it is long."""
    shown = one_line(printable(command))
    return f"`{shown}`" if len(shown) <= COMMAND_LENGTH else f"`{shown[:COMMAND_LENGTH]}…`"


def _unnamed(task: Task) -> list[str]:
    """Return a note where a home that HOME does not name decided on the file."""
    try:
        home = unnamed_home(os.environ)
    except HomeError:  # then a variable of the host's own decided
        return []
    below = home is not None and task.file.is_relative_to(home)
    return [UNNAMED.format(home=one_line(printable(home)))] if below else []


def tell(told: InstallReport) -> None:
    """Say to a person what became of the file; its paths are not wrapped, for they are copied."""
    words = {"changed": "Changed", "unchanged": "Nothing to change in", "planned": "Would change"}
    state = words[told.state]
    if told.state != "unchanged" and told.file_is in {"made", "removed"}:
        state = {
            "changed": {"made": "Made", "removed": "Removed"},
            "planned": {"made": "Would make", "removed": "Would remove"},
        }[told.state][told.file_is]
    link = f" (a link to {one_line(told.target)})" if told.target else ""
    print_text(f"{state} {one_line(told.file)}{link}\n")
    if told.state == "planned":
        adds = any(one.change in {"added", "updated", "moved"} for one in told.hooks)
        say(f"  {_summary(told)}", *((EXPLAINED,) if adds else ()))
        say("Nothing was changed by this; in detail it would be:", "")
        print_text(told.diff or "")
    else:
        for one in told.hooks:
            say(f"  {one_line(one.event)}: {one.change}")
    if told.backup is not None:
        print_text(f"What was there before: {one_line(told.backup)}\n")
    for note in told.notes:
        say("", note)


def _summary(told: InstallReport) -> str:
    """Return in a line or two what a plan would do with the hooks of which events."""
    fates = {fate: [one.event for one in told.hooks if one.change == fate] for fate in FATES}
    parts = [
        f"{FATES[fate]} those of {', '.join(map(one_line, those))}" for fate, those in fates.items() if those
    ]
    words = f"{'; '.join(parts)}.".replace("those of", "the hooks of", 1)
    return words[0].upper() + words[1:]

"""What stands of ours in a host's file, beside what an install would put there; changes nothing."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from contracts.form import Reading
from ledger.install import hooks
from ledger.install.change import Task, plan
from ledger.install.files import BOM, Refusal
from ledger.install.handlers import WRAPPED, words_of

State = Literal["current", "incomplete", "outdated"]


class Standing(msgspec.Struct, frozen=True):
    """Our hooks in a file: `programs` are what they call, `commands` their whole lines by event.

    `state` compares them with what an install would write for the first of these programs.
    """

    target: Path
    state: State
    programs: tuple[str, ...]
    commands: dict[str, tuple[str, ...]]


def look(
    file: Path, host: str, wanted: Callable[[str], hooks.Wanted], reading: Reading | None = None
) -> Standing | Refusal | None:
    """Return what of ours stands in a file, None where nothing does, or why that cannot be known.

    `reading` is as in `ledger.install.change.Task`: hooks that a host cannot read are no hooks.
    """
    bare = plan(Task(file, host, None))
    if isinstance(bare, Refusal):
        return bare
    if not bare.events or bare.before is None:
        return None
    found = hooks.registered(bare.before.removeprefix(BOM).decode(), host)
    # What a plan understood is understood here too.
    ours = {} if isinstance(found, hooks.Unclear) else found
    handlers = {event: [handler for _, handler in pairs] for event, pairs in ours.items()}
    commands = {event: tuple(one["command"] for one in those) for event, those in handlers.items()}
    programs = tuple(dict.fromkeys(_program(one) for those in handlers.values() for one in those))
    change = plan(Task(file, host, wanted(programs[0]), reading))
    if isinstance(change, Refusal):
        return change
    fates = set(change.events.values())
    state: State = "incomplete" if "added" in fates else "outdated" if change.changes else "current"
    return Standing(bare.target, state, programs, commands)


def _program(handler: Mapping[str, Any]) -> str:
    """Return the program that a hook of ours calls: the last word after `sh -c`, else the first."""
    words = words_of(handler["command"], handler.get("args"))
    program = words[-1] if len(words) == WRAPPED else words[0]
    # JSON can say half a character; no path has one, and nothing could print it.
    return program.encode("utf-8", "backslashreplace").decode()

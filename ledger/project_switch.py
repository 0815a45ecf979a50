"""Writes a project's off switch into its `.readmark.toml`, and takes exactly that out again.

Where a person has written the key, TOML Kit changes it in place; else it is a first line of its own, which
leaves every other byte as it is.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import msgspec

from ledger.install.files import Changed, Found, Refusal, failed, read, remove, unwritable, write
from ledger.project import ENABLED, FILE, find, understood
from ledger.settings import Fault

LINE = b"enabled = false"
MADE = b"# readmark is off in this project; `readmark resume --project` switches it on.\n" + LINE + b"\n"
"""A file that holds nothing else, with a word to who finds it."""

Fate = Literal["made", "changed", "removed", "unchanged"]
"""What became of the project's file."""


class Switched(msgspec.Struct, frozen=True):
    """The project's file, and what became of it."""

    file: Path
    fate: Fate


def off(folder: Path) -> Switched | Fault | Refusal:
    """Switch readmark off in the project of a folder; a fault in its file leaves all as it is."""
    return _switch(folder, _without, enabled=False)


def on(folder: Path) -> Switched | Fault | Refusal:
    """Take the switch out again; a file that `off` made goes, if nothing else is in it."""
    return _switch(folder, _with, enabled=True)


def _switch(
    folder: Path, edit: Callable[[bytes], bytes | None], *, enabled: bool
) -> Switched | Fault | Refusal:
    project = find(folder)
    if project.fault is not None:
        return project.fault
    file = project.file or project.root / FILE
    found = read(file)
    if isinstance(found, Refusal):
        return found
    if found.status is None:
        return Switched(file, "unchanged") if enabled else _put(found, MADE, "made")
    before = understood(found.data)
    if isinstance(before, Fault):
        return before
    if before.enabled is enabled:
        return Switched(file, "unchanged")
    after = edit(found.data)
    if after is None:
        return _put(found, None, "removed")
    if understood(after) != msgspec.structs.replace(before, enabled=enabled):
        return Refusal("It could not be changed without harm.", f"Change `{ENABLED}` in it by hand.")
    return _put(found, after, "changed")


def _put(found: Found, data: bytes | None, fate: Fate) -> Switched | Refusal:
    refusal = unwritable(found)
    if refusal is not None:
        return refusal
    try:
        if data is None:
            remove(found)
        else:
            write(found, data)
    except Changed:
        return Refusal("It changed meanwhile.", "Try again.")
    except OSError as error:
        return failed(error)
    return Switched(found.target, fate)


def _ending(data: bytes) -> bytes:
    return b"\r\n" if b"\r\n" in data else b"\n"


def _without(data: bytes) -> bytes:
    """Return the file with readmark off."""
    from tomlkit import dumps, parse  # noqa: PLC0415 - no other command needs it

    document = parse(data.decode())
    if ENABLED not in document:
        return LINE + _ending(data) + data
    document[ENABLED] = False
    return dumps(document).encode()


def _with(data: bytes) -> bytes | None:
    """Return the file without the switch, None where nothing of a person's is left; their comment stays."""
    from tomlkit import dumps, parse  # noqa: PLC0415 - no other command needs it
    from tomlkit.items import Item  # noqa: PLC0415 - no other command needs it

    if data == MADE:
        return None
    ending = _ending(data)
    for ours in (MADE, LINE + ending):
        if data.startswith(ours):
            return data.removeprefix(ours)
    document = parse(data.decode())
    item = document.item(ENABLED)
    if isinstance(item, Item) and item.trivia.comment:
        document[ENABLED] = True
    else:
        document.remove(ENABLED)
    return dumps(document).encode()

"""Writes a project's off switch into its `.readmark.toml`, and takes exactly that out again.

Where a person has written the key, only its value changes; else it is a first line of its own. Every other
byte stays, and our line says that it is ours, so that the way back is exact.
"""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Literal

import msgspec

from ledger.install.files import (
    BOM,
    Changed,
    Found,
    Refusal,
    failed,
    read,
    remove,
    unkept,
    unwritable,
    write,
)
from ledger.install.likeness import Unkept
from ledger.project import ENABLED, FILE, Contents, find, understood
from ledger.settings import Fault

LINE = b"enabled = false # by readmark pause"
MADE = b"# readmark is off in this project; `readmark resume --project` switches it on.\n" + LINE + b"\n"
"""A file that holds nothing else, with a word to who finds it."""
TRIES = 64
"""How many lines that look like the switch are tried; more than one is a text over several lines."""

_OURS = re.compile(rb"^enabled = false # by readmark pause\r?(?:\n|\Z)", re.MULTILINE)
# A line of a person that looks like ours has one blank more while it is off.
_ALIKE_ON = re.compile(rb"^enabled = true( +# by readmark pause)(?=\r?$)", re.MULTILINE)
_ALIKE_OFF = re.compile(rb"^enabled = false ( +# by readmark pause)(?=\r?$)", re.MULTILINE)
_KEY = rb"""^([ \t]*(?:enabled|"[^"\r\n]*"|'[^'\r\n]*')[ \t]*=[ \t]*)"""
_ON = re.compile(_KEY + rb"true(?![^ \t\r\n#])", re.MULTILINE)
_OFF = re.compile(_KEY + rb"false(?![^ \t\r\n#])", re.MULTILINE)

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
    folder: Path, edits: Callable[[bytes], Iterator[bytes]], *, enabled: bool
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
    if enabled and found.data == MADE:
        return _put(found, None, "removed")
    wanted = msgspec.structs.replace(before, enabled=enabled)
    after = _edited(found.data, edits, wanted)
    if after is None:
        return Refusal("It could not be changed without harm.", f"Change `{ENABLED}` in it by hand.")
    return _put(found, after, "changed")


def _edited(data: bytes, edits: Callable[[bytes], Iterator[bytes]], wanted: Contents) -> bytes | None:
    """Return the first edit that says what is wanted and nothing else; a mark at the begin stays there."""
    mark = BOM if data.startswith(BOM) else b""
    tried = (mark + after for after in islice(edits(data.removeprefix(BOM)), TRIES))
    return next((after for after in tried if understood(after) == wanted), None)


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
    except Unkept as error:
        return unkept(error)
    except OSError as error:
        return failed(error)
    return Switched(found.target, fate)


def _without(data: bytes) -> Iterator[bytes]:
    """Yield the file with readmark off: by each line that looks like the switch, then by one of our own."""
    yield from _changed(data, _ALIKE_ON, rb"enabled = false \1")
    yield from _changed(data, _ON, rb"\1false")
    yield LINE + (b"\r\n" if b"\r\n" in data else b"\n") + data


def _with(data: bytes) -> Iterator[bytes]:
    """Yield the file without our line, or with its person's own line as it was."""
    if data.startswith(MADE):
        yield data.removeprefix(MADE)
    yield from _changed(data, _OURS, b"")
    yield from _changed(data, _ALIKE_OFF, rb"enabled = true\1")
    yield from _changed(data, _OFF, rb"\1true")


def _changed(data: bytes, pattern: re.Pattern[bytes], new: bytes) -> Iterator[bytes]:
    """Yield the file with one match of a pattern written anew, for each of them."""
    for found in pattern.finditer(data):
        yield data[: found.start()] + found.expand(new) + data[found.end() :]

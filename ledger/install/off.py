"""Whether a person, or the administrator of the machine, has switched off all hooks of a host."""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from contracts.form import OffSwitch
from contracts.host import Registration
from ledger.errors import HomeError
from ledger.install import files
from ledger.install.places import place
from ledger.install.reading import check
from ledger.install.text import Fault, parse


class SwitchedOff(msgspec.Struct, frozen=True):
    """The file that switches hooks off, and the member in it that does."""

    file: Path
    key: str


def switched_off(registration: Registration, environ: Mapping[str, str]) -> SwitchedOff | None:
    """Return what switches off all hooks for who works in the current folder, or None; changes nothing.

    A file that its host does not take in says nothing, as for the host itself.
    """
    switch = registration.off
    if switch is None:
        return None
    managed = switch.managed.get(sys.platform)
    if managed is not None and _said(Path(managed), registration).get(switch.managed_key) is True:
        return SwitchedOff(Path(managed), switch.managed_key)
    for file in _files(registration, switch, environ):
        said = _said(file, registration).get(switch.key)
        if isinstance(said, bool):
            return SwitchedOff(file, switch.key) if said else None
    return None


def _files(registration: Registration, switch: OffSwitch, environ: Mapping[str, str]) -> Iterator[Path]:
    """Yield the files that can hold the switch, the one that decides first."""
    managed = switch.managed.get(sys.platform)
    if managed is not None:
        yield Path(managed)
    try:
        project = place(registration, "project", environ)
    except HomeError:  # the current folder is gone
        pass
    else:
        yield project.with_name(switch.local)
        yield project
    try:
        yield place(registration, "user", environ)
    except HomeError:
        return


def _said(file: Path, registration: Registration) -> dict[str, Any]:
    """Return the members of a file that its host takes in; none of any other."""
    found = files.read(file)
    if isinstance(found, files.Refusal):
        return {}
    try:
        text = found.data.removeprefix(files.BOM).decode()
        if registration.reading is not None:
            check(text, registration.reading)
        document = parse(text)
        plain = document.plain(document.root)
    except (UnicodeDecodeError, Fault):
        return {}
    return plain if isinstance(plain, dict) else {}

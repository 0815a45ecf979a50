"""Pauses: marks in the state folder by which the user stops the hooks of all hosts, or of one.

A mark is an empty file, so it is there whole or not at all and takes no space of a disk that is full.
Whatever stands under its name counts, and nothing is ever opened or followed: a pause is cheap to ask
for, and what is doubtful keeps readmark quiet.
"""

import os
import stat
from pathlib import Path

import msgspec

from contracts.outcome import Skipped
from ledger.errors import HomeError, StoreError
from ledger.private import checked_folder, create_file, ensure_private
from ledger.trouble import translated

ALL = "ledger.paused"
OF_HOST = f"{ALL}-"


class Pauses(msgspec.Struct, frozen=True):
    """What is paused now: everything, and hosts by their names, sorted."""

    everything: bool = False
    hosts: tuple[str, ...] = ()


def _mark(folder: Path, host: str | None) -> Path:
    return folder / (ALL if host is None else OF_HOST + host)


def _stands(mark: Path) -> bool:
    try:
        mark.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise HomeError("home-unusable", type(error).__name__) from None
    return True


def stuck(folder: Path) -> tuple[Path, ...]:
    """Return what pauses and no resume can lift: folders in the place of a mark. Raises HomeError."""
    found = listed(folder)
    marks = [_mark(folder, host) for host in (*[None] * found.everything, *found.hosts)]
    return tuple(mark for mark in marks if _is_folder(mark))


def _is_folder(mark: Path) -> bool:
    try:
        return stat.S_ISDIR(mark.lstat().st_mode)
    except OSError:
        return False


def paused(folder: Path, host: str) -> Skipped | None:
    """Return why a host of the table does nothing, or None where it is not paused.

    Costs two looks at names. Raises HomeError where the folder cannot be looked into.
    """
    for name, whose in ((None, "all hosts"), (host, host)):
        if _stands(_mark(folder, name)):
            return Skipped("paused", whose)
    return None


def listed(folder: Path) -> Pauses:
    """Return every pause. Raises HomeError where the folder cannot be listed."""
    try:
        names = os.listdir(folder)  # noqa: PTH208 - names are all that is asked for
    except (FileNotFoundError, NotADirectoryError):
        return Pauses()
    except OSError as error:
        raise HomeError("home-unusable", type(error).__name__) from None
    return Pauses(
        ALL in names, tuple(sorted(name.removeprefix(OF_HOST) for name in names if name.startswith(OF_HOST)))
    )


def pause(folder: Path, host: str | None) -> bool:
    """Pause a host of the table, or all for None; return whether that is new.

    Raises HomeError where there can be no private folder, StoreError where it takes no mark.
    """
    ensure_private(folder)
    mark = _mark(folder, host)
    if _stands(mark):
        return False
    try:
        create_file(mark)
    except OSError as error:
        raise translated(error, None) from None
    return True


def resume(folder: Path, host: str | None) -> Pauses:
    """Lift the pause of a host, or every pause for None; return what was lifted.

    A pause of all is not lifted for one host. Raises HomeError for a folder that is not this user's own,
    StoreError where a mark cannot be removed, and StoreError("pause-stuck") with the path of a folder in the
    place of one; the others are lifted all the same.
    """
    if checked_folder(folder) is None:
        return Pauses()
    found = listed(folder)
    lifted = found if host is None else Pauses(hosts=tuple(one for one in found.hosts if one == host))
    try:
        marks = [_mark(folder, name) for name in (*lifted.hosts, *[None] * lifted.everything)]
        folders = [mark for mark in marks if _is_folder(mark)]
        for mark in marks:
            if mark not in folders:
                mark.unlink(missing_ok=True)
    except OSError as error:
        raise translated(error, None) from None
    if folders:
        raise StoreError("pause-stuck", str(folders[0]))
    return lifted

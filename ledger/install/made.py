"""Remembers which folders an install made, so that an uninstall can remove them again."""

import contextlib
import os
import secrets
from collections.abc import Sequence
from pathlib import Path

import msgspec

from ledger.escape import encodable
from ledger.install.files import unmake
from ledger.private import FILE_MODE, Identity, identity

NAME = "ledger.install-made"
"""The file in the state folder."""
BYTES = 65_536
"""Longest such file that is read; a folder in it has about 50 bytes."""


class Made(msgspec.Struct, frozen=True):
    """One folder; device and inode tell whether it is still the same."""

    path: str
    identity: Identity


class _Record(msgspec.Struct, frozen=True):
    """Folders made for each file of a host, and for the state folder itself; the outermost first."""

    files: dict[str, list[Made]] = {}
    state: list[Made] = []


def remember(state: Path, target: Path | None, folders: Sequence[Path]) -> None:
    """Remember folders that were made for a file, or for the state folder itself; raises OSError.

    A path that is no text cannot be remembered; its folders stay.
    """
    named = ((str(folder), identity(folder)) for folder in folders)
    new = [Made(path, found) for path, found in named if found is not None and encodable(path)]
    if not new:
        return
    record = _read(state)
    if target is None:
        _write(state, msgspec.structs.replace(record, state=[*record.state, *new]))
    elif encodable(str(target)):
        files = {**record.files, str(target): [*record.files.get(str(target), []), *new]}
        _write(state, msgspec.structs.replace(record, files=files))


def undo(state: Path, target: Path | None) -> None:
    """Remove the folders that were made for a file, where they are empty; raises OSError.

    Where no other file has such folders, the state folder goes too, if an install made it and it is empty.
    """
    record = _read(state)
    _remove(record.files.get(str(target), []))
    # What has gone meanwhile, as with a home that has another name now, is nobody's any more.
    files = {name: left for name, folders in record.files.items() if (left := _left(folders))}
    files.pop(str(target), None)
    if files:
        if files != record.files:
            _write(state, msgspec.structs.replace(record, files=files))
        return
    with contextlib.suppress(FileNotFoundError):
        (state / NAME).unlink()
    _remove(record.state)


def _left(made: Sequence[Made]) -> list[Made]:
    return [one for one in made if identity(Path(one.path)) == one.identity]


def _remove(made: Sequence[Made]) -> None:
    unmake([Path(one.path) for one in _left(made)])


def _read(state: Path) -> _Record:
    try:
        with (state / NAME).open("rb") as file:
            return msgspec.json.decode(file.read(BYTES), type=_Record)
    except (OSError, UnicodeError, msgspec.MsgspecError):
        # What is not known to be ours stays.
        return _Record()


def _write(state: Path, record: _Record) -> None:
    draft = state / f"{NAME}-{secrets.token_hex(6)}"
    opened = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, FILE_MODE)
    try:
        with os.fdopen(opened, "wb") as file:
            os.fchmod(opened, FILE_MODE)  # whatever the umask took
            file.write(msgspec.json.encode(record))
        draft.replace(state / NAME)
    except BaseException:
        draft.unlink()
        raise

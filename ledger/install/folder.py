"""A folder that readmark builds whole: made beside its place and renamed into it.

Only a folder that somebody works in, this process and so its shell, is filled anew in its place.
"""

import contextlib
import json
import os
import secrets
import shutil
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from ledger.install.files import Refusal, failed, missing
from ledger.private import FOLDER_MODE

MARKER_BYTES = 65_536
"""Longest marker that is read; ours have less than 1 KiB."""
PUBLIC_FOLDER, PUBLIC_FILE = 0o755, 0o644
"""What is built is there to be handed on; it says nothing of its owner."""

Fate = Literal["made", "replaced", "unchanged"]


class Task(msgspec.Struct, frozen=True):
    """What is to stand in a folder: bytes by place, with `/`; `marker` names the file that lists them.

    `host` is for whom it is built, as the marker says too.
    """

    folder: Path
    files: Mapping[str, bytes]
    marker: str
    host: str


class _Marker(msgspec.Struct):
    """What a marker says: for whom the folder was built, and every file that was put there."""

    host: str
    files: list[str]


def plan(task: Task) -> Fate | Refusal:
    """Say what the task would do; changes nothing.

    A folder with a file that no earlier build of ours lists is refused: it would be lost. The look ends at
    the first such file, and goes into no folder in which no build put anything.
    """
    folder = Path(os.path.realpath(task.folder))
    try:
        if not folder.exists():
            return "made"
        if not folder.is_dir():
            return Refusal("It is no folder.", "Name another one.")
        found = _marked(folder, task.marker)
        stray = next((name for name, known in _inside(folder, found, task.marker) if not known), None)
        if stray is not None:
            return Refusal(
                f"The folder holds {stray}, which no earlier build put there.",
                "Name an empty folder, a new one, or that of an earlier build.",
            )
        if found is None:
            return "made"
        if found.host != task.host:
            return Refusal(
                f"The folder holds a plugin for {found.host[:64]}.",
                f"Name another one for {task.host}, or remove this one first.",
            )
        same = all(_holds(folder / name, data) for name, data in task.files.items())
    except OSError as error:
        return failed(error)
    return "unchanged" if same else "replaced"


def perform(task: Task) -> Fate | Refusal:
    """Do the task, whole or not at all; where nothing must change, nothing is written.

    A folder that this process works in keeps its place, or its shell would stand in one that is gone. Its
    files change one by one then, each whole; what was there and what comes is listed meanwhile, so that the
    next build ends what a crash broke off.
    """
    fate = plan(task)
    if isinstance(fate, Refusal) or fate == "unchanged":
        return fate
    folder = Path(os.path.realpath(task.folder))
    draft = folder.with_name(f".{folder.name}.readmark-{secrets.token_hex(6)}")
    try:
        _make_above(folder)
        if (owner := folder.parent.stat().st_uid) not in {os.geteuid(), 0}:
            return Refusal(
                f"The folder {folder.parent} belongs to another user ({owner}).", "Run this as that user."
            )
        try:
            _write(draft, task.files)
            if _worked_in(folder):
                _fill(draft, folder, task)
            else:
                _swap(draft, folder)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    except OSError as error:
        return failed(error)
    return fate


def _make_above(folder: Path) -> None:
    """Make the folders that a folder is to stand in, as others are, and open to their owner at least."""
    for part in missing(folder.parent):
        part.mkdir(exist_ok=True)
        part.chmod(stat.S_IMODE(part.stat().st_mode) | FOLDER_MODE)


def _worked_in(folder: Path) -> bool:
    """Whether this process works in a folder, or in one below it."""
    try:
        return Path.cwd().is_relative_to(folder)
    except OSError:
        return False


def _fill(draft: Path, folder: Path, task: Task) -> None:
    """Put the files of the draft into the folder one by one, and take out those of an earlier build.

    The marker comes first and lists the files of both; the one that lists only the new ones comes last.
    """
    # What the marker lists may lie anywhere; only what was found in the folder goes.
    earlier = _inside(folder, _marked(folder, task.marker), task.marker)
    old = {name for name, known in earlier if known} - {task.marker}
    new = sorted(task.files.keys() - {task.marker})
    final = (draft / task.marker).read_bytes()
    both = {**json.loads(final), "files": sorted({*old, *new})}
    (draft / task.marker).write_text(json.dumps(both))
    _put(draft, folder, task.marker)
    for name in sorted(old - task.files.keys()):
        (folder / name).unlink(missing_ok=True)
        for above in list((folder / name).relative_to(folder).parents)[:-1]:
            with contextlib.suppress(OSError):  # what is still in use stays
                (folder / above).rmdir()
    for name in new:
        _put(draft, folder, name)
    _place(draft / task.marker, final)
    _put(draft, folder, task.marker)


def _put(draft: Path, folder: Path, name: str) -> None:
    _make(folder, name)
    os.replace(draft / name, folder / name)  # noqa: PTH105 - the name says that it replaces


def _swap(draft: Path, folder: Path) -> None:
    """Put the draft into the folder's place, and what was there into the draft's."""
    if not folder.exists():
        draft.rename(folder)
        return
    mode = stat.S_IMODE(folder.stat().st_mode)
    aside = draft.with_name(draft.name + ".old")
    folder.rename(aside)
    try:
        draft.rename(folder)
    except OSError:
        aside.rename(folder)
        raise
    folder.chmod(mode)
    aside.rename(draft)


def _write(draft: Path, files: Mapping[str, bytes]) -> None:
    draft.mkdir()
    draft.chmod(PUBLIC_FOLDER)
    for name, data in sorted(files.items()):
        _make(draft, name)
        _place(draft / name, data)


def _make(folder: Path, name: str) -> None:
    """Make the folders in which a file of this name is to stand."""
    for above in reversed(list(Path(name).parents)[:-1]):
        if not (folder / above).exists():
            (folder / above).mkdir()
            (folder / above).chmod(PUBLIC_FOLDER)


def _place(file: Path, data: bytes) -> None:
    file.write_bytes(data)
    file.chmod(PUBLIC_FILE)


def _inside(folder: Path, found: _Marker | None, marker: str) -> Iterator[tuple[str, bool]]:
    """Yield the place, with `/`, of what is in a folder, and whether an earlier build put it there.

    A link never counts as that, whatever its name; neither does a folder in which no listed file can stand,
    and what is in it is not looked for.
    """
    files = frozenset() if found is None else frozenset([*found.files, marker])
    folders = {above.as_posix() for name in files for above in list(Path(name).parents)[:-1]}
    waiting = [""]
    while waiting:
        at = waiting.pop()
        with os.scandir(folder / at) as entries:
            for entry in entries:
                name = f"{at}/{entry.name}" if at else entry.name
                if entry.is_dir(follow_symlinks=False) and name in folders:
                    waiting.append(name)
                else:
                    yield name, entry.is_file(follow_symlinks=False) and name in files


def _marked(folder: Path, marker: str) -> _Marker | None:
    """Return what the marker of an earlier build says, or None where there is none."""
    try:
        if not stat.S_ISREG((folder / marker).lstat().st_mode):
            return None
        with (folder / marker).open("rb") as file:
            return msgspec.json.decode(file.read(MARKER_BYTES), type=_Marker)
    except (OSError, UnicodeError, msgspec.MsgspecError, RecursionError):
        return None


def _holds(file: Path, data: bytes) -> bool:
    try:
        with file.open("rb") as opened:
            return opened.read(len(data) + 1) == data
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return False

"""A folder that readmark builds whole: made beside its place and renamed into it."""

import json
import os
import secrets
import shutil
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec

from ledger.install.files import Refusal, failed

MARKER_BYTES = 65_536
"""Longest marker that is read; ours have less than 1 KiB."""
PUBLIC_FOLDER, PUBLIC_FILE = 0o755, 0o644
"""What is built is there to be handed on; it says nothing of its owner."""

Fate = Literal["made", "replaced", "unchanged"]


class Task(msgspec.Struct, frozen=True):
    """What is to stand in a folder: bytes by place, with `/`; `marker` names the file that lists them."""

    folder: Path
    files: Mapping[str, bytes]
    marker: str


def plan(task: Task) -> Fate | Refusal:
    """Say what the task would do; changes nothing.

    A folder with a file that no earlier build of ours lists is refused: it would be lost.
    """
    folder = Path(os.path.realpath(task.folder))
    try:
        if not folder.exists():
            return "made"
        if not folder.is_dir():
            return Refusal("It is no folder.", "Name another one.")
        if not any(folder.iterdir()):
            return "made"
        ours = _listed(folder, task.marker)
        stray = next((name for name in _inside(folder) if name not in ours), None)
        if not ours or stray is not None:
            return Refusal(
                f"The folder holds {stray or 'something'}, which no earlier build put there.",
                "Name an empty folder, a new one, or that of an earlier build.",
            )
        return "unchanged" if _same(folder, task.files) else "replaced"
    except OSError as error:
        return failed(error)


def perform(task: Task) -> Fate | Refusal:
    """Do the task, whole or not at all; where nothing must change, nothing is written."""
    fate = plan(task)
    if isinstance(fate, Refusal) or fate == "unchanged":
        return fate
    folder = Path(os.path.realpath(task.folder))
    draft = folder.with_name(f".{folder.name}.readmark-{secrets.token_hex(6)}")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        if (owner := folder.parent.stat().st_uid) not in {os.geteuid(), 0}:
            return Refusal(
                f"The folder {folder.parent} belongs to another user ({owner}).", "Run this as that user."
            )
        try:
            _write(draft, task.files)
            _swap(draft, folder)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    except OSError as error:
        return failed(error)
    return fate


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
        parts = name.split("/")
        at = draft
        for part in parts[:-1]:
            at /= part
            if not at.exists():
                at.mkdir()
                at.chmod(PUBLIC_FOLDER)
        at /= parts[-1]
        at.write_bytes(data)
        at.chmod(PUBLIC_FILE)


def _inside(folder: Path) -> list[str]:
    """Return every file in a folder by its place, with `/`; a link or an empty folder counts as a file."""
    found = []
    for root, folders, names in os.walk(folder):
        links = [name for name in folders if Path(root, name).is_symlink()]
        here = [*names, *links]
        if not here and not folders:
            here = [""]
        found += [Path(root, name).relative_to(folder).as_posix() for name in here]
    return sorted(found)


def _listed(folder: Path, marker: str) -> frozenset[str]:
    """Return the files that an earlier build put there, its marker among them; none where it was none."""
    try:
        with (folder / marker).open("rb") as file:
            listed = json.loads(file.read(MARKER_BYTES))["files"]
        return frozenset([*listed, marker])
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return frozenset()


def _same(folder: Path, files: Mapping[str, bytes]) -> bool:
    return _inside(folder) == sorted(files) and all(
        (folder / name).read_bytes() == data for name, data in files.items()
    )

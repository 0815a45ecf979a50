"""Writes recordings as files: one form, so that two of them can be compared line by line."""

import os
from contextlib import suppress
from pathlib import Path

import msgspec

from adapters.evidence.unusable import UnusableError
from contracts.evidence import Recording

FAILED = "failed"
"""The folder beside a version's recordings for those of which something does not hold."""


def write(recording: Recording, root: Path, *, holds: bool = True) -> Path:
    """Write a recording to `root/<host>/<version>/<scenario>.json`, whole or not at all; return the path.

    One of which something does not hold stands apart, in the folder `FAILED` there, and no verdict looks at
    it; one that holds takes such a one away. Raises UnusableError where it cannot be written.
    """
    folder = root / recording.host / recording.version
    name = f"{recording.scenario}.json"
    path = folder / name if holds else folder / FAILED / name
    draft = path.with_suffix(f".{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_bytes(msgspec.json.format(msgspec.json.encode(recording), indent=1) + b"\n")
        draft.replace(path)
        if holds:
            _take_away(folder / FAILED / name)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        raise UnusableError(
            f"{path} cannot be written: {error.strerror}. Name another folder with --out."
        ) from None
    return path


def _take_away(failed: Path) -> None:
    failed.unlink(missing_ok=True)
    with suppress(OSError):
        # Stays while there are others.
        failed.parent.rmdir()


def usable(folder: Path, option: str) -> None:
    """Check that files can be written below a folder, which is made; raises UnusableError."""
    probe = folder / f".{os.getpid()}.tmp"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            probe.write_bytes(b"\n")
        finally:
            probe.unlink(missing_ok=True)
    except OSError as error:
        raise UnusableError(
            f"Nothing can be written below {folder}: {error.strerror}. Name another folder with {option}."
        ) from None

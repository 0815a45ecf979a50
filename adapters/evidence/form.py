"""Writes recordings as files: one form, so that two of them can be compared line by line."""

import os
from pathlib import Path

import msgspec

from contracts.evidence import Recording


def write(recording: Recording, root: Path) -> Path:
    """Write a recording to `root/<host>/<version>/<scenario>.json`, whole or not at all; return the path."""
    path = root / recording.host / recording.version / f"{recording.scenario}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(f".{os.getpid()}.tmp")
    draft.write_bytes(msgspec.json.format(msgspec.json.encode(recording), indent=1) + b"\n")
    draft.replace(path)
    return path

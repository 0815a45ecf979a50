"""Takes the machine out of a recording: its paths, its user, its folders. Ids stay as the host made them."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from adapters.evidence.lab import Lab
from contracts.evidence import Recording


def scrubbed(recording: Recording, lab: Lab) -> Recording:
    """Return the recording with neutral paths in every text and every key."""
    name = recording.scenario
    places = {
        str(lab.project): f"/project/{name}",
        str(lab.home): f"/home/dev/{name}",
        str(lab.root): "/lab",
        slug(str(lab.project)): slug(f"/project/{name}"),
        slug(str(lab.home)): slug(f"/home/dev/{name}"),
        slug(str(lab.root)): "-lab",
    }
    return msgspec.convert(replaced(msgspec.to_builtins(recording), places), Recording)


def slug(path: str) -> str:
    """Return a path as Claude Code writes it into the name of a folder."""
    return re.sub(r"[^0-9A-Za-z]", "-", path)


def replaced(value: Any, places: Mapping[str, str]) -> Any:
    """Return a JSON value with each text replaced, in keys too; the first of the `places` goes first."""
    match value:
        case str():
            for found, neutral in places.items():
                value = value.replace(found, neutral)
            return value
        case dict():
            return {replaced(key, places): replaced(item, places) for key, item in value.items()}
        case list():
            return [replaced(item, places) for item in value]
        case _:
            return value

"""Takes the machine out of a recording: its paths, its user, its folders. Ids stay as the host made them."""

import re

import msgspec

from adapters.evidence import paths
from adapters.evidence.lab import Lab
from contracts.evidence import Recording


def scrubbed(recording: Recording, lab: Lab) -> Recording:
    """Return the recording with neutral paths in every text and every key."""
    name = recording.scenario
    places = {
        str(lab.project): paths.project(name),
        str(lab.home): paths.home(name),
        str(lab.root): "/lab",
    }
    places |= {slug(found): slug(neutral) for found, neutral in places.items()}
    return msgspec.convert(paths.replaced(msgspec.to_builtins(recording), places), Recording)


def slug(path: str) -> str:
    """Return a path as Claude Code writes it into the name of a folder."""
    return re.sub(r"[^0-9A-Za-z]", "-", path)

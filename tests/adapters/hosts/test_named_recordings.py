"""A docstring that names a recording as proof of a host's fact names one that is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from adapters.verdicts import FOLDER

NAMED = re.compile(r"`(?:(?:(?P<host>[a-z-]+)/)?(?P<version>\d+\.\d+\.\d+)/)?(?P<name>(?:first/)?\w+)`")
ROOT = FOLDER.parents[1]
HOSTS = {"claude": "claude-code", "codex": "codex"}


def named() -> list[tuple[str, str]]:
    """Return every recording that a text names by its folder, as a glob below the evidence, with the text."""
    found = []
    for path in (*ROOT.glob("adapters/**/*.py"), *ROOT.glob("contracts/*.py"), ROOT / "docs/evidence.md"):
        own = HOSTS.get(path.stem.partition("_")[0], "*")
        for name in NAMED.finditer(path.read_text(encoding="utf-8")):
            if name["version"] or name["name"].startswith("first/"):
                glob = f"{name['host'] or own}/{name['version'] or '*'}/{name['name']}.json"
                found.append((str(path.relative_to(ROOT)), glob))
    return found


@pytest.mark.parametrize(("text", "glob"), named())
def test_a_recording_that_is_named_is_there(text: str, glob: str) -> None:
    """Whoever doubts the fact can look."""
    assert sorted(FOLDER.glob(glob)), text


def test_recordings_are_named_at_all() -> None:
    """Both hosts' modules give their facts with names of this form."""
    assert {Path(text).stem.partition("_")[0] for text, _ in named()} >= {"claude", "codex"}

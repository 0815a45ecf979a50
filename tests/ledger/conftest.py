"""Fixtures of the ledger: a state folder, a clock that the test sets, and ledgers that close themselves."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from contracts.limits import Limits
from ledger.calls import Ledger
from tests.ledger.crowd import NOBODY
from tests.ledger.played import SKILL, TEXT, Claude, Codex
from tests.ledger.samples import Clock

Opener = Callable[..., Ledger]


@pytest.fixture
def clock() -> Clock:
    """Return a clock that stands still until the test moves it."""
    return Clock()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the path of a state folder that does not exist yet."""
    return tmp_path / "state"


@pytest.fixture
def reachable() -> Iterator[Path]:
    """Return the path of a state folder that does not exist yet and that another user can reach."""
    above = Path(tempfile.mkdtemp())
    above.chmod(0o755)
    yield above / "state"
    (above / "state").chmod(0o700)
    shutil.rmtree(above)


def give_away(folder: Path) -> None:
    """Give a state folder to an unprivileged user, where only that makes its permissions count."""
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
        os.chown(folder / "ledger.db", NOBODY, NOBODY)


@pytest.fixture
def opened(folder: Path, clock: Clock) -> Iterator[Opener]:
    """Return what opens a ledger of the folder within limits."""
    ledgers: list[Ledger] = []

    def opener(patience_ms: int = 1500, **limits: int) -> Ledger:
        ledgers.append(Ledger(folder, Limits(**limits), clock, patience_ms))
        return ledgers[-1]

    yield opener
    for ledger in ledgers:
        ledger.close()


@pytest.fixture
def ledger(opened: Opener) -> Ledger:
    """Return a ledger with the default limits."""
    return opened()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project with a listed document, an unlisted one and a skill."""
    root = Path(os.path.realpath(tmp_path)) / "project"
    for name, text in (
        ("docs/1.md", TEXT),
        ("README.md", TEXT),
        (".claude/skills/parsing/SKILL.md", SKILL),
        (".readmark.toml", 'documents = ["docs/*.md"]\n'),
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.fixture
def claude(private_home: Path, project: Path) -> Claude:
    """Return a conversation of Claude Code in the project."""
    return Claude(private_home, project)


@pytest.fixture
def codex(private_home: Path, project: Path) -> Codex:
    """Return a conversation of Codex in the project."""
    return Codex(private_home, project)

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

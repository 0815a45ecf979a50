"""Fixtures of the command line: which hosts are on, and a ledger that recorded payloads have filled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from adapters import verdicts
from adapters.evidence.replay import Step, load, replay
from tests.ledger.cli.running import CLAUDE, CODEX, EVIDENCE, put_verdict

Steps = Callable[[tuple[str, str], str], Iterator[Step]]


@pytest.fixture(autouse=True)
def verdict_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give every test an empty folder of verdicts: no host is on until the test says so."""
    folder = tmp_path_factory.mktemp("verdicts")
    for asked in (verdicts.proven, verdicts.verdicts):
        monkeypatch.setattr(asked, "__defaults__", (folder,))
    return folder


@pytest.fixture
def proven(verdict_folder: Path) -> Path:
    """Switch both hosts on."""
    put_verdict(verdict_folder, *CODEX)
    put_verdict(verdict_folder, *CLAUDE)
    return verdict_folder


@pytest.fixture
def steps(tmp_path: Path) -> Steps:
    """Play a recorded scenario again, its transcripts below this test's folder."""

    def plays(host: tuple[str, str], scenario: str) -> Iterator[Step]:
        return replay(load(EVIDENCE / host[0] / host[1] / f"{scenario}.json"), tmp_path)

    return plays

"""Fixtures of the command line: which hosts are on, and a ledger that recorded payloads have filled."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from adapters import verdicts
from adapters.evidence.replay import Step, load, replay
from adapters.hosts import HOSTS
from adapters.hosts import load as load_host
from ledger.cli import examination
from ledger.pipeline import handle
from ledger.runtime import open_ledger
from tests.ledger.cli.running import CLAUDE, CODEX, EVIDENCE, READ_AT, put_verdict

Steps = Callable[[tuple[str, str], str], Iterator[Step]]


@pytest.fixture(autouse=True)
def verdict_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give every test an empty folder of verdicts: no host is on until the test says so."""
    folder = tmp_path_factory.mktemp("verdicts")
    monkeypatch.setattr(verdicts, "FOLDER", folder)
    return folder


@pytest.fixture(autouse=True)
def no_hosts(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test see, or start, the hosts of the person who runs it: their programs leave the PATH."""
    names = {load_host(name).REGISTRATION.program for name in HOSTS}
    folders = []
    for place in os.environ["PATH"].split(os.pathsep):
        there = {file.name for file in Path(place).iterdir()} if Path(place).is_dir() else set()
        if not there & names:
            folders.append(place)
            continue
        rest = tmp_path_factory.mktemp("path")
        for name in there - names:
            (rest / name).symlink_to(Path(place, name))
        folders.append(str(rest))
    monkeypatch.setenv("PATH", os.pathsep.join(folders))


@pytest.fixture
def no_word_of_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a status miss no host: what is wrong with hosts is a matter of `test_status_hosts`."""
    monkeypatch.setattr(examination, "troubles_of", lambda found, told: [])  # noqa: ARG005 - the names count


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
        return replay(load(EVIDENCE / host[0] / host[1] / "first" / f"{scenario}.json"), tmp_path)

    return plays


@pytest.fixture
def codex_read(request: pytest.FixtureRequest, steps: Steps) -> Callable[[int], str]:
    """Play `read_and_spawn` up to a step, recorded as far as the read; return the conversation."""
    request.getfixturevalue("proven")

    def plays(until: int) -> str:
        reference = ""
        for step in steps(CODEX, "read_and_spawn"):
            if step.index > until:
                break
            reference = msgspec.json.decode(step.payload)["session_id"]
            if step.index <= READ_AT:
                with open_ledger(os.environ, 1000) as ledger:
                    handle(load_host("codex"), step.payload, ledger)
        return reference

    return plays

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from adapters.evidence import version as asking
from adapters.evidence.process import Ended
from adapters.evidence.runner import asked
from adapters.evidence.unusable import UnusableError
from adapters.evidence.version import version
from tests.adapters.evidence.scenes import alive


@pytest.fixture
def saying(tmp_path: Path) -> Callable[[str], Path]:
    """Return a function that makes a program of a shell script."""

    def make(script: str) -> Path:
        program = tmp_path / "codex"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        return program

    return make


Saying = Callable[[str], Path]


@pytest.mark.parametrize(
    ("line", "stated"),
    [
        ("codex-cli 0.171.0", "0.171.0"),
        ("2.1.197 (Claude Code)", "2.1.197"),
        ("codex-cli 0.172.0-alpha.3", "0.172.0-alpha.3"),
        ("tool v1.2 3.4.5", "3.4.5"),
    ],
)
def test_the_version_is_the_first_word_that_has_the_form_of_one(
    saying: Saying, line: str, stated: str
) -> None:
    """Numbers with dots between, and what may follow them."""
    assert version(saying(f"echo '{line}'"), "codex") == stated


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("echo 'codex-cli ../../x'", "prints no version"),
        ("echo 'codex-cli 1.2/../../x 1.2..3 .1.2 -1.2 1.2- 1..2 /1.2'", "prints no version"),
        ("echo nothing", "prints no version"),
        ("head -c 9000 /dev/urandom", "prints no version"),
        ("exec yes", "does not stop printing"),
        ("echo 1.2.3; exit 1", "ended with 1"),
        ("kill -9 $$", "was ended by signal 9"),
    ],
)
def test_a_program_that_states_no_version_is_named_with_the_fault(
    saying: Saying, script: str, told: str
) -> None:
    """What it says becomes the name of a folder; so only the strict form counts."""
    program = saying(script)
    with pytest.raises(UnusableError, match=told) as raised:
        version(program, "codex")
    assert str(program) in str(raised.value)


@pytest.mark.parametrize("content", [b"", b"\x7fELF broken", b"#!/no/such/interpreter\n"])
@pytest.mark.parametrize("mode", [0o644, 0o755])
def test_a_program_that_cannot_be_started_is_named(tmp_path: Path, content: bytes, mode: int) -> None:
    """Not executable, not a program, or without its interpreter."""
    program = tmp_path / "codex"
    program.write_bytes(content)
    program.chmod(mode)
    with pytest.raises(UnusableError, match="cannot be started"):
        version(program, "codex")


def test_a_program_that_hangs_is_ended_with_what_it_started(
    saying: Saying, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its children too, those in sessions of their own as well."""
    monkeypatch.setattr(asking, "VERSION_SECONDS", 1)
    mark = tmp_path / "pids"
    program = saying(f"sleep 600 & echo $! >> {mark}\nsetsid sleep 600 & echo $! >> {mark}\nwait")
    with pytest.raises(UnusableError, match="did not end within 1 s"):
        version(program, "codex")
    assert [pid for pid in mark.read_text().split() if alive(int(pid))] == []


def test_a_stop_ends_the_question_at_once(saying: Saying) -> None:
    """A person who stops a run does not wait for a program that hangs."""
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    begun = time.monotonic()
    with pytest.raises(Ended, match="stopped"):
        version(saying("sleep 600"), "codex", stop=stop)
    assert time.monotonic() - begun < 10


@pytest.mark.parametrize("host", ["codex", "claude-code"])
def test_a_host_is_asked_in_a_home_and_an_environment_of_its_own(
    saying: Saying, private_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    """It writes nothing into the person's home, and sees no key."""
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "secret")
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    seen = tmp_path / "seen"
    assert asked(host, saying(f"env > {seen}; mkdir -p ~/.codex/tmp; pwd > ~/here; echo 1.2.3")) == "1.2.3"
    assert "secret" not in seen.read_text()
    assert list(private_home.iterdir()) == []

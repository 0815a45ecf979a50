"""Asking a program: its answer, or one sentence of why there is none, and nothing runs on afterwards."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from adapters import asking as module
from adapters.asking import Silent, asking, within

SHORT, LONG = 0.4, 20.0
PYTHON = shlex.join([sys.executable, "-I", "-S", "-c"])


def script(text: str) -> list[str]:
    """Return a program of the shell."""
    return ["/bin/sh", "-c", text]


def test_all_that_a_program_says_is_returned() -> None:
    """To its end, however it comes in pieces; standard error is nobody's answer."""
    with asking(script("echo one; echo no >&2; printf two"), None, within(LONG)) as program:
        assert program.rest() == b"one\ntwo"


def test_messages_are_lines_both_ways(tmp_path: Path) -> None:
    """In the folder that was asked for; two lines in one piece are two answers."""
    folder = str(tmp_path)
    with asking(script('read a; printf "%s\\n%s\\nrest" "$a" "$PWD"'), folder, within(LONG)) as program:
        program.tell({"a": 1})
        assert program.line() == b'{"a":1}'
        assert program.line() == os.fsencode(tmp_path)
        assert program.rest() == b"rest"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["/no/where/program"], "could not be started (FileNotFoundError)"),
        (["/"], "could not be started (PermissionError)"),
        (["/bin/sh\0"], "could not be started (ValueError)"),
        (script("exit 3"), "ended without an answer"),
        (script("printf half"), "ended without an answer"),
        (script("sleep 60"), "did not answer in time"),
        (script("trap '' TERM; while :; do sleep 1; done"), "did not answer in time"),
        (script("exec yes | tr -d '\\n'"), "more than can be read"),
    ],
)
def test_a_program_without_an_answer_says_why(
    words: list[str], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In time, in one sentence of ours."""
    monkeypatch.setattr(module, "ANSWER_BYTES", 300_000)
    seconds = SHORT if "in time" in why else LONG
    begin = time.monotonic()
    with pytest.raises(Silent) as silence, asking(words, None, within(seconds)) as program:
        program.line()
    assert why in str(silence.value)
    assert time.monotonic() - begin < LONG / 2


def test_a_program_that_reads_nothing_is_told_nothing() -> None:
    """Its end of the pipe is closed by then."""
    with asking(script("exec <&-; echo closed; read wait < /dev/tty"), None, within(LONG)) as program:
        program.line()
        with pytest.raises(Silent, match="ended before"):
            program.tell({})


def test_nothing_that_it_started_runs_on(tmp_path: Path) -> None:
    """Nor what hides in the background, nor what does not listen to signals."""
    family = f"trap '' TERM HUP INT; {PYTHON} 'import time; time.sleep(60)' & echo $! $$; wait"
    with asking(script(family), str(tmp_path), within(LONG)) as program:
        ids = [int(number) for number in program.line().split()]
    assert len(ids) == 2
    end = time.monotonic() + LONG
    while any(alive(number) for number in ids):
        # A killed orphan is there until the system's first process has taken notice.
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="this system shows no environment")
def test_what_left_the_group_is_ended_too() -> None:
    """A daemon that a host starts has a session of its own; other programs run on."""
    daemon = f"{PYTHON} 'import os, time; os.setsid(); print(os.getpid(), flush=True); time.sleep(60)' & wait"
    other = subprocess.Popen(["sleep", "60"])  # noqa: S607 - the system's
    try:
        with asking(script(daemon), None, within(LONG)) as program:
            number = int(program.line())
        end = time.monotonic() + LONG
        while alive(number):
            assert time.monotonic() < end
            time.sleep(0.01)
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


def alive(number: int) -> bool:
    """Whether a process runs; one that only waits to be taken notice of does not."""
    told = subprocess.run(["ps", "-o", "stat=", "-p", str(number)], capture_output=True, check=False)  # noqa: S607 - the system's
    return told.stdout.strip()[:1] not in {b"", b"Z"}


def test_a_program_that_ends_by_itself_is_let_to() -> None:
    """It gets a moment after the end of its input, and what it does then is done."""
    with asking(script("read a; read b; echo done > /dev/fd/1; exit 0"), None, within(LONG)) as program:
        program.tell(1)
    assert program.ended == 0
    with asking(script("sleep 60"), None, within(LONG)) as program:
        pass
    assert program.ended == -signal.SIGKILL

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from adapters.evidence import process
from adapters.evidence.keyboard import drive
from adapters.evidence.process import Ended, Watch
from adapters.evidence.progress import Progress
from adapters.evidence.runner import play
from adapters.evidence.scenario import Holds, Key, Run
from adapters.evidence.terminal import Terminal, opened
from tests.adapters.evidence.scenes import alive, scene

Fake = Callable[[str], Path]

ECHO = """
import os, sys, tty
tty.setraw(0)
os.write(1, b"ready>")
while True:
    data = os.read(0, 100)
    os.write(1, b"<" + data.hex().encode() + b">")
"""


def watch(seconds: float = 10) -> Watch:
    """Return a watch that gives up after some seconds."""
    return Watch(time.monotonic() + seconds, threading.Event())


@pytest.fixture
def echo(tmp_path: Path) -> Iterator[Terminal]:
    """Start a program that shows in hex what is typed."""
    script = tmp_path / "echo.py"
    script.write_text(ECHO)
    with opened([sys.executable, str(script)], tmp_path, dict(os.environ)) as terminal:
        yield terminal


NONE = Progress(lambda _: 0, lambda: 0)
"""Nothing has come."""


def test_a_program_has_a_terminal_of_its_own(tmp_path: Path) -> None:
    """It is the controlling one, so that Ctrl-C and the window's size reach the program."""
    script = tmp_path / "size.py"
    script.write_text(
        "import os, time\n"
        "fd = os.open('/dev/tty', os.O_RDWR)\n"
        "print(os.isatty(0), os.get_terminal_size(fd), flush=True)\n"
        "time.sleep(600)\n"
    )
    with opened([sys.executable, str(script)], tmp_path, dict(os.environ)) as terminal:
        watch().wait(lambda: "lines=40" in terminal.text, "the size")
        assert "True" in terminal.text
        assert "columns=120" in terminal.text
        pid = terminal.process.pid
    assert not alive(pid)


def test_keys_are_pressed_after_what_they_wait_for(echo: Terminal) -> None:
    """Words, then a named key, as a person does it."""
    keys = [Key(screen="ready>", type="ab", press="enter"), Key(screen="0d", press="esc")]
    drive(echo, keys, watch(), NONE)
    watch().wait(lambda: "1b" in echo.text, "the key")
    assert echo.text.splitlines()[0] == "ready><6162><0d><1b>"


def test_a_wait_that_is_not_met_says_what_it_waited_for(echo: Terminal) -> None:
    """A hanging host is reported by the place where it hangs."""
    with pytest.raises(Ended, match="while waiting for 'never' on the screen"):
        drive(echo, [Key(screen="never")], watch(0.2), NONE)
    with pytest.raises(Ended, match=r"while waiting for Stop for the 2\. time"):
        drive(echo, [Key(event="Stop", times=2)], watch(0.2), Progress(lambda _: 1, NONE.tools))
    with pytest.raises(Ended, match="while waiting for start 1 of the reader"):
        drive(echo, [Key(tools=1)], watch(0.2), NONE)


def test_a_host_that_is_gone_is_not_waited_for_until_the_deadline(
    fake_codex: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it ended with is said, and what it had on its screen."""
    monkeypatch.setattr(process, "LAST_SECONDS", 0.3)
    host = fake_codex("print('it is broken'); sys.exit(9)")
    keys = [Key(screen="never")]
    begun = time.monotonic()
    played = play(scene(runs=[Run(terminal=True, keys=keys)], deadline=60), host)
    assert time.monotonic() - begun < 30
    assert played.faults == ("the host ended with 9 while waiting for 'never' on the screen",)
    assert played.said == ("it is broken",)


def test_what_a_host_that_is_gone_has_started_is_waited_for(tmp_path: Path) -> None:
    """Its last hook may still run."""
    mark = tmp_path / "mark"
    threading.Timer(0.3, mark.touch).start()
    near = Watch(time.monotonic() + 20, threading.Event(), ended=lambda: 0)
    near.wait(mark.exists, "the mark")
    assert mark.exists()


def test_a_key_for_another_screen_is_left_out(echo: Terminal) -> None:
    """Versions of a host put the same choice at different places."""
    keys = [Key(screen="ready>", only="never", press="down"), Key(only="ready", press="up")]
    drive(echo, keys, watch(), NONE)
    watch().wait(lambda: "1b5b41" in echo.text, "the key")
    assert "1b5b42" not in echo.text


def test_questions_of_a_program_to_its_terminal_are_answered(tmp_path: Path) -> None:
    """Where the cursor is, what the terminal can, and what colour it has; hosts wait for that."""
    script = tmp_path / "ask.py"
    script.write_text(
        "import os, tty\n"
        "tty.setraw(0)\n"
        "found = b''\n"
        "os.write(1, b'\\x1b[3;5H\\x1b[6n')\n"
        "while not found.endswith(b'R'): found += os.read(0, 1)\n"
        "os.write(1, b'\\x1b[>1u\\x1b[?2026$p\\x1b[c')\n"
        "while not found.endswith(b'c'): found += os.read(0, 1)\n"
        "os.write(1, b'\\x1b]11;?\\x1b\\\\')\n"
        "while not found.endswith(b'\\\\'): found += os.read(0, 1)\n"
        "os.write(1, b'\\x1b[2J\\x1b[H' + found.hex().encode() + b' over')\n"
        "os.read(0, 1)\n"
    )
    with opened([sys.executable, str(script)], tmp_path, dict(os.environ)) as terminal:
        watch().wait(lambda: "over" in terminal.text, "the answers")
        answers = bytes.fromhex(terminal.text.split()[0])
    assert answers == b"\x1b[3;5R\x1b[?62;c\x1b]11;rgb:0000/0000/0000\x1b\\"


def test_a_scenario_drives_a_host_in_its_terminal(fake_codex: Fake) -> None:
    """Events and tools of this run alone count for its keys."""
    host = fake_codex("""
        if "exec" in sys.argv:
            hook("UserPromptSubmit"), hook("Stop")
            sys.exit(0)
        print("Ask", flush=True)
        typed = input()
        hook("UserPromptSubmit", prompt=typed)
        start("lore get a.b.c --json").wait()
        hook("Stop")
        assert input() == "quit"
    """)
    keys = [
        Key(screen="Ask", type="hello", press="enter"),
        Key(event="Stop", tools=1, type="quit", press="enter"),
    ]
    runs = [Run(prompt="one"), Run(terminal=True, keys=keys)]
    played = play(scene(runs=runs, holds=Holds()), host)
    assert played.faults == ()
    assert played.codes == (0, 0)
    assert [event.event for event in played.recording.events] == [
        "UserPromptSubmit",
        "Stop",
        "UserPromptSubmit",
        None,
        "Stop",
    ]
    assert (played.recording.events[2].stdin or {})["prompt"] == "hello"

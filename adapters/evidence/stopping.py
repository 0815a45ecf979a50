"""Ends a run on every signal by which a person, a closed window or a timeout stops it, and clears up."""

import ctypes
import os
import signal
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from adapters.evidence.process import kill

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What stops a run. One that is ignored when it begins (nohup, a shell's background) stays ignored."""

_SET_CHILD_SUBREAPER = 36
"""The number of the request in Linux' `prctl`."""


@contextmanager
def stopping(stop: threading.Event) -> Iterator[None]:
    """Have each of the signals set `stop`, and at the end kill whatever was started meanwhile and lives on.

    Further signals change nothing: what clears up is bounded in time and is not cut short. On Linux a process
    that left its group, its session and its environment behind still belongs to this one, and is found.
    Signals are taken in the main thread only; elsewhere they stay as they are.
    """
    _adopt_orphans()
    before = descendants()
    old = {}
    if threading.current_thread() is threading.main_thread():
        for number in SIGNALS:
            if signal.getsignal(number) != signal.SIG_IGN:
                old[number] = signal.signal(number, lambda *_: stop.set())
    try:
        yield
    finally:
        while left := descendants() - before:
            kill(left)
            for pid in left:
                with suppress(ChildProcessError):
                    os.waitpid(pid, 0)
        for number, handler in old.items():
            signal.signal(number, handler)


def _adopt_orphans() -> None:
    """Have processes whose parents are gone become children of this one, where the system can."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def descendants() -> set[int]:
    """Return the ids of all processes below this one, the ended ones too that nobody asked for."""
    children: dict[int, list[int]] = defaultdict(list)
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()[1]
            children[int(parent)].append(int(folder.name))
    found: set[int] = set()
    waiting = [os.getpid()]
    while waiting:
        new = set(children[waiting.pop()]) - found
        found |= new
        waiting += new
    return found

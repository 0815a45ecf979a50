"""Work in other processes: many that start at once, one that holds a lock, one that is another user."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw

FORK = multiprocessing.get_context("fork")
NOBODY = 65534
PATIENCE = 60
"""Seconds after which a test gives up on its processes."""


def together(number: int, work: Callable[[int], Any]) -> list[Any]:
    """Let processes do the work at the same moment and return what each came to, in their order."""
    barrier = FORK.Barrier(number)
    answers = FORK.SimpleQueue()

    def run(index: int) -> None:
        barrier.wait(PATIENCE)
        answers.put((index, work(index)))

    crowd = [FORK.Process(target=run, args=(index,)) for index in range(number)]
    for process in crowd:
        process.start()
    found = {}
    for _ in crowd:
        index, answer = answers.get()
        found[index] = answer
    for process in crowd:
        process.join(PATIENCE)
        assert process.exitcode == 0
    return [found[index] for index in range(number)]


def elsewhere(work: Callable[[], Any]) -> Any:
    """Do the work in one other process."""
    return together(1, lambda _: work())[0]


def as_nobody(work: Callable[[], Any]) -> Any:
    """Do the work as another, unprivileged user; only root can become one."""

    def run() -> Any:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        return work()

    return elsewhere(run)


def kill_inside(work: Callable[[], Any]) -> None:
    """Let another process do the work and kill it at the end, before it can put anything right."""

    def run() -> None:
        kept = work()
        kill(os.getpid())
        del kept

    process = FORK.Process(target=run)
    process.start()
    process.join(PATIENCE)
    assert process.exitcode == -signal.SIGKILL


@contextlib.contextmanager
def locked(file: Path, how: str, seconds: float) -> Iterator[None]:
    """Let another process hold a lock on a database for a while, from before the block starts."""
    holds = FORK.Event()

    def hold() -> None:
        connection = apsw.Connection(str(file))
        connection.execute(f"BEGIN {how}")
        holds.set()
        FORK.Event().wait(seconds)

    process = FORK.Process(target=hold)
    process.start()
    assert holds.wait(PATIENCE)
    try:
        yield
    finally:
        kill(process.pid)
        process.join(PATIENCE)


def kill(pid: int | None) -> None:
    """End a process that was started here, at once."""
    assert pid is not None
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)

"""Starts a host's process, waits for it within a deadline, and leaves nothing of it running."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from adapters.evidence.unusable import UnusableError

TICK = 0.02
"""How often a wait looks again, in seconds."""

LAST_SECONDS = 5.0
"""How long is waited for what a host that has ended may still bring about, in seconds."""

GRACE = 1.0
"""How long a process may take to end after SIGTERM, in seconds."""


class Ended(Exception):  # noqa: N818 - not an error: how a scenario is cut short
    """A run was cut short: its deadline passed, or the person stopped all runs."""


def _runs_on() -> None:
    """Tell of no end."""


class Watch(msgspec.Struct, frozen=True):
    """When a scenario must be over: `until` on the monotonic clock, or when `stop` is set.

    `ended` is the exit code of the host that what is waited for must come from, None while it runs.
    """

    until: float
    stop: threading.Event
    ended: Callable[[], int | None] = _runs_on

    def wait(self, met: Callable[[], bool], what: str) -> None:
        """Wait until the condition is met; raises Ended, which says what was waited for."""
        until, told = self.until, "the deadline passed"
        while not met():
            if self.stop.is_set():
                raise Ended("stopped")
            code = self.ended()
            if code is not None and until == self.until:
                # Hooks of a host that is gone may still come.
                until = min(until, time.monotonic() + LAST_SECONDS)
                told = f"the host ended with {code}"
            if time.monotonic() > until:
                raise Ended(f"{told} while waiting for {what}")
            self.stop.wait(TICK)


@contextmanager
def started(
    command: Sequence[str], folder: Path, environment: dict[str, str], log: Path, stdin: int | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a host without a terminal, in a process group of its own; at the end, end the group.

    Raises UnusableError where the system cannot start it.
    """
    with log.with_suffix(".out").open("ab") as out, log.with_suffix(".err").open("ab") as err:
        try:
            process = subprocess.Popen(  # noqa: S603 - the host's binary that the person named
                command,
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL if stdin is None else stdin,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            raise UnusableError(
                f"{command[0]} cannot be started: {why}. Check that it is the program and may be run."
            ) from None
        try:
            yield process
        finally:
            end(process.pid, process.poll)
            if process.stdin:
                process.stdin.close()


def end(group: int, poll: Callable[[], int | None]) -> None:
    """End a process group: its head is asked first; then all of it is killed."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if number is signal.SIGTERM and poll() is not None:
            continue
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, number)
        limit = time.monotonic() + GRACE
        while poll() is None and time.monotonic() < limit:
            time.sleep(TICK)


def residents(root: Path, program: str = "") -> list[int]:
    """Return the ids of all processes that live in a lab, or of those of them that run a program.

    Hosts start tools and hooks as sessions of their own, which no process group holds. All of them inherit a
    HOME in the lab, or work in a folder of it; where the system does not show that (no /proc), nothing is
    found.
    """
    mark = b"\0HOME=" + os.fsencode(root) + b"/"
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (mark in b"\0" + (folder / "environ").read_bytes() or _works_in(folder, root)) and (
                not program or os.fsencode(program) in (folder / "cmdline").read_bytes()
            ):
                found.append(int(folder.name))
    return found


def _works_in(process: Path, root: Path) -> bool:
    return (process / "cwd").readlink().is_relative_to(root)


def sweep(root: Path, program: str) -> list[int]:
    """Let the hooks that still run a `program` end, then kill all that lives on in a lab; return its ids.

    A host that is interrupted leaves without waiting for the hooks that it has just started.
    """
    limit = time.monotonic() + GRACE
    while residents(root, program) and time.monotonic() < limit:
        time.sleep(TICK)
    found: set[int] = set()
    limit = time.monotonic() + GRACE
    # Until they are gone: they may write into the lab, or start another one, before they die.
    while (left := residents(root)) and time.monotonic() < limit:
        kill(left)
        found |= set(left)
        time.sleep(TICK)
    return sorted(found)


def kill(pids: Iterable[int]) -> None:
    """Kill processes; one that is gone, or another's, is left alone."""
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)

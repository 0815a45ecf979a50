"""The hook process: one payload on stdin, at most one answer on stdout, exit code 0, inside the deadline.

It imports no more than it needs, starts no process, and leaves by `os._exit`, so that nothing that
the interpreter does at its end can change the exit code or the output.
"""

import os
import threading
import time
from pathlib import Path
from typing import NoReturn

from adapters import hosts
from adapters.verdicts import standing
from ledger import pipeline
from ledger.diagnostics import Entry, Summary, append
from ledger.errors import ReadmarkError
from ledger.home import state_folder
from ledger.library import look
from ledger.outcomes import summary
from ledger.private import ensure_private
from ledger.quiet import why_not
from ledger.runtime import now_ms, open_ledger, open_unbounded


def _age() -> float:
    """Return the seconds since this process was started, where the system tells (Linux), else none."""
    try:
        fields = Path("/proc/self/stat").read_bytes().rpartition(b")")[2].split()
        started = int(fields[19]) / os.sysconf("SC_CLK_TCK")
        return max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - started)
    except (OSError, ValueError, IndexError, AttributeError):
        return 0.0


STARTED = time.monotonic() - _age()
"""When this process was started: on a busy machine that alone can take most of the time."""
DEADLINE = 1.8
"""Seconds for the whole call, counted from the start of the process."""
SESSION_END_DEADLINE = 0.7
"""Seconds for a session's end; hosts kill such a hook after about 1 s (Codex 0.171.0; Claude Code 1.5 s)."""
MARGIN_MS = 150
"""What is kept of the time for the steps after a wait for another process."""
LAST_WORDS = 0.1
"""Seconds that the diagnostics may take when the deadline has passed."""
PAYLOAD_BYTES = 16 * 1024 * 1024
"""Largest payload that is looked at; what comes beyond is read and dropped, so that the host never blocks."""
BLOCK = 1 << 16
UNKNOWN = "unknown"
"""The host in the diagnostics where a call named none of the table: what it did name is text of others."""


class _Clockwork:
    """Ends the process with exit code 0 when its time is over, whatever it is doing."""

    def __init__(self, host: str) -> None:
        self._done = threading.Event()
        self._until = STARTED + DEADLINE
        self._host = host
        self._event = "other"
        self._spoken = False
        threading.Thread(target=self._watch, daemon=True).start()

    def hurry(self, seconds: float) -> None:
        self._until = STARTED + seconds

    def names(self, event: str) -> None:
        self._event = event

    def spoken(self) -> None:
        """Leave the diagnostics to the call itself, which has come to its end."""
        self._spoken = True

    def left_ms(self) -> int:
        return max(1, int((self._until - time.monotonic()) * 1000))

    def _watch(self) -> None:
        while (left := self._until - time.monotonic()) > 0:
            # Short naps: `hurry` may move the end closer.
            self._done.wait(min(left, 0.05))
        if self._spoken:
            os._exit(0)
        # A file system that hangs must not keep us: the line is written beside, and waited for briefly.
        words = threading.Thread(
            target=report, args=(self._host, self._event, Summary("unavailable", "deadline")), daemon=True
        )
        words.start()
        words.join(LAST_WORDS)
        os._exit(0)


def report(host: str, event: str, summary: Summary, version: str = "") -> None:
    """Write one line of diagnostics; where there can be no private state folder there is none."""
    try:
        folder = state_folder(os.environ).path
        ensure_private(folder)
    except ReadmarkError:
        return
    ms = int((time.monotonic() - STARTED) * 1000)
    append(folder, Entry(now_ms(), host, event, ms, summary, version))


def read_payload(descriptor: int = 0) -> bytes | None:
    """Read to the end; None if the payload is larger than the bound."""
    blocks: list[bytes] = []
    size = 0
    while block := os.read(descriptor, BLOCK):
        size += len(block)
        if size <= PAYLOAD_BYTES:
            blocks.append(block)
        else:
            blocks.clear()
    return None if size > PAYLOAD_BYTES else b"".join(blocks)


def write_answer(answer: bytes) -> None:
    """Write the answer as bytes, whatever the locale says; a host that has gone away is no fault."""
    while answer:
        answer = answer[os.write(1, answer) :]


def _work(host_name: str, clockwork: _Clockwork) -> None:
    try:
        payload = read_payload()
    except OSError as error:
        raise ReadmarkError("stream-unusable", error.strerror or type(error).__name__) from None
    if host_name == UNKNOWN or payload is None:
        reason = "host-unknown" if host_name == UNKNOWN else "payload-too-large"
        report(host_name, "other", Summary("skipped", reason))
        return
    host = hosts.load(host_name)
    event = pipeline.event_name(host, payload)
    clockwork.names(event)
    if event == "SessionEnd":
        clockwork.hurry(SESSION_END_DEADLINE)
    version = host.version(os.environ)
    patience = max(1, clockwork.left_ms() - MARGIN_MS)
    stands = standing(host_name, version)
    off = why_not(os.environ, host_name, stands.off)
    if off is not None:
        with open_unbounded(os.environ, patience) as ledger:
            handled = pipeline.Handled("Refused", pipeline.end_only(host, payload, ledger) or off)
    else:
        with open_ledger(os.environ, patience) as ledger:
            strict = not stands.proven
            handled = pipeline.handle(host, payload, ledger, strict=strict, look=look(os.environ))
            handled = pipeline.once(ledger, payload, handled)
            write_answer(handled.answer)
            handled = pipeline.handed_out(ledger, handled)
    clockwork.spoken()
    report(host_name, event, summary(handled), version or "")


def run(named: str) -> NoReturn:
    """Serve one hook call of the host that is named and end the process with exit code 0, always."""
    host_name = named if named in hosts.HOSTS else UNKNOWN
    clockwork = _Clockwork(host_name)
    try:
        _work(host_name, clockwork)
    except BaseException as error:  # noqa: BLE001 - the agent's work goes on whatever happens here
        try:
            if isinstance(error, ReadmarkError):
                report(host_name, "other", Summary("unavailable", error.reason, error.detail))
            elif not isinstance(error, BrokenPipeError):
                report(host_name, "other", Summary("unavailable", "internal-error", type(error).__name__))
        finally:
            os._exit(0)
    os._exit(0)

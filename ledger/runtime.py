"""What every command shares: the ledger of this user, with the limits and the clock in force."""

import time
from collections.abc import Mapping

from contracts.limits import Limits
from ledger.calls import Ledger
from ledger.errors import ReadmarkError
from ledger.home import config_file, state_folder
from ledger.settings import Fault, Settings, load

WIDEST = Limits(
    candidate_bytes=2**31 - 1,
    candidates=2**31 - 1,
    conversations=2**31 - 1,
    idle_seconds=2**31 - 1,
    pending_seconds=2**31 - 1,
)
"""The limits of a clear that cannot know those in force: by them, nothing goes but what is cleared."""


def now_ms() -> int:
    """Return the time in milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


def settings(environ: Mapping[str, str]) -> Settings:
    """Return the limits in force; raises ReadmarkError("config-invalid") that names the place."""
    loaded = load(config_file(environ), environ)
    if isinstance(loaded, Fault):
        raise ReadmarkError("config-invalid", f"{loaded.place}: {loaded.message}")
    return loaded


def open_ledger(environ: Mapping[str, str], patience_ms: int) -> Ledger:
    """Return the ledger of this user; raises ReadmarkError if there is no state folder or no valid limit.

    `patience_ms` is the longest wait for another process.
    """
    return Ledger(state_folder(environ).path, settings(environ).limits, now_ms, patience_ms)


def open_unbounded(environ: Mapping[str, str], patience_ms: int) -> Ledger:
    """Return the ledger of this user for clearing alone, whatever the configuration says."""
    return Ledger(state_folder(environ).path, WIDEST, now_ms, patience_ms)

"""What keeps the hooks of a host from recording and briefing now, whatever they are told."""

from collections.abc import Mapping

from contracts.outcome import Skipped, Unavailable
from ledger import pauses
from ledger.errors import ReadmarkError
from ledger.home import state_folder
from ledger.runtime import settings

OFF = "READMARK_DISABLED"
"""Set to anything but "0" or nothing, this variable switches the hooks off."""


def disabled(environ: Mapping[str, str]) -> bool:
    """Whether the user has switched the hooks off."""
    return environ.get(OFF, "") not in {"", "0"}


def switched_off(environ: Mapping[str, str], host: str, unproven: Skipped | None) -> Skipped | None:
    """Return which switch keeps a host's hooks quiet, or None.

    The last of them is what the evidence says, `unproven` (`adapters.verdicts.standing`).

    Raises HomeError where nobody can know whether it is paused.
    """
    if disabled(environ):
        return Skipped("disabled")
    paused = pauses.paused(state_folder(environ).path, host)
    if paused is not None:
        return paused
    return unproven


def why_not(environ: Mapping[str, str], host: str, unproven: Skipped | None) -> Skipped | Unavailable | None:
    """Return what keeps a host's hooks quiet, a switch or a fault in the configuration, or None.

    Raises HomeError as `switched_off` does.
    """
    off = switched_off(environ, host, unproven)
    if off is not None:
        return off
    try:
        settings(environ)
    except ReadmarkError as error:
        return Unavailable(error.reason, error.detail)
    return None

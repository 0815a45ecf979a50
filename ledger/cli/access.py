"""The ledger for a command that a person or a script runs, with the settling that comes before any answer."""

import os
from pathlib import Path

from adapters.hosts import HOSTS, load
from adapters.verdicts import standing
from contracts.conversation import Conversation
from contracts.limits import Limits
from contracts.outcome import Skipped, Unavailable
from ledger import pipeline, quiet
from ledger.calls import Ledger
from ledger.cli.failure import explain, say_error, sentence
from ledger.cli.words import printable
from ledger.errors import ReadmarkError
from ledger.home import state_folder
from ledger.runtime import now_ms, open_ledger

PATIENCE_MS = 5_000
"""Longest wait for another process; a person has more time than a hook."""


def folder() -> Path | None:
    """Return the state folder of this user, or None where there can be none."""
    try:
        return state_folder(os.environ).path
    except ReadmarkError:
        return None


def opened() -> Ledger:
    """Return the ledger of this user; raises ReadmarkError where there can be none."""
    return open_ledger(os.environ, PATIENCE_MS)


def opened_anyway(limits: Limits, meanwhile: str) -> tuple[Ledger, bool]:
    """Return the ledger even where the configuration has a fault, which is then warned of.

    The limits hold only in that case, and `meanwhile` tells what that means; the second value says
    whether they do.
    """
    try:
        return opened(), False
    except ReadmarkError as error:
        if error.reason != "config-invalid":
            raise
        why = explain(error.reason, printable(error.detail))
        say_error(f"{sentence(why)} {meanwhile}")
        return Ledger(state_folder(os.environ).path, limits, now_ms, PATIENCE_MS), True


def switched_off(host: str) -> Skipped | None:
    """Return which switch keeps a host's hooks quiet, or None where they work.

    Only where the host itself started this process is its version known.
    """
    return quiet.switched_off(os.environ, host, standing(host, load(host).version(os.environ)).off)


def settle(ledger: Ledger, conversation: Conversation) -> Unavailable | None:
    """Settle what the host has shown by now; a host that is switched off settles nothing."""
    if conversation.host not in HOSTS or switched_off(conversation.host) is not None:
        return None
    settled = pipeline.settle(load(conversation.host), ledger, conversation, None)
    return settled if isinstance(settled, Unavailable) else None

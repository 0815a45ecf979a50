"""What the hosts themselves answer, all asked at once: their versions, and whether they run our hooks."""

import os
import re
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

import msgspec

from adapters.asking import Left, Silent, asking, within
from adapters.hosts import load
from contracts.trust import HooksListed, TrustUnknown
from ledger.cli.findings.presence import Presence
from ledger.cli.output import hint

SECONDS = 4.0
"""Longest wait for all answers; measured: 0.05 to 0.8 s for a version, 0.5 to 1.1 s for Codex's hooks."""
PATIENCE = 1.0
"""Seconds after which a person at a terminal is told what takes so long."""
NOT_ASKED = "It was not asked."
NO_PROGRAM = "Its command was not found."
UNTRIED = frozenset({NOT_ASKED, NO_PROGRAM})
"""Why a host said nothing that does not speak against it."""


class Answers(msgspec.Struct, frozen=True):
    """What a host answered: `version` is empty where `why` says why it is not known.

    `trust` is what it says of all hooks, or None where it asks no trust of hooks or none of ours are there.
    """

    version: str = ""
    why: str = NOT_ASKED
    trust: HooksListed | TrustUnknown | None = None


def unasked(found: Presence) -> Answers:
    """Return what is known of a host that was not asked."""
    needs = bool(found.registration.trust and _ours(found))
    return Answers(trust=TrustUnknown(NOT_ASKED) if needs else None)


def ask(found: Sequence[Presence]) -> list[Answers]:
    """Ask all hosts at once and wait for their answers; nothing of them runs on afterwards."""
    stop = threading.Event()
    # One clock for all: a thread that starts late on a busy machine has no more time than the others.
    clock = within(SECONDS)

    def left() -> float:
        return 0.0 if stop.is_set() else clock()

    with ThreadPoolExecutor(max_workers=2 * len(found) or 1) as pool:
        try:
            asked = [(pool.submit(_version, one, left), pool.submit(_trust, one, left)) for one in found]
            every: list[Future[Any]] = [one for pair in asked for one in pair]
            if wait(every, PATIENCE).not_done:
                hint(f"Asking {', '.join(one.host for one in found)} ...")
            return [_answers(version.result(), trust.result()) for version, trust in asked]
        finally:
            stop.set()


def _answers(version: str | Silent, trust: HooksListed | TrustUnknown | None) -> Answers:
    if isinstance(version, Silent):
        return Answers("", str(version), trust)
    return Answers(version, "", trust)


def _version(found: Presence, left: Left) -> str | Silent:
    if found.program is None:
        return Silent(NO_PROGRAM)
    try:
        with asking([found.program, "--version"], None, left) as program:
            told = program.rest()
    except Silent as silence:
        return silence
    stated = re.fullmatch(found.registration.version_line, told.decode("utf-8", "replace").strip(), re.ASCII)
    return stated[1] if stated else Silent("It states its version in a form that is not known.")


def _trust(found: Presence, left: Left) -> HooksListed | TrustUnknown | None:
    if not found.registration.trust or not _ours(found):
        return None
    if found.program is None:
        return TrustUnknown(NO_PROGRAM)
    try:
        folder = os.getcwd()  # noqa: PTH109 - a text is what is needed
    except OSError:  # it is gone, and with it all hooks but the user's
        folder = str(found.places[0].target.parent)
    return load(found.host).trust(found.program, folder, left)


def _ours(found: Presence) -> bool:
    return any(place.commands for place in found.places)

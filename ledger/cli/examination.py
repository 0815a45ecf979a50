"""How the ledger is, found out step by step, so that one broken step hides none of the others."""

import os
import re
from collections.abc import Iterable
from pathlib import Path

import msgspec

from adapters.hosts import HOSTS
from contracts.limits import Limits
from contracts.outcome import Conversed, Ready, Unavailable
from contracts.report.base import Explained
from contracts.report.status import Counts, FolderReport, HostStatus, StatusReport, StoreReport
from contracts.version import __version__
from ledger.calls import Ledger
from ledger.cli import access, switches
from ledger.cli.failure import explain
from ledger.cli.findings.activity import last_troubles, refusals, unreadable
from ledger.cli.findings.answers import ask, unasked
from ledger.cli.findings.documents import hint
from ledger.cli.findings.presence import presence
from ledger.cli.findings.standing import Heard, host_status
from ledger.cli.findings.standing import problems as troubles_of
from ledger.cli.probe import unwritable
from ledger.cli.words import printable
from ledger.diagnostics import Said, said
from ledger.errors import ReadmarkError
from ledger.home import StateFolder, config_file, state_folder
from ledger.quarantine import PREFIX
from ledger.runtime import now_ms
from ledger.settings import Fault, load


def _limits() -> tuple[Limits, Explained | None]:
    """Return the limits in force, or the defaults and what is wrong with the configuration."""
    try:
        loaded = load(config_file(os.environ), os.environ)
    except ReadmarkError as error:
        return Limits(), explain(error.reason, error.detail)
    if isinstance(loaded, Fault):
        return Limits(), explain("config-invalid", printable(f"{loaded.place}: {loaded.message}"))
    return loaded.limits, None


def _folder() -> StateFolder | Explained:
    try:
        return state_folder(os.environ)
    except ReadmarkError as error:
        return explain(error.reason, error.detail)


class _Store(msgspec.Struct, frozen=True):
    """The ledger as a reader found it, and what it keeps."""

    report: StoreReport
    counts: Counts | None = None
    kept: tuple[Conversed, ...] = ()


def _store(folder: StateFolder, limits: Limits) -> _Store:
    """Open the ledger as a reader and count, or say why that cannot be."""
    with Ledger(folder.path, limits, now_ms, access.PATIENCE_MS) as ledger:
        found = ledger.stats()
        listed = Ready(()) if isinstance(found, Unavailable) else ledger.list()
    if isinstance(found, Unavailable):
        return _Store(StoreReport("unavailable", found.reason, found.detail))
    held = found.counts
    counts = Counts(held.live, held.cleared, held.candidates, held.pending)
    if not found.schema:
        return _Store(StoreReport("absent"), counts)
    if not held.intact:
        return _Store(StoreReport("unavailable", "store-corrupt", "the check of the file failed"), counts)
    kept = () if isinstance(listed, Unavailable) else listed.conversations
    return _Store(StoreReport("healthy", schema=found.schema, bytes=found.bytes), counts, kept)


def _set_aside(folder: Path) -> tuple[str, ...]:
    """Return the damaged ledgers that lie in the state folder, the last one first."""
    try:
        names = os.listdir(folder)  # noqa: PTH208 - names are all that is asked for
    except OSError:
        return ()
    numbers = [found for name in names if (found := re.fullmatch(rf"{re.escape(PREFIX)}(\d+)\.db", name))]
    newest_first = sorted(numbers, key=lambda one: int(one[1]), reverse=True)
    return tuple(printable(folder / one[0]) for one in newest_first)


def _new(problems: list[Explained], more: Iterable[Explained]) -> list[Explained]:
    """Return those of a reason that is not among the problems yet."""
    known = {one.reason for one in problems}
    found: list[Explained] = []
    for one in more:
        if one.reason not in known:
            known.add(one.reason)
            found.append(one)
    return found


def examine(*, asks: bool = True) -> StatusReport:
    """Return how everything is; never raises for what may be wrong with the ledger or a host.

    `asks` lets it start the hosts that are here, for their versions and for what they say of our hooks.
    """
    limits, fault = _limits()
    folder = _folder()
    problems: list[Explained] = []
    store, told = None, Said([])
    if isinstance(folder, Explained):
        problems.append(folder)
    else:
        store = _store(folder, limits)
        told = said(folder.path)
        if store.report.state == "unavailable":
            problems.append(explain(store.report.reason, store.report.detail))
    unusable = bool(problems)
    lesser: list[Explained] = [] if fault is None else [fault]
    if not isinstance(folder, Explained) and not unusable:
        lesser += unreadable(folder.path, told.damage)
        lesser += [explain(one.reason, one.detail) for one in unwritable(folder.path)]
    lesser += switches.active(os.environ)
    problems += _new(problems, [*lesser, *last_troubles(told.entries)])
    hosts, troubles = _hosts(Heard(told.entries, () if store is None else store.kept), asks=asks)
    problems += troubles
    return StatusReport(
        state="broken" if unusable else "attention" if problems else "healthy",
        version=__version__,
        folder=None if isinstance(folder, Explained) else FolderReport(printable(folder.path), folder.source),
        store=None if store is None else store.report,
        counts=None if store is None else store.counts,
        set_aside=() if isinstance(folder, Explained) else _set_aside(folder.path),
        limits=msgspec.to_builtins(limits),
        hosts=hosts,
        refusals=refusals(told.entries),
        problems=problems,
        hint=hint(switches.here()),
    )


def _hosts(heard: Heard, *, asks: bool) -> tuple[list[HostStatus], list[Explained]]:
    """Return every host of the table: another name in the diagnostics was a slip in a registration."""
    found = [presence(name, os.environ) for name in HOSTS]
    here = [one for one in found if one.found]
    answers = dict(zip((one.host for one in here), ask(here), strict=True)) if asks else {}
    told = [host_status(one, answers.get(one.host) or unasked(one), heard) for one in found]
    return told, troubles_of(found, told)

"""How the ledger is, found out step by step, so that one broken step hides none of the others."""

import os
from collections.abc import Iterable

import msgspec

from adapters.hosts import HOSTS
from adapters.verdicts import proven_versions
from contracts.limits import Limits
from contracts.outcome import Unavailable
from contracts.reasons import UNAVAILABLE
from contracts.report import (
    Counts,
    Explained,
    FolderReport,
    HostActivity,
    SeenEvent,
    SeenRefusal,
    StatusReport,
    StoreReport,
)
from contracts.version import __version__
from ledger.calls import Ledger
from ledger.cli import access
from ledger.cli.failure import explain
from ledger.cli.output import printable, stamp
from ledger.cli.probe import unwritable
from ledger.diagnostics import Entry, entries
from ledger.errors import ReadmarkError
from ledger.home import StateFolder, config_file, state_folder
from ledger.hook import UNKNOWN
from ledger.runtime import disabled, now_ms
from ledger.settings import Fault, load

REFUSALS_SHOWN = 5


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


def _store(folder: StateFolder, limits: Limits) -> tuple[StoreReport, Counts | None]:
    """Open the ledger as a reader and count, or say why that cannot be."""
    with Ledger(folder.path, limits, now_ms, access.PATIENCE_MS) as ledger:
        found = ledger.stats()
    if isinstance(found, Unavailable):
        return StoreReport("unavailable", found.reason, found.detail), None
    held = found.counts
    counts = Counts(held.live, held.cleared, held.candidates, held.pending)
    if not found.schema:
        return StoreReport("absent"), counts
    if not held.intact:
        return StoreReport("unavailable", "store-corrupt", "the check of the file failed"), counts
    return StoreReport("healthy", schema=found.schema, bytes=found.bytes), counts


def _seen(entry: Entry | None) -> SeenEvent | None:
    if entry is None:
        return None
    summary = entry.summary
    return SeenEvent(stamp(entry.at), entry.event, summary.outcome, entry.ms, summary.reason, summary.detail)


def _last(found: Iterable[Entry], host: str, outcome: str | None = None) -> Entry | None:
    last = None
    for entry in found:
        if entry.host == host and outcome in {None, entry.summary.outcome}:
            last = entry
    return last


def _activity(found: list[Entry]) -> list[HostActivity]:
    # Only hosts of the table: another name in the diagnostics was a slip in somebody's registration.
    return [_host(found, name) for name in HOSTS]


def _host(found: list[Entry], name: str) -> HostActivity:
    versions = proven_versions(name)
    last = _last(found, name)
    stated = "" if last is None else last.version
    briefed = _seen(_last(found, name, "briefed"))
    return HostActivity(name, bool(versions), stated, stated in versions, _seen(last), briefed)


def _refusals(found: list[Entry]) -> list[SeenRefusal]:
    """Return the last refusals, the newest first."""
    refused = [entry for entry in found if entry.summary.reason]
    return [
        SeenRefusal(stamp(one.at), one.host, one.event, explain(one.summary.reason, one.summary.detail))
        for one in reversed(refused[-REFUSALS_SHOWN:])
    ]


def _last_troubles(found: list[Entry]) -> list[Explained]:
    """Return what hooks met at their very last call, host by host: it may still be so."""
    troubles: list[Explained] = []
    for name in (*HOSTS, UNKNOWN):
        last = _last(found, name)
        if last is None:
            continue
        reason = "host-unknown" if name == UNKNOWN else last.summary.reason
        if name == UNKNOWN or reason in UNAVAILABLE:
            whose = "a hook" if name == UNKNOWN else f"the last hook of {name}"
            detail = f": {last.summary.detail}" if last.summary.detail else ""
            troubles.append(explain(reason, f"{whose}, {stamp(last.at)}{detail}"))
    return troubles


def _new(problems: list[Explained], more: Iterable[Explained]) -> list[Explained]:
    """Return those of a reason that is not among the problems yet."""
    known = {one.reason for one in problems}
    found: list[Explained] = []
    for one in more:
        if one.reason not in known:
            known.add(one.reason)
            found.append(one)
    return found


def examine() -> StatusReport:
    """Return how everything is; never raises for what may be wrong with the ledger."""
    limits, fault = _limits()
    folder = _folder()
    problems: list[Explained] = []
    store, counts, found = None, None, list[Entry]()
    if isinstance(folder, Explained):
        problems.append(folder)
    else:
        store, counts = _store(folder, limits)
        found = entries(folder.path)
        if store.state == "unavailable":
            problems.append(explain(store.reason, store.detail))
    unusable = bool(problems)
    lesser: list[Explained] = [] if fault is None else [fault]
    if not isinstance(folder, Explained) and not unusable:
        lesser += [explain(one.reason, one.detail) for one in unwritable(folder.path)]
    if disabled(os.environ):
        lesser.append(explain("disabled"))
    problems += _new(problems, [*lesser, *_last_troubles(found)])
    return StatusReport(
        state="unavailable" if unusable else "attention" if problems else "healthy",
        version=__version__,
        folder=None if isinstance(folder, Explained) else FolderReport(printable(folder.path), folder.source),
        store=store,
        counts=counts,
        limits=msgspec.to_builtins(limits),
        hosts=_activity(found),
        refusals=_refusals(found),
        problems=problems,
    )

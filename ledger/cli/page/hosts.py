"""The hosts on the page: their gates, version by version, and when they called."""

from collections.abc import Sequence

import msgspec

from contracts.reasons import GATES
from contracts.report.hosts import HostReport, VersionReport
from ledger.cli.findings import activity
from ledger.cli.page.moment import Almanac
from ledger.cli.words import counted, spoken
from ledger.diagnostics import Entry


class ShownGate(msgspec.Struct, frozen=True):
    """One gate of one version of a host; `state` is its name in our contract, `words` what people read."""

    state: str
    words: str
    scenarios: str


class ShownVersion(msgspec.Struct, frozen=True):
    """One version of a host, its gates in the order of `GATES`."""

    name: str
    gates: tuple[ShownGate, ...]


class ShownHost(msgspec.Struct, frozen=True):
    """One host: its versions, the newest first, and when a hook of it called."""

    name: str
    on: bool
    why_off: str
    versions: tuple[ShownVersion, ...]
    last: str
    briefed: str


def host(report: HostReport, entries: Sequence[Entry], almanac: Almanac) -> ShownHost:
    """Return a host as it is shown; `entries` are the calls of hooks, the oldest first."""
    called = activity.last(entries, report.host)
    told = activity.last_briefed(entries, report.host)
    return ShownHost(
        name=report.host,
        on=report.on,
        why_off=report.why_off,
        versions=tuple(_version(one) for one in report.versions),
        last=almanac.ago(called.at) if called else "never",
        briefed=almanac.ago(told.at) if told else "never",
    )


def _version(version: VersionReport) -> ShownVersion:
    states = [version.gates[gate] for gate in GATES]
    cells = (ShownGate(s.state, spoken(s.state), counted(len(s.scenarios), "scenario")) for s in states)
    return ShownVersion(version.version, tuple(cells))

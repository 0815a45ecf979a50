"""What `readmark hosts` prints."""

from contracts.reasons import Gate
from contracts.report.base import Part, Report
from contracts.verdict import Shown


class GateReport(Report, frozen=True):
    """One gate of one host version, with the recorded scenarios that show its state."""

    state: Shown
    scenarios: list[str]


class VersionReport(Report, frozen=True):
    """All gates of one host version; one that is not passing is off, whatever other versions show."""

    version: str
    passing: bool
    gates: dict[Gate, GateReport]


class HostReport(Part, frozen=True):
    """One host: on only while a verdict passes every gate, else `why_off` says what is missing."""

    host: str
    on: bool
    versions: list[VersionReport]
    why_off: str = ""


class HostsReport(Report, frozen=True, tag="ready", tag_field="state"):
    """Every host that readmark knows."""

    hosts: list[HostReport]

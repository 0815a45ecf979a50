"""What the verbs of `readmark evidence` print."""

from contracts.report.base import Report
from contracts.report.hosts import GateReport


class PlayedScenario(Report, frozen=True):
    """One scenario as it was played; `failures` say what does not hold, each in one sentence."""

    scenario: str
    seconds: float
    holds: bool
    failures: list[str]


class RunReport(Report, frozen=True, tag="ready", tag_field="state"):
    """What a run with the real host showed; without gates where nothing was recorded."""

    host: str
    version: str
    played: list[PlayedScenario]
    gates: dict[str, GateReport]


class ScenarioReport(Report, frozen=True):
    """One scenario; `terminal` says that it drives the host's terminal interface."""

    scenario: str
    purpose: str
    terminal: bool


class ScenariosReport(Report, frozen=True, tag="ready", tag_field="state"):
    """The scenarios of a host."""

    host: str
    scenarios: list[ScenarioReport]


class CheckedVersion(Report, frozen=True):
    """A recomputed verdict; `as_kept` says whether the one in the tree is the same."""

    host: str
    version: str
    passing: bool
    as_kept: bool
    gates: dict[str, GateReport]


class CheckReport(Report, frozen=True, tag="ready", tag_field="state"):
    """All verdicts, recomputed from the recordings."""

    versions: list[CheckedVersion]


class DiffReport(Report, frozen=True, tag="ready", tag_field="state"):
    """What changed between two versions of a host, a line a change."""

    host: str
    old: str
    new: str
    changes: list[str]

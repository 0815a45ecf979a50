"""What the verbs of `readmark evidence` print."""

from typing import Literal

from contracts.report.base import Part, Report
from contracts.report.hosts import GateReport


class PlayedScenario(Report, frozen=True):
    """One scenario as it was played; `failures` say what does not hold, each in one sentence.

    `codes` are the exit codes of the host's runs, a negative one the signal that ended it. `said` are the
    last lines that the host printed as errors, or left on its screen, where something does not hold.
    """

    scenario: str
    seconds: float
    holds: bool
    failures: list[str]
    codes: list[int]
    said: list[str]


class RunReport(Report, frozen=True, tag="ready", tag_field="state"):
    """What a run with the real host showed; without gates where nothing was recorded."""

    host: str
    version: str
    played: list[PlayedScenario]
    gates: dict[str, GateReport]


class RunFault(RunReport, frozen=True, tag="failed", tag_field="state"):
    """The same where a scenario does not hold, or a gate failed."""


class ScenarioReport(Report, frozen=True):
    """One scenario; `terminal` says that it drives the host's terminal interface."""

    scenario: str
    purpose: str
    terminal: bool


class ScenariosReport(Report, frozen=True, tag="ready", tag_field="state"):
    """The scenarios of a host."""

    host: str
    scenarios: list[ScenarioReport]


class ScenariosFault(ScenariosReport, frozen=True, tag="faulty", tag_field="state"):
    """The same where some cannot be read or played; `faults` name each, with the place."""

    faults: list[str]


class CheckedVersion(Report, frozen=True):
    """A recomputed verdict; `as_kept` says whether the tree has it so.

    One that `fails` has a failed gate, or the tree says that it passes and it no longer does. One that is
    `not-proven` has gates that no recording shows, and needs no verdict in the tree.
    """

    host: str
    version: str
    state: Literal["passes", "not-proven", "fails"]
    passing: bool
    as_kept: bool
    gates: dict[str, GateReport]


class CheckedFile(Report, frozen=True):
    """A file that is made of all recordings of a host; `as_kept` says whether the tree has it so."""

    host: str
    file: str
    as_kept: bool


class CheckReport(Report, frozen=True, tag="ready", tag_field="state"):
    """All verdicts, recomputed from the recordings, and what else is made of them."""

    versions: list[CheckedVersion]
    files: list[CheckedFile]


class Changed(Part, frozen=True):
    """One change between two versions.

    Of an event, an object in it or a `field` there, `old` and `new` tell the types, empty where there is no
    such field. `order` is that of the events of a `scenario`, with a row of equal ones once.
    """

    kind: Literal["new", "gone", "other", "order"]
    event: str = ""
    field: str = ""
    scenario: str = ""
    old: str = ""
    new: str = ""


class DiffReport(Report, frozen=True, tag="ready", tag_field="state"):
    """What changed between two versions of a host in the scenarios that both played.

    `compared` names these. `only_old` and `only_new` are the scenarios of one of them alone; `first/NAME`
    is an earlier recording.
    """

    host: str
    old: str
    new: str
    compared: list[str]
    only_old: list[str]
    only_new: list[str]
    changes: list[Changed]

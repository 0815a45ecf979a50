"""Everything that `--json` prints, as types, a module a verb; the schemas in `contracts/schemas` show them.

Names come in camelCase. Times are RFC 3339 strings in UTC with milliseconds. `state` tells which form
it is, so that "unavailable" can never be taken for "empty".
"""

import msgspec

from contracts.report.base import Failed, Refused
from contracts.report.brief import Brief
from contracts.report.clear import ClearedReport
from contracts.report.completion import CompletionReport
from contracts.report.config import ConfigFault, ConfigReport
from contracts.report.evidence import (
    CheckReport,
    DiffReport,
    RunFault,
    RunReport,
    ScenariosFault,
    ScenariosReport,
)
from contracts.report.hosts import HostsReport
from contracts.report.init import InitFault, InitReport
from contracts.report.install import InstallFault, InstallReport
from contracts.report.listing import Listed
from contracts.report.pause import SwitchFault, SwitchReport
from contracts.report.plugin import PluginReport
from contracts.report.prune import PrunedReport
from contracts.report.record import RecordReport
from contracts.report.show import ShowReport
from contracts.report.status import StatusReport
from contracts.report.watch import WatchedEvent
from contracts.report.why import WhyReport

REPORTS: dict[str, tuple[type[msgspec.Struct], ...]] = {
    "list": (Listed, Failed),
    "brief": (Brief, Refused, Failed),
    "record": (RecordReport, Failed),
    "clear": (ClearedReport, Refused, Failed),
    "prune": (PrunedReport, Failed),
    "status": (StatusReport, WatchedEvent, Failed),
    "show": (ShowReport, Failed),
    "hosts": (HostsReport, Failed),
    "why": (WhyReport, Refused, Failed),
    "config": (ConfigReport, ConfigFault, Failed),
    "pause": (SwitchReport, SwitchFault, Failed),
    "resume": (SwitchReport, SwitchFault, Refused, Failed),
    "init": (InitReport, InitFault, Failed),
    "install": (InstallReport, InstallFault, Failed),
    "uninstall": (InstallReport, InstallFault, Failed),
    "plugin-build": (PluginReport, InstallFault, Failed),
    "completion": (CompletionReport, Failed),
    "evidence-run": (RunReport, RunFault, Failed),
    "evidence-scenarios": (ScenariosReport, ScenariosFault, Failed),
    "evidence-check": (CheckReport, Failed),
    "evidence-diff": (DiffReport, Failed),
}
"""What each verb prints: one of these, or with `status --watch` one a line."""

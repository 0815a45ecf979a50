"""Everything that `--json` prints, as types: the JSON Schemas in `contracts/schemas/` are made from them.

Names come in camelCase. Times are RFC 3339 strings in UTC with milliseconds. `state` tells which form
it is, so that "unavailable" can never be taken for "empty".
"""

from typing import Literal

import msgspec

from contracts.reasons import Gate

GateState = Literal["passed", "failed", "not-asked", "waiting"]


class _Report(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """What all reports share: frozen, camelCase on the wire, and nothing beyond what is written here."""


class _Part(_Report, frozen=True, omit_defaults=True):
    """A report in which what is not known is left out."""


class Explained(_Part, frozen=True):
    """Why something did not happen: a reason of `contracts.reasons`, its meaning, and what to do about it.

    `detail` holds numbers and names of our own.
    """

    reason: str
    meaning: str
    remedy: str
    detail: str = ""


class Refused(Explained, frozen=True, tag="skipped", tag_field="state"):
    """The verb did nothing, for a reason of `contracts.reasons.REFUSALS`."""


class Failed(_Part, frozen=True, tag="unavailable", tag_field="state"):
    """The ledger cannot answer, for a reason of `contracts.reasons.UNAVAILABLE`. Never the same as empty."""

    reason: str
    detail: str = ""


# --- list


class ListedSource(_Report, frozen=True):
    """Where a part of an item came from: a pack and a path inside it."""

    pack: str
    path: str


class ListedCandidate(_Report, frozen=True):
    """One item that the main agent read; `read_ordinal` orders the reads of a conversation.

    `reader` is what it was read with, and `changed` says that its file is not any more what was read.
    """

    id: str
    title: str
    applies_when: str
    content_digest: str
    sources: list[ListedSource]
    store_scope: str
    recorded_at: str
    read_ordinal: int
    reader: str
    changed: bool


class ListedTold(_Report, frozen=True):
    """What one subagent was told at its start: the ids of items, and how many had no room."""

    at: str
    items: list[str]
    left_out: int


class ListedConversation(_Report, frozen=True):
    """One conversation; `incarnation` counts its lives, candidates come newest first.

    `told` is what its last subagents were told, newest first. `gone` counts items that are left out, here
    and in a briefing, because their files are not there any more.
    """

    host: str
    conversation: str
    incarnation: int
    last_active_at: str
    candidates: list[ListedCandidate]
    told: list[ListedTold]
    gone: int


class Listed(_Report, frozen=True, tag="ready", tag_field="state"):
    """What was read, by conversation, the most recently active first."""

    conversations: list[ListedConversation]


# --- brief


class Brief(_Report, frozen=True, tag="ready", tag_field="state"):
    """The text that a subagent receives now; `items` are the whole items in it.

    `units` is its length in UTF-16 code units.
    """

    text: str
    items: int
    units: int


# --- record


class RecordedRead(_Report, frozen=True):
    """A read that settled into a candidate; `change` says how it met what was there before."""

    id: str
    read_ordinal: int
    change: Literal["new", "again", "replaced"]


class SettledReads(_Part, frozen=True):
    """What became of earlier pending reads of the conversation; `unavailable` is why it could not be said."""

    recorded: list[RecordedRead] = []
    refused: list[Explained] = []
    unavailable: Explained | None = None


RecordedState = Literal[
    "pending",
    "recorded",
    "withdrawn",
    "repeated",
    "skipped",
    "unavailable",
    "briefed",
    "nothing-to-brief",
    "begun",
    "resumed",
    "cleared",
    "ignored",
]


class RecordReport(_Part, frozen=True, kw_only=True):
    """What came of one payload, gate by gate.

    `event` is the host's name of the event, or "other". `host_version` is absent where nothing states it; one
    that is not `version_proven` counts only in exactly the recorded shape. `gates` stands only where the
    payload is about a read. `item` is the id of the read item, `briefing` the text for a subagent,
    `incarnation` the conversation's life after a lifecycle event, with `dropped` candidates gone.
    """

    state: RecordedState
    event: str
    host_version: str = ""
    version_proven: bool
    refusal: Explained | None = None
    gates: dict[Gate, GateState] | None = None
    item: str | None = None
    briefing: str | None = None
    incarnation: int | None = None
    dropped: int | None = None
    settled: SettledReads


# --- clear and prune


class ClearedReport(_Report, frozen=True, tag="cleared", tag_field="state"):
    """What went; `known` is false where the ledger held nothing of the conversation, closed all the same."""

    known: bool
    conversations: int
    candidates: int


class PrunedReport(_Report, frozen=True, tag="pruned", tag_field="state"):
    """What a purge of the expired removed."""

    conversations: int
    candidates: int
    pending: int


# --- status


class FolderReport(_Report, frozen=True):
    """The state folder and what decided on it."""

    path: str
    source: str


class StoreReport(_Part, frozen=True):
    """The ledger's file: absent, healthy, or unusable for a reason; `bytes` is its size."""

    state: Literal["absent", "healthy", "unavailable"]
    reason: str = ""
    detail: str = ""
    schema: int | None = None
    bytes: int | None = None


class Counts(_Report, frozen=True):
    """What the ledger's file holds, expired or not; of `cleared` conversations only a mark is left."""

    conversations: int
    cleared: int
    candidates: int
    pending: int


class SeenEvent(_Part, frozen=True):
    """One hook call, from the diagnostics; `ms` is how long it took."""

    at: str
    event: str
    outcome: str
    ms: int
    reason: str = ""
    detail: str = ""


class InstalledHooks(_Part, frozen=True, kw_only=True):
    """One place where a host finds our hooks: its own file, of the user or of the project, or a plugin.

    `state` names the worst that is wrong with it. `file` is the name that the host reads, `target` the
    file it stands for where that is a link, `program` the command that the hooks call. `trust` is what the
    host itself says of them, and absent where it asks no trust; `unknown` has its reason in `trust_unknown`.
    """

    how: Literal["settings", "plugin"]
    scope: Literal["user", "project"]
    file: str
    target: str | None = None
    state: Literal["current", "elsewhere", "outdated", "incomplete", "program-missing", "unreadable"]
    program: str = ""
    trust: Literal["trusted", "untrusted", "changed", "off", "unseen", "unknown"] | None = None
    trust_unknown: str = ""


class LastRecorded(_Report, frozen=True):
    """The newest item that the ledger keeps of a host."""

    at: str
    id: str
    title: str
    conversation: str


class HostStatus(_Part, frozen=True, kw_only=True):
    """One host: whether it is here, calls readmark, and what it last said.

    `on` says whether any verdict switches it on. `found` says that its command or its folder is here.
    `version` is what its `program` says of itself, and `version_unknown` why that is not known;
    `heard_version` is what its last hook said. `proven` says whether a passing verdict is of the first known
    of the two.
    `events` has the last hook of each registered event, or null. What is absent was never seen.
    """

    host: str
    on: bool
    found: bool
    program: str = ""
    version: str = ""
    version_unknown: str = ""
    heard_version: str = ""
    proven: bool
    installed: list[InstalledHooks]
    events: dict[str, SeenEvent | None]
    last_event: SeenEvent | None = None
    last_recorded: LastRecorded | None = None
    last_refused: SeenEvent | None = None
    last_briefed: SeenEvent | None = None


class SeenRefusal(_Report, frozen=True):
    """A refusal that a hook met, and why."""

    at: str
    host: str
    event: str
    why: Explained


class StatusReport(_Part, frozen=True, kw_only=True):
    """How everything is.

    `attention` means that the ledger works and something should be looked at, `broken` that the ledger or
    its folder cannot be used.
    """

    state: Literal["healthy", "attention", "broken"]
    version: str
    folder: FolderReport | None = None
    store: StoreReport | None = None
    counts: Counts | None = None
    limits: dict[str, int]
    hosts: list[HostStatus]
    refusals: list[SeenRefusal]
    problems: list[Explained]


class WatchedItem(_Report, frozen=True):
    """An item that a hook recorded."""

    id: str
    title: str


class WatchedEvent(_Part, frozen=True, kw_only=True, tag="arrived", tag_field="state"):
    """One hook call, as it arrived; `items` are what it recorded, `refusal` why it did not do its work."""

    at: str
    host: str
    event: str
    outcome: str
    ms: int
    items: list[WatchedItem] = []
    refusal: Explained | None = None


# --- show


class ShowReport(_Part, frozen=True, kw_only=True):
    """A page that was written; `unavailable` says that the ledger could not answer, and so does the page.

    `bytes` is its size, `opened` whether a browser took it, and `left_out` counts reads it had no room for.
    """

    state: Literal["ready", "unavailable"]
    file: str
    url: str
    bytes: int
    opened: bool
    conversations: int | None = None
    candidates: int | None = None
    left_out: int = 0
    reason: str = ""
    detail: str = ""


# --- hosts


class GateReport(_Report, frozen=True):
    """One gate of one host version, with the recorded scenarios that show its state."""

    state: Literal["passed", "failed", "not-shown"]
    scenarios: list[str]


class VersionReport(_Report, frozen=True):
    """All gates of one host version."""

    version: str
    passing: bool
    gates: dict[Gate, GateReport]


class HostReport(_Part, frozen=True):
    """One host: on only while a verdict passes every gate, else `why_off` says what is missing."""

    host: str
    on: bool
    versions: list[VersionReport]
    why_off: str = ""


class HostsReport(_Report, frozen=True, tag="ready", tag_field="state"):
    """Every host that readmark knows."""

    hosts: list[HostReport]


# --- config


class LimitReport(_Report, frozen=True):
    """One limit in force: where it came from, and the environment variable that would override it."""

    value: int
    origin: Literal["default", "file", "environment"]
    variable: str


class PatternReport(_Report, frozen=True):
    """One pattern of a list, and whose file holds it: the user's own or the project's."""

    pattern: str
    origin: Literal["file", "project"]


class ProjectReport(_Part, frozen=True, kw_only=True):
    """The project of the folder; without a `file` there is nothing that it says. `enabled` is its switch.

    `scope` is the name by which all its checkouts are one store; without it each is one of its own.
    """

    root: str
    file: str | None = None
    enabled: bool
    scope: str = ""


class ConfigReport(_Part, frozen=True, kw_only=True, tag="ready", tag_field="state"):
    """The limits in force and the file that was looked at; `found` tells whether it exists.

    `documents` and `ignore` are the lists of the user's file and of the project's, in this order. `project`
    is absent where the working folder is gone.
    """

    file: str
    found: bool
    limits: dict[str, LimitReport]
    documents: list[PatternReport]
    ignore: list[PatternReport]
    project: ProjectReport | None = None


class ConfigFault(_Report, frozen=True, tag="fault", tag_field="state"):
    """What is wrong with the configuration, or with the project's file: it keeps readmark off until then."""

    file: str
    place: str
    message: str
    remedy: str


# --- pause and resume


class SwitchReport(_Part, frozen=True, kw_only=True):
    """What a switch came to; `off` is what keeps readmark quiet now, whatever switched it.

    `host` stands with the scope of one host, `file` and `file_is` with that of a project.
    """

    state: Literal["changed", "unchanged"]
    verb: Literal["pause", "resume"]
    scope: Literal["all", "host", "project"]
    host: str | None = None
    file: str | None = None
    file_is: Literal["made", "changed", "removed", "unchanged"] | None = None
    off: list[Explained]


class SwitchFault(_Report, frozen=True, tag="fault", tag_field="state"):
    """A folder whose project was left as it is, and why."""

    folder: str
    message: str
    remedy: str


# --- install and uninstall


class HookChange(_Report, frozen=True):
    """What became of our hooks of one event."""

    event: str
    change: Literal["added", "updated", "unchanged", "removed"]


class InstallReport(_Part, frozen=True, kw_only=True):
    """What became of a host's own file, or with `planned` would become of it.

    `file` is the name that the host reads, `target` the file it stands for where that is a link. `file_is`
    says whether the file itself was made or removed. `backup` is where the bytes of before are. `diff` is a
    unified diff of a plan. `notes` say what else a person must know or do, each in one sentence or two.
    """

    state: Literal["changed", "unchanged", "planned"]
    host: str
    scope: Literal["user", "project"]
    file: str
    target: str | None = None
    file_is: Literal["made", "kept", "removed", "absent"]
    hooks: list[HookChange]
    backup: str | None = None
    diff: str | None = None
    notes: list[str]


class InstallFault(_Part, frozen=True, tag="fault", tag_field="state"):
    """A host's file that was left as it is, and why; `line` and `column` count from 1."""

    file: str
    message: str
    remedy: str
    line: int | None = None
    column: int | None = None


# --- plugin


class PluginReport(_Report, frozen=True):
    """A folder from which a host takes the plugin, as it was built, or with `dry_run` would be.

    `files` are all files in it. `add` and `remove` are the host's own commands, in their order, that take
    the plugin in and out. `notes` say what else a person must know, each in one sentence.
    """

    state: Literal["made", "replaced", "unchanged"]
    dry_run: bool
    host: str
    folder: str
    files: list[str]
    add: list[str]
    remove: list[str]
    notes: list[str]


# --- completion


class CompletionReport(_Report, frozen=True, tag="ready", tag_field="state"):
    """A shell's completion script."""

    shell: str
    script: str


# --- evidence


class PlayedScenario(_Report, frozen=True):
    """One scenario as it was played; `failures` say what does not hold, each in one sentence."""

    scenario: str
    seconds: float
    holds: bool
    failures: list[str]


class RunReport(_Report, frozen=True, tag="ready", tag_field="state"):
    """What a run with the real host showed; without gates where nothing was recorded."""

    host: str
    version: str
    played: list[PlayedScenario]
    gates: dict[str, GateReport]


class ScenarioReport(_Report, frozen=True):
    """One scenario; `terminal` says that it drives the host's terminal interface."""

    scenario: str
    purpose: str
    terminal: bool


class ScenariosReport(_Report, frozen=True, tag="ready", tag_field="state"):
    """The scenarios of a host."""

    host: str
    scenarios: list[ScenarioReport]


class CheckedVersion(_Report, frozen=True):
    """A recomputed verdict; `as_kept` says whether the one in the tree is the same."""

    host: str
    version: str
    passing: bool
    as_kept: bool
    gates: dict[str, GateReport]


class CheckReport(_Report, frozen=True, tag="ready", tag_field="state"):
    """All verdicts, recomputed from the recordings."""

    versions: list[CheckedVersion]


class DiffReport(_Report, frozen=True, tag="ready", tag_field="state"):
    """What changed between two versions of a host, a line a change."""

    host: str
    old: str
    new: str
    changes: list[str]


REPORTS: dict[str, tuple[type[msgspec.Struct], ...]] = {
    "list": (Listed, Failed),
    "brief": (Brief, Refused, Failed),
    "record": (RecordReport, Failed),
    "clear": (ClearedReport, Refused, Failed),
    "prune": (PrunedReport, Failed),
    "status": (StatusReport, WatchedEvent, Failed),
    "show": (ShowReport, Failed),
    "hosts": (HostsReport, Failed),
    "config": (ConfigReport, ConfigFault, Failed),
    "pause": (SwitchReport, SwitchFault, Failed),
    "resume": (SwitchReport, SwitchFault, Refused, Failed),
    "install": (InstallReport, InstallFault, Failed),
    "uninstall": (InstallReport, InstallFault, Failed),
    "plugin-build": (PluginReport, InstallFault, Failed),
    "completion": (CompletionReport, Failed),
    "evidence-run": (RunReport, Failed),
    "evidence-scenarios": (ScenariosReport, Failed),
    "evidence-check": (CheckReport, Failed),
    "evidence-diff": (DiffReport, Failed),
}
"""What each verb prints with `--json`: one of these, or with `status --watch` one a line."""

"""What `readmark status` prints."""

from typing import Literal

from contracts.report.base import Explained, Part, Report


class FolderReport(Report, frozen=True):
    """The state folder and what decided on it."""

    path: str
    source: str


class StoreReport(Part, frozen=True):
    """The ledger's file: absent, healthy, or unusable for a reason; `bytes` is its size."""

    state: Literal["absent", "healthy", "unavailable"]
    reason: str = ""
    detail: str = ""
    schema: int | None = None
    bytes: int | None = None


class Counts(Report, frozen=True):
    """What the ledger's file holds, expired or not; of `cleared` conversations only a mark is left."""

    conversations: int
    cleared: int
    candidates: int
    pending: int


class SeenEvent(Part, frozen=True):
    """One hook call, from the diagnostics; `ms` is how long it took."""

    at: str
    event: str
    outcome: str
    ms: int
    reason: str = ""
    detail: str = ""


class InstalledHooks(Part, frozen=True, kw_only=True):
    """One place where a host finds our hooks: its own file, of the user or of the project, or a plugin.

    `state` names the worst that is wrong with it. `file` is the name that the host reads, `target` the
    file it stands for where that is a link, `program` the command that the hooks call. `trust` is what the
    host itself says of them, and absent where it asks no trust; `unknown` has its reason in `trust_unknown`.
    `warning` is what the host itself says of a file that it does not take in, on one line and in bounds.
    """

    how: Literal["settings", "plugin"]
    scope: Literal["user", "project"]
    file: str
    target: str | None = None
    state: Literal["current", "elsewhere", "outdated", "incomplete", "program-missing", "unreadable"]
    program: str = ""
    trust: Literal["trusted", "untrusted", "changed", "off", "unseen", "unknown"] | None = None
    trust_unknown: str = ""
    warning: str = ""


class OtherHook(Report, frozen=True):
    """A hook that mentions readmark in words of its user, and is left alone."""

    file: str
    event: str
    command: str


class LastRecorded(Report, frozen=True):
    """The newest item that the ledger keeps of a host."""

    at: str
    id: str
    title: str
    conversation: str


class HostStatus(Part, frozen=True, kw_only=True):
    """One host: whether it is here, calls readmark, and what it last said.

    `on` says whether the verdicts let the first known of its versions work, and `off` why not.
    `found` says that its command or its folder is here.
    `version` is what its `program` says of itself, and `version_unknown` why that is not known;
    `heard_version` is what its last hook said; the first known of the two counts. `proven` says whether a
    passing verdict is of it. `disabled` is what switches all its hooks off: a member, and its file. `others`
    are hooks that mention readmark and are not ours.
    `events` has the last hook of each registered event, or null. What is absent was never seen.
    """

    host: str
    on: bool
    off: Explained | None = None
    found: bool
    program: str = ""
    version: str = ""
    version_unknown: str = ""
    heard_version: str = ""
    proven: bool
    installed: list[InstalledHooks]
    disabled: str = ""
    others: tuple[OtherHook, ...] = ()
    events: dict[str, SeenEvent | None]
    last_event: SeenEvent | None = None
    last_recorded: LastRecorded | None = None
    last_refused: SeenEvent | None = None
    last_briefed: SeenEvent | None = None


class SeenRefusal(Report, frozen=True):
    """A refusal that a hook met, and why."""

    at: str
    host: str
    event: str
    why: Explained


class StatusReport(Part, frozen=True, kw_only=True):
    """How everything is.

    `attention` means that the ledger works and something should be looked at, `broken` that the ledger or
    its folder cannot be used. `set_aside` are damaged ledgers that lie beside the one in use, the last one
    first; what they held is told no more. `hint` is what could be better in this folder's project, though
    nothing is wrong.
    """

    state: Literal["healthy", "attention", "broken"]
    version: str
    folder: FolderReport | None = None
    store: StoreReport | None = None
    counts: Counts | None = None
    set_aside: tuple[str, ...] = ()
    limits: dict[str, int]
    hosts: list[HostStatus]
    refusals: list[SeenRefusal]
    problems: list[Explained]
    hint: Explained | None = None

"""What `readmark install` and `uninstall` print."""

from typing import Literal

from contracts.report.base import Part, Report

State = Literal["changed", "unchanged", "planned"]
FileIs = Literal["made", "kept", "removed", "absent"]


class HookChange(Report, frozen=True):
    """What became of our hooks of one event; `moved` are those that stood under another matcher."""

    event: str
    change: Literal["added", "updated", "moved", "unchanged", "removed"]


class InstallReport(Part, frozen=True, kw_only=True):
    """What became of a host's own file, or with `planned` would become of it.

    `file` is the name that the host reads, `target` the file it stands for where that is a link. `file_is`
    says whether the file itself was made or removed. `backup` is where the bytes of before an install are.
    `diff` is a unified diff of a plan. `notes` say what else a person must know or do, in a sentence or two
    each.
    """

    state: State
    host: str
    scope: Literal["user", "project"]
    file: str
    target: str | None = None
    file_is: FileIs
    hooks: list[HookChange]
    backup: str | None = None
    diff: str | None = None
    notes: list[str]


class InstallFault(Part, frozen=True, tag="fault", tag_field="state"):
    """A host's file that was left as it is, and why; `line` and `column` count from 1."""

    file: str
    message: str
    remedy: str
    line: int | None = None
    column: int | None = None

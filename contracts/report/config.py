"""What `readmark config` prints."""

from typing import Literal

from contracts.report.base import Part, Report


class LimitReport(Report, frozen=True):
    """One limit in force: where it came from, and the environment variable that would override it."""

    value: int
    origin: Literal["default", "file", "environment"]
    variable: str


class PatternReport(Report, frozen=True):
    """One pattern of a list, and whose file holds it: the user's own or the project's."""

    pattern: str
    origin: Literal["file", "project"]


class ProjectReport(Part, frozen=True, kw_only=True):
    """The project of the folder; without a `file` there is nothing that it says. `enabled` is its switch.

    `scope` is the name by which all its checkouts are one store; without it each is one of its own.
    """

    root: str
    file: str | None = None
    enabled: bool
    scope: str = ""


class ConfigReport(Part, frozen=True, kw_only=True, tag="ready", tag_field="state"):
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


class ConfigFault(Report, frozen=True, tag="fault", tag_field="state"):
    """What is wrong with the configuration, or with the project's file: it keeps readmark off until then."""

    file: str
    place: str
    message: str
    remedy: str

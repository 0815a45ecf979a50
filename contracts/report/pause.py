"""What `readmark pause` and `resume` print."""

from typing import Literal

from contracts.report.base import Explained, Part, Report


class SwitchReport(Part, frozen=True, kw_only=True):
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


class SwitchFault(Report, frozen=True, tag="fault", tag_field="state"):
    """A folder whose project was left as it is, and why."""

    folder: str
    message: str
    remedy: str

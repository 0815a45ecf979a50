"""What `readmark plugin build` prints."""

from typing import Literal

from contracts.report.base import Report


class PluginReport(Report, frozen=True):
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

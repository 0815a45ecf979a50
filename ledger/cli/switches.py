"""Every switch that keeps readmark quiet now, each with how to lift it."""

from collections.abc import Mapping
from pathlib import Path

from contracts.report.base import Explained
from ledger import pauses, project
from ledger.cli.failure import explain
from ledger.cli.words import printable
from ledger.errors import ReadmarkError
from ledger.escape import one_line
from ledger.home import state_folder
from ledger.quiet import disabled


def active(environ: Mapping[str, str]) -> list[Explained]:
    """Return the switches in force for this user, this environment and the folder that we are in."""
    return [*_disabled(environ), *_paused(environ), *_project()]


def here() -> Path | None:
    """Return the folder that we are in, or None where it is gone."""
    try:
        return Path.cwd()
    except OSError:
        return None


def _disabled(environ: Mapping[str, str]) -> list[Explained]:
    return [explain("disabled")] if disabled(environ) else []


def _paused(environ: Mapping[str, str]) -> list[Explained]:
    """Return one item for all pauses: a reason shows once, whatever it stands for."""
    try:
        folder = state_folder(environ).path
        found, stuck = pauses.listed(folder), pauses.stuck(folder)
    except ReadmarkError:
        return []  # Without a usable folder nothing works, and that is told by itself.
    by_hand = "".join(f"Remove {one_line(printable(mark))}, which is a folder. " for mark in stuck)
    if found.everything:
        how = by_hand or "Run `readmark resume`."
        return [Explained("paused", "readmark is paused for all hosts.", how.rstrip(), "all hosts")]
    if not found.hosts:
        return []
    named = [printable(host) for host in found.hosts]
    how = (
        f"`readmark resume {named[0]}`" if len(named) == 1 else "`readmark resume`, or `readmark resume HOST`"
    )
    how = by_hand if len(stuck) == len(named) else f"{by_hand}Run {how}."
    return [
        Explained("paused", f"readmark is paused for {' and '.join(named)}.", how.rstrip(), ", ".join(named))
    ]


def _project() -> list[Explained]:
    folder = here()
    found = None if folder is None else project.off(folder)
    if found is None:
        return []
    if found.fault is None:
        return [explain("project-off", printable(found.file))]
    place = f"{found.file or found.root}: {found.fault.place}: {found.fault.message}"
    return [explain("project-invalid", printable(place))]

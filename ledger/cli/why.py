"""`readmark why`: whether a file would count if the agent read it, and if not, what keeps it out."""

import os
from pathlib import Path

import click
from msgspec.structs import replace

from adapters import readers
from adapters.hosts import HOSTS, load
from adapters.readers import places
from adapters.readers.globs import covers
from contracts.conversation import Conversation
from contracts.event import FileResult
from contracts.library import Library
from contracts.outcome import Skipped, Unavailable
from contracts.read import Read
from contracts.report.why import WhyReport
from ledger import project, reach
from ledger.cli import switches
from ledger.cli.failure import DONE, REFUSED, explain, refused, unavailable
from ledger.cli.findings import activity
from ledger.cli.output import print_json, say
from ledger.cli.parameters import check_path, examples, host_option, json_option
from ledger.cli.words import printable
from ledger.diagnostics import Entry, entries
from ledger.errors import HomeError
from ledger.escape import one_line
from ledger.home import state_folder
from ledger.library import look


def verdict(file: Path, library: Library) -> Read | Skipped | Unavailable:
    """Return what becomes of a file that a host's tool reads whole, or what keeps it from counting.

    `file` is absolute. It is asked as a hook asks, of the same bytes, so the two cannot differ.
    """
    try:
        real = file.resolve(strict=True)
        if not real.is_file():
            return Skipped("file-missing")
        with real.open("rb") as opened:
            text = opened.read(places.FILE_BYTES).decode(errors="replace")
    except (OSError, ValueError, RuntimeError):
        return Skipped("file-missing")
    found = readers.confirm(FileResult(Conversation("", ""), "", str(file), text, None), library)
    read = next((one for one in found.reads if one.file is not None), None)
    if read is None or read.file is None:
        refused = found.refused or Skipped(_kept_out(real, library))
        return Skipped("file-no-text") if refused.reason == "content-differs" else refused
    top = Path(read.file.root).resolve()
    return Skipped("file-ignored") if reach.ignored(real, top) else project.why_not(real.parent, top) or read


def _kept_out(real: Path, library: Library) -> str:
    """Return why no reader has anything to do with a file that is there."""
    held = [(top, root) for top, root in places.tops(library) if real.is_relative_to(top)]
    if not held:
        return "file-outside"
    if places.PRIVATE.search(real.as_posix()):
        return "file-private"
    if any(covers(root.ignore, real.relative_to(top).as_posix()) for top, root in held):
        return "file-ignored"
    return "file-unlisted" if readers.concerns(real.name) else "file-kind"


@click.command(
    short_help="Say whether a file counts here, and what keeps it out.",
    epilog=examples("readmark why docs/adr/7.md", "readmark why --host codex DESIGN.md --json"),
)
@click.argument("file", callback=check_path)
@host_option(required=False)
@json_option
def why(file: str, host: str | None, *, as_json: bool) -> int:
    """Say whether FILE would count if the main agent read it now, working in this folder.

    Patterns, projects, links and names that look like keys all have a say in it; what decides is named. A
    file counts alike in all hosts, but for skills: --host says whose, by default the first that is known.
    The last read of a file of this path that a hook refused is shown with what was compared. Nothing is
    recorded. Exits 3 for a file that does not count, and 4 where a configuration has a fault.
    """
    folder = switches.here()
    if folder is None:
        raise HomeError("folder-gone")
    off = project.why_not(folder)
    if isinstance(off, Unavailable):
        return unavailable(off, as_json=as_json)
    if off is not None:
        return refused(off, as_json=as_json)
    name = host or next(iter(HOSTS))
    path = folder / file
    found = verdict(path, look(os.environ)(load(name), str(folder)))
    if isinstance(found, Unavailable):
        return unavailable(found, as_json=as_json)
    told = WhyReport(state="counts", file=printable(path), folder=printable(folder), host=name)
    if isinstance(found, Skipped):
        told = replace(told, state="refused", refusal=explain(found.reason, found.detail))
    else:
        kind = readers.KINDS[found.reader]
        told = replace(told, kind=kind, id=found.item_id, title=found.title, applies_when=found.applies_when)
        if found.file is not None:
            told = replace(told, last_refused=activity.last_refused_of(_entries(), found.file.path))
    if as_json:
        print_json(told)
    else:
        _tell(told)
    return DONE if told.state == "counts" else REFUSED


def _entries() -> list[Entry]:
    """Return what hooks said of their work; nothing where it cannot be known."""
    try:
        return entries(state_folder(os.environ).path)
    except HomeError:
        return []


def _tell(told: WhyReport) -> None:
    if told.refusal is not None:
        say(f"{one_line(told.file)} does not count: {told.refusal.reason}.")
        say(told.refusal.meaning, told.refusal.remedy)
        return
    say(f"{one_line(told.file)} counts as a {told.kind}, with those lines that the main agent has read.")
    for name, value in (("Id", told.id), ("Title", told.title), ("Applies when", told.applies_when)):
        if value:
            say(f"  {name}: {one_line(value)}")
    if (last := told.last_refused) is not None:
        detail = f" ({one_line(last.why.detail)})" if last.why.detail else ""
        say("", f"Last refused at {last.at}: {last.why.reason}{detail}.", last.why.meaning, last.why.remedy)

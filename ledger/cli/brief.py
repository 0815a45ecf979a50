"""`readmark brief`: exactly the text that a subagent of a conversation would receive now."""

import os
import sys
from functools import partial
from pathlib import Path

import click

from adapters.hosts import load
from contracts.conversation import Conversation
from contracts.outcome import Unavailable
from contracts.report.brief import Brief
from ledger import pipeline
from ledger.cli import access, switches
from ledger.cli.failure import DONE, refused, say_error, unavailable
from ledger.cli.output import hint, print_json, write
from ledger.cli.parameters import conversation_option, examples, host_option, json_option
from ledger.cli.words import printable
from ledger.errors import HomeError
from ledger.escape import one_line, utf16_units
from ledger.library import look
from ledger.project import why_not

NOTHING = "nothing is recorded of that conversation; a subagent of it would receive nothing."
ELSEWHERE = (
    "nothing that was read in that conversation counts for a subagent that works in {folder}; it would "
    "receive nothing. --folder names another folder."
)
GONE = "the files that were read in that conversation have gone; a subagent of it would receive nothing."
TOO_SMALL = "nothing of that conversation fits `briefing_units`; a subagent of it would receive nothing."


def items(text: str) -> int:
    """Count the items in a briefing: each is a line of its own, and only they are JSON objects."""
    return sum(line.startswith("{") for line in text.split("\n"))


@click.command(
    short_help="Print what a subagent of a conversation would receive.",
    epilog=examples(
        "readmark brief --host codex --conversation REF",
        "readmark brief --host claude-code --conversation REF --folder ~/project",
        "readmark brief --host claude-code --conversation REF --json",
    ),
)
@host_option(required=True)
@conversation_option(required=True)
@click.option(
    "--folder",
    "named",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder in which the subagent works; by default this one.",
)
@json_option
def brief(host: str, conversation: str, *, named: Path | None, as_json: bool) -> int:
    """Print the text that a subagent of a conversation would receive now, byte for byte.

    What it is told of files depends on where it works: it is told of those that count there. Where it would
    receive nothing, nothing is printed, and standard error says why. Exits 3 while the host or the folder's
    project is off, for then no subagent receives anything, and 4 if the ledger is unavailable.
    """
    folder = named or switches.here()
    if folder is None:
        raise HomeError("folder-gone")
    off = access.switched_off(host) or why_not(folder)
    if isinstance(off, Unavailable):
        return unavailable(off, as_json=as_json)
    if off is not None:
        return refused(off, as_json=as_json)
    asked = Conversation(host, conversation)
    with access.opened() as ledger:
        found: pipeline.Briefed | Unavailable | None = access.settle(ledger, asked)
        if found is None:
            place = os.path.realpath(folder)
            found = pipeline.briefing(ledger, asked, place, partial(look(os.environ), load(host)))
    if isinstance(found, Unavailable):
        return unavailable(found, as_json=as_json)
    if as_json:
        print_json(Brief(found.text, items(found.text), utf16_units(found.text)))
    elif found.text:
        write(found.text.encode())
        if sys.stdout is not None and sys.stdout.isatty():
            hint("")
    else:
        empty = GONE if found.gone else ELSEWHERE if found.elsewhere else NOTHING
        say_error(TOO_SMALL if found.candidates else empty.format(folder=one_line(printable(folder))))
    return DONE

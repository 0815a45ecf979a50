"""`readmark brief`: exactly the text that a subagent of a conversation would receive now."""

import sys

import click

from contracts.conversation import Conversation
from contracts.outcome import Unavailable
from contracts.report.brief import Brief
from ledger import pipeline
from ledger.cli import access
from ledger.cli.failure import DONE, refused, say_error, unavailable
from ledger.cli.output import hint, print_json, write
from ledger.cli.parameters import conversation_option, examples, host_option, json_option
from ledger.escape import utf16_units

NOTHING = "nothing is recorded of that conversation; a subagent of it would receive nothing."
GONE = "the files that were read in that conversation have gone; a subagent of it would receive nothing."
TOO_SMALL = "nothing of that conversation fits `briefing_units`; a subagent of it would receive nothing."


def items(text: str) -> int:
    """Count the items in a briefing: each is a line of its own, and only they are JSON objects."""
    return sum(line.startswith("{") for line in text.split("\n"))


@click.command(
    short_help="Print what a subagent of a conversation would receive.",
    epilog=examples(
        "readmark brief --host codex --conversation REF",
        "readmark brief --host claude-code --conversation REF --json",
    ),
)
@host_option(required=True)
@conversation_option(required=True)
@json_option
def brief(host: str, conversation: str, *, as_json: bool) -> int:
    """Print the text that a subagent of a conversation would receive now, byte for byte.

    Where it would receive nothing, nothing is printed, and standard error says why. Exits 3 while the
    host is off, for then no subagent receives anything, and 4 if the ledger is unavailable.
    """
    off = access.switched_off(host)
    if off is not None:
        return refused(off, as_json=as_json)
    asked = Conversation(host, conversation)
    with access.opened() as ledger:
        found: pipeline.Briefed | Unavailable | None = access.settle(ledger, asked)
        if found is None:
            found = pipeline.briefing(ledger, asked)
    if isinstance(found, Unavailable):
        return unavailable(found, as_json=as_json)
    if as_json:
        print_json(Brief(found.text, items(found.text), utf16_units(found.text)))
    elif found.text:
        write(found.text.encode())
        if sys.stdout is not None and sys.stdout.isatty():
            hint("")
    else:
        say_error(TOO_SMALL if found.candidates else GONE if found.gone else NOTHING)
    return DONE

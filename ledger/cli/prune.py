"""`readmark prune`: remove what is over its time from the ledger's file."""

import click

from contracts.outcome import Pruned
from contracts.report.prune import PrunedReport
from ledger.cli import access
from ledger.cli.failure import DONE, unavailable
from ledger.cli.output import print_json, say
from ledger.cli.parameters import examples, json_option
from ledger.cli.words import counted


@click.command(
    short_help="Remove what has expired.", epilog=examples("readmark prune", "readmark prune --json")
)
@json_option
def prune(*, as_json: bool) -> int:
    """Remove expired conversations and pending reads.

    They are out of sight already, and later writes remove them anyway; this does it now.
    """
    with access.opened() as ledger:
        gone = ledger.prune()
    if not isinstance(gone, Pruned):
        return unavailable(gone, as_json=as_json)
    if as_json:
        print_json(PrunedReport(gone.conversations, gone.candidates, gone.pending))
    elif gone == Pruned(0, 0, 0):
        say("Nothing has expired.")
    else:
        say(
            f"Removed: {counted(gone.conversations, 'conversation')}, "
            f"{counted(gone.candidates, 'candidate')}, {counted(gone.pending, 'pending read')}."
        )
    return DONE

"""`readmark status`: whether everything is in order, what hooks did last, and how to fix what is wrong."""

from contextlib import suppress

import click

from contracts.report.status import StatusReport
from ledger.cli import access
from ledger.cli.examination import examine
from ledger.cli.failure import DONE, REFUSED, UNAVAILABLE_CODE
from ledger.cli.output import print_json, say
from ledger.cli.parameters import examples, json_option
from ledger.cli.screen import tell
from ledger.cli.watch import watch
from ledger.runtime import now_ms

CODES = {"healthy": DONE, "attention": REFUSED, "broken": UNAVAILABLE_CODE}


def _show(told: StatusReport, *, as_json: bool) -> None:
    if as_json:
        print_json(told)
    else:
        tell(told, now_ms())


@click.command(
    short_help="Show whether all is in order, and how to fix what is not.",
    epilog=examples(
        "readmark status",
        "readmark status --watch",
        "readmark status --no-ask --json",
    ),
)
@click.option("--watch", "watches", is_flag=True, help="Then print a line for each hook call as it arrives.")
@click.option(
    "--ask/--no-ask",
    "asks",
    default=True,
    help="Start the hosts to ask for their versions and whether they trust our hooks; the default.",
)
@json_option
def status(*, watches: bool, asks: bool, as_json: bool) -> int:
    """Show which hosts call readmark and what keeps one from it, what hooks did last, and the ledger.

    It works whatever state the ledger is in, and changes nothing of readmark or of a host's settings. It
    starts the hosts that are here, side by side, without a model call and for about 5 seconds at most.
    Exits 0 if all is in order, 3 if something wants attention, 4 if the ledger or its folder cannot be
    used. --watch goes on until Ctrl-C and then exits 0; with --json it prints one JSON document a line.
    """
    folder = access.folder() if watches else None
    if folder is None:
        told = examine(asks=asks)
        _show(told, as_json=as_json)
        return CODES[told.state]

    def first() -> None:
        _show(examine(asks=asks), as_json=as_json)
        if not as_json:
            say("", "Waiting for hooks; Ctrl-C ends it.")

    with suppress(KeyboardInterrupt):
        watch(folder, first, as_json=as_json)
    return DONE

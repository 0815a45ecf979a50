"""`readmark hook` as the command line explains it; a registered call takes the way of `ledger.entry`."""

import sys

import click

from ledger.cli.failure import DONE, say_error
from ledger.cli.parameters import examples


@click.command(
    short_help="Serve one hook call of a host.",
    # A host may read exit code 2 as "replace the tool's output", so no way of calling it is wrong usage.
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    epilog=examples("readmark hook codex < payload.json", "readmark hosts codex --registration"),
)
@click.argument("host", required=False, metavar="HOST")
def hook(host: str | None) -> int:
    """Serve one hook call of a host: a payload on standard input, at most one answer, exit code 0.

    Hosts run it; `readmark install HOST` registers it. It says nothing where
    nothing is to be said, whatever happens. `readmark record` shows what comes of a payload and why.
    """
    if host is not None:
        from ledger.hook import run  # noqa: PLC0415 - the help alone needs none of it

        run(host)
    say_error("hook needs the name of a HOST; `readmark hook --help` says more.")
    if sys.stdin is not None and not sys.stdin.isatty():
        from ledger.hook import run  # noqa: PLC0415 - as above

        # No person is there to read that: it goes into the diagnostics too.
        run("")
    return DONE

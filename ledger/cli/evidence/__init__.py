"""`readmark evidence`: ask a real host what its hooks say, and what that proves."""

import click

from ledger.cli.evidence import check, diff, run, scenarios


@click.group(short_help="Ask real hosts what their hooks say, and what that proves.")
def evidence() -> None:
    """Ask a real host what its hooks say, and compute what that proves.

    A run starts the host's own program in a private home with a scripted model on loopback: no
    account, no network, no model. docs/evidence.md explains each gate.
    """


for _verb in (run.run, scenarios.scenarios, check.check, diff.diff):
    evidence.add_command(_verb)

"""`readmark evidence scenarios`: what a host can be asked to play."""

import click

from contracts.report.evidence import ScenarioReport, ScenariosReport
from ledger.cli.failure import DONE
from ledger.cli.output import print_json, say
from ledger.cli.parameters import examples, host_argument, json_option
from ledger.cli.table import table


@click.command(
    short_help="List a host's scenarios, a line each.",
    epilog=examples("readmark evidence scenarios codex"),
)
@host_argument(required=True)
@json_option
def scenarios(host: str, *, as_json: bool) -> int:
    """List the scenarios of HOST with what each is for."""
    from adapters.evidence.scenario import scenarios as known  # noqa: PLC0415 - only this verb needs the harness

    found = [ScenarioReport(one.name, one.purpose, one.terminal) for one in known(host)]
    if as_json:
        print_json(ScenariosReport(host, found))
    else:
        say(table(("Scenario", "Purpose"), [(one.scenario, one.purpose) for one in found]))
    return DONE

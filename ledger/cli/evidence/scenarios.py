"""`readmark evidence scenarios`: what a host can be asked to play."""

from pathlib import Path

import click

from contracts.report.evidence import ScenarioReport, ScenariosFault, ScenariosReport
from ledger.cli.evidence.own import scenarios_option
from ledger.cli.failure import DONE, REFUSED, say_error
from ledger.cli.output import print_json, say
from ledger.cli.parameters import examples, host_argument, json_option
from ledger.cli.table import table


@click.command(
    short_help="List a host's scenarios, a line each.",
    epilog=examples(
        "readmark evidence scenarios codex", "readmark evidence scenarios codex --scenarios mine"
    ),
)
@host_argument(required=True)
@scenarios_option
@json_option
def scenarios(host: str, *, own: Path | None, as_json: bool) -> int:
    """List the scenarios of HOST with what each is for.

    One that has a fault is named with the place of it, and the exit code is 3.
    """
    from adapters.evidence.scenario import ScenarioError, load, paths  # noqa: PLC0415 - only this verb needs the harness

    found: list[ScenarioReport] = []
    faults: list[str] = []
    for path in paths(host, own):
        try:
            one = load(path)
        except ScenarioError as error:
            faults.append(str(error))
        else:
            found.append(ScenarioReport(one.name, one.purpose, one.terminal))
    if as_json:
        print_json(ScenariosFault(host, found, faults) if faults else ScenariosReport(host, found))
    else:
        say(table(("Scenario", "Purpose"), [(one.scenario, one.purpose) for one in found]))
        for fault in faults:
            say_error(f"this scenario cannot be played: {fault}")
    return REFUSED if faults else DONE

"""`readmark evidence run`: play scenarios with a real host and record what its hooks say."""

import shutil
from pathlib import Path

import click

from contracts.report.evidence import PlayedScenario, RunReport
from contracts.report.hosts import GateReport
from ledger.cli.evidence.shared import gates_of, tell_alone, tell_gates
from ledger.cli.failure import DONE, REFUSED, UNAVAILABLE_CODE, say_error
from ledger.cli.output import print_json, say
from ledger.cli.parameters import examples, host_argument, json_option

OUT = Path("contracts/evidence")
"""Where recordings stand in a checkout of the project."""


def _program(host: str, binary: Path | None) -> Path | None:
    from adapters.evidence.packages import pinned  # noqa: PLC0415 - only this verb needs the harness

    if binary is not None:
        return binary.absolute()
    found = shutil.which(pinned()[host].program)
    return None if found is None else Path(found)


@click.command(
    short_help="Play scenarios with the real host and record its hooks.",
    epilog=examples(
        "readmark evidence run codex",
        "readmark evidence run claude-code --binary ./node_modules/.bin/claude",
        "readmark evidence run codex --scenario direct --out evidence",
        "readmark evidence run codex --readmark ~/.local/bin/readmark",
    ),
)
@host_argument(required=True)
@click.option(
    "--binary", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="The host's program."
)
@click.option("--scenario", "names", multiple=True, metavar="NAME", help="Only this one; may come again.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help=f"Where recordings go, as HOST/VERSION/SCENARIO.json [default: {OUT}].",
)
@click.option(
    "--readmark",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Prove this installed readmark as the hook instead of recording.",
)
@click.option(
    "--keep", type=click.Path(file_okay=False, path_type=Path), help="Keep the raw runs, unscrubbed."
)
@click.option("--jobs", type=click.IntRange(1, 32), default=2, show_default=True, help="Runs side by side.")
@json_option
def run(  # noqa: PLR0913 - an option each
    host: str,
    *,
    binary: Path | None,
    names: tuple[str, ...],
    out: Path | None,
    readmark: Path | None,
    keep: Path | None,
    jobs: int,
    as_json: bool,
) -> int:
    """Play scenarios with the real HOST, record every hook payload, and show the gates.

    The host's program is the one on the PATH unless --binary names another. A scenario that does not
    hold is reported and never written.
    """
    from adapters.evidence import several, verdict  # noqa: PLC0415 - only this verb needs the harness
    from adapters.evidence.runner import Options, version  # noqa: PLC0415
    from adapters.evidence.scenario import ScenarioError, named, scenarios  # noqa: PLC0415

    program = _program(host, binary)
    if program is None:
        say_error(f"no program of {host} is on the PATH; install it, or name it with --binary.")
        return UNAVAILABLE_CODE
    try:
        chosen = [named(host, name) for name in names] or list(scenarios(host))
    except ScenarioError as error:
        raise click.UsageError(f"{error} `readmark evidence scenarios {host}` lists them.") from None
    folder = None if readmark else (out or OUT)
    done: list[PlayedScenario] = []

    def report(result: several.Result) -> None:
        done.append(
            PlayedScenario(
                result.scenario.name,
                round(result.played.seconds, 1),
                result.good,
                list(result.failures),
            )
        )
        click.echo(f"[{len(done)}/{len(chosen)}] {several.line(result)}", err=as_json)

    words = (str(readmark.absolute()),) if readmark else ()
    options = Options(keep=keep, jobs=jobs, readmark=words)
    try:
        results = several.play_all(chosen, program, folder, report, options)
    except ScenarioError as error:
        raise click.UsageError(str(error)) from None
    gates: dict[str, GateReport] = {}
    if folder is not None:
        place = folder / host / version(program)
        if place.is_dir():
            if tell_alone([place]):
                return REFUSED
            gates = gates_of(verdict.compute(place))
    if as_json:
        print_json(RunReport(host, version(program), done, gates))
    elif gates:
        say("", f"{host} {version(program)}:")
        tell_gates(gates)
    return DONE if all(result.good for result in results) else REFUSED

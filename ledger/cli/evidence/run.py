"""`readmark evidence run`: play scenarios with a real host and record what its hooks say."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from contracts.report.base import Failed
from contracts.report.evidence import PlayedScenario, RunFault, RunReport
from contracts.report.hosts import GateReport
from ledger.cli.evidence.own import looking_in, scenarios_option
from ledger.cli.evidence.shared import gates_of, tell_alone, tell_gates
from ledger.cli.failure import DONE, REFUSED, UNAVAILABLE_CODE, say_error
from ledger.cli.output import print_json, say
from ledger.cli.parameters import examples, host_argument, json_option
from ledger.escape import one_line

if TYPE_CHECKING:
    from adapters.evidence.runner import Options
    from adapters.evidence.scenario import Scenario

OUT = Path("contracts/evidence")
"""Where recordings stand in a checkout of the project."""


NEEDS = "readmark[evidence]"
"""What is to be installed for runs: they drive terminals with a library that nothing else needs."""


def _program(host: str, binary: Path | None) -> Path:
    from adapters.evidence.packages import pinned  # noqa: PLC0415 - only this verb needs the harness
    from adapters.evidence.unusable import UnusableError  # noqa: PLC0415

    if binary is not None:
        return binary.absolute()
    package = pinned().get(host)
    found = None if package is None else shutil.which(package.program)
    if found is None:
        raise UnusableError(f"No program of {host} is on the PATH. Install it, or name it with --binary.")
    return Path(found)


def _chosen(host: str, names: tuple[str, ...]) -> list[Scenario]:
    from adapters.evidence.scenario import NoScenarioError, named, scenarios  # noqa: PLC0415

    try:
        found = [named(host, name) for name in dict.fromkeys(names)] or list(scenarios(host))
    except NoScenarioError as error:
        raise click.UsageError(f"{error} `readmark evidence scenarios {host}` lists them.") from None
    if not found:
        raise click.UsageError(f"There is no scenario of {host} in that folder.")
    return found


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
@scenarios_option
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
    own: Path | None,
    as_json: bool,
) -> int:
    """Play scenarios with the real HOST, record every hook payload, and show the gates.

    The host's program is the one on the PATH unless --binary names another. A recording of which something
    does not hold is reported, and stands apart in the folder `failed`.

    Exit codes: 0 all holds, 2 wrong usage, 3 something does not hold, a scenario has a fault or the run was
    stopped (Ctrl-C, SIGTERM, SIGHUP), 4 the host or a folder cannot be used.
    """
    if readmark is not None and out is not None:
        raise click.UsageError("With --readmark nothing is recorded, so --out has nothing to name.")
    if readmark is None and own is not None and out is None:
        raise click.UsageError(f"With --scenarios name a folder by --out: {OUT} is for readmark's own.")
    try:
        from adapters.evidence.runner import Options  # noqa: PLC0415 - only this verb needs the harness
    except ModuleNotFoundError as error:
        if error.name != "pyte":
            raise
        return _cannot(
            f"A run needs {NEEDS}, and this readmark was installed without it. In a checkout:"
            f" uv tool install --force '.[evidence]', or pip install '.[evidence]'.",
            as_json=as_json,
        )
    from adapters.evidence.process import Ended  # noqa: PLC0415
    from adapters.evidence.scenario import ScenarioError  # noqa: PLC0415
    from adapters.evidence.stopping import stopping  # noqa: PLC0415
    from adapters.evidence.unusable import UnusableError  # noqa: PLC0415

    options = Options(keep=keep, jobs=jobs, readmark=(str(readmark.absolute()),) if readmark else ())
    try:
        with looking_in(own), stopping(options.stop):
            return _play(host, binary, names, None if readmark else (out or OUT), options, as_json=as_json)
    except (Ended, OSError):
        if not options.stop.is_set():
            raise
        say_error("stopped; nothing of the run goes on.")
        return REFUSED
    except ScenarioError as error:
        say_error(f"this scenario cannot be played: {error}")
        return REFUSED
    except UnusableError as error:
        return _cannot(str(error), as_json=as_json)


def _cannot(why: str, *, as_json: bool) -> int:
    """Say why there is no run, and return the exit code."""
    if as_json:
        print_json(Failed("evidence-unusable", why))
    else:
        say_error(why)
    return UNAVAILABLE_CODE


def _play(  # noqa: PLR0913 - what the options say
    host: str,
    binary: Path | None,
    names: tuple[str, ...],
    folder: Path | None,
    options: Options,
    *,
    as_json: bool,
) -> int:
    from adapters.evidence import form, several, verdict  # noqa: PLC0415 - only this verb needs the harness
    from adapters.evidence.runner import asked  # noqa: PLC0415
    from adapters.evidence.version import READMARK, version  # noqa: PLC0415

    chosen = _chosen(host, names)
    program = _program(host, binary)
    for place, option in ((folder, "--out"), (options.keep, "--keep")):
        if place is not None:
            form.usable(place, option)
    if options.readmark:
        version(Path(options.readmark[0]), "readmark", stop=options.stop, form=READMARK)
    options = msgspec.structs.replace(options, version=asked(host, program, options.stop))
    done: list[PlayedScenario] = []

    def report(result: several.Result) -> None:
        done.append(
            PlayedScenario(
                result.scenario.name,
                round(result.played.seconds, 1),
                result.good,
                list(result.failures),
                list(result.played.codes),
                [] if result.good else list(result.played.said),
            )
        )
        click.echo(f"[{len(done)}/{len(chosen)}] {one_line(several.line(result))}", err=as_json)

    def long(scenario: Scenario) -> None:
        click.echo(f"      {scenario.name:22} started", err=as_json)

    several.play_all(chosen, program, folder, report, options, long=long)
    gates: dict[str, GateReport] = {}
    torn = False
    if folder is not None:
        place = folder / host / options.version
        if any(place.glob("*.json")):
            torn = tell_alone([place])
            gates = {} if torn else gates_of(verdict.compute(place))
    bad = [one.scenario for one in done if not one.holds]
    failed = [gate for gate, one in gates.items() if one.state == "failed"]
    if as_json:
        print_json((RunFault if bad or failed or torn else RunReport)(host, options.version, done, gates))
    else:
        _summarize(f"{host} {options.version}", len(done), bad, gates, options)
    return REFUSED if bad or failed or torn else DONE


def _summarize(host: str, count: int, bad: list[str], gates: dict[str, GateReport], options: Options) -> None:
    """Say to a person what came of all scenarios."""
    how = "with readmark as the hook" if options.readmark else "recorded"
    say("", f"{host}, {how}: {count - len(bad)} of {count} scenarios hold.")
    if gates:
        say("The gates, by all that is recorded of this version there:")
        tell_gates(gates)
    if bad:
        hint = "" if options.keep else " --keep DIR leaves the raw runs to look at."
        say_error(f"does not hold: {', '.join(sorted(bad))}.{hint}")
    failed = [gate for gate, one in gates.items() if one.state == "failed"]
    if failed:
        say_error(f"failed gates: {', '.join(failed)}.")

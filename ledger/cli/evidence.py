"""`readmark evidence`: ask a real host what its hooks say, and what that proves."""

import shutil
from collections.abc import Iterable
from pathlib import Path

import click

from adapters import hosts as known
from adapters.verdicts import FOLDER
from contracts.reasons import GATES
from contracts.report.evidence import (
    CheckedVersion,
    CheckReport,
    DiffReport,
    PlayedScenario,
    RunReport,
    ScenarioReport,
    ScenariosReport,
)
from contracts.report.hosts import GateReport
from contracts.verdict import Verdict
from ledger.cli.failure import DONE, REFUSED, UNAVAILABLE_CODE, say_error
from ledger.cli.output import print_json, say, symbol
from ledger.cli.parameters import examples, host_argument, json_option
from ledger.cli.table import table
from ledger.escape import one_line

OUT = Path("contracts/evidence")
"""Where recordings stand in a checkout of the project."""


_evidence_option = click.option(
    "--evidence",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=FOLDER,
    show_default=False,
    help="The folder of recordings [default: this readmark's own].",
)


@click.group(short_help="Ask real hosts what their hooks say, and what that proves.")
def evidence() -> None:
    """Ask a real host what its hooks say, and compute what that proves.

    A run starts the host's own program in a private home with a scripted model on loopback: no
    account, no network, no model. docs/evidence.md explains each gate.
    """


def _gates(verdict: Verdict) -> dict[str, GateReport]:
    return {
        gate: GateReport(verdict.gates[gate].state, list(verdict.gates[gate].scenarios)) for gate in GATES
    }


def _tell_gates(gates: dict[str, GateReport]) -> None:
    signs = {"passed": symbol("✓", "+"), "failed": symbol("✗", "x"), "not-shown": "?"}
    rows = [
        (gate, f"{signs[one.state]} {one.state}", ", ".join(one.scenarios)) for gate, one in gates.items()
    ]
    say(table(("Gate", "State", "Shown by"), rows))


def _program(host: str, binary: Path | None) -> Path | None:
    from adapters.evidence.packages import pinned  # noqa: PLC0415 - only these verbs need the harness

    if binary is not None:
        return binary.absolute()
    found = shutil.which(pinned()[host].program)
    return None if found is None else Path(found)


@evidence.command(
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
            if _tell_alone([place]):
                return REFUSED
            gates = _gates(verdict.compute(place))
    if as_json:
        print_json(RunReport(host, version(program), done, gates))
    elif gates:
        say("", f"{host} {version(program)}:")
        _tell_gates(gates)
    return DONE if all(result.good for result in results) else REFUSED


@evidence.command(
    "scenarios",
    short_help="List a host's scenarios, a line each.",
    epilog=examples("readmark evidence scenarios codex"),
)
@host_argument(required=True)
@json_option
def listing(host: str, *, as_json: bool) -> int:
    """List the scenarios of HOST with what each is for."""
    from adapters.evidence.scenario import scenarios  # noqa: PLC0415 - only this verb needs the harness

    found = [ScenarioReport(one.name, one.purpose, one.terminal) for one in scenarios(host)]
    if as_json:
        print_json(ScenariosReport(host, found))
    else:
        say(table(("Scenario", "Purpose"), [(one.scenario, one.purpose) for one in found]))
    return DONE


def _folders(host: str | None, folder: Path) -> Iterable[Path]:
    return sorted(path for path in folder.glob(f"{host or '*'}/*") if path.is_dir())


def _tell_alone(places: Iterable[Path]) -> bool:
    """Say what keeps a verdict from being computed: recordings and statements without a counterpart."""
    from adapters.evidence.counterparts import alone  # noqa: PLC0415 - only these verbs need the harness

    told = [f"{place.parent.name} {place.name}: there is {one}." for place in places for one in alone(place)]
    for line in told:
        say_error(one_line(line))
    return bool(told)


@evidence.command(
    short_help="Recompute all verdicts from the recordings.",
    epilog=examples("readmark evidence check", "readmark evidence check codex --update"),
)
@host_argument(required=False)
@_evidence_option
@click.option("--update", is_flag=True, help="Write what was computed.")
@json_option
def check(host: str | None, *, folder: Path, update: bool, as_json: bool) -> int:
    """Recompute the verdicts from the recorded payloads with today's adapters; no host is started.

    Fails where a verdict in the tree is not what its recordings show, where one does not pass, and where a
    recording has no scenario or a statement no recording.
    """
    from adapters.evidence import tables, verdict  # noqa: PLC0415 - only this verb needs the harness

    found: list[CheckedVersion] = []
    places = list(_folders(host, folder))
    if _tell_alone(places):
        return REFUSED
    for place in places:
        computed = verdict.compute(place)
        kept = place / verdict.FILE
        same = kept.exists() and kept.read_bytes() == verdict.text(computed)
        if update and not same:
            kept.write_bytes(verdict.text(computed))
            same = True
        found.append(
            CheckedVersion(computed.host, computed.version, computed.passing, same, _gates(computed))
        )
    if update:
        for name in known.HOSTS if host is None else [host]:
            verdict.write_shapes(name, folder)
            tables.write(name, folder)
    if not found:
        say_error("there are no recordings here; a checkout of the project has them.")
        return UNAVAILABLE_CODE
    if as_json:
        print_json(CheckReport(found))
    else:
        for one in found:
            state = "passes" if one.passing else "does not pass"
            kept_state = "" if one.as_kept else "; the verdict in the tree says something else"
            say(f"{one.host} {one.version}: {state}{kept_state}")
            if not one.passing:
                _tell_gates(one.gates)
    return DONE if all(one.passing and one.as_kept for one in found) else REFUSED


@evidence.command(
    short_help="Show what changed between two versions of a host.",
    epilog=examples("readmark evidence diff claude-code 2.1.197 2.1.332"),
)
@host_argument(required=True)
@click.argument("old")
@click.argument("new")
@_evidence_option
@json_option
def diff(host: str, old: str, new: str, *, folder: Path, as_json: bool) -> int:
    """Show which events, fields, types and orders changed between two recorded versions of HOST.

    A line begins with + for what is new, - for what is gone, ~ for what is other now.
    """
    from adapters import readers  # noqa: PLC0415 - only this verb needs the harness
    from adapters.evidence.diff import order_changes, shape_changes  # noqa: PLC0415
    from adapters.evidence.replay import load, recordings  # noqa: PLC0415
    from adapters.evidence.shapes import shapes  # noqa: PLC0415

    runs = {}
    played = {}
    for version in (old, new):
        paths = [path for path in recordings(folder, host) if version in path.relative_to(folder).parts]
        if not paths:
            versions = ", ".join(place.name for place in _folders(host, folder)) or "none"
            raise click.UsageError(
                f"There is no recording of {host} {one_line(version)}. Recorded: {versions}."
            )
        runs[version] = [load(path) for path in paths]
        # The first recordings had scenarios of their own, some under the same names.
        played[version] = [run for run in runs[version] if run.requests]
    changes = [
        *shape_changes(shapes(runs[old], readers.concerns), shapes(runs[new], readers.concerns)),
        *order_changes(played[old], played[new]),
    ]
    if as_json:
        print_json(DiffReport(host, old, new, changes))
    elif changes:
        say(*changes)
    else:
        say(f"Nothing changed between {host} {old} and {new}.")
    return DONE

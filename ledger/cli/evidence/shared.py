"""What the verbs of `readmark evidence` share: their gates, their folders, and what is alone in one."""

from collections.abc import Iterable
from pathlib import Path

import click

from adapters.verdicts import FOLDER
from contracts.report.hosts import GateReport
from contracts.verdict import Verdict
from ledger.cli.failure import say_error
from ledger.cli.gates import reported, sign
from ledger.cli.output import say
from ledger.cli.table import table
from ledger.escape import one_line

evidence_option = click.option(
    "--evidence",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=FOLDER,
    show_default=False,
    help="The folder of recordings [default: this readmark's own].",
)


def gates_of(verdict: Verdict) -> dict[str, GateReport]:
    """Return every gate of a verdict as it is reported."""
    return dict(reported(verdict).items())


def tell_gates(gates: dict[str, GateReport]) -> None:
    """Say to a person how each gate stands, and which scenarios show it."""
    rows = [(gate, f"{sign(one.state)} {one.state}", ", ".join(one.scenarios)) for gate, one in gates.items()]
    say(table(("Gate", "State", "Shown by"), rows))


def folders(host: str | None, folder: Path) -> list[Path]:
    """Return the folders of recordings, one a version, of a host or of all."""
    return sorted(path for path in folder.glob(f"{host or '*'}/*") if path.is_dir())


def tell_alone(places: Iterable[Path]) -> bool:
    """Say what keeps a verdict from being computed: recordings and statements without a counterpart."""
    from adapters.evidence.counterparts import alone  # noqa: PLC0415 - only these verbs need the harness

    told = [f"{place.parent.name} {place.name}: there is {one}." for place in places for one in alone(place)]
    for line in told:
        say_error(one_line(line))
    return bool(told)

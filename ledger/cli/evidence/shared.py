"""What the verbs of `readmark evidence` share: their gates, their folders, and what is wrong with one."""

from collections.abc import Callable, Iterable
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


def places(host: str | None, folder: Path) -> list[Path]:
    """Return the folders of versions, of a host or of all; empty, and said why, where nothing is recorded.

    Raises UsageError where the folder cannot be one of evidence. An installed readmark has verdicts alone.
    """
    from adapters.evidence import tree  # noqa: PLC0415 - only these verbs need the harness

    if (wrong := tree.misplaced(folder)) is not None:
        raise click.UsageError(one_line(wrong))
    found = tree.versions(folder, host)
    if any(tree.held(place) for place in found):
        return found
    whose = "" if host is None else f" of {host}"
    say_error(
        f"there are no recordings{whose} in {folder}, only what was computed from some. A checkout of the"
        " project has them: name its contracts/evidence with --evidence."
    )
    return []


def tell_alone(places: Iterable[Path]) -> bool:
    """Say what keeps a verdict from being computed: what is broken, misplaced, missing or not stated."""
    from adapters.evidence.tree import faults  # noqa: PLC0415 - only these verbs need the harness

    return _tell(places, faults)


def tell_broken(places: Iterable[Path]) -> bool:
    """Say which recordings cannot be read, or are not those of their place."""
    from adapters.evidence.tree import broken  # noqa: PLC0415 - only these verbs need the harness

    return _tell(places, broken)


def tell_strays(folder: Path) -> bool:
    """Say what lies beside the folders of hosts and belongs to none."""
    from adapters.evidence.tree import strays  # noqa: PLC0415 - only these verbs need the harness

    told = list(strays(folder))
    for line in told:
        say_error(line)
    return bool(told)


def _tell(places: Iterable[Path], look: Callable[[Path], list[str]]) -> bool:
    told = [f"{place.parent.name} {place.name}: {fault}" for place in places for fault in look(place)]
    for line in told:
        say_error(line)
    return bool(told)

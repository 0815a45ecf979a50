"""`readmark evidence diff`: what two versions of a host say differently."""

from pathlib import Path

import click

from contracts.report.evidence import DiffReport
from ledger.cli.evidence.shared import evidence_option, folders
from ledger.cli.failure import DONE
from ledger.cli.output import print_json, say
from ledger.cli.parameters import examples, host_argument, json_option
from ledger.escape import one_line


@click.command(
    short_help="Show what changed between two versions of a host.",
    epilog=examples("readmark evidence diff claude-code 2.1.197 2.1.332"),
)
@host_argument(required=True)
@click.argument("old")
@click.argument("new")
@evidence_option
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
            versions = ", ".join(place.name for place in folders(host, folder)) or "none"
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

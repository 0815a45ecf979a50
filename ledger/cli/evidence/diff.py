"""`readmark evidence diff`: what two versions of a host say differently."""

from pathlib import Path

import click

from contracts.report.evidence import DiffReport
from ledger.cli.evidence.shared import evidence_option, places, tell_broken
from ledger.cli.failure import DONE, REFUSED
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

    Only scenarios that both versions played are compared; the others are named. A line begins with + for what
    is new, - for what is gone, ~ for what is other now.
    """
    from adapters.evidence.diff import changes, line, runs  # noqa: PLC0415 - only this verb needs the harness
    from adapters.evidence.tree import held  # noqa: PLC0415

    known = {place.name: place for place in places(host, folder) if held(place)}
    if not known:
        return REFUSED
    for version in (old, new):
        if version not in known:
            raise click.UsageError(
                f"There is no recording of {host} {one_line(version)}. Recorded: {', '.join(known)}."
            )
    if tell_broken(dict.fromkeys((known[old], known[new]))):
        return REFUSED
    before, after = runs(known[old]), runs(known[new])
    both = sorted(before.keys() & after.keys())
    found = [*changes({name: before[name] for name in both}, {name: after[name] for name in both})]
    alone = {old: sorted(before.keys() - after.keys()), new: sorted(after.keys() - before.keys())}
    if as_json:
        print_json(DiffReport(host, old, new, both, alone[old], alone[new], found))
        return DONE
    if not both:
        say(f"Nothing to compare: no scenario is recorded of both {host} {old} and {new}.")
    elif found:
        say(*map(line, found))
    else:
        say(f"Nothing changed between {host} {old} and {new}.")
    for version, names in alone.items():
        if names:
            say(f"Not compared, for only {version} has them: {', '.join(names)}.")
    return DONE

"""`readmark evidence check`: compute all verdicts again from the recordings."""

from pathlib import Path

import click

from adapters import hosts as known
from contracts.report.evidence import CheckedVersion, CheckReport
from ledger.cli.evidence.shared import evidence_option, folders, gates_of, tell_alone, tell_gates
from ledger.cli.failure import DONE, REFUSED, UNAVAILABLE_CODE, say_error
from ledger.cli.output import print_json, say
from ledger.cli.parameters import examples, host_argument, json_option


@click.command(
    short_help="Recompute all verdicts from the recordings.",
    epilog=examples("readmark evidence check", "readmark evidence check codex --update"),
)
@host_argument(required=False)
@evidence_option
@click.option("--update", is_flag=True, help="Write what was computed.")
@json_option
def check(host: str | None, *, folder: Path, update: bool, as_json: bool) -> int:
    """Recompute the verdicts from the recorded payloads with today's adapters; no host is started.

    Fails where a verdict in the tree is not what its recordings show, where one does not pass, and where a
    recording has no scenario or a statement no recording.
    """
    from adapters.evidence import shapes, tables, verdict  # noqa: PLC0415 - only this verb needs the harness

    found: list[CheckedVersion] = []
    places = folders(host, folder)
    if tell_alone(places):
        return REFUSED
    for place in places:
        computed = verdict.compute(place)
        kept = place / verdict.FILE
        same = kept.exists() and kept.read_bytes() == verdict.text(computed)
        if update and not same:
            kept.write_bytes(verdict.text(computed))
            same = True
        found.append(
            CheckedVersion(computed.host, computed.version, computed.passing, same, gates_of(computed))
        )
    if update:
        for name in known.HOSTS if host is None else [host]:
            shapes.write(name, folder)
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
                tell_gates(one.gates)
    return DONE if all(one.passing and one.as_kept for one in found) else REFUSED

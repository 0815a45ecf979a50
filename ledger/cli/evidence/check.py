"""`readmark evidence check`: compute again what the recordings show, and hold the tree against it."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import click

from adapters import hosts as known
from adapters.verdicts import SHAPES
from contracts.report.evidence import CheckedFile, CheckedVersion, CheckReport
from contracts.verdict import Verdict
from ledger.cli.evidence.shared import evidence_option, gates_of, places, tell_alone, tell_gates, tell_strays
from ledger.cli.failure import DONE, REFUSED
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

    Fails where a gate has failed or no longer shows, where a verdict, the shapes or the tables of payloads in
    the tree are not what the recordings give, and where a recording is broken, misplaced, missing, or has no
    scenario; then nothing is written. A version of which too little is recorded is not proven yet: that is no
    failure, and no verdict of it is written.
    """
    found = places(host, folder)
    strays = tell_strays(folder) if host is None else False
    if not found or tell_alone(found) or strays:
        return REFUSED
    judged = [_judged(place, update=update) for place in found]
    files = [file for name in known.HOSTS for file in _files(name, folder, judged, update=update)]
    if as_json:
        print_json(CheckReport(judged, files))
    else:
        _tell(judged, files)
    good = all(one.state != "fails" and one.as_kept for one in judged) and all(one.as_kept for one in files)
    return DONE if good else REFUSED


def _judged(place: Path, *, update: bool) -> CheckedVersion:
    """Return how a version's verdict stands by its recordings; with `update` the computed one is written."""
    from adapters.evidence import tree, verdict  # noqa: PLC0415 - only these verbs need the harness

    file = place / verdict.FILE
    kept = tree.kept(place)
    computed = verdict.compute(place)
    state = _state(computed, kept)
    # A verdict that says only that little is known would switch off a version that nothing speaks against.
    wanted = None if state == "not-proven" and not file.exists() else verdict.text(computed)
    same = wanted is None or (file.exists() and file.read_bytes() == wanted)
    if update and wanted is not None and not same:
        file.write_bytes(wanted)
        same = True
    return CheckedVersion(computed.host, computed.version, state, computed.passing, same, gates_of(computed))


def _state(computed: Verdict, kept: Verdict | None) -> Literal["passes", "not-proven", "fails"]:
    if computed.passing:
        return "passes"
    lost = kept is not None and kept.passing
    return "fails" if lost or "failed" in computed.shut.values() else "not-proven"


def _files(
    host: str, folder: Path, judged: Sequence[CheckedVersion], *, update: bool
) -> Iterator[CheckedFile]:
    """Yield the files that are made of all recordings of a host, and whether they are as these give them."""
    from adapters.evidence import shapes, tables  # noqa: PLC0415 - only these verbs need the harness

    versions = [one for one in judged if one.host == host]
    passing = {one.version for one in versions if one.passing}
    wanted: dict[Path, bytes] = {}
    if passing:
        wanted[folder / host / SHAPES] = shapes.of_host(host, folder, passing)
    page = tables.place(host, folder) if versions else None
    if page is not None:
        wanted[page] = tables.text(host, folder).encode()
    for file, made in wanted.items():
        same = file.exists() and file.read_bytes() == made
        if update and not same:
            file.write_bytes(made)
            same = True
        yield CheckedFile(
            host, file.name if file.parent.name == host else f"{tables.PLACE}/{file.name}", same
        )


def _tell(judged: Sequence[CheckedVersion], files: Sequence[CheckedFile]) -> None:
    words = {"passes": "passes", "not-proven": "not proven yet", "fails": "does not pass"}
    for one in judged:
        kept = "" if one.as_kept else "; the verdict in the tree says something else"
        say(f"{one.host} {one.version}: {words[one.state]}{kept}")
        if not one.passing:
            tell_gates(one.gates)
    for file in files:
        if not file.as_kept:
            say(f"{file.host}: {file.file} is not what the recordings give")

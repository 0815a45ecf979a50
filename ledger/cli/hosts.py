"""`readmark hosts`: which gates of proof recorded evidence shows, host by host, and how to register one."""

import click
import msgspec

from adapters import hosts as known
from adapters import verdicts
from adapters.registration import registration
from contracts.reasons import GATES
from contracts.report.hosts import HostReport, HostsReport, VersionReport
from ledger.cli.command import NOT_FOUND, program
from ledger.cli.failure import DONE, UNAVAILABLE_CODE, say_error
from ledger.cli.gates import reported, sign
from ledger.cli.output import hint, print_json, say, write
from ledger.cli.parameters import examples, host_argument, json_option
from ledger.cli.table import table
from ledger.cli.words import spoken
from ledger.escape import encodable

SHOWN = 3
"""How many versions of a host a person is shown, the newest first."""
NO_EVIDENCE = "no evidence: there is no verdict for this host"


def host_report(name: str) -> HostReport:
    """Return a host's gates by version, and why it is off where it is."""
    versions = [VersionReport(one.version, one.passing, reported(one)) for one in verdicts.verdicts(name)]
    if any(one.passing for one in versions):
        return HostReport(name, on=True, versions=versions)
    if not versions:
        return HostReport(name, on=False, versions=[], why_off=NO_EVIDENCE)
    return HostReport(name, on=False, versions=versions, why_off=_shut(versions[0]))


def _shut(one: VersionReport) -> str:
    """Return the gates that a version does not pass."""
    gates = (f"{gate} {how.state}" for gate, how in one.gates.items() if how.state != "passed")
    return f"{one.version}: {', '.join(gates)}"


def _register(name: str) -> int:
    path = program()
    if path is None:
        say_error(NOT_FOUND)
        return UNAVAILABLE_CODE
    if not encodable(path):
        say_error("the path of the command is no valid UTF-8, which no host's file can hold.")
        return UNAVAILABLE_CODE
    host = known.load(name)
    merged = msgspec.json.encode(registration(host, path))
    write(msgspec.json.format(merged, indent=2) + b"\n")
    hint(f"Merge this by hand into ~/{host.REGISTRATION.file}; keep what is there.")
    return DONE


def _tell(one: HostReport) -> None:
    say(f"{one.host}: {'on' if one.on else 'off'}" + (f" ({one.why_off})" if one.why_off else ""))
    for version in one.versions if one.on else ():
        if not version.passing:
            say(f"  {_shut(version)}, so this version is off")
    if one.versions:
        # So many side by side fit 80 columns; `--json` has them all.
        shown = one.versions[:SHOWN]
        rows = [
            [f"  {gate}", *(f"{sign(v.gates[gate].state)} {spoken(v.gates[gate].state)}" for v in shown)]
            for gate in GATES
        ]
        say(table(("  Gate", *(version.version for version in shown)), rows))


@click.command(
    short_help="Show which gates each host passes; print registrations.",
    epilog=examples(
        "readmark hosts",
        "readmark hosts codex --json",
        "readmark hosts claude-code --registration",
    ),
)
@host_argument(required=False)
@click.option(
    "--registration", "register", is_flag=True, help="Print what to merge into the host's own file."
)
@json_option
def hosts(host: str | None, *, register: bool, as_json: bool) -> int:
    """Show which gates each host passes, and why one is off.

    A host is on only while recorded runs of it show every gate as passed; without that nothing of it
    is recorded and no subagent of it is told anything. A version whose own verdict does not
    pass is off. --registration prints JSON to merge by hand into the host's file for hooks, with the
    absolute path of this command.
    """
    if register:
        if as_json:
            raise click.UsageError("--registration prints the host's own JSON; it takes no --json.")
        if host is None:
            raise click.UsageError("--registration needs a HOST.")
        return _register(host)
    reports = [host_report(name) for name in known.HOSTS if host in {None, name}]
    if as_json:
        print_json(HostsReport(reports))
    else:
        for place, one in enumerate(reports):
            if place:
                say("")
            _tell(one)
    return DONE

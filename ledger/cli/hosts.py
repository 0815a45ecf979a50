"""`readmark hosts`: which gates of proof recorded evidence shows, host by host, and how to register one."""

import os
import shutil
import sys
from pathlib import Path

import click
import msgspec

from adapters import hosts as known
from adapters import verdicts
from adapters.registration import registration
from contracts.reasons import GATES
from contracts.report.hosts import GateReport, HostReport, HostsReport, VersionReport
from contracts.verdict import GateVerdict, Verdict
from ledger.cli.failure import DONE, UNAVAILABLE_CODE, say_error
from ledger.cli.output import hint, print_json, say, spoken, symbol, write
from ledger.cli.parameters import check_host, complete_host, examples, json_option
from ledger.cli.table import table

COMMAND = "readmark"
SHOWN = 3
"""How many versions of a host a person is shown, the newest first."""
NO_EVIDENCE = "no evidence: there is no verdict for this host"


def _version(verdict: Verdict) -> VersionReport:
    shown = {gate: verdict.gates.get(gate, GateVerdict("not-shown")) for gate in GATES}
    return VersionReport(
        verdict.version,
        verdict.passing,
        {gate: GateReport(one.state, list(one.scenarios)) for gate, one in shown.items()},
    )


def host_report(name: str) -> HostReport:
    """Return a host's gates by version, and why it is off where it is."""
    versions = [_version(verdict) for verdict in verdicts.verdicts(name)]
    if any(one.passing for one in versions):
        return HostReport(name, on=True, versions=versions)
    if not versions:
        return HostReport(name, on=False, versions=[], why_off=NO_EVIDENCE)
    shut = [f"{gate} {one.state}" for gate, one in versions[0].gates.items() if one.state != "passed"]
    return HostReport(name, on=False, versions=versions, why_off=f"{versions[0].version}: {', '.join(shut)}")


def program() -> str | None:
    """Return the absolute path of the command that a host should call, as it was called or found.

    Links stay as they are: an installer moves what they point to, not the links.
    """
    folder, name = os.path.split(sys.argv[0])
    called = Path(folder, name)
    if folder and name == COMMAND and os.access(called, os.X_OK):
        return os.path.abspath(called)  # noqa: PTH100 - Path.resolve would follow links
    found = shutil.which(COMMAND)
    if found is not None:
        return os.path.abspath(found)  # noqa: PTH100 - Path.resolve would follow links
    beside = Path(sys.executable).with_name(COMMAND)
    return str(beside) if os.access(beside, os.X_OK) else None


def _register(name: str) -> int:
    path = program()
    if path is None:
        say_error("the command `readmark` was not found; install it, or put it on the PATH.")
        return UNAVAILABLE_CODE
    try:
        path.encode()
    except UnicodeEncodeError:
        say_error("the path of the command is no valid UTF-8, which no host's file can hold.")
        return UNAVAILABLE_CODE
    host = known.load(name)
    merged = msgspec.json.encode(registration(host, path))
    write(msgspec.json.format(merged, indent=2) + b"\n")
    hint(f"Merge this by hand into ~/{host.REGISTRATION.file}; keep what is there.")
    return DONE


def _tell(one: HostReport) -> None:
    signs = {"passed": symbol("✓", "+"), "failed": symbol("✗", "x"), "not-shown": "?"}
    say(f"{one.host}: {'on' if one.on else 'off'}" + (f" ({one.why_off})" if one.why_off else ""))
    if one.versions:
        # So many side by side fit 80 columns; `--json` has them all.
        shown = one.versions[:SHOWN]
        rows = [
            [f"  {gate}", *(f"{signs[v.gates[gate].state]} {spoken(v.gates[gate].state)}" for v in shown)]
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
@click.argument("host", required=False, metavar="[HOST]", callback=check_host, shell_complete=complete_host)
@click.option(
    "--registration", "register", is_flag=True, help="Print what to merge into the host's own file."
)
@json_option
def hosts(host: str | None, *, register: bool, as_json: bool) -> int:
    """Show which gates each host passes, and why one is off.

    A host is on only while recorded runs of it show every gate as passed; without that nothing of it
    is recorded and no subagent of it is told anything. --registration prints JSON to merge by hand
    into the host's file for hooks, with the absolute path of this command.
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

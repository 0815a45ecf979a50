"""`readmark pause` and `resume`: switch readmark off and on, for all hosts, for one, or in a project."""

import os

import click

from contracts.outcome import Skipped
from contracts.report.pause import SwitchFault, SwitchReport
from ledger import pauses, project_switch
from ledger.cli import switches
from ledger.cli.failure import DONE, REFUSED, refused, say_error, sentence
from ledger.cli.output import print_json, say
from ledger.cli.parameters import examples, host_argument, json_option
from ledger.cli.words import printable
from ledger.errors import HomeError
from ledger.escape import one_line
from ledger.home import state_folder
from ledger.install.files import Refusal
from ledger.settings import Fault

project_option = click.option(
    "--project", is_flag=True, help="Only the project of this folder, by its `.readmark.toml`."
)


def _check(host: str | None, *, project: bool) -> None:
    if host is not None and project:
        raise click.UsageError("A project is switched for all hosts: give HOST or --project, not both.")


def _print(told: SwitchReport, text: str, *, as_json: bool) -> int:
    if as_json:
        print_json(told)
        return DONE
    say(text)
    if told.off:
        say("", "Still off:" if told.verb == "resume" else "Off now:")
        for one in told.off:
            say(f"  {sentence(one)}")
    return DONE


def _project(verb: str, *, as_json: bool) -> int:
    folder = switches.here()
    if folder is None:
        raise HomeError("folder-gone")
    done = project_switch.off(folder) if verb == "pause" else project_switch.on(folder)
    if isinstance(done, Refusal | Fault):
        if isinstance(done, Fault):
            done = Refusal(f"{done.place}: {done.message}.", "Put it right; until then the project is off.")
        fault = SwitchFault(printable(folder), printable(done.message), printable(done.remedy))
        if as_json:
            print_json(fault)
        else:
            say_error(f"the project of {one_line(fault.folder)} was left as it was.")
            say_error(f"{one_line(fault.message)} {one_line(fault.remedy)}")
        return REFUSED
    changed = done.fate != "unchanged"
    told = SwitchReport(
        verb=verb,  # type: ignore[arg-type] # one of its words
        state="changed" if changed else "unchanged",
        scope="project",
        file=printable(done.file),
        file_is=done.fate,
        off=switches.active(os.environ),
    )
    where = f"in {one_line(printable(done.file.parent))}, by its {done.file.name}"
    words = {
        ("pause", True): f"readmark is off {where}, from the next event on.",
        ("pause", False): f"readmark was off already {where}.",
        ("resume", True): f"The off switch is gone {where}, from the next event on.",
        ("resume", False): f"There was no off switch {where}.",
    }
    return _print(told, words[verb, changed], as_json=as_json)


def _of(host: str | None) -> str:
    return "all hosts" if host is None else host


@click.command(
    short_help="Switch readmark off for a while.",
    epilog=examples("readmark pause", "readmark pause codex", "readmark pause --project --json"),
)
@host_argument(required=False)
@project_option
@json_option
def pause(host: str | None, *, project: bool, as_json: bool) -> int:
    """Switch readmark off: for all hosts, for HOST, or in a project.

    It holds from the very next event until `readmark resume`: nothing is recorded, nothing is told to a
    subagent. What was read before stays, unless its conversation is cleared or begins anew meanwhile.
    `readmark status` shows what is off.
    """
    _check(host, project=project)
    if project:
        return _project("pause", as_json=as_json)
    new = pauses.pause(state_folder(os.environ).path, host)
    told = SwitchReport(
        verb="pause",
        state="changed" if new else "unchanged",
        scope="all" if host is None else "host",
        host=host,
        off=switches.active(os.environ),
    )
    how = "from the next event on" if new else "as it was already"
    return _print(told, f"readmark is paused for {_of(host)}, {how}.", as_json=as_json)


@click.command(
    short_help="Switch readmark on again.",
    epilog=examples("readmark resume", "readmark resume codex", "readmark resume --project --json"),
)
@host_argument(required=False)
@project_option
@json_option
def resume(host: str | None, *, project: bool, as_json: bool) -> int:
    """Switch readmark on again: lift every pause, that of HOST, or a project's.

    Without HOST it lifts the pauses of single hosts, too. While all hosts are paused, one cannot be resumed
    alone: that is refused. What else keeps readmark off is named.
    """
    _check(host, project=project)
    if project:
        return _project("resume", as_json=as_json)
    folder = state_folder(os.environ).path
    if host is not None and pauses.listed(folder).everything:
        return refused(Skipped("paused-all", host), as_json=as_json)
    lifted = pauses.resume(folder, host)
    new = lifted != pauses.Pauses()
    told = SwitchReport(
        verb="resume",
        state="changed" if new else "unchanged",
        scope="all" if host is None else "host",
        host=host,
        off=switches.active(os.environ),
    )
    text = f"The pause of {_of(host)} is lifted, from the next event on." if new else "Nothing was paused."
    if host is not None and not new:
        text = f"{host} was not paused."
    return _print(told, text, as_json=as_json)

"""`readmark plugin`: our hooks as a plugin of a host, for those who install that way."""

import os
import shlex
from pathlib import Path

import click

from adapters import plugin as bundle
from adapters.hosts import HOSTS, load
from contracts.report.install import InstallFault
from contracts.report.plugin import PluginReport
from ledger.cli.failure import DONE, REFUSED, say_error
from ledger.cli.output import print_json, print_text, say
from ledger.cli.parameters import check_path, examples, host_argument, json_option
from ledger.cli.words import printable
from ledger.escape import encodable, one_line
from ledger.install.files import Refusal
from ledger.install.folder import Task, perform, plan

TRUST = "Codex runs a plugin's hooks only after you trust them: start `codex` in a terminal once."
LOOKED_FOR = (
    "The plugin looks for `readmark` on the PATH of each machine and in ~/.local/bin; `--command` fixes it."
)
STAYS = "Leave the folder where it is: the host may read the plugin from there."
AGAIN = "Where an earlier build is in use, take the plugin out and in again: hosts keep a copy by version."
TWICE = "Hooks in the host's own file may stay beside it: nothing is recorded twice."


@click.group(short_help="Build a plugin of a host, instead of `install`.")
def plugin() -> None:
    """Build readmark's hooks as a plugin that a host takes in with its own commands."""


def _refused(folder: str, refusal: Refusal, *, as_json: bool) -> int:
    if as_json:
        print_json(InstallFault(folder, printable(refusal.message), printable(refusal.remedy)))
    else:
        say_error(f"{one_line(folder)}: {one_line(refusal.message)} {one_line(refusal.remedy)}")
        say_error("nothing was built.")
    return REFUSED


def _notes(host: str, command: str | None, state: str) -> list[str]:
    notes = [STAYS]
    if command is None:
        notes.append(LOOKED_FOR)
    if host == "codex":
        notes.append(TRUST)
    if state == "replaced":
        notes.append(AGAIN)
    return [*notes, TWICE]


def _tell(told: PluginReport) -> None:
    done = {"made": "Built", "replaced": "Built again", "unchanged": "Nothing to change in"}
    would = {"made": "Would build", "replaced": "Would build again", "unchanged": "Nothing to change in"}
    words = would if told.dry_run else done
    print_text(f"{words[told.state]} {one_line(told.folder)}\n")
    for name in told.files:
        print_text(f"  {one_line(name)}\n")
    for title, commands in (("Take it in:", told.add), ("Take it out:", told.remove)):
        say("", title)
        # Not wrapped: a person copies them.
        print_text("".join(f"  {one_line(command)}\n" for command in commands))
    for note in told.notes:
        say("", note)


@plugin.command(
    short_help="Build a folder from which a host takes the plugin.",
    epilog=examples(
        "readmark plugin build claude-code ./readmark-plugin",
        "readmark plugin build codex ~/readmark-codex --dry-run",
        "readmark plugin build codex ./here --command /opt/readmark/bin/readmark",
    ),
)
@host_argument(required=True)
@click.argument("folder", metavar="DIR", callback=check_path)
@click.option(
    "--command",
    metavar="PATH",
    help="Call readmark by this absolute path instead of looking for it on each machine.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be built; build nothing.")
@json_option
def build(host: str, folder: str, command: str | None, *, dry_run: bool, as_json: bool) -> int:
    """Build a marketplace with readmark's plugin in DIR, and print the host's commands that take it in.

    The hooks are those of `readmark install`. DIR must be new, empty, or an earlier build for the same host,
    which is replaced as a whole. The same version builds the same bytes.
    """
    loaded = load(host)
    form = loaded.REGISTRATION.plugin
    if form is None:
        able = ", ".join(name for name in HOSTS if load(name).REGISTRATION.plugin is not None)
        raise click.UsageError(f"{host} takes no plugin of hooks. Those that do: {able}.")
    if command is not None and not (os.path.isabs(command) and encodable(command)):  # noqa: PTH117 - as written
        raise click.UsageError("--command needs an absolute path in valid UTF-8.")
    shown = os.path.abspath(folder)  # noqa: PTH100 - Path.resolve would follow links
    task = Task(Path(shown), bundle.files(loaded, form, command), bundle.MARKER, host)
    fate = plan(task) if dry_run else perform(task)
    if isinstance(fate, Refusal):
        return _refused(printable(shown), fate, as_json=as_json)
    told = PluginReport(
        state=fate,
        dry_run=dry_run,
        host=host,
        folder=printable(shown),
        files=sorted(task.files),
        add=[printable(line.format(folder=shlex.quote(shown))) for line in form.add],
        remove=[printable(line) for line in form.remove],
        notes=_notes(host, command, fate),
    )
    if as_json:
        print_json(told)
    else:
        _tell(told)
    return DONE

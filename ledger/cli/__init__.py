"""The command line: one module per verb, one way to print, one place that turns errors into exit codes."""

import io
import sys
from collections.abc import Sequence
from functools import partial

import click

from contracts.outcome import Unavailable
from contracts.version import __version__
from ledger.cli import (
    brief,
    clear,
    completion,
    config,
    evidence,
    hook,
    hosts,
    init,
    install,
    listing,
    pause,
    plugin,
    prune,
    record,
    show,
    status,
    why,
)
from ledger.cli.failure import DONE, REFUSED, USAGE, say_error, unavailable, unforeseen, unheard
from ledger.cli.output import OutputLost, legible, on_error
from ledger.cli.switches import here
from ledger.errors import ReadmarkError


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    epilog="Exit codes: 0 done, 2 wrong usage, 3 refused, 4 the ledger or a standard stream cannot be used.",
)
@click.version_option(__version__, prog_name="readmark", message="%(prog)s %(version)s")
def cli() -> None:
    """Keep what the main agent of a coding conversation has provably read, and tell its subagents.

    Hosts call `readmark hook`; the other commands show, explain and clear what came of it.
    """


for _verb in (
    hook.hook,
    record.record,
    listing.listing,
    brief.brief,
    clear.clear,
    prune.prune,
    pause.pause,
    pause.resume,
    show.show,
    status.status,
    hosts.hosts,
    config.config,
    why.why,
    init.init,
    install.install,
    install.uninstall,
    plugin.plugin,
    evidence.evidence,
    completion.completion,
):
    cli.add_command(_verb)


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; whatever goes wrong ends in words, never in a trace."""
    try:
        return _run(arguments)
    except OutputLost as error:  # of words about something else that went wrong
        return unheard(error)


def _run(arguments: Sequence[str]) -> int:
    as_json = "--json" in arguments
    try:
        code = cli.main(list(arguments), prog_name="readmark", standalone_mode=False)
    except click.ClickException as error:
        on_error(partial(_show, error))
        return USAGE
    except click.Abort:
        say_error("stopped.")
        return REFUSED
    except SystemExit as ending:
        # click exits 1 where a reader of its help went away, and else only for a shell's completion.
        return DONE if ending.code in {None, 0, 1} else USAGE
    except ReadmarkError as error:
        return unavailable(Unavailable(error.reason, error.detail), as_json=as_json)
    except FileNotFoundError as error:
        if here() is None:
            return unavailable(Unavailable("folder-gone"), as_json=as_json)
        return unforeseen(error, as_json=as_json)
    except Exception as error:  # noqa: BLE001 - a person gets a sentence, not a trace
        return unforeseen(error, as_json=as_json)
    return code if isinstance(code, int) else DONE


def _show(error: click.ClickException) -> None:
    """Say what was wrong with the words of a person, who may have pasted something that no screen shows."""
    told = io.StringIO()
    error.show(told)
    click.echo(legible(told.getvalue()), err=True, nl=False)


def main() -> int:
    """Run the command that the process was started with, and return its exit code."""
    return run(sys.argv[1:])

"""`readmark config`: the limits in force, where each came from, and what is wrong with them."""

import os
from difflib import get_close_matches

import click

from contracts.limits import Limits
from contracts.reasons import UNAVAILABLE
from contracts.report import ConfigFault, ConfigReport, LimitReport
from ledger.cli.failure import DONE, REFUSED, say_error
from ledger.cli.output import print_json, print_text, printable, say
from ledger.cli.parameters import examples, json_option
from ledger.cli.table import fields, table
from ledger.escape import one_line
from ledger.home import config_file
from ledger.settings import OTHERS, PREFIX, Fault, Settings, load, unknown_variables, variable

MEANINGS = {
    "candidate_bytes": "Bytes of UTF-8 of one item's title, conditions and sources.",
    "candidates": "Items of one conversation; the oldest read goes first.",
    "conversations": "Conversations in all; the least recently active goes first.",
    "idle_seconds": "Seconds after which an idle conversation is gone.",
    "pending_seconds": "Seconds that a host has to show that the model got a result.",
    "briefing_units": "UTF-16 units of the text that a subagent receives, at most 9000.",
}
REMEDIES = {
    "file": "Put it right in that place, or take it out: `readmark config --example` prints every key.",
    "environment": "Put the variable right, or unset it.",
}


def example() -> str:
    """Return a configuration that says what holds without one."""
    lines = ["# readmark: every limit with its default. Uncomment a line to change it.", "[limits]"]
    for key, value in zip(Limits.__struct_fields__, Limits.__struct_defaults__, strict=True):
        lines += ["", f"# {MEANINGS[key]}", f"# Environment: {variable(key)}", f"# {key} = {value}"]
    return "\n".join(lines) + "\n"


def limits(settings: Settings) -> dict[str, LimitReport]:
    """Return every limit with its origin."""
    return {
        key: LimitReport(getattr(settings.limits, key), settings.origins[key], variable(key))
        for key in Limits.__struct_fields__
    }


def _fault(file: str, fault: Fault) -> ConfigFault:
    return ConfigFault(file, printable(fault.place), printable(fault.message), REMEDIES[fault.origin])


def _warn_of_strangers() -> None:
    """Say which variables look like ours and do nothing."""
    # Compared without what all of them begin with, or everything would be like everything.
    known = [name.removeprefix(PREFIX) for name in OTHERS] + [key.upper() for key in Limits.__struct_fields__]
    for name in unknown_variables(os.environ):
        near = get_close_matches(name.removeprefix(PREFIX), known, n=1)
        question = f" Did you mean {PREFIX}{near[0]}?" if near else ""
        say_error(f"{one_line(printable(name))} is no variable of readmark, and does nothing.{question}")


@click.command(
    short_help="Show the limits in force and their origins.",
    epilog=examples("readmark config", "readmark config --json", "readmark config --example"),
)
@click.option("--example", "as_example", is_flag=True, help="Print a commented TOML file with the defaults.")
@json_option
def config(*, as_example: bool, as_json: bool) -> int:
    """Show the limits in force and where each came from: a default, the file, or the environment.

    A fault is shown with its place, and exits 3; until it is put right nothing is recorded. A variable
    that looks like one of readmark's and is none is named on standard error.
    """
    if as_example:
        if as_json:
            raise click.UsageError("--example prints TOML; it takes no --json.")
        print_text(example())
        return DONE
    _warn_of_strangers()
    path = config_file(os.environ)
    file = printable(path)
    found = load(path, os.environ)
    if isinstance(found, Fault):
        fault = _fault(file, found)
        if as_json:
            print_json(fault)
        else:
            say(UNAVAILABLE["config-invalid"].meaning)
            where = [("File", file)] if found.origin == "file" else []
            say(fields([*where, ("Place", fault.place), ("Fault", fault.message), ("Fix", fault.remedy)]))
        return REFUSED
    told = ConfigReport(file, path.exists(), limits(found))
    if as_json:
        print_json(told)
        return DONE
    say(f"File: {one_line(file)}" + ("" if told.found else " (there is none)"), "")
    rows = [(key, str(one.value), one.origin, one.variable) for key, one in told.limits.items()]
    say(table(("Limit", "#Value", "Origin", "Variable"), rows))
    return DONE

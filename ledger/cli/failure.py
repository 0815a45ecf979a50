"""What went wrong, as words and an exit code: the one place that turns errors into either."""

import os
import sys
import traceback

import click

from contracts.outcome import Skipped, Unavailable
from contracts.reasons import NOTHING_TO_DO, REFUSALS, UNAVAILABLE
from contracts.report.base import Explained, Failed, Refused
from ledger.cli.output import OutputLost, lost, on_error, print_json
from ledger.escape import one_line

DONE = 0
USAGE = 2
REFUSED = 3
UNAVAILABLE_CODE = 4

DEBUG = "READMARK_DEBUG"
"""Set to 1, this variable shows the trace of an error that nobody foresaw."""


def explain(reason: str, detail: str = "") -> Explained:
    """Return a reason with its meaning and remedy; a name that is not in the tables explains nothing."""
    known = REFUSALS.get(reason) or UNAVAILABLE.get(reason)
    if known is None:
        return Explained(reason, "This readmark does not know the reason.", "Update readmark.", detail)
    return Explained(reason, known.meaning, known.remedy, detail)


def sentence(why: Explained) -> str:
    """Return a reason as one line for a person; that nothing is to be done goes without saying."""
    detail = f" ({one_line(why.detail)})" if why.detail else ""
    remedy = "" if why.remedy == NOTHING_TO_DO else f" {why.remedy}"
    return f"{one_line(why.reason)}: {why.meaning}{detail}{remedy}"


def say_error(text: str) -> None:
    """Say something on standard error; where nobody listens, nothing is lost."""
    on_error(lambda: click.echo(f"readmark: {one_line(text)}", err=True))


def unavailable(outcome: Unavailable, *, as_json: bool) -> int:
    """Say that the ledger cannot answer, and return the exit code."""
    if as_json:
        print_json(Failed(outcome.reason, outcome.detail))
    else:
        say_error(sentence(explain(outcome.reason, outcome.detail)))
    return UNAVAILABLE_CODE


def refused(outcome: Skipped, *, as_json: bool) -> int:
    """Say that the verb did nothing, and return the exit code."""
    why = explain(outcome.reason, outcome.detail)
    if as_json:
        print_json(Refused(why.reason, why.meaning, why.remedy, why.detail))
    else:
        say_error(sentence(why))
    return REFUSED


def unheard(why: OutputLost) -> int:
    """Say on standard error that the output went nowhere, which must not look like success."""
    say_error(f"{why}.")
    return UNAVAILABLE_CODE


def unforeseen(error: Exception, *, as_json: bool) -> int:
    """Say that readmark itself failed, without a trace unless the user asks for one.

    Where it was only its output that failed, that is said instead.
    """
    why = error if isinstance(error, OutputLost) else None
    if isinstance(error, OSError) and not as_json:
        why = lost()
    if why is not None:
        return unheard(why)
    if os.environ.get(DEBUG) == "1":
        on_error(lambda: traceback.print_exception(error, file=sys.stderr))
    if as_json:
        print_json(Failed("internal-error", type(error).__name__))
    else:
        say_error(
            f"readmark itself failed ({type(error).__name__}). Please report it; {DEBUG}=1 shows where."
        )
    return UNAVAILABLE_CODE

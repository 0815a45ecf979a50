"""The one way to standard output: bytes in UTF-8 for programs, text that any terminal can show for people."""

import io
import os
import re
import sys
from collections.abc import Callable
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click
import msgspec

from ledger.escape import one_line

if TYPE_CHECKING:
    from rich.console import RenderableType

_PARTS = re.compile(r"([\n\t])")
PIPED_WIDTH, NARROWEST = 80, 20
"""Columns for people where nothing says how many there are, and how few at least."""


class OutputLost(Exception):  # noqa: N818 - no fault of ours, and none of the ledger's
    """Standard output takes no more; its text says why, for a person."""

    def __init__(self, error: OSError) -> None:
        """Take what the system said, and let what is still buffered go nowhere."""
        super().__init__(f"standard output cannot be written: {error.strerror or type(error).__name__}")
        drop(1)


def write(data: bytes) -> None:
    """Write to standard output; where its reader has gone away, leave quietly with exit code 0.

    Raises OutputLost where it takes no more; without any standard output there is nobody to miss it.
    """
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        drop(1)
        raise click.exceptions.Exit(0) from None
    except OSError as error:
        raise OutputLost(error) from None


def lost() -> OutputLost | None:
    """Return why standard output takes no more, or None where it does.

    Others than `write` print as well (click its help). Only another try tells whether it was that which
    failed: an empty line, which hurts no person.
    """
    try:
        write(b"\n")
    except OutputLost as error:
        return error
    return None


def drop(descriptor: int) -> None:
    """Let what is still buffered of a stream go nowhere, or Python complains about it at its own end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


def on_error(says: Callable[[], object]) -> None:
    """Do what says something on standard error; one that takes no more is no fault of anybody."""
    try:
        says()
    except OSError:
        drop(2)


def print_json(report: msgspec.Struct) -> None:
    """Print a report of `contracts.report` as one line of JSON in UTF-8, whatever the locale says."""
    write(msgspec.json.encode(report) + b"\n")


def legible(text: str) -> str:
    """Return text of several lines with nothing hidden in them: what no screen shows comes as an escape."""
    return "".join(part if part in {"\n", "\t"} else one_line(part) for part in _PARTS.split(text))


def print_text(text: str) -> None:
    """Print text in the encoding of the stream; what that cannot say, or no screen shows, is an escape."""
    _print(legible(text))


def _print(text: str) -> None:
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    write(text.encode(encoding, "backslashreplace"))


def colourful() -> bool:
    """Whether colours may be used: only on a terminal, and not where the user asked for none."""
    return (
        sys.stdout is not None
        and sys.stdout.isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM") != "dumb"
    )


def _columns() -> int:
    terminal = sys.stdout is not None and sys.stdout.isatty()
    if not terminal and not os.environ.get("COLUMNS", "").isdecimal():
        return PIPED_WIDTH
    return max(NARROWEST, get_terminal_size((PIPED_WIDTH, 24)).columns)


def say(*parts: "RenderableType") -> None:
    """Print parts for a person, wrapped to COLUMNS, else to the terminal, else to 80 columns."""
    from rich.console import Console  # noqa: PLC0415 - rich takes longer to load than most commands to run

    console = Console(
        file=io.StringIO(),
        width=_columns(),
        force_terminal=colourful(),
        color_system="standard" if colourful() else None,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
    )
    with console.capture() as captured:
        for part in parts:
            console.print(legible(part) if isinstance(part, str) else part)
    lines = captured.get().split("\n")
    # What styles it are no characters of its text.
    _print("\n".join(line.rstrip() for line in lines))


def hint(text: str) -> None:
    """Say something beside the output, on standard error and only to a person at a terminal."""
    if sys.stderr is not None and sys.stderr.isatty():
        on_error(lambda: click.echo(text, err=True))


def symbol(wanted: str, plain: str) -> str:
    """Return `wanted` if standard output can say it, else the `plain` one."""
    try:
        wanted.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeError, LookupError):
        return plain
    return wanted

"""Tables for people: no lines, no colour that carries meaning alone, wide letters counted as wide."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ledger.escape import one_line

if TYPE_CHECKING:
    from rich.table import Table


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> "Table":
    """Return a table of foreign text; a cell too wide for its column goes on in the next line, whole.

    A column whose name begins with "#" holds numbers, and the name shows without it.
    """
    from rich.table import Table  # noqa: PLC0415 - see `output.say`
    from rich.text import Text  # noqa: PLC0415 - see `output.say`

    made = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for name in columns:
        number = name.startswith("#")
        made.add_column(name.removeprefix("#"), overflow="fold", justify="right" if number else "left")
    for row in rows:
        made.add_row(*(Text(one_line(cell)) for cell in row))
    return made


def fields(pairs: Iterable[tuple[str, str]]) -> "Table":
    """Return names and values below each other; values wrap beside their names."""
    from rich.table import Table  # noqa: PLC0415 - see `output.say`
    from rich.text import Text  # noqa: PLC0415 - see `output.say`

    made = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    made.add_column(no_wrap=True, style="bold")
    made.add_column(overflow="fold")
    for name, value in pairs:
        made.add_row(name, Text(one_line(value)))
    return made

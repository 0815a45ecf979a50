"""Tables for people: no lines, no colour that carries meaning alone, wide letters counted as wide."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ledger.cli.output import legible, symbol
from ledger.escape import one_line

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
    from rich.measure import Measurement
    from rich.padding import Padding
    from rich.table import Table

NARROWEST = 12
"""Columns below which a cell that may be cut is not squeezed while others can give."""


class _OneLine:
    """Foreign text in one line: what does not fit its column goes, and a sign stands in its place."""

    def __init__(self, text: str) -> None:
        # An escape is one piece, so that none is ever cut in the middle.
        self._pieces = [one_line(character) for character in text]

    def cut(self, width: int) -> str:
        """Return as much as fits so many columns."""
        from rich.cells import cell_len  # noqa: PLC0415 - see `output.say`

        whole = "".join(self._pieces)
        sign = symbol("…", "...")
        if cell_len(whole) <= width:
            return whole
        if width < len(sign):
            return sign[:width]
        left = width - len(sign)
        kept: list[str] = []
        for piece in self._pieces:
            left -= cell_len(piece)
            if left < 0:
                break
            kept.append(piece)
        return "".join(kept) + sign

    def __rich_measure__(self, console: "Console", options: "ConsoleOptions") -> "Measurement":
        from rich.cells import cell_len  # noqa: PLC0415 - see `output.say`
        from rich.measure import Measurement  # noqa: PLC0415 - see `output.say`

        del console
        whole = min(cell_len("".join(self._pieces)), options.max_width)
        return Measurement(min(whole, NARROWEST), whole)

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        from rich.text import Text  # noqa: PLC0415 - see `output.say`

        del console
        yield Text(self.cut(options.max_width), no_wrap=True)


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, cut: str = "") -> "Table":
    """Return a table of foreign text; a cell too wide for its column goes on in the next line, whole.

    A column whose name begins with "#" holds numbers, and the name shows without it. The cells of the
    column that `cut` names stay on one line, and what is too long for it goes.
    """
    from rich.table import Table  # noqa: PLC0415 - see `output.say`
    from rich.text import Text  # noqa: PLC0415 - see `output.say`

    made = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for name in columns:
        number = name.startswith("#")
        made.add_column(name.removeprefix("#"), overflow="fold", justify="right" if number else "left")
    for row in rows:
        cells: list[RenderableType] = [
            _OneLine(cell) if name == cut else Text(one_line(cell))
            for name, cell in zip(columns, row, strict=True)
        ]
        made.add_row(*cells)
    return made


def indented(text: str, columns: int) -> "Padding":
    """Return text that stands so many columns to the right, in each of its lines."""
    from rich.padding import Padding  # noqa: PLC0415 - see `output.say`
    from rich.text import Text  # noqa: PLC0415 - see `output.say`

    return Padding(Text(legible(text)), (0, 0, 0, columns))


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

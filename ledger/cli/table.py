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
GAP = 2
"""Columns between two cells."""


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # noqa: PLC0415 - see `output.say`

    return cell_len(text)


class _OneLine:
    """Foreign text in one line: what does not fit its column goes, and a sign stands in its place."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.whole = one_line(text)

    def cut(self, width: int) -> str:
        """Return as much as fits so many columns."""
        sign = symbol("…", "...")
        if _width(self.whole) <= width:
            return self.whole
        if width < len(sign):
            return sign[:width]
        left = width - len(sign)
        if self.whole is self._text and self.whole.isascii():
            # As any other text, only that this takes no time.
            return self.whole[:left] + sign
        kept: list[str] = []
        # An escape is one piece, so that none is ever cut in the middle.
        for piece in map(one_line, self._text):
            left -= _width(piece)
            if left < 0:
                break
            kept.append(piece)
        return "".join(kept) + sign

    def __rich_measure__(self, console: "Console", options: "ConsoleOptions") -> "Measurement":
        from rich.measure import Measurement  # noqa: PLC0415 - see `output.say`

        del console
        whole = min(_width(self.whole), options.max_width)
        return Measurement(min(whole, NARROWEST), whole)

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        from rich.text import Text  # noqa: PLC0415 - see `output.say`

        del console
        yield Text(self.cut(options.max_width), no_wrap=True)


class _Table:
    """A table: lines of our own where each cell has room on one, else the library's, which folds them.

    The library takes a millisecond a row.
    """

    def __init__(self, columns: Sequence[str], rows: Iterable[Sequence[str]], cut: str) -> None:
        self._names = [name.removeprefix("#") for name in columns]
        self._right = [name.startswith("#") for name in columns]
        self._cut = columns.index(cut) if cut else None
        given = [list(row) for row in rows]
        self._titles = [] if self._cut is None else [_OneLine(row[self._cut]) for row in given]
        self._rows = [[one_line(cell) for cell in row] for row in given]

    def _widths(self, most: int) -> list[int] | None:
        """Return each column's width, or None where a cell would have to fold."""
        widths = [max(map(_width, cells)) for cells in zip(self._names, *self._rows, strict=True)]
        over = sum(widths) + GAP * (len(widths) - 1) - most
        if over > 0 and self._cut is not None:
            widths[self._cut] -= over
            return widths if widths[self._cut] >= max(NARROWEST, _width(self._names[self._cut])) else None
        return widths if over <= 0 else None

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        from rich.segment import Segment  # noqa: PLC0415 - see `output.say`
        from rich.style import Style  # noqa: PLC0415 - see `output.say`

        widths = self._widths(options.max_width)
        if widths is None:
            yield self._folded()
            return
        yield Segment(self._line(self._names, widths), Style(bold=True))
        yield Segment.line()
        lines = [self._line(self._cells(place, widths), widths) + "\n" for place in range(len(self._rows))]
        yield Segment("".join(lines))

    def _cells(self, place: int, widths: Sequence[int]) -> list[str]:
        cells = list(self._rows[place])
        if self._cut is not None:
            cells[self._cut] = self._titles[place].cut(widths[self._cut])
        return cells

    def _line(self, cells: Sequence[str], widths: Sequence[int]) -> str:
        padded = []
        for cell, width, right in zip(cells, widths, self._right, strict=True):
            room = " " * (width - _width(cell))
            padded.append(room + cell if right else cell + room)
        return (" " * GAP).join(padded).rstrip()

    def _folded(self) -> "Table":
        from rich.table import Table  # noqa: PLC0415 - see `output.say`
        from rich.text import Text  # noqa: PLC0415 - see `output.say`

        made = Table(box=None, padding=(0, GAP, 0, 0), pad_edge=False, header_style="bold")
        for name, right in zip(self._names, self._right, strict=True):
            made.add_column(name, overflow="fold", justify="right" if right else "left")
        for place, row in enumerate(self._rows):
            cells: list[RenderableType] = [Text(cell) for cell in row]
            if self._cut is not None:
                cells[self._cut] = self._titles[place]
            made.add_row(*cells)
        return made


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, cut: str = "") -> _Table:
    """Return a table of foreign text; a cell too wide for its column goes on in the next line, whole.

    A column whose name begins with "#" holds numbers, and the name shows without it. The cells of the
    column that `cut` names stay on one line, and what is too long for it goes.
    """
    return _Table(columns, rows, cut)


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

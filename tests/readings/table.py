r"""The tables of readings: calls as agents make them, and what each shows of which files.

A table is tab-separated under one header line, with `\n`, `\t` and `\\` for what would break a line:

- `id`: a name for the row.
- `tool`: `Bash` is a command of either host, `Read` and `Grep` are tools of Claude Code.
- `call`: the command; for `Read` the path and its options, for `Grep` its input as JSON. Several calls that
  belong together stand between `|` where the note begins with SPLIT.
- `whole`: the items of which all lines were shown, with a comma between them.
- `part`: items and the ranges of lines that were shown, `docs/long.md:1-80,120-140`.
- `note`: why; one with "may be left out" says that nothing of it need be told, or less, and so does a `?`
  behind an item.
- `host`: where a table has it, the only host that the row is for. A command of Codex may end in options
  of its tool.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

CLAUDE, CODEX = "claude-code", "codex"

_ESCAPE = re.compile(r"\\(.)")
_UNESCAPED = {"n": "\n", "t": "\t", "\\": "\\"}
_RANGE = re.compile(r"(\d+)-(\d+)")

Shown = frozenset[tuple[int, int]] | None
"""Ranges of lines that were shown, None for all lines."""


class Row(msgspec.Struct, frozen=True):
    """One row; `shown` has what each item shows, `optional` the items that need not be told of."""

    id: str
    tool: str
    calls: tuple[str, ...]
    shown: dict[str, Shown]
    optional: frozenset[str]
    hosts: tuple[str, ...]


def rows(table: Path) -> Iterator[Row]:
    """Yield the rows of a table."""
    head, *lines = table.read_text(encoding="utf-8").splitlines()
    names = head.split("\t")
    for line in lines:
        cells = [_ESCAPE.sub(lambda found: _UNESCAPED[found[1]], cell) for cell in line.split("\t")]
        yield _row(dict(zip(names, cells, strict=True)))


def _row(cells: dict[str, str]) -> Row:
    note, call = cells["note"], cells["call"]
    host = cells.get("host") or (CLAUDE if cells["tool"] != "Bash" else "")
    stated = {**dict.fromkeys(filter(None, cells["whole"].split(","))), **_parts(cells["part"])}
    optional = {item for item in stated if item.endswith("?") or "may be left out" in note}
    return Row(
        id=cells["id"],
        tool=cells["tool"],
        calls=tuple(call.split("|")) if note.startswith("SPLIT") else (call,),
        shown={item.removesuffix("?"): shown for item, shown in stated.items()},
        optional=frozenset(item.removesuffix("?") for item in optional),
        hosts=(host,) if host else (CLAUDE, CODEX),
    )


def _parts(stated: str) -> dict[str, Shown]:
    found: dict[str, Shown] = {}
    item = ""
    for cell in filter(None, stated.split(",")):
        name, _, range_ = cell.rpartition(":")
        item = name or item
        [(first, last)] = _RANGE.findall(range_)
        found[item] = (found.get(item) or frozenset()) | {(int(first), int(last))}
    return found

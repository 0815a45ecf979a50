"""Reads the lines of a host's transcript."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec


class Line(msgspec.Struct, frozen=True):
    """One line of a transcript; `end` is the byte offset where the next one begins."""

    end: int
    data: dict[str, Any]


def lines(path: Path) -> Iterator[Line]:
    """Yield each line that is a JSON object; a last line without an end is still being written."""
    end = 0
    for raw in path.read_bytes().splitlines(keepends=True):
        end += len(raw)
        try:
            data = msgspec.json.decode(raw, type=dict[str, Any])
        except (msgspec.MsgspecError, UnicodeError):
            continue
        yield Line(end, data)

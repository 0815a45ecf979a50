"""What a call read, where a test asks about one item."""

from __future__ import annotations

from adapters import readers
from contracts.event import ToolResult
from contracts.library import Library
from contracts.outcome import Skipped
from contracts.read import Read


def confirm(result: ToolResult, library: Library) -> Read | Skipped | None:
    """Return the one read, the refusal, or None."""
    confirmed = readers.confirm(result, library)
    assert len(confirmed.reads) < 2
    return next(iter(confirmed.reads), confirmed.refused)

"""What an adapter of a reader must offer."""

from typing import Protocol

import msgspec

from contracts.event import ToolResult
from contracts.library import Library, Root
from contracts.outcome import Skipped
from contracts.read import Read


class Confirmed(msgspec.Struct, frozen=True):
    """What one call read, in the order of its result; `refused` says why it read nothing, if known."""

    reads: tuple[Read, ...] = ()
    refused: Skipped | None = None


class Reader(Protocol):
    """A module that satisfies this is a reader; `adapters.readers` lists them all."""

    NAME: str
    HINTS: tuple[str, ...]
    """Texts that what is asked for in each read of this reader holds, all of them, as JSON writes it: what a
    shell can look for before it starts a process. A blank at the end stands for a tab or a quote too."""
    AGAIN: str
    """How an agent reads an item again, for the briefing: a few words without a full stop."""
    KIND: str
    """What an item is called, for people: one noun that takes an "s"."""

    def concerns(self, asked: str) -> bool:
        """Whether what was asked for, a command or a path, mentions this reader's items, however wrapped."""

    def confirm(self, result: ToolResult, library: Library) -> Read | Skipped | None:
        """Prove a read by the form of what the tool was asked and gave, refuse by name, or None: it is none.

        Gates are asked in the order direct, result; never raises on any text. What lines of files prove is
        asked apart from it (`adapters.readers.files`).
        """

    def counts(self, root: Root, place: str) -> bool:
        """Whether a path in a root, with `/`, can be that of an item of this reader; asks no file system."""

"""Small things to put into a ledger: reads, conversations, and a clock that a test can set."""

from __future__ import annotations

import hashlib

import msgspec

from contracts.conversation import Conversation
from contracts.lines import Lines, Range
from contracts.outcome import Ready, Unavailable
from contracts.read import File, Locator, PendingRead, Read, Settlement, Source

NOON = 1_800_000_000_000
"""Where every test's clock starts, in milliseconds since the epoch."""

HERE = Conversation("codex", "019a-here")
THERE = Conversation("claude-code", "019a-there")

FILE = File("/home/dev/project", "docs/é.md", 1234, 1_799_999_999_123_456_789)
"""Where a read of a document came from."""


class Clock:
    """A clock in milliseconds that only a test moves."""

    def __init__(self, now: int = NOON) -> None:
        """Start at a time."""
        self.now = now

    def __call__(self) -> int:
        """Return the time."""
        return self.now

    def pass_seconds(self, seconds: int) -> None:
        """Let time pass, or run back."""
        self.now += seconds * 1000


def read(item_id: str = "a", content: str = "", scope: str = "scope", title: str = "Title") -> Read:
    """Return a read of an item with this content."""
    digest = "sha256:" + hashlib.sha256(content.encode()).hexdigest()
    sources = (Source("pack", "a.md"), Source("pack", "b.md"))
    return Read("lore", scope, item_id, digest, title, "when it applies", sources)


def part(of: Read, *shown: Range, lines: int = 100) -> Read:
    """Return a read of some lines of a file that has this many."""
    return msgspec.structs.replace(of, lines=Lines(shown, lines))


def pending(event_id: str, *of: Read, noted_at: int = NOON) -> PendingRead:
    """Return what one call read, which waits for its delivery."""
    return PendingRead(event_id, of or (read(),), "0" * 64, Locator("/transcript.jsonl", 7), noted_at)


def sent(event_id: str, *of: Read) -> Settlement:
    """Return a host's word that the model got all that `pending` says of the same."""
    return Settlement(event_id, of or (read(),))


def items(answer: Ready | Unavailable) -> list[str]:
    """Return the item ids of all conversations in an answer, in its order."""
    assert isinstance(answer, Ready), answer
    return [candidate.read.item_id for one in answer.conversations for candidate in one.candidates]


def outcome_of(answer: object) -> str:
    """Return the kind of an answer, with its reason if it has one."""
    reason = msgspec.to_builtins(answer).get("reason") if isinstance(answer, msgspec.Struct) else None
    return f"{type(answer).__name__} {reason}" if reason else type(answer).__name__

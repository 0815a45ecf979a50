"""An event is claimed by one of those who ask at once."""

from __future__ import annotations

from contracts.conversation import Conversation
from contracts.outcome import Repeated, Unavailable
from ledger.calls import Ledger
from tests.ledger.crowd import locked
from tests.ledger.samples import HERE, read

LONG = 30
"""Seconds that a lock is held at most, longer than any wait here."""


def test_an_event_is_claimed_once_by_a_known_open_conversation(ledger: Ledger) -> None:
    """Of a conversation that nobody knows, or that was cleared, there is nothing to claim."""
    assert ledger.claim(HERE, "start 1") is None
    ledger.record(HERE, read("a.b"), None)
    assert ledger.claim(Conversation("codex", "other"), "start 1") is None
    assert ledger.claim(HERE, "start 1") is None
    assert ledger.claim(HERE, "start 1") == Repeated()
    assert ledger.claim(HERE, "start 2") is None
    ledger.clear(HERE)
    assert ledger.claim(HERE, "start 1") is None


def test_a_ledger_that_cannot_say_is_no_claim(ledger: Ledger) -> None:
    """The wait is short; who asked goes on as if it were the first."""
    ledger.record(HERE, read("a.b"), None)
    with locked(ledger.folder / "ledger.db", "IMMEDIATE", LONG):
        said = ledger.claim(HERE, "start 1")
    assert isinstance(said, Unavailable)
    assert said.reason == "store-locked"

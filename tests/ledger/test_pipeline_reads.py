"""Calls that read several files, on the way to the ledger; host and readers are stand-ins."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from adapters import readers
from contracts.event import Delivered, FileResult, HostEvent, ShellResult, SubagentStarted
from contracts.outcome import Noted, Settled, Skipped, Unavailable, Withdrawn
from contracts.read import File, PendingRead, Read, Sent, Settlement, result_digest
from contracts.reader import Confirmed
from ledger.diagnostics import Summary
from ledger.outcomes import gates, summary
from ledger.pipeline import Briefed, Handled, Nothing, handle
from tests.ledger.samples import HERE, part, pending, read

if TYPE_CHECKING:
    from collections.abc import Sequence

    from contracts.library import Library
    from ledger.calls import Ledger

RAN = ShellResult(HERE, "e1", "cat a.md b.md", "the text of both", None)
STOPPED = Skipped("content-differs", "0 lines")


class Host:
    """A host whose payloads are events already, and that shows deliveries as texts alone."""

    NAME = "codex"

    def __init__(self, folder: Path) -> None:
        """Take the folder in which it works."""
        self._folder = str(folder)
        self.event: HostEvent = RAN

    def parse(self, payload: bytes, concerns: object) -> HostEvent:  # noqa: ARG002 - the host's own form
        """Return the event that is set."""
        return self.event

    def folder(self, payload: bytes) -> str:  # noqa: ARG002 - the host's own form
        """Return the folder."""
        return self._folder

    def settle(self, event: HostEvent | None, pending: Sequence[PendingRead], sent: Sent) -> list[Settlement]:
        """Judge the texts of an event by what they prove."""
        texts = event.texts if isinstance(event, Delivered) else {}
        return [
            Settlement(one.event_id, sent(one, texts[one.event_id]))
            for one in pending
            if one.event_id in texts
        ]

    def brief(self, text: str) -> bytes:
        """Answer with the text alone."""
        return text.encode()


@pytest.fixture
def take(ledger: Ledger, tmp_path: Path) -> Any:
    """Return what takes an event through the pipeline."""
    host = Host(tmp_path)

    def taken(event: HostEvent) -> Handled:
        host.event = event
        return handle(host, b"{}", ledger)  # type: ignore[arg-type] # all of it that the pipeline asks

    return taken


@pytest.fixture(autouse=True)
def confirmed(monkeypatch: pytest.MonkeyPatch) -> dict[str, Confirmed]:
    """Let readers confirm by event id what a test puts here; what was sent proves items by their names."""
    found: dict[str, Confirmed] = {}

    def confirm(event: ShellResult | FileResult, library: Library) -> Confirmed:
        del library
        return found.get(event.event_id, Confirmed())

    def sent(waiting: PendingRead, text: str) -> tuple[Read, ...]:
        return tuple(one for one in waiting.reads if one.item_id in text.split())

    monkeypatch.setattr(readers, "confirm", confirm)
    monkeypatch.setattr(readers, "sent", sent, raising=False)
    return found


def filed(root: Path, path: str) -> Read:
    """Return a read of a file."""
    return replace(read(path), file=File(str(root), path, 1, 1))


def test_what_a_call_read_is_noted_as_one_and_settles_item_by_item(
    take: Any, confirmed: dict[str, Confirmed], ledger: Ledger
) -> None:
    """What was sent is asked of the readers, and what is left goes to the subagent."""
    several = (read("a"), part(read("b"), (1, 40)), read("c"))
    confirmed["e1"] = Confirmed(several, STOPPED)
    noted = take(RAN)
    assert noted.outcome == Noted(several)
    assert summary(noted) == Summary("pending")
    assert (gates(noted) or {})["delivery"] == "waiting"
    waiting = replace(pending("e1", *several), locator=None, result_digest=result_digest(RAN.output))
    assert ledger.pending(HERE) == (waiting,)
    told = take(Delivered(HERE, {"e1": "b c"}))
    assert isinstance(told.settled, Settled)
    assert [one.candidate.read for one in told.settled.recorded] == list(several[1:])
    assert told.settled.withdrawn == (Withdrawn(read("a"), Skipped("delivery-refuted")),)
    assert summary(told) == Summary("recorded", "delivery-refuted", recorded=2, withdrawn=1)
    briefed = take(SubagentStarted(HERE)).outcome
    assert isinstance(briefed, Briefed)
    assert briefed.items == ("c", "b")
    assert '"lines":"1-40 of 100"' in briefed.text


def test_a_call_that_proves_nothing_is_refused_or_nobodys(take: Any, confirmed: dict[str, Confirmed]) -> None:
    """By the readers' own reason."""
    assert take(RAN).outcome == Nothing()
    confirmed["e1"] = Confirmed(refused=STOPPED)
    assert take(RAN).outcome == STOPPED


def test_items_that_can_never_be_kept_are_named_and_the_rest_is_noted(
    take: Any, confirmed: dict[str, Confirmed]
) -> None:
    """Where none is left, the first one's reason is the answer."""
    large = read("large", title="x" * 5000)
    why = Skipped("candidate-too-large", "5116 of 4096 bytes")
    confirmed["e1"] = Confirmed((large, read("a")))
    assert take(RAN).outcome == Noted((read("a"),), (Withdrawn(large, why),))
    confirmed["e2"] = Confirmed((large,))
    assert take(replace(RAN, event_id="e2")).outcome == why


def test_files_of_a_project_inside_that_keeps_them_are_left_out(
    take: Any, confirmed: dict[str, Confirmed], tmp_path: Path
) -> None:
    """Its neighbours count all the same; where every file is kept out, the first reason is the answer."""
    for name, text in (("off", "enabled = false"), ("bad", "enabled = 5"), ("shy", 'ignore = ["*.md"]')):
        (tmp_path / name).mkdir()
        (tmp_path / name / ".readmark.toml").write_text(text)
    off, bad, shy, free = (filed(tmp_path, path) for path in ("off/a.md", "bad/a.md", "shy/a.md", "a.md"))
    confirmed["e1"] = Confirmed((off, free, shy, read("b"), bad))
    assert take(RAN).outcome == Noted((free, read("b")))
    for kept_out, expected in (
        ((off, bad), Skipped("project-off")),
        ((shy, off), Skipped("project-off")),
        ((shy,), Nothing()),
    ):
        event = replace(RAN, event_id=" ".join(one.item_id for one in kept_out))
        confirmed[event.event_id] = Confirmed(kept_out)
        assert take(event).outcome == expected
    confirmed["last"] = Confirmed((bad,))
    faulty = take(replace(RAN, event_id="last")).outcome
    assert isinstance(faulty, Unavailable)
    assert faulty.reason == "project-invalid"

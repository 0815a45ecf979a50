"""One payload's way from bytes to an outcome and an answer, the same for the hook and for a person."""

import msgspec

from adapters import readers
from adapters.verdicts import departure
from contracts.conversation import Conversation
from contracts.event import Begun, Cleared, HostEvent, Ignored, Resumed, ShellResult, SubagentStarted
from contracts.host import Host
from contracts.outcome import Life, Noted, Repeated, Settled, Skipped, Unavailable
from contracts.read import Candidate, PendingRead, result_digest
from contracts.wire import Malformed, decode
from ledger.briefing import brief
from ledger.calls import Ledger

ALIVE_PARTS = 16
"""In how many parts of the idle time an activity that changes nothing else is written down once."""


class Briefed(msgspec.Struct, frozen=True):
    """What a subagent receives; `text` is empty when there is nothing to say.

    `last_active_at` is the conversation's, in milliseconds, or None where nothing is known of it.
    """

    text: str
    candidates: tuple[Candidate, ...]
    last_active_at: int | None = None


class Nothing(msgspec.Struct, frozen=True):
    """The event asks nothing of the ledger."""


Outcome = Noted | Repeated | Skipped | Unavailable | Life | Briefed | Nothing


class Handled(msgspec.Struct, frozen=True):
    """What came of one payload.

    `event` is the kind of event that the adapter saw, `settled` what became of earlier pending reads,
    `answer` the bytes for the host's eyes, empty for no answer.
    """

    event: str
    outcome: Outcome
    settled: Settled | Unavailable = Settled()
    answer: bytes = b""


class _Named(msgspec.Struct, frozen=True):
    hook_event_name: str = ""


def event_name(host: Host, payload: bytes) -> str:
    """Return the host's name of the event if it is one that we register for, else "other"."""
    named = decode(payload, _Named)
    registered = {hook.event for hook in host.REGISTRATION.hooks}
    if isinstance(named, Malformed) or named.hook_event_name not in registered:
        return "other"
    return named.hook_event_name


def settle(
    host: Host, ledger: Ledger, conversation: Conversation, event: HostEvent | None
) -> Settled | Unavailable:
    """Settle what the host has shown by now of a conversation's pending reads."""
    pending = ledger.pending(conversation)
    if isinstance(pending, Unavailable):
        return pending
    if not pending:
        return Settled()
    return ledger.settle(conversation, host.settle(event, pending))


def briefing(ledger: Ledger, conversation: Conversation) -> Briefed | Unavailable:
    """Return exactly what a subagent of this conversation receives now."""
    listed = ledger.list(conversation.host, conversation.reference)
    if isinstance(listed, Unavailable):
        return listed
    if not listed.conversations:
        return Briefed("", (), None)
    [found] = listed.conversations
    text = brief(found.candidates, ledger.limits.briefing_units, readers.AGAIN)
    return Briefed(text, found.candidates, found.last_active_at)


def _note(ledger: Ledger, event: ShellResult) -> Noted | Repeated | Skipped | Unavailable:
    read = readers.confirm(event.command, event.output)
    if isinstance(read, Skipped):
        return read
    pending = PendingRead(
        event_id=event.event_id,
        read=read,
        result_digest=result_digest(event.output),
        locator=event.locator,
        noted_at=ledger.clock(),
    )
    return ledger.note(event.conversation, pending)


def _told(ledger: Ledger, conversation: Conversation) -> Briefed | Unavailable:
    """Brief a subagent; its start is activity, too, but is written down only now and then."""
    briefed = briefing(ledger, conversation)
    if isinstance(briefed, Briefed) and briefed.last_active_at is not None:
        quiet = ledger.clock() - briefed.last_active_at
        if quiet > ledger.limits.idle_seconds * 1000 // ALIVE_PARTS:
            ledger.touch(conversation)
    return briefed


def _act(ledger: Ledger, event: HostEvent) -> Outcome:
    match event:
        case ShellResult():
            return _note(ledger, event)
        case SubagentStarted(conversation):
            return _told(ledger, conversation)
        case Begun(conversation):
            return ledger.begin(conversation)
        case Resumed(conversation):
            return ledger.resume(conversation)
        case Cleared(conversation):
            return ledger.clear(conversation)
        case _:
            return Nothing()


def handle(host: Host, payload: bytes, ledger: Ledger, *, strict: bool = False) -> Handled:
    """Take one payload through adapter, reader and ledger; pending reads settle before anything else.

    They need not where the life that they belong to ends with this very event. `strict` is for a host
    version that no verdict proves: a payload that matters must have exactly the recorded shape.
    """
    event = host.parse(payload, readers.concerns)
    if isinstance(event, Skipped):
        foreign = event.reason == "foreign-payload"
        return Handled("Refused", event, answer=host.decline(payload) if foreign else b"")
    if strict and not isinstance(event, Ignored):
        departed = departure(host.NAME, event_name(host, payload), payload)
        if departed is not None:
            return Handled("Refused", Skipped("contract-mismatch", f"unproven version: {departed}"))
    settled: Settled | Unavailable = Settled()
    if event.conversation is not None and not isinstance(event, Begun | Cleared):
        settled = settle(host, ledger, event.conversation, event)
    if isinstance(settled, Unavailable) and settled.reason == "store-locked":
        # All the patience that a host grants has gone into this wait.
        return Handled(type(event).__name__, settled, settled)
    outcome = _act(ledger, event)
    answer = host.brief(outcome.text) if isinstance(outcome, Briefed) and outcome.text else b""
    return Handled(type(event).__name__, outcome, settled, answer)


def clear_only(host: Host, payload: bytes, ledger: Ledger) -> None:
    """Carry out a clear that the host proves, and nothing else: also where nothing may be recorded."""
    event = host.parse(payload, readers.concerns)
    if isinstance(event, Cleared):
        ledger.clear(event.conversation)

"""One payload's way from bytes to an outcome and an answer, the same for the hook and for a person."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec

from adapters import readers
from adapters.verdicts import departure
from contracts.conversation import Conversation
from contracts.event import (
    Begun,
    Cleared,
    FileResult,
    HostEvent,
    Ignored,
    Resumed,
    ShellResult,
    SkillResult,
    SubagentStarted,
    ToolResult,
)
from contracts.host import Host
from contracts.library import EMPTY, Library
from contracts.outcome import Conversed, Life, Noted, Repeated, Settled, Skipped, Unavailable
from contracts.read import Candidate, PendingRead, Read, result_digest
from contracts.wire import Malformed, decode
from ledger import project
from ledger.briefing import brief
from ledger.calls import Ledger
from ledger.freshness import standing
from ledger.reach import ignored, reached


class Briefed(msgspec.Struct, frozen=True):
    """What a subagent receives; `text` is empty when there is nothing to say.

    `candidates` are those that there are, without those whose files have `gone` or do not count where the
    subagent works (`elsewhere`). `items` are the ids of those that the text shows, newest first, and
    `left_out` is how many it has no room for. `of` is what it tells of, None where it tells nothing.
    """

    text: str
    candidates: tuple[Candidate, ...]
    items: tuple[str, ...] = ()
    left_out: int = 0
    of: Conversed | None = None
    gone: int = 0
    elsewhere: int = 0


class Nothing(msgspec.Struct, frozen=True):
    """The event asks nothing of the ledger."""


Outcome = Noted | Repeated | Skipped | Unavailable | Life | Briefed | Nothing


class Handled(msgspec.Struct, frozen=True):
    """What came of one payload.

    `event` is the kind of event that the adapter saw, `settled` what became of earlier pending reads,
    `answer` the bytes for the host's eyes, empty for no answer. `unkept` is why the ledger could not keep
    what a subagent was told.
    """

    event: str
    outcome: Outcome
    settled: Settled | Unavailable = Settled()
    answer: bytes = b""
    unkept: Unavailable | None = None


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
    return ledger.settle(conversation, host.settle(event, pending, readers.sent))


def briefing(
    ledger: Ledger, conversation: Conversation, folder: str, look: Callable[[str], Library]
) -> Briefed | Unavailable:
    """Return exactly what a subagent of this conversation receives now that works in a folder.

    It looks at the files of what was read; `look` tells which count where the host works in a folder.
    """
    listed = ledger.list(conversation.host, conversation.reference)
    if isinstance(listed, Unavailable):
        return listed
    if not listed.conversations:
        return Briefed("", ())
    [found] = listed.conversations
    near = reached(found.candidates, folder, look)
    how = {one.ordinal: state for one, state in standing(tuple(item.candidate for item in near))}
    items = [
        msgspec.structs.replace(item, changed=how[item.candidate.ordinal] == "changed")
        for item in near
        if item.candidate.ordinal in how
    ]
    made = brief(items, ledger.limits.briefing_units, readers.AGAIN)
    return Briefed(
        made.text,
        tuple(item.candidate for item in items),
        made.items,
        made.left_out,
        found if made.text else None,
        gone=len(near) - len(items),
        elsewhere=len(found.candidates) - len(near),
    )


def _note(ledger: Ledger, event: ToolResult, library: Library) -> Outcome:
    found = readers.confirm(event, library)
    if not found.reads:
        return found.refused or Nothing()
    kept_out = [_kept_out(read) for read in found.reads]
    reads = tuple(read for read, why in zip(found.reads, kept_out, strict=True) if why is None)
    if not reads:
        return next(why for why in kept_out if why is not None)
    pending = PendingRead(
        event_id=event.event_id,
        reads=reads,
        result_digest=result_digest(_shown(event)),
        locator=event.locator,
        noted_at=ledger.clock(),
    )
    return ledger.note(event.conversation, pending)


def _kept_out(read: Read) -> Skipped | Unavailable | Nothing | None:
    """Return what keeps a file out that lies in a project inside the one in which the host works."""
    if read.file is None:
        return None
    root = Path(os.path.realpath(read.file.root))
    file = root / read.file.path
    return Nothing() if ignored(file, root) else project.why_not(file.parent, below=root)


def _shown(event: ToolResult) -> str:
    """Return the text by which the host's words to the model are recognised as this call's result."""
    if isinstance(event, SkillResult):
        return event.shown
    return event.output if isinstance(event, ShellResult) else event.content


def _act(ledger: Ledger, event: HostEvent, folder: str, look: Callable[[str], Library]) -> Outcome:
    match event:
        case ShellResult() | FileResult() | SkillResult():
            return _note(ledger, event, look(folder))
        case SubagentStarted(conversation):
            return briefing(ledger, conversation, folder, look)
        case Begun(conversation):
            return ledger.begin(conversation)
        case Resumed(conversation):
            return ledger.resume(conversation)
        case Cleared(conversation):
            return ledger.clear(conversation)
        case _:
            return Nothing()


Look = Callable[[Host, str], Library]
"""Tells which files of this machine count for a host that works in a folder."""


def no_files(host: Host, folder: str) -> Library:  # noqa: ARG001 - there is none for any
    """Let no file count."""
    return EMPTY


def handle(
    host: Host, payload: bytes, ledger: Ledger, *, strict: bool = False, look: Look = no_files
) -> Handled:
    """Take one payload through adapter, reader and ledger; pending reads settle before anything else.

    They need not where the life that they belong to ends with this very event. Where the event's project is
    off, only the end of a life counts. `strict` is for a host version that no verdict proves: a payload that
    matters must have exactly the recorded shape. `look` is asked only where a tool gave something back, or
    where a subagent starts.
    """
    event = host.parse(payload, readers.concerns)
    if isinstance(event, Skipped):
        foreign = event.reason == "foreign-payload"
        return Handled("Refused", event, answer=host.decline(payload) if foreign else b"")
    folder = host.folder(payload)
    # An event of which nobody knows the folder may be of a project that is off.
    off = Skipped("contract-mismatch", "no folder") if folder is None else project.why_not(Path(folder))
    if folder is None or off is not None:
        return Handled(type(event).__name__, _end(ledger, event) or off or Nothing())
    if strict and not isinstance(event, Ignored):
        departed = departure(host.NAME, event_name(host, payload), payload)
        if departed is not None:
            return Handled("Refused", Skipped("version-unproven", departed))
    settled: Settled | Unavailable = Settled()
    if event.conversation is not None and not isinstance(event, Begun | Cleared):
        settled = settle(host, ledger, event.conversation, event)
    if isinstance(settled, Unavailable) and settled.reason == "store-locked":
        # All the patience that a host grants has gone into this wait.
        return Handled(type(event).__name__, settled, settled)
    outcome = _act(ledger, event, folder, partial(look, host))
    answer = host.brief(outcome.text) if isinstance(outcome, Briefed) and outcome.text else b""
    return Handled(type(event).__name__, outcome, settled, answer)


def once(ledger: Ledger, payload: bytes, handled: Handled) -> Handled:
    """Take back a briefing that another hook of the same event hands out.

    Hooks may be registered twice, in a plugin and in the host's own file; the host then runs both with the
    same payload, at the same time. The same text for the same start is one; where the ledger cannot say,
    the subagent is rather told twice than not at all.
    """
    briefed = handled.outcome
    if not isinstance(briefed, Briefed) or briefed.of is None:
        return handled
    start = f"start {result_digest(payload.strip().decode(errors='replace'))} {result_digest(briefed.text)}"
    if not isinstance(ledger.claim(briefed.of.conversation, start), Repeated):
        return handled
    return msgspec.structs.replace(handled, outcome=Repeated(), answer=b"")


def handed_out(ledger: Ledger, handled: Handled) -> Handled:
    """Keep what a subagent was told, which is activity of its conversation, too.

    It comes after the answer has left, so that no trouble of the ledger, and no wait for it, holds the
    briefing back; and what nobody was handed is never kept as told.
    """
    briefed = handled.outcome
    if not isinstance(briefed, Briefed) or briefed.of is None:
        return handled
    kept = ledger.tell(briefed.of.conversation, briefed.of.incarnation, briefed.items, briefed.left_out)
    return msgspec.structs.replace(handled, unkept=kept) if isinstance(kept, Unavailable) else handled


def end_only(host: Host, payload: bytes, ledger: Ledger) -> Unavailable | None:
    """Carry out the end of a life that the host proves, and nothing else: also where nothing may be recorded.

    Returns why it could not be carried out.
    """
    event = host.parse(payload, readers.concerns)
    return None if isinstance(event, Skipped) else _end(ledger, event)


def _end(ledger: Ledger, event: HostEvent) -> Unavailable | None:
    """End a life where the event does; a new one of a known conversation begins empty."""
    match event:
        case Cleared(conversation):
            ended = ledger.clear(conversation)
        case Begun(conversation):
            ended = ledger.begin(conversation)
        case _:
            return None
    return ended if isinstance(ended, Unavailable) else None

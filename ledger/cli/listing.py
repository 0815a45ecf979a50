"""`readmark list`: what the main agents have read, by conversation."""

from typing import TYPE_CHECKING

import click

from contracts.limits import Limits
from contracts.outcome import Ready, Unavailable
from contracts.read import Candidate
from contracts.report.listing import Listed, ListedCandidate, ListedConversation, ListedSource, ListedTold
from ledger.calls import Ledger
from ledger.cli import access
from ledger.cli.clear import LATER
from ledger.cli.failure import DONE, explain, say_error, sentence, unavailable
from ledger.cli.kinds import Looked, gone, groups, looked, stores
from ledger.cli.output import print_json, say
from ledger.cli.parameters import conversation_option, examples, host_option, json_option
from ledger.cli.table import indented, table
from ledger.cli.words import ago, counted, pairs, part, stamp
from ledger.escape import one_line
from ledger.rules import TOLD

if TYPE_CHECKING:
    from rich.console import RenderableType

NOTHING = (
    "Nothing is recorded yet. Once a host's hooks are registered (`readmark hosts` shows which hosts are on, "
    "`readmark install HOST` registers them), what its main agent reads appears here."
)
NOTHING_SUCH = "Nothing is recorded for that. `readmark list` alone shows every conversation."
ONLY_CLEARED = "Nothing to show: of {count} only a mark is left. {later}"
CHANGED = ", changed since"
MORE = "{count} more, less recently active: give a higher --limit, or none."
WAITING = "{count} more proven but for delivery: the host has not shown yet that the model got the result."


def _candidate(candidate: Candidate, *, changed: bool) -> ListedCandidate:
    read = candidate.read
    shown, of = pairs(read.lines)
    return ListedCandidate(
        id=read.item_id,
        title=read.title,
        applies_when=read.applies_when,
        content_digest=read.content_digest,
        sources=[ListedSource(source.pack, source.path) for source in read.sources],
        store_scope=read.store_scope,
        recorded_at=stamp(candidate.recorded_at),
        read_ordinal=candidate.ordinal,
        reader=read.reader,
        changed=changed,
        lines=shown,
        of=of,
    )


def _conversation(shown: Looked) -> ListedConversation:
    one = shown.conversed
    return ListedConversation(
        host=one.conversation.host,
        conversation=one.conversation.reference,
        incarnation=one.incarnation,
        last_active_at=stamp(one.last_active_at),
        candidates=[_candidate(each, changed=each.ordinal in shown.changed) for each in one.candidates],
        told=[ListedTold(stamp(told.at), list(told.items), told.left_out) for told in one.told],
        gone=len(shown.gone),
    )


def listed(ready: Ready, limit: int | None = None) -> Listed:
    """Return the ledger's answer, as the files are now, in the form that `--json` prints."""
    shown = ready.conversations[:limit]
    return Listed([_conversation(looked(one)) for one in shown], len(ready.conversations) - len(shown))


def _settled(ledger: Ledger, host: str | None, reference: str | None) -> Ready | Unavailable:
    """Return the list after every listed conversation with pending reads has settled."""
    found = ledger.list(host, reference)
    if isinstance(found, Unavailable):
        return found
    waiting = [one.conversation for one in found.conversations if one.pending]
    if not waiting:
        return found
    for conversation in waiting:
        trouble = access.settle(ledger, conversation)
        if trouble is not None:
            # What is recorded can still be shown where nothing can be written.
            say_error(f"could not settle: {sentence(explain(trouble.reason, trouble.detail))}")
            break
    return ledger.list(host, reference)


def _nothing(ledger: Ledger, *, asked: bool) -> str:
    """Say why there is nothing to show, to whoever asked for something or for all."""
    stats = ledger.stats()
    cleared = 0 if isinstance(stats, Unavailable) else stats.counts.cleared
    if not cleared:
        return NOTHING_SUCH if asked else NOTHING
    count = counted(cleared, "cleared conversation")
    return (NOTHING_SUCH + " " if asked else "") + ONLY_CLEARED.format(count=count, later=LATER)


def _when(candidate: Candidate, now: int, *, changed: bool) -> str:
    """Say when an item was read, which lines of it where that is a part, and whether it has changed since."""
    return ago(candidate.recorded_at, now) + part(*pairs(candidate.read.lines)) + CHANGED * changed


def _tell(shown: Looked, now: int) -> None:
    one = shown.conversed
    life = f"life {one.incarnation}, active {ago(one.last_active_at, now)}"
    known = stores(one.candidates)
    parts: list[RenderableType] = [
        f"{one_line(one.conversation.host)} {one_line(one.conversation.reference)}",
        f"  {life}",
    ]
    for kind, those in groups(one.candidates):
        rows = [
            (
                str(candidate.ordinal),
                candidate.read.item_id,
                *([known[candidate.ordinal]] if known else []),
                candidate.read.title,
                _when(candidate, now, changed=candidate.ordinal in shown.changed),
            )
            for candidate in those
        ]
        store = ["Store"] if known else []
        parts.append(table(("#No.", kind.capitalize(), *store, "Title", "Read"), rows, cut="Title"))
    if shown.gone:
        parts.append(indented(gone(shown.gone), 2))
    if one.told:
        last = one.told[0]
        more = " or more" if len(one.told) == TOLD else ""
        items = counted(len(last.items), "item") + (f", {last.left_out} left out" if last.left_out else "")
        parts.append(f"  told {counted(len(one.told), 'subagent')}{more}, last {ago(last.at, now)}: {items}")
    if one.pending:
        parts.append(indented(WAITING.format(count=one.pending), 2))
    say(*parts)


def _tell_all(found: Ready, limit: int | None, now: int) -> None:
    """Print one conversation after the other, each as soon as its files are looked at."""
    shown = found.conversations[:limit]
    for place, one in enumerate(shown):
        if place:
            say("")
        _tell(looked(one), now)
    if left := len(found.conversations) - len(shown):
        say("", MORE.format(count=counted(left, "conversation")))


@click.command(
    "list",
    short_help="Show what the main agents have read.",
    epilog=examples(
        "readmark list --limit 3",
        "readmark list --host codex --json",
        "readmark list --host codex --conversation REF",
    ),
)
@host_option(required=False)
@conversation_option(required=False)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Show no more than N conversations, the most recently active; by default all.",
)
@json_option
def listing(host: str | None, conversation: str | None, *, limit: int | None, as_json: bool) -> int:
    """Show what the main agents have provably read: practices, skills and documents, the newest first.

    An item whose file changed since says so, and one whose file has gone is only counted. What the hosts
    have shown by now of pending reads settles first; not so while the configuration has
    a fault, which is warned of: then the default limits hold, and nothing is written. Exits 4 if the
    ledger is unavailable, which is never shown as an empty list.
    """
    opened, makeshift = access.opened_anyway(
        Limits(), "Until then the default limits hold here, and nothing settles."
    )
    with opened as ledger:
        # What is written by limits that are not the user's could drop what the user's would keep.
        found = ledger.list(host, conversation) if makeshift else _settled(ledger, host, conversation)
        now = ledger.clock()
        empty = isinstance(found, Ready) and not found.conversations and not as_json
        nothing = _nothing(ledger, asked=host is not None or conversation is not None) if empty else ""
    if isinstance(found, Unavailable):
        return unavailable(found, as_json=as_json)
    if as_json:
        print_json(listed(found, limit))
    elif not found.conversations:
        say(nothing)
    else:
        _tell_all(found, limit, now)
    return DONE

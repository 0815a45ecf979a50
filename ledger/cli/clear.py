"""`readmark clear`: let go of what one conversation, or all of them, have read."""

import os
import sys

import click

from contracts.conversation import Conversation
from contracts.outcome import Life, Pruned, Ready, Unavailable
from contracts.report.clear import ClearedReport
from ledger.cli import access
from ledger.cli.failure import DONE, REFUSED, say_error, unavailable
from ledger.cli.output import print_json, say
from ledger.cli.page.file import NAME, forget
from ledger.cli.parameters import conversation_option, examples, host_option, json_option
from ledger.cli.words import counted
from ledger.home import state_folder
from ledger.runtime import WIDEST

LATER = "A cleared conversation records again only after its host resumes it."
"""What a person should know before and after a clear."""
ALL_THE_SAME = "What is named is cleared all the same, and nothing else goes."
UNKNOWN = (
    "the ledger holds nothing of {host} {reference}: nothing of it was recorded, it was cleared before, or"
    " its name has a slip (`readmark list` shows the names). It is closed all the same."
)
WHAT_TO_GIVE = "Give --host HOST and --conversation REF, or --all."


def _check(host: str | None, conversation: str | None, *, everything: bool, yes: bool) -> None:
    """Raise a usage error unless it is clear what is meant to go."""
    if everything and (host or conversation):
        raise click.UsageError("--all takes no --host and no --conversation.")
    if not everything and not (host and conversation):
        raise click.UsageError(f"What should be cleared? {WHAT_TO_GIVE}")
    if everything and not yes and not (sys.stdin is not None and sys.stdin.isatty()):
        raise click.UsageError("--all asks first, and there is no terminal to ask at. Add --yes.")


def _one(conversation: Conversation) -> ClearedReport | Unavailable:
    opened, _ = access.opened_anyway(WIDEST, ALL_THE_SAME)
    with opened as ledger:
        before = ledger.list(conversation.host, conversation.reference)
        gone = ledger.clear(conversation)
    if not isinstance(gone, Life):
        return gone
    # Where it could not be listed it may still be cleared; what was dropped then tells.
    known = gone.dropped > 0 or (isinstance(before, Ready) and bool(before.conversations))
    return ClearedReport(known=known, conversations=int(known), candidates=gone.dropped)


def _all() -> ClearedReport | Unavailable:
    opened, _ = access.opened_anyway(WIDEST, ALL_THE_SAME)
    with opened as ledger:
        gone = ledger.clear_all()
    if not isinstance(gone, Pruned):
        return gone
    return ClearedReport(
        known=gone.conversations > 0, conversations=gone.conversations, candidates=gone.candidates
    )


def _forget_page() -> None:
    """Remove the page of `readmark show`, which may still tell of what is cleared."""
    folder = state_folder(os.environ).path
    try:
        forget(folder)
    except OSError as error:
        say_error(f"{NAME} of `readmark show` stays ({type(error).__name__}); remove it by hand.")


def _tell(done: ClearedReport, *, everything: bool) -> None:
    count = counted(done.candidates, "candidate")
    if everything:
        say(f"Cleared: {count} of {counted(done.conversations, 'conversation')}. {LATER}")
    else:
        say(f"Cleared: {count} of the conversation. {LATER}")


@click.command(
    short_help="Clear one conversation, or all.",
    epilog=examples(
        "readmark clear --host codex --conversation REF",
        "readmark clear --all",
        "readmark clear --all --yes --json",
    ),
)
@host_option(required=False)
@conversation_option(required=False)
@click.option("--all", "everything", is_flag=True, help=f"Clear every conversation; asks first. {LATER}")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
def clear(host: str | None, conversation: str | None, *, everything: bool, yes: bool, as_json: bool) -> int:
    """Clear one conversation, or all: its candidates go, and its life ends.

    A late event of that life is refused; the conversation records again, from empty, only after its host
    resumes it. That holds for a conversation of which the ledger knows nothing, too; but then it exits 3, as
    its name may have a slip. A fault in the configuration is warned of and stops no clear.
    """
    _check(host, conversation, everything=everything, yes=yes)
    if everything:
        if not yes and not click.confirm(f"{LATER}\nClear every conversation of every host?", err=True):
            say_error("nothing was cleared.")
            return REFUSED
        done = _all()
    else:
        done = _one(Conversation(host or "", conversation or ""))
    if isinstance(done, Unavailable):
        return unavailable(done, as_json=as_json)
    _forget_page()
    unknown = not everything and not done.known
    if as_json:
        print_json(done)
    elif unknown:
        say_error(UNKNOWN.format(host=host, reference=conversation))
        say_error(LATER)
    else:
        _tell(done, everything=everything)
    return REFUSED if unknown else DONE

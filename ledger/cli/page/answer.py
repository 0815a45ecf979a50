"""What the ledger tells the page, whatever state it is in."""

import os

import msgspec

from contracts.conversation import Conversation
from contracts.limits import Limits
from contracts.outcome import Ready, Unavailable
from contracts.report.base import Explained
from ledger.cli import access
from ledger.cli.failure import explain
from ledger.cli.kinds import Looked, looked
from ledger.cli.words import printable
from ledger.errors import ReadmarkError
from ledger.quiet import disabled
from ledger.runtime import now_ms


class Answer(msgspec.Struct, frozen=True):
    """What the ledger answered, at a time in milliseconds since the epoch.

    `cleared` counts the conversations of which only a mark is left, `problems` are what is wrong. `files`
    tells of conversations how the files of their reads are; what has gone is in no list of `found` already.
    """

    found: Ready | Unavailable
    now: int
    cleared: int = 0
    problems: tuple[Explained, ...] = ()
    files: dict[Conversation, Looked] = {}


def ask() -> Answer:
    """Ask the ledger of this user, and look at the files of all reads; a trouble is an answer, too."""
    off = (explain("disabled"),) if disabled(os.environ) else ()
    try:
        opened, makeshift = access.opened_anyway(Limits(), "Until then the default limits hold here.")
    except ReadmarkError as error:
        return Answer(Unavailable(error.reason, printable(error.detail)), now_ms(), problems=off)
    faults = (explain("config-invalid"),) if makeshift else ()
    with opened as ledger:
        found, stats = ledger.list(), ledger.stats()
        now = ledger.clock()
    files = {}
    if isinstance(found, Ready):
        files = {one.conversation: looked(one) for one in found.conversations}
        found = Ready(tuple(one.conversed for one in files.values()))
    if isinstance(stats, Unavailable):
        return Answer(found, now, problems=(*faults, *off), files=files)
    damage = () if stats.counts.intact else (explain("store-corrupt", "the check of the file failed"),)
    return Answer(found, now, stats.counts.cleared, (*damage, *faults, *off), files)

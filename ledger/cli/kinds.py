"""What a conversation's main agent read as people are shown it: by kind, and as the files are now."""

from collections.abc import Sequence

import msgspec

from adapters.readers import KINDS
from contracts.outcome import Conversed
from contracts.read import Candidate
from ledger.cli.words import counted
from ledger.freshness import standing

SEVERAL = 2
STORE = 12
"""How much of a store's id tells it apart, in characters."""
OTHER = "item"
"""What an item of a reader is called that this readmark does not know."""


class Looked(msgspec.Struct, frozen=True):
    """A conversation without the items whose files have `gone`; `changed` are ordinals of those left."""

    conversed: Conversed
    changed: frozenset[int] = frozenset()
    gone: tuple[Candidate, ...] = ()


def looked(one: Conversed) -> Looked:
    """Look at the file of each item that has one."""
    stood = standing(one.candidates)
    left = tuple(candidate for candidate, _ in stood)
    ordinals = {candidate.ordinal for candidate in left}
    return Looked(
        msgspec.structs.replace(one, candidates=left),
        frozenset(candidate.ordinal for candidate, how in stood if how == "changed"),
        tuple(candidate for candidate in one.candidates if candidate.ordinal not in ordinals),
    )


def groups(candidates: Sequence[Candidate]) -> list[tuple[str, tuple[Candidate, ...]]]:
    """Return the kinds that there are, each with its items in the order in which they came."""
    found: dict[str, list[Candidate]] = {kind: [] for kind in (*KINDS.values(), OTHER)}
    for candidate in candidates:
        found[KINDS.get(candidate.read.reader, OTHER)].append(candidate)
    return [(kind, tuple(those)) for kind, those in found.items() if those]


def stores(candidates: Sequence[Candidate]) -> dict[int, str]:
    """Return by ordinal which store an item came from, where its conversation knows several; else nothing.

    Two stores, or two projects, may each have an item of one name.
    """
    if len({candidate.read.store_scope for candidate in candidates}) < SEVERAL:
        return {}
    return {candidate.ordinal: candidate.read.store_scope[:STORE] for candidate in candidates}


def gone(candidates: Sequence[Candidate]) -> str:
    """Return in words how many are not shown because their files have gone, or nothing."""
    if not candidates:
        return ""
    count = " and ".join(counted(len(those), kind) for kind, those in groups(candidates))
    has, is_ = ("has", "is") if len(candidates) == 1 else ("have", "are")
    return f"{count} that {has} gone {is_} not shown."

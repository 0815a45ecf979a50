"""The one pattern language for files: globs with `**`, of paths in a root with `/`."""

from collections.abc import Sequence
from pathlib import PurePosixPath

PATTERNS = 128
"""How many patterns one list may hold: a user's and a project's together."""


def matches(place: str, patterns: Sequence[str]) -> bool:
    """Whether a path in a root matches one of the patterns; a leading dot needs no pattern of its own."""
    if not patterns:
        return False
    from wcmatch import glob  # noqa: PLC0415 - 12 ms that only a name that may count pays

    flags = glob.GLOBSTAR | glob.DOTGLOB | glob.FORCEUNIX
    return bool(glob.globmatch(place, list(patterns), flags=flags, limit=PATTERNS))


def covers(patterns: Sequence[str], place: str) -> bool:
    """Whether the path itself or a folder above it matches: so `drafts` and `drafts/` cover all in it."""
    bare = [pattern.rstrip("/") for pattern in patterns]
    above = (str(folder) for folder in PurePosixPath(place).parents)
    return any(matches(one, bare) for one in (place, *above))

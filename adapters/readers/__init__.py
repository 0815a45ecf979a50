"""Every reader, in a literal table; the first that a command concerns is asked."""

import re

from adapters.readers import lore
from contracts.outcome import Skipped
from contracts.read import Read
from contracts.reader import Reader

READERS: tuple[Reader, ...] = (lore,)

AGAIN: dict[str, str] = {reader.NAME: reader.AGAIN for reader in READERS}


AFTER = r"[ \\]"
"""What follows a word in a payload: a blank, or the backslash by which JSON writes a tab or a quote."""


def hinted(payload: bytes) -> bool:
    """Whether a payload holds any reader's words: what the registered shell looks for."""
    patterns = (".*".join(re.escape(word) + AFTER for word in reader.WORDS) for reader in READERS)
    return any(re.search(pattern.encode(), payload, re.DOTALL) for pattern in patterns)


def concerns(command: str) -> bool:
    """Whether any reader is mentioned in the command text."""
    return any(reader.concerns(command) for reader in READERS)


def confirm(command: str, output: str) -> Read | Skipped:
    """Ask the reader that the command concerns."""
    for reader in READERS:
        if reader.concerns(command):
            return reader.confirm(command, output)
    return Skipped("command-unknown")

"""The command of ours that a host is to call, and the hooks that call it."""

import os
import shutil
import sys
from pathlib import Path

import msgspec

from adapters.hosts import load
from adapters.registration import registration
from ledger.install.hooks import Wanted

COMMAND = "readmark"
NOT_FOUND = "the command `readmark` was not found; install it, or put it on the PATH."


def program() -> str | None:
    """Return the absolute path of the command that a host should call, as it was called or found.

    Links stay as they are: an installer moves what they point to, not the links.
    """
    folder, name = os.path.split(sys.argv[0])
    called = Path(folder, name)
    if folder and name == COMMAND and os.access(called, os.X_OK):
        return os.path.abspath(called)  # noqa: PTH100 - Path.resolve would follow links
    found = shutil.which(COMMAND)
    if found is not None:
        return os.path.abspath(found)  # noqa: PTH100 - Path.resolve would follow links
    beside = Path(sys.executable).with_name(COMMAND)
    return str(beside) if os.access(beside, os.X_OK) else None


def wanted(host: str, path: str | None) -> Wanted:
    """Return what is to stand in a host's file, or without a path in a plugin, as its JSON has it."""
    made: Wanted = msgspec.json.decode(msgspec.json.encode(registration(load(host), path)))["hooks"]
    return made

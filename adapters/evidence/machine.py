"""Whose machine this is: what a recording must not tell."""

import getpass
import os
import pwd
import socket
from contextlib import suppress
from pathlib import Path


def users() -> list[str]:
    """Return the names of the person who records: by the system, and by the environment."""
    found = []
    with suppress(KeyError):
        found.append(pwd.getpwuid(os.getuid()).pw_name)
    with suppress(KeyError, OSError):
        found.append(getpass.getuser())
    return list(dict.fromkeys(filter(None, found)))


def names() -> list[str]:
    """Return the names of the machine, the whole one first."""
    whole = socket.gethostname()
    return list(dict.fromkeys(filter(None, (whole, whole.partition(".")[0]))))


def homes() -> list[str]:
    """Return the person's own homes: by the system, and by the environment."""
    found = []
    with suppress(KeyError):
        found.append(pwd.getpwuid(os.getuid()).pw_dir)
    with suppress(RuntimeError):
        found.append(str(Path.home()))
    return list(dict.fromkeys(found))

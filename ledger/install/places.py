"""Which file of a host our hooks go into, decided by the environment and the folder of a project."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from contracts.host import Registration
from ledger.errors import HomeError
from ledger.home import user_home

Scope = Literal["user", "project"]


def place(registration: Registration, scope: Scope, environ: Mapping[str, str]) -> Path:
    """Return the file for a host's hooks as its user names it; it need not exist.

    For a user it lies below the folder that the host's own variable names, else below the home; for a
    project below the folder that the process works in.
    Raises HomeError: "home-missing"; "host-folder-relative" with the variable whose path a host would read
    as another folder in each project; "folder-gone" for a folder of work that has gone.
    """
    if scope == "project":
        try:
            return Path.cwd() / registration.file
        except OSError:
            raise HomeError("folder-gone") from None
    variable = registration.folder_variable
    chosen = environ.get(variable, "")
    if not chosen:
        return user_home(environ) / registration.file
    if not os.path.isabs(chosen):  # noqa: PTH117 - as written
        raise HomeError("host-folder-relative", variable)
    return Path(chosen, *Path(registration.file).parts[1:])

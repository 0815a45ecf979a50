"""Which files of this machine count at an event: the host's places for skills, and what the user lists."""

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from contracts.host import Host
from contracts.library import EMPTY, PROJECT, Library, Root
from ledger.pipeline import Look
from ledger.project import around, find
from ledger.runtime import settings


def look(environ: Mapping[str, str]) -> Look:
    """Return a look at the files that count for the user of this environment.

    Documents are those that the user's configuration and the project's own file list, in the project; what
    either ignores counts nowhere. Asks the file system only when it is called. Raises ReadmarkError then.
    """
    return lambda host, folder: _library(environ, host, folder)


def _library(environ: Mapping[str, str], host: Host, folder: str) -> Library:
    real = os.path.realpath(folder)
    project = find(Path(real))
    if project.fault is not None:
        return EMPTY
    own, its = settings(environ).patterns, project.contents.patterns
    ignore = (*own.ignore, *its.ignore)
    documents = (*own.documents, *its.documents)

    def listed(root: Root) -> Root:
        if root.name != PROJECT:
            return replace(root, ignore=ignore)
        return replace(root, ignore=ignore, documents=documents, scope=project.contents.scope)

    roots = map(listed, host.roots(environ, real, str(project.root)))
    # What lies in a project around this one is ignored there, too.
    outer = (
        Root(os.path.relpath(one.root, real), str(one.root), ignore=one.contents.patterns.ignore)
        for one in around(project.root.parent)
    )
    return Library((*roots, *outer), real)

"""Which folders of this machine a reader of files may look into, and for what."""

import msgspec

PROJECT = "project"
"""What the root of the project is called in which a host works."""


class Root(msgspec.Struct, frozen=True):
    """A folder whose files count: a project, a user's own skills, a plugin.

    `name` is what an agent sees of it, `path` is absolute and stays private. `documents` are globs of
    paths in it with `/`, and what matches one of `ignore` never counts. `skills` are folders in it that
    hold one folder a skill ("." for the root itself). `prefix` stands before the names of its skills, as
    their host spells them. `scope` is the user's own name for its store, or empty for one of its own.
    """

    name: str
    path: str
    skills: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    prefix: str = ""
    scope: str = ""


class Library(msgspec.Struct, frozen=True):
    """All roots that count at one event; `folder` is where the host works, absolute, or empty if unknown."""

    roots: tuple[Root, ...] = ()
    folder: str = ""


EMPTY = Library()

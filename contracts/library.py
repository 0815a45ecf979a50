"""Which folders of this machine a reader of files may look into, and for what."""

from typing import Literal

import msgspec

PROJECT = "project"
"""What the root of the project is called in which a host works."""


class Root(msgspec.Struct, frozen=True):
    """A folder whose files count: a project, a user's own skills, a plugin.

    `name` is what an agent sees of it, `path` is absolute and stays private. `documents` are globs of
    paths in it with `/`, and what matches one of `ignore` never counts. `skills` are the folders in it in
    which the host looks for skills ("." for the root itself), in the order in which they count, and `depths`
    say how many folders below one of them it looks, at least and at most. `named` says whether the host
    knows a skill by its folder's name or by what its file states. `prefix` stands before the names of its
    skills, as their host spells them. `scope` is the user's own name for its store, or empty for one of its
    own. `links_to` is the absolute folder in which a link among its skills may end outside of it ("/" for
    anywhere), or empty for none, and `linked_files` says whether the host loads a file that is a link itself.
    `alone` are folders in it that are each one skill, and `off` names of skills and absolute paths of
    their files or folders, that the host's user has switched off.
    """

    name: str
    path: str
    skills: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    prefix: str = ""
    scope: str = ""
    depths: tuple[int, int] = (1, 1)
    named: Literal["folder", "file"] = "folder"
    links_to: str = ""
    linked_files: bool = True
    alone: tuple[str, ...] = ()
    off: tuple[str, ...] = ()


class Library(msgspec.Struct, frozen=True):
    """All roots that count at one event; `folder` is where the host works, absolute, or empty if unknown."""

    roots: tuple[Root, ...] = ()
    folder: str = ""


EMPTY = Library()

"""Where Codex finds skills: from the folder where it works up, in the user's own folders, in its plugins.

It has no tool for them: its model reads `SKILL.md` with a command, so nothing is looked up by name. Its
first request lists the places and all names (`skill_places`).
"""

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from adapters.hosts.codex_plugins import plugins, switched_off
from adapters.hosts.codex_registration import FOLDER, VARIABLE
from contracts.library import PROJECT, Root

AGENTS = ".agents"
"""The folder of skills that hosts share."""
SKILLS = "skills"
"""Below it alone a file counts: the rest of these folders is the host's own."""
BUNDLED = ".system"
"""The folder in the user's own one in which the host puts skills that come with it."""
SYSTEM = "/etc/codex"
BEGAN = "PWD"
"""The variable of a hook's shell with the folder where the host works; a command's own may lie below it."""
LEVELS = 128
"""How many folders are looked into for the root of a repository."""

DEPTHS = (0, 6)
"""How many folders below a folder of skills it looks, at least and at most (`skill_depths`)."""


def roots(environ: Mapping[str, str], folder: str, project: str) -> tuple[Root, ...]:
    """Return the places for skills; see `contracts.host.Host.roots`."""
    home = environ.get("HOME", "")
    own = environ.get(VARIABLE) or str(Path(home, FOLDER))
    levels = _levels(_began(environ, folder))
    near = [level for level in levels if level.is_relative_to(project)]
    found = [_root(PROJECT, project, [str(place.relative_to(project)) for place in _places(near)])]
    found += [
        _root(os.path.relpath(place, project), str(place), ["."], links_to=str(place.parents[1]))
        for place in _places([level for level in levels if level not in near])
    ]
    # Named so that an agent finds them, which has no tool for skills, and without where its user's home is.
    moved = f"${VARIABLE}" if environ.get(VARIABLE) else f"~/{FOLDER}"
    places = (
        (moved, own, [".", BUNDLED], "/"),
        (f"~/{AGENTS}", str(Path(home, AGENTS)), ["."], "/"),
        (SYSTEM, SYSTEM, ["."], ""),
    )
    found += [
        _root(f"{name}/{SKILLS}", str(Path(place, SKILLS)), skills, links_to=links_to)
        for name, place, skills, links_to in places
        if Path(place).is_absolute()
    ]
    if Path(own).is_absolute():
        found += [
            _root(f"plugin {name}", str(place), [SKILLS], f"{name}:") for name, place in plugins(Path(own))
        ]
    off = switched_off(Path(own)) if Path(own).is_absolute() else ()
    return tuple(replace(root, off=off) for root in found) if off else tuple(found)


def _root(name: str, path: str, skills: list[str], prefix: str = "", links_to: str = "") -> Root:
    """Return a place of skills, which Codex lists by the names that they state.

    It follows links to folders, and passes over a file that is one itself (`skill_link_home`).
    """
    return Root(
        name,
        path,
        skills=tuple(skills),
        prefix=prefix,
        depths=DEPTHS,
        named="file",
        links_to=links_to,
        linked_files=False,
    )


def _places(levels: list[Path]) -> list[Path]:
    return [Path(level, name, SKILLS) for level in levels for name in (AGENTS, FOLDER)]


def _began(environ: Mapping[str, str], folder: str) -> Path:
    stated, at = environ.get(BEGAN, ""), Path(folder)
    try:
        began = Path(os.path.realpath(stated))
    except ValueError:
        return at
    return began if Path(stated).is_absolute() and at.is_relative_to(began) else at


def _levels(began: Path) -> list[Path]:
    """Return the folders from where the host works up to its repository's root; only the first if none."""
    found: list[Path] = []
    for level in (began, *began.parents)[:LEVELS]:
        found.append(level)
        if os.path.lexists(level / ".git"):
            return found
    return found[:1]

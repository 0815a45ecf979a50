"""Where Claude Code finds skills: from the folder where it began up, in the user's own, in its plugins.

A skill of a plugin that was only named on the command line (`--plugin-dir`) is in none of these, nor is one
of a folder below, which it comes to know once it has worked on a file there.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from adapters.hosts.claude_plugins import MANAGED, plugins
from adapters.hosts.claude_registration import FOLDER, VARIABLE
from contracts.library import PROJECT, Root

SKILLS = "skills"
"""In it lies one folder a skill: what lies deeper, or in it itself, is none (`skill_places`)."""
BEGAN = "CLAUDE_PROJECT_DIR"
"""The variable in which hooks get the folder where the host began; no `cd` of the agent changes it."""
LEVELS = 128
"""How many folders are looked into on the way up."""


def roots(environ: Mapping[str, str], folder: str, project: str) -> tuple[Root, ...]:
    """Return the places for skills; see `contracts.host.Host.roots`.

    Of two skills of one name that of the machine counts first, then the user's own before the project's
    (`skill_twins`), and of those the nearest one to where the host began (`skill_ancestors`).
    """
    began = _began(environ, folder)
    levels = _levels(began)
    own = environ.get(VARIABLE) or str(Path(environ.get("HOME", ""), FOLDER))
    near = [level for level in levels if level.is_relative_to(project)]
    its = Root(PROJECT, project, skills=tuple(_in(level, project) for level in near))
    # Named so that an agent which works in the project finds them.
    above = [
        Root(os.path.relpath(place, project), str(place), skills=(".",), links_to=str(level))
        for level in levels
        if level not in near and os.path.isdir(place := Path(level, FOLDER, SKILLS))  # noqa: PTH112 - no error but "no"
    ]
    if not Path(own).is_absolute():
        return (*_machines(), its, *above)
    # Without where its user's home is.
    moved = f"${VARIABLE}" if environ.get(VARIABLE) else f"~/{FOLDER}"
    user = Root(f"{moved}/{SKILLS}", str(Path(own, SKILLS)), skills=(".",), links_to="/")
    return (*_machines(), user, its, *above, *plugins(Path(own), began))


def _machines() -> tuple[Root, ...]:
    """Return the place of skills that an administrator puts beside the settings of the machine."""
    place = Path(MANAGED).parent / FOLDER / SKILLS
    if not MANAGED or not os.path.isdir(place):  # noqa: PTH112 - no error but "no"
        return ()
    return (Root(str(place), str(place), skills=(".",)),)


def _began(environ: Mapping[str, str], folder: str) -> Path:
    stated = environ.get(BEGAN, "")
    try:
        return Path(os.path.realpath(stated)) if Path(stated).is_absolute() else Path(folder)
    except ValueError:
        return Path(folder)


def _levels(began: Path) -> list[Path]:
    """Return the folders from where the host began up to its repository's root, else to the top."""
    found: list[Path] = []
    for level in (began, *began.parents)[:LEVELS]:
        found.append(level)
        if os.path.lexists(level / ".git"):
            break
    return found


def _in(level: Path, project: str) -> str:
    return Path(level.relative_to(project), FOLDER, SKILLS).as_posix()

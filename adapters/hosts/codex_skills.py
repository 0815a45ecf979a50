"""Where Codex finds skills: in the project and its repository, in the user's own folders, in its plugins.

It has no tool for them: its model reads `SKILL.md` with a command, so nothing is looked up by name. Its
first request lists the places and all names (`skill_places`).
"""

import os
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from adapters.hosts.codex_registration import FOLDER, VARIABLE
from contracts.library import PROJECT, Root

AGENTS = ".agents"
"""The folder of skills that hosts share."""
SKILLS = "skills"
"""Below it alone a file counts: the rest of these folders is the host's own."""
SYSTEM = "/etc/codex"
CACHE = ("plugins", "cache")
"""Where an installed plugin lies, as MARKET/PLUGIN/VERSION; the host lets no plugin have another name."""
PLUGINS = 64
"""How many installed plugins are looked at."""
LEVELS = 128
"""How many folders above a project are looked into for the root of its repository."""


def roots(environ: Mapping[str, str], folder: str, project: str) -> tuple[Root, ...]:  # noqa: ARG001 - nothing is looked up by name
    """Return the places for skills; see `contracts.host.Host.roots`."""
    home = environ.get("HOME", "")
    own = environ.get(VARIABLE) or str(Path(home, FOLDER))
    found = [Root(PROJECT, project, skills=(f"{AGENTS}/{SKILLS}", f"{FOLDER}/{SKILLS}"))]
    found += [
        Root(
            os.path.relpath(Path(above, name, SKILLS), project), str(Path(above, name, SKILLS)), skills=(".",)
        )
        for above in _above(Path(project))
        for name in (AGENTS, FOLDER)
    ]
    # Named so that an agent finds them, which has no tool for skills, and without where its user's home is.
    moved = f"${VARIABLE}" if environ.get(VARIABLE) else f"~/{FOLDER}"
    places = ((moved, own), (f"~/{AGENTS}", str(Path(home, AGENTS))), (SYSTEM, SYSTEM))
    found += [
        Root(f"{name}/{SKILLS}", str(Path(place, SKILLS)), skills=(".",))
        for name, place in places
        if Path(place).is_absolute()
    ]
    if Path(own).is_absolute():
        found += _plugins(Path(own, *CACHE))
    return tuple(found)


def _above(project: Path) -> list[Path]:
    """Return the folders above a project up to the root of its repository, none where it is in none."""
    found: list[Path] = []
    for level in (project, *project.parents[:LEVELS]):
        if level != project:
            found.append(level)
        if os.path.lexists(level / ".git"):
            return found
    return []


def _plugins(cache: Path) -> Iterator[Root]:
    places = sorted(place for place in cache.glob("*/*/*") if place.is_dir())
    for place in islice(places, PLUGINS):
        name = place.parent.name
        yield Root(f"plugin {name}", str(place), skills=(SKILLS,), prefix=f"{name}:")

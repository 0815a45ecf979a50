"""Where Codex finds skills: in the project, in the user's own folders, and in its plugins.

It has no tool for them: its model reads `SKILL.md` with a command, so nothing is looked up by name.
"""

from collections.abc import Mapping
from pathlib import Path

from contracts.library import PROJECT, Root

FOLDER = ".codex"
VARIABLE = "CODEX_HOME"
AGENTS = ".agents"
"""The folder of skills that hosts share."""
SYSTEM = "/etc/codex"


def roots(environ: Mapping[str, str], folder: str, project: str) -> tuple[Root, ...]:  # noqa: ARG001 - nothing is looked up by name
    """Return the places for skills; see `contracts.host.Host.roots`."""
    home = environ.get("HOME", "")
    own = environ.get(VARIABLE) or str(Path(home, FOLDER))
    found = [Root(PROJECT, project)]
    places = (("user", own), ("user", str(Path(home, AGENTS))), ("system", SYSTEM))
    # Below `skills` alone: the rest of these folders is the host's own.
    found += [Root(name, str(Path(place, "skills"))) for name, place in places if Path(place).is_absolute()]
    if Path(own).is_absolute():
        found.append(Root("plugins", str(Path(own, "plugins"))))
    return tuple(found)

"""Where Claude Code finds skills: in the project, in the user's own folder, and in installed plugins.

A skill of a plugin that was only named on the command line (`--plugin-dir`) is in none of these.
"""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from contracts.library import PROJECT, Root
from contracts.wire import Malformed, decode

FOLDER = ".claude"
VARIABLE = "CLAUDE_CONFIG_DIR"
LIST_BYTES = 1024 * 1024
"""Most that is read of the host's list of plugins."""


class _Plugin(msgspec.Struct, rename="camel"):
    install_path: str


class _Plugins(msgspec.Struct):
    """The host's own list, by `plugin@marketplace` (2.1.332: version 2)."""

    plugins: dict[str, list[_Plugin]]


def roots(environ: Mapping[str, str], folder: str, project: str) -> tuple[Root, ...]:
    """Return the places for skills; see `contracts.host.Host.roots`.

    Of two skills of one name the user's own counts before the project's (`skill_twins`), and in a project
    the nearest one from the folder up.
    """
    own = environ.get(VARIABLE) or str(Path(environ.get("HOME", ""), FOLDER))
    its = Root(PROJECT, project, skills=tuple(_between(folder, project)))
    if not Path(own).is_absolute():
        return (its,)
    user = Root("user", own, skills=("skills",))
    return (user, its, *_plugins(Path(own, "plugins", "installed_plugins.json")))


def _between(folder: str, project: str) -> list[str]:
    below = Path(folder)
    steps = below.relative_to(project).parts if below.is_relative_to(project) else ()
    return [str(Path(*steps[:count], FOLDER, "skills")) for count in range(len(steps), -1, -1)]


def _plugins(file: Path) -> list[Root]:
    try:
        with file.open("rb") as opened:
            listed = decode(opened.read(LIST_BYTES), _Plugins)
    except (OSError, ValueError):
        return []
    if isinstance(listed, Malformed):
        return []
    # The same plugin may be installed for the user and for a project, in one place or in two.
    places = {
        (named.partition("@")[0], one.install_path): None
        for named, installed in listed.plugins.items()
        for one in installed
    }
    return [
        Root(f"plugin {name}", path, skills=("skills",), prefix=f"{name}:")
        for name, path in places
        if name and Path(path).is_absolute()
    ]

"""Where Claude Code finds skills: in the project, in the user's own folder, and in installed plugins.

A skill of a plugin that was only named on the command line (`--plugin-dir`) is in none of these.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from adapters.hosts import regular
from adapters.hosts.claude_registration import FOLDER, VARIABLE
from contracts.library import PROJECT, Root
from contracts.wire import Malformed, decode

LIST_BYTES = 1024 * 1024
"""Most that is read of one of the host's lists of plugins."""

T = TypeVar("T")


class _Plugin(msgspec.Struct, rename="camel"):
    install_path: str


class _Plugins(msgspec.Struct):
    """The host's own list, by `plugin@market` (2.1.332: version 2)."""

    plugins: dict[str, list[_Plugin]]


class _Source(msgspec.Struct):
    source: str = ""


class _Market(msgspec.Struct, rename="camel"):
    source: _Source
    install_location: str


class _Offer(msgspec.Struct):
    """A plugin in a market; `source` is its place in the market's folder, or says where else it is had."""

    name: str
    source: Any = None


class _Offers(msgspec.Struct):
    plugins: list[_Offer]


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
    return (user, its, *_plugins(Path(own, "plugins")))


def _between(folder: str, project: str) -> list[str]:
    below = Path(folder)
    steps = below.relative_to(project).parts if below.is_relative_to(project) else ()
    return [str(Path(*steps[:count], FOLDER, "skills")) for count in range(len(steps), -1, -1)]


def _plugins(own: Path) -> list[Root]:
    listed = _read(own / "installed_plugins.json", _Plugins)
    if listed is None:
        return []
    markets = _read(own / "known_marketplaces.json", dict[str, _Market]) or {}
    # The same plugin may be installed for the user and for a project, in one place or in two.
    places: dict[tuple[str, str], None] = {}
    for named, installed in listed.plugins.items():
        name, _, market = named.partition("@")
        for path in (*_in_place(name, markets.get(market)), *(one.install_path for one in installed)):
            places[name, path] = None
    return [
        Root(f"plugin {name}", path, skills=("skills",), prefix=f"{name}:")
        for name, path in places
        if name and Path(path).is_absolute()
    ]


def _in_place(name: str, market: _Market | None) -> list[str]:
    """Return where a plugin lies in a market that is a folder: there it is loaded (`skill_installed`).

    From a market that was cloned it is loaded from the host's own copy (`skill_market`).
    """
    if market is None or market.source.source != "directory":
        return []
    folder = Path(market.install_location)
    offers = _read(folder / ".claude-plugin" / "marketplace.json", _Offers)
    return [
        str(folder / offer.source)
        for offer in (offers.plugins if offers else ())
        if offer.name == name and isinstance(offer.source, str) and _inside(folder, offer.source)
    ]


def _inside(folder: Path, place: str) -> bool:
    """Whether a place in a market's folder is in it, its links resolved."""
    try:
        return (folder / place).resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):
        return False


def _read(file: Path, kind: type[T]) -> T | None:
    """Return what one of the host's own lists says, None where it cannot be understood."""
    data = regular.read(file, LIST_BYTES, links=True)
    found = None if data is None else decode(data, kind)
    return None if isinstance(found, Malformed) else found

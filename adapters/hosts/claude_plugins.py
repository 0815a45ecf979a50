"""Which plugins Claude Code has switched on, and where it loads each of them from."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

import msgspec

from adapters.hosts import regular
from adapters.hosts.claude_form import OFF
from adapters.hosts.claude_registration import FOLDER
from contracts.library import Root
from contracts.wire import Malformed, decode

LIST_BYTES = 1024 * 1024
"""Most that is read of one of the host's lists of plugins, and of its settings."""
MANAGED = OFF.managed.get(sys.platform, "")
"""The settings of the machine; empty where no place of them is known."""
SHARED = ("user", "managed")
"""Scopes of an installation that is for all projects."""

T = TypeVar("T")


class _Plugin(msgspec.Struct, rename="camel"):
    install_path: str
    scope: Any = "user"
    project_path: Any = None


class _Plugins(msgspec.Struct):
    """The host's own list, by `plugin@market` (2.1.332: version 2)."""

    plugins: dict[str, list[_Plugin]]


class _Settings(msgspec.Struct, rename="camel"):
    enabled_plugins: dict[str, Any] = {}


class _Source(msgspec.Struct):
    source: str = ""


class _Market(msgspec.Struct, rename="camel"):
    source: _Source
    install_location: str


class _Offer(msgspec.Struct):
    """A plugin in a market; `source` is its place in the market's folder, or says where else it is had."""

    name: str
    source: Any = None
    strict: Any = True
    skills: Any = None


class _Manifest(msgspec.Struct):
    """What a plugin says of itself; `skills` names folders beside the usual one."""

    skills: Any = None


class _Offers(msgspec.Struct):
    plugins: list[_Offer]


def plugins(own: Path, began: Path) -> list[Root]:
    """Return the roots of the plugins that are on for a host which began in a folder; `own` is its own one.

    Where it is not certain from which of several places a plugin is loaded, it has none.
    """
    listed = _read(own / "plugins" / "installed_plugins.json", _Plugins)
    if listed is None:
        return []
    enabled = _enabled(own, began)
    markets = _read(own / "plugins" / "known_marketplaces.json", dict[str, _Market]) or {}
    found: list[Root] = []
    for named, installed in listed.plugins.items():
        name, _, market = named.partition("@")
        copies = {one.install_path for one in installed if _for(one, began)}
        # The copy that it made at the installation is then not what it loads (`skill_installed`).
        places = _in_place(name, markets.get(market)) or copies
        if name and named in enabled and len(places) == 1 and Path(path := places.pop()).is_absolute():
            found.append(_root(name, Path(path), markets.get(market)))
    return found


def _root(name: str, path: Path, market: _Market | None) -> Root:
    """Return the root of a plugin with its folders of skills (`skill_manifest`, `skill_listed`).

    A market that states what a plugin without a manifest holds states all of it.
    """
    offers = [offer for offer in _offers(market) if offer.name == name] if market else []
    listed = next((offer.skills for offer in offers if offer.strict is False and offer.skills), None)
    manifest = _read(path / ".claude-plugin" / "plugin.json", _Manifest)
    folders = list(_folders(path, listed or (manifest.skills if manifest else None)))
    alone = tuple(folder for folder in folders if os.path.lexists(path / folder / "SKILL.md"))
    others = tuple(folder for folder in folders if folder not in alone)
    usual = () if listed else ("skills",)
    return Root(f"plugin {name}", str(path), skills=(*usual, *others), prefix=f"{name}:", alone=alone)


def _folders(path: Path, named: Any) -> Iterator[str]:
    """Yield folders inside a plugin that are named as the host wants it, with `./` before them."""
    for one in [named] if isinstance(named, str) else named if isinstance(named, list) else ():
        if isinstance(one, str) and one.startswith("./") and _inside(path, one):
            folder = PurePosixPath(one).as_posix()
            yield from () if folder in {".", "skills"} else (folder,)


def _enabled(own: Path, began: Path) -> set[str]:
    """Return the plugins that some of the settings switch on and none switch off (`skill_disabled`)."""
    project = began / FOLDER
    files = [own / "settings.json", project / "settings.json", project / "settings.local.json"]
    files += [Path(MANAGED)] if MANAGED else []
    said = [settings.enabled_plugins for file in files if (settings := _read(file, _Settings))]
    on = {name for one in said for name, value in one.items() if value is True}
    return on - {name for one in said for name, value in one.items() if value is not True}


def _for(installed: _Plugin, began: Path) -> bool:
    """Whether an installation is for where the host began; the list may hold one for each project."""
    if installed.scope in SHARED:
        return True
    try:
        return isinstance(installed.project_path, str) and began == Path(installed.project_path).resolve()
    except (OSError, ValueError, RuntimeError):
        return False


def _in_place(name: str, market: _Market | None) -> set[str]:
    """Return where a plugin lies in a market that is a folder: there it is loaded (`skill_installed`).

    From a market that was cloned it is loaded from the host's own copy (`skill_market`).
    """
    if market is None or market.source.source != "directory":
        return set()
    return set(_offered(name, market))


def _offers(market: _Market) -> list[_Offer]:
    found = _read(Path(market.install_location) / ".claude-plugin" / "marketplace.json", _Offers)
    return found.plugins if found else []


def _offered(name: str, market: _Market) -> Iterator[str]:
    folder = Path(market.install_location)
    for offer in _offers(market):
        if offer.name == name and isinstance(offer.source, str) and _inside(folder, offer.source):
            yield str(folder / offer.source)


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

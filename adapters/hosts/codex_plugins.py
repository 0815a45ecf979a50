"""Which plugins and skills Codex's user has switched on, and which versions of plugins it loads."""

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from adapters.hosts import regular

CONFIG = "config.toml"
CONFIG_BYTES = 256 * 1024
"""Most that is read of the user's configuration; a longer one switches nothing on."""
CACHE = ("plugins", "cache")
"""Where an installed plugin lies, as MARKET/PLUGIN/VERSION; the host lets no plugin have another name."""
LOCAL = "local"
"""The version that counts before any other."""
PLUGINS = 64
"""How many installed plugins are looked at."""

_VERSION = re.compile(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})", re.ASCII)


class _Plugin(msgspec.Struct):
    enabled: Any = None


class _Skill(msgspec.Struct):
    path: Any = None
    name: Any = None
    enabled: Any = None


class _Skills(msgspec.Struct):
    config: list[_Skill] = []


class _Config(msgspec.Struct):
    plugins: dict[str, _Plugin] = {}
    skills: _Skills = msgspec.field(default_factory=_Skills)


def plugins(own: Path) -> Iterator[tuple[str, Path]]:
    """Yield name and place of each plugin that is on; `own` is the host's own folder (`skill_versions`)."""
    cache = own.joinpath(*CACHE)
    # By plugin: its versions.
    installed: dict[Path, list[str]] = {}
    for place in sorted(cache.glob("*/*/*")):
        if os.path.isdir(place):  # noqa: PTH112 - no error but "no"
            installed.setdefault(place.parent, []).append(place.name)
    config = _config(own / CONFIG).plugins.items() if installed else ()
    enabled = {name for name, plugin in config if plugin.enabled is True}
    for place, versions in islice(installed.items(), PLUGINS):
        version = _loaded(versions)
        if version is not None and f"{place.name}@{place.parent.name}" in enabled:
            yield place.name, place / version


def switched_off(own: Path) -> tuple[str, ...]:
    """Return the names, and the paths, of skills that the user's configuration switches off (`skill_off`)."""
    off = [skill for skill in _config(own / CONFIG).skills.config if skill.enabled is False]
    return tuple(told for skill in off for told in (skill.path, skill.name) if isinstance(told, str) and told)


def _config(file: Path) -> _Config:
    """Return what the user's configuration says; nothing where it cannot be understood."""
    data = regular.read(file, CONFIG_BYTES + 1, links=True)
    if data is None or len(data) > CONFIG_BYTES:
        return _Config()
    try:
        return msgspec.toml.decode(data, type=_Config)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return _Config()


def _loaded(versions: list[str]) -> str | None:
    """Return the version that the host loads; None where that is not certain."""
    if LOCAL in versions:
        return LOCAL
    numbers = [found for version in versions if (found := _VERSION.fullmatch(version))]
    if len(numbers) < len(versions):
        return versions[0] if len(versions) == 1 else None
    return max(numbers, key=lambda found: tuple(map(int, found.groups())))[0]

"""Which plugins Codex has switched on, and which of their versions it loads."""

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


class _Config(msgspec.Struct):
    plugins: dict[str, _Plugin] = {}


def plugins(own: Path) -> Iterator[tuple[str, Path]]:
    """Yield name and place of each plugin that is on; `own` is the host's own folder (`skill_versions`)."""
    cache = own.joinpath(*CACHE)
    # By plugin: its versions.
    installed: dict[Path, list[str]] = {}
    for place in sorted(cache.glob("*/*/*")):
        if os.path.isdir(place):  # noqa: PTH112 - no error but "no"
            installed.setdefault(place.parent, []).append(place.name)
    enabled = _enabled(own / CONFIG) if installed else set()
    for place, versions in islice(installed.items(), PLUGINS):
        version = _loaded(versions)
        if version is not None and f"{place.name}@{place.parent.name}" in enabled:
            yield place.name, place / version


def _enabled(file: Path) -> set[str]:
    data = regular.read(file, CONFIG_BYTES + 1, links=True)
    if data is None or len(data) > CONFIG_BYTES:
        return set()
    try:
        found = msgspec.toml.decode(data, type=_Config)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return set()
    return {name for name, plugin in found.plugins.items() if plugin.enabled is True}


def _loaded(versions: list[str]) -> str | None:
    """Return the version that the host loads; None where that is not certain."""
    if LOCAL in versions:
        return LOCAL
    numbers = [found for version in versions if (found := _VERSION.fullmatch(version))]
    if len(numbers) < len(versions):
        return versions[0] if len(versions) == 1 else None
    return max(numbers, key=lambda found: tuple(map(int, found.groups())))[0]

"""Where a host keeps the hooks of a readmark plugin that its user has taken in and switched on."""

import tomllib
from pathlib import Path
from typing import Any

from contracts.host import Plugin
from ledger.install import files, text

NAME = "readmark"
ASIDE = ".orphaned_at"
"""What Claude Code puts into a copy that nobody uses any more."""


def hook_files(folder: Path, form: Plugin) -> list[Path]:
    """Return the hooks of each such plugin, in the host's own copies below its folder; changes nothing.

    Both hosts keep them as `plugins/cache/MARKETPLACE/PLUGIN/VERSION` (Codex 0.171.0, Claude Code 2.1.332).
    """
    found = []
    for name in sorted(_switched_on(folder / form.switch_file, form.switch_table)):
        plugin, _, marketplace = name.partition("@")
        # A name that could lead elsewhere is none that a host writes.
        if plugin != NAME or not marketplace or set(marketplace) & set("/\\") or marketplace.startswith("."):
            continue
        try:
            copies = [
                copy
                for copy in (folder / "plugins" / "cache" / marketplace / plugin).iterdir()
                if (copy / "hooks" / "hooks.json").is_file() and not (copy / ASIDE).exists()
            ]
            newest = max(copies, key=lambda copy: copy.stat().st_mtime_ns, default=None)
        except OSError:
            continue
        found += [] if newest is None else [newest / "hooks" / "hooks.json"]
    return found


def _switched_on(file: Path, table: str) -> set[str]:
    named = _plain(file)
    switches = named.get(table) if isinstance(named, dict) else None
    if not isinstance(switches, dict):
        return set()
    return {
        name
        for name, value in switches.items()
        if value is True or (isinstance(value, dict) and value.get("enabled") is True)
    }


def _plain(file: Path) -> Any:
    """Return what a file says, as JSON with comments or as TOML; None where that cannot be known."""
    found = files.read(file)
    if isinstance(found, files.Refusal):
        return None
    try:
        said = found.data.removeprefix(files.BOM).decode()
        if file.suffix == ".toml":
            return tomllib.loads(said)
        document = text.parse(said)
        return document.plain(document.root)
    except (ValueError, text.Fault, RecursionError):
        return None

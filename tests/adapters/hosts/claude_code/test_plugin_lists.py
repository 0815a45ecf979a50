"""Claude Code's lists of plugins and markets where they are no plain files, or name places outside."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from adapters.hosts import claude_skills

LISTS = [
    "plugins/installed_plugins.json",
    "plugins/known_marketplaces.json",
    "market/.claude-plugin/marketplace.json",
]


def lay(own: Path, source: str = "./in/place") -> None:
    """Write all three lists, with one plugin in a market that is a folder."""
    market = own / "market"
    said = {
        LISTS[0]: {"plugins": {"tools@market": [{"installPath": "/copy"}]}},
        LISTS[1]: {"market": {"source": {"source": "directory"}, "installLocation": str(market)}},
        LISTS[2]: {"plugins": [{"name": "tools", "source": source}]},
    }
    said["settings.json"] = {"enabledPlugins": {"tools@market": True}}
    for name, content in said.items():
        (own / name).parent.mkdir(parents=True, exist_ok=True)
        (own / name).write_text(json.dumps(content))


def plugins(own: Path) -> list[str]:
    """Return the folders in which skills of plugins are looked for."""
    found = claude_skills.roots({"CLAUDE_CONFIG_DIR": str(own)}, "/p", "/p")
    return [root.path for root in found if root.prefix]


@pytest.mark.parametrize(("name", "left"), [(LISTS[0], []), (LISTS[1], ["/copy"]), (LISTS[2], ["/copy"])])
def test_a_list_that_is_a_pipe_holds_nothing_up(tmp_path: Path, name: str, left: list[str]) -> None:
    """Without a writer it would block for ever; it names nothing."""
    lay(tmp_path)
    (tmp_path / name).unlink()
    os.mkfifo(tmp_path / name)
    assert plugins(tmp_path) == left


def test_a_list_may_be_a_link_to_a_file(tmp_path: Path) -> None:
    """Users keep the host's folder elsewhere, and link its files."""
    lay(tmp_path)
    for name in LISTS:
        moved = (tmp_path / name).rename(tmp_path / Path(name).name)
        (tmp_path / name).symlink_to(moved)
    assert plugins(tmp_path) == [f"{tmp_path}/market/in/place"]


@pytest.mark.parametrize(
    "source", ["/", "/etc", "..", "./../other", "in/../../other", "out", "out/x", "a\0b"]
)
def test_a_market_names_no_place_outside_its_folder(tmp_path: Path, source: str) -> None:
    """Else a plugin's listing would make all of the machine a place for skills."""
    lay(tmp_path, source)
    (tmp_path / "market" / "out").symlink_to(tmp_path)
    assert plugins(tmp_path) == ["/copy"]


@pytest.mark.parametrize("source", ["./", ".", "./in/place", "in/../place"])
def test_a_market_names_places_in_its_folder(tmp_path: Path, source: str) -> None:
    """Its own folder too; the market itself may be reached by a link."""
    lay(tmp_path, source)
    (tmp_path / "market").rename(tmp_path / "moved")
    (tmp_path / "market").symlink_to(tmp_path / "moved")
    assert plugins(tmp_path) == [str(tmp_path / "market" / source)]

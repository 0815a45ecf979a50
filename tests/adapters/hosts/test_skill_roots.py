"""Where each host finds skills, as far as a hook can know."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from adapters.hosts import claude_skills, codex_skills
from contracts.library import Root

OWN = (".agents/skills", ".codex/skills")
"""Where Codex looks in a project."""


def listed(plugins: object, own: Path) -> None:
    """Write Claude Code's list of installed plugins."""
    (own / "plugins").mkdir(parents=True)
    (own / "plugins" / "installed_plugins.json").write_text(json.dumps({"version": 2, "plugins": plugins}))


def test_claude_looks_from_the_folder_up_to_the_project(tmp_path: Path) -> None:
    """A package's own skills first."""
    project = str(tmp_path)
    found = claude_skills.roots({"HOME": "/home/dev"}, f"{project}/packages/web", project)
    assert found == (
        Root("user", "/home/dev/.claude", skills=("skills",)),
        Root(
            "project",
            project,
            skills=("packages/web/.claude/skills", "packages/.claude/skills", ".claude/skills"),
        ),
    )


def test_claude_names_a_plugins_skills_after_it(tmp_path: Path) -> None:
    """From the host's own list, wherever its folder was moved; one place counts once."""
    place = {"scope": "user", "installPath": "/home/dev/p/1.0", "version": "1.0"}
    listed({"tools@market": [place, {**place, "scope": "project"}], "@x": [place]}, tmp_path)
    listed_at = [{"installPath": "relative"}]
    found = claude_skills.roots({"HOME": "/home/dev", "CLAUDE_CONFIG_DIR": str(tmp_path)}, "/p", "/p")
    assert found == (
        Root("user", str(tmp_path), skills=("skills",)),
        Root("project", "/p", skills=(".claude/skills",)),
        Root("plugin tools", "/home/dev/p/1.0", skills=("skills",), prefix="tools:"),
    )
    (tmp_path / "plugins" / "installed_plugins.json").write_text(json.dumps({"plugins": {"a@b": listed_at}}))
    assert len(claude_skills.roots({"CLAUDE_CONFIG_DIR": str(tmp_path)}, "/p", "/p")) == 2


@pytest.mark.parametrize("text", ["", "{", "[]", '{"plugins": {"a@b": {}}}', '{"plugins": {"a@b": [{}]}}'])
def test_a_list_of_plugins_that_cannot_be_read_names_none(tmp_path: Path, text: str) -> None:
    """Then a plugin's skill is unknown, and refused by name."""
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "installed_plugins.json").write_text(text)
    assert len(claude_skills.roots({"CLAUDE_CONFIG_DIR": str(tmp_path)}, "/p", "/p")) == 2


def market(own: Path, source: object, listing: object) -> Path:
    """Write Claude Code's list of markets, and what the one market lists; return its folder."""
    folder = own / "market"
    (folder / ".claude-plugin").mkdir(parents=True)
    (folder / ".claude-plugin" / "marketplace.json").write_text(json.dumps(listing))
    known = {"market": {"source": source, "installLocation": str(folder)}}
    (own / "plugins" / "known_marketplaces.json").write_text(json.dumps(known))
    return folder


LISTING = {
    "plugins": [{"name": "tools", "source": "./in/place"}, {"name": "other", "source": {"source": "git"}}]
}


def test_claude_takes_a_plugin_of_a_folder_in_its_place(tmp_path: Path) -> None:
    """The copy that it made at the installation comes after, and is not what it loads (`skill_installed`)."""
    listed({"tools@market": [{"installPath": "/home/dev/p/1.0"}]}, tmp_path)
    folder = market(tmp_path, {"source": "directory", "path": "/x"}, LISTING)
    found = claude_skills.roots({"CLAUDE_CONFIG_DIR": str(tmp_path)}, "/p", "/p")
    assert found[2:] == (
        Root("plugin tools", str(folder / "in" / "place"), skills=("skills",), prefix="tools:"),
        Root("plugin tools", "/home/dev/p/1.0", skills=("skills",), prefix="tools:"),
    )


@pytest.mark.parametrize(
    ("source", "listing"),
    [
        ({"source": "github", "repo": "a/b"}, LISTING),
        ({}, LISTING),
        ({"source": "directory"}, {"plugins": [{"name": "tools", "source": {"source": "git"}}]}),
        ({"source": "directory"}, {"plugins": [{"name": "other", "source": "./other"}]}),
        ({"source": "directory"}, {"plugins": [{"source": "./tools"}]}),
        ({"source": "directory"}, {"plugins": {}}),
        ({"source": "directory"}, []),
    ],
)
def test_claude_takes_every_other_plugin_where_it_was_installed(
    source: object, listing: object, tmp_path: Path
) -> None:
    """Markets of other kinds, plugins from elsewhere, and lists that cannot be read."""
    listed({"tools@market": [{"installPath": "/home/dev/p/1.0"}]}, tmp_path)
    market(tmp_path, source, listing)
    found = claude_skills.roots({"CLAUDE_CONFIG_DIR": str(tmp_path)}, "/p", "/p")
    assert [root.path for root in found[2:]] == ["/home/dev/p/1.0"]


def test_a_folder_outside_the_project_adds_nothing(tmp_path: Path) -> None:
    """Only the project's own folder counts then."""
    [_, project, *_] = claude_skills.roots({"HOME": "/home/dev"}, "/elsewhere", str(tmp_path))
    assert project.skills == (".claude/skills",)


def test_codex_looks_below_its_own_and_the_shared_folder() -> None:
    """Nothing but skills counts there."""
    found = codex_skills.roots({"HOME": "/home/dev"}, "/project/a", "/project")
    assert found == (
        Root("project", "/project", skills=OWN),
        Root("~/.codex/skills", "/home/dev/.codex/skills", skills=(".",)),
        Root("~/.agents/skills", "/home/dev/.agents/skills", skills=(".",)),
        Root("/etc/codex/skills", "/etc/codex/skills", skills=(".",)),
    )
    # Spelled as an agent can use it.
    moved = codex_skills.roots({"HOME": "/home/dev", "CODEX_HOME": "/srv/codex"}, "/p", "/p")
    assert moved[1].name == "$CODEX_HOME/skills"
    assert [root.path for root in moved] == [
        "/p",
        "/srv/codex/skills",
        "/home/dev/.agents/skills",
        "/etc/codex/skills",
    ]


def test_codex_names_a_plugins_skills_after_it(tmp_path: Path) -> None:
    """An installed plugin lies at MARKET/PLUGIN/VERSION in the host's own folder (`skill_plugin`)."""
    cache = tmp_path / "plugins" / "cache"
    for place in ("market/notes/0.1.0", "market/plain/local", "other/notes/2"):
        (cache / place).mkdir(parents=True)
    (cache / "market" / "file").write_text("no plugin")
    found = codex_skills.roots({"CODEX_HOME": str(tmp_path)}, "/p", "/p")
    assert found[3:] == (
        Root("plugin notes", f"{cache}/market/notes/0.1.0", skills=("skills",), prefix="notes:"),
        Root("plugin plain", f"{cache}/market/plain/local", skills=("skills",), prefix="plain:"),
        Root("plugin notes", f"{cache}/other/notes/2", skills=("skills",), prefix="notes:"),
    )


def test_codex_lists_no_more_plugins_than_are_looked_at(tmp_path: Path) -> None:
    """Every root costs each proven file a little."""
    for number in range(codex_skills.PLUGINS + 1):
        (tmp_path / "plugins" / "cache" / "market" / f"p{number}" / "1").mkdir(parents=True)
    found = codex_skills.roots({"CODEX_HOME": str(tmp_path)}, "/p", "/p")
    assert len([root for root in found if root.prefix]) == codex_skills.PLUGINS


def test_codex_looks_from_the_project_up_to_the_repository(tmp_path: Path) -> None:
    """Where a project's own file stands below the repository's root (`skill_repository`)."""
    (tmp_path / "top" / ".git").mkdir(parents=True)
    project = tmp_path / "top" / "packages" / "web"
    found = codex_skills.roots({}, str(project / "src"), str(project))
    assert found == (
        Root("project", str(project), skills=OWN),
        *(
            Root(f"{up}/{place}", os.path.normpath(project / up / place), skills=(".",))
            for up in ("..", "../..")
            for place in OWN
        ),
        Root("/etc/codex/skills", "/etc/codex/skills", skills=(".",)),
    )


def test_codex_looks_no_further_than_a_project_that_is_a_repository(tmp_path: Path) -> None:
    """Nor above a folder that is in none."""
    (tmp_path / "top" / "inner" / ".git").mkdir(parents=True)
    for project in ("top/inner", "top"):
        assert codex_skills.roots({}, str(tmp_path / project), str(tmp_path / project)) == (
            Root("project", str(tmp_path / project), skills=OWN),
            Root("/etc/codex/skills", "/etc/codex/skills", skills=(".",)),
        )


@pytest.mark.parametrize("environ", [{}, {"HOME": ""}, {"HOME": "relative"}])
def test_without_a_home_only_the_project_counts(environ: dict[str, str]) -> None:
    """A relative folder is nobody's."""
    assert claude_skills.roots(environ, "/project", "/project") == (
        Root("project", "/project", skills=(".claude/skills",)),
    )
    assert codex_skills.roots(environ, "/project", "/project") == (
        Root("project", "/project", skills=OWN),
        Root("/etc/codex/skills", "/etc/codex/skills", skills=(".",)),
    )

"""Where each host finds skills, as far as a hook can know."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from adapters.hosts import claude_plugins, claude_skills, codex_plugins, codex_skills
from contracts.library import Root

OWN = (".agents/skills", ".codex/skills")
"""Where Codex looks in a project."""
USER = Root("~/.claude/skills", "/home/dev/.claude/skills", skills=(".",), links_to="/")


def codex(name: str, path: Path | str, *skills: str, prefix: str = "", links_to: str = "") -> Root:
    """Return a place of Codex, which looks deep, goes by what files state, and follows links to folders."""
    return Root(
        name,
        str(path),
        skills=skills or (".",),
        prefix=prefix,
        depths=(0, 6),
        named="file",
        links_to=links_to,
        linked_files=False,
    )


def listed(plugins: object, own: Path, *, on: object = True) -> None:
    """Write Claude Code's list of installed plugins, and switch them on."""
    (own / "plugins").mkdir(parents=True)
    (own / "plugins" / "installed_plugins.json").write_text(json.dumps({"version": 2, "plugins": plugins}))
    enabled = dict.fromkeys(plugins, on) if isinstance(plugins, dict) else {}
    (own / "settings.json").write_text(json.dumps({"enabledPlugins": enabled}))


def plugins(own: Path, began: str = "/p") -> list[Root]:
    """Return the roots of plugins that Claude Code loads."""
    found = claude_skills.roots({"CLAUDE_CONFIG_DIR": str(own)}, began, began)
    return [root for root in found if root.prefix]


def test_claude_looks_from_where_it_began_up_to_the_top(tmp_path: Path) -> None:
    """A package's own skills first (`skill_nearest`); where it is in no repository, to the top."""
    (tmp_path / ".claude" / "skills").mkdir(parents=True)
    project = tmp_path / "site"
    found = claude_skills.roots({"HOME": "/home/dev"}, f"{project}/packages/web", str(project))
    assert found == (
        USER,
        Root(
            "project",
            str(project),
            skills=("packages/web/.claude/skills", "packages/.claude/skills", ".claude/skills"),
        ),
        Root("../.claude/skills", f"{tmp_path}/.claude/skills", skills=(".",), links_to=str(tmp_path)),
    )


def test_claude_looks_no_higher_than_the_root_of_its_repository(tmp_path: Path) -> None:
    """Where it has a file or a folder `.git`."""
    (tmp_path / ".claude" / "skills").mkdir(parents=True)
    (tmp_path / "site" / ".git").mkdir(parents=True)
    project = str(tmp_path / "site")
    assert claude_skills.roots({"HOME": "/home/dev"}, f"{project}/web", project) == (
        USER,
        Root("project", project, skills=("web/.claude/skills", ".claude/skills")),
    )


def test_claude_knows_the_skills_of_where_it_began_wherever_the_agent_goes(tmp_path: Path) -> None:
    """Not those of where the agent is; named so that an agent there finds them (`skill_ancestors`)."""
    outer, inner = tmp_path / "outer", tmp_path / "outer" / "packages" / "web"
    (outer / ".claude" / "skills").mkdir(parents=True)
    for folder in (outer, inner):
        (folder / ".git").mkdir(parents=True)
    environ = {"HOME": "/home/dev", "CLAUDE_PROJECT_DIR": str(outer)}
    assert claude_skills.roots(environ, f"{inner}/src", str(inner)) == (
        USER,
        Root("project", str(inner)),
        Root("../../.claude/skills", f"{outer}/.claude/skills", skills=(".",), links_to=str(outer)),
    )
    assert claude_skills.roots(environ, f"{outer}/packages", str(outer)) == (
        USER,
        Root("project", str(outer), skills=(".claude/skills",)),
    )


@pytest.mark.parametrize("began", ["", "relative", "a\0b", "/a\0b"])
def test_where_it_is_not_known_where_claude_began_it_is_where_the_agent_is(began: str) -> None:
    """A person may hand a payload over from anywhere."""
    found = claude_skills.roots({"HOME": "/home/dev", "CLAUDE_PROJECT_DIR": began}, "/p/a", "/p")
    assert found[1].skills == ("a/.claude/skills", ".claude/skills")


def test_a_folder_in_which_claude_began_may_be_a_link(tmp_path: Path) -> None:
    """Its skills are those of the folder itself."""
    (tmp_path / "real" / ".git").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    environ = {"HOME": "/home/dev", "CLAUDE_PROJECT_DIR": str(tmp_path / "link")}
    assert claude_skills.roots(environ, "/x", f"{tmp_path}/real")[1].skills == (".claude/skills",)


def test_claude_names_a_plugins_skills_after_it(tmp_path: Path) -> None:
    """From the host's own list, wherever its folder was moved; one place counts once."""
    place = {"scope": "user", "installPath": "/home/dev/p/1.0", "version": "1.0"}
    listed(
        {"tools@market": [place, {**place, "scope": "project", "projectPath": "/p"}], "@x": [place]}, tmp_path
    )
    found = claude_skills.roots({"HOME": "/home/dev", "CLAUDE_CONFIG_DIR": str(tmp_path)}, "/p", "/p")
    assert found == (
        Root("$CLAUDE_CONFIG_DIR/skills", f"{tmp_path}/skills", skills=(".",), links_to="/"),
        Root("project", "/p", skills=(".claude/skills",)),
        Root("plugin tools", "/home/dev/p/1.0", skills=("skills",), prefix="tools:"),
    )
    listed_at = [{"installPath": "relative"}]
    (tmp_path / "plugins" / "installed_plugins.json").write_text(
        json.dumps({"plugins": {"tools@market": listed_at}})
    )
    assert plugins(tmp_path) == []


@pytest.mark.parametrize(
    ("project", "place"),
    [("/p", "/two"), ("/other", "/one"), (5, "/one"), ("a\0b", "/one")],
)
def test_a_plugin_of_one_project_is_of_no_other(tmp_path: Path, project: object, place: str) -> None:
    """It may be there in another version; where both count, nobody knows which is loaded."""
    installed = [
        {
            "installPath": "/one",
            "scope": "user" if place == "/one" else "project",
            "projectPath": "/elsewhere",
        },
        {"installPath": "/two", "scope": "project", "projectPath": project},
    ]
    listed({"tools@market": installed}, tmp_path)
    assert [root.path for root in plugins(tmp_path)] == [place]
    installed[0] |= {"scope": "user"}
    installed[1] |= {"projectPath": "/p"}
    (tmp_path / "plugins" / "installed_plugins.json").write_text(
        json.dumps({"plugins": {"tools@market": installed}})
    )
    assert plugins(tmp_path) == []


@pytest.mark.parametrize(
    ("user", "project", "local", "managed", "on"),
    [
        (True, None, None, None, True),
        (None, True, None, None, True),
        (None, None, True, None, True),
        (None, None, None, True, True),
        (None, None, None, None, False),
        (False, None, None, None, False),
        (True, False, None, None, False),
        (True, None, False, None, False),
        (True, None, None, False, False),
        (["1.0"], None, None, None, False),
    ],
)
def test_a_plugin_counts_where_some_settings_switch_it_on_and_none_off(  # noqa: PLR0913, PLR0917 - a column of the table each
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    user: object,
    project: object,
    local: object,
    managed: object,
    *,
    on: bool,
) -> None:
    """Those of the folder where the host began, of the user, and of the machine (`skill_disabled`)."""
    monkeypatch.setattr(claude_plugins, "MANAGED", str(tmp_path / "managed.json"))
    listed({"tools@market": [{"installPath": "/tools"}]}, tmp_path / "own")
    began = tmp_path / "began" / ".claude"
    began.mkdir(parents=True)
    files = {
        tmp_path / "own" / "settings.json": user,
        began / "settings.json": project,
        began / "settings.local.json": local,
        tmp_path / "managed.json": managed,
    }
    for file, value in files.items():
        file.write_text(json.dumps({"enabledPlugins": {} if value is None else {"tools@market": value}}))
    assert bool(plugins(tmp_path / "own", str(began.parent))) is on


@pytest.mark.parametrize("text", ["", "{", "[]", '{"enabledPlugins": []}', '{"enabledPlugins": null}'])
def test_settings_that_cannot_be_read_switch_nothing_on(tmp_path: Path, text: str) -> None:
    """Then a plugin's skill counts nowhere."""
    listed({"tools@market": [{"installPath": "/tools"}]}, tmp_path)
    (tmp_path / "settings.json").write_text(text)
    assert plugins(tmp_path) == []


@pytest.mark.parametrize("text", ["", "{", "[]", '{"plugins": {"a@b": {}}}', '{"plugins": {"a@b": [{}]}}'])
def test_a_list_of_plugins_that_cannot_be_read_names_none(tmp_path: Path, text: str) -> None:
    """Then a plugin's skill is unknown, and refused by name."""
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "installed_plugins.json").write_text(text)
    assert plugins(tmp_path) == []


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
    """The copy that it made at the installation is not what it loads (`skill_installed`)."""
    listed({"tools@market": [{"installPath": "/home/dev/p/1.0"}]}, tmp_path)
    folder = market(tmp_path, {"source": "directory", "path": "/x"}, LISTING)
    assert plugins(tmp_path) == [
        Root("plugin tools", str(folder / "in" / "place"), skills=("skills",), prefix="tools:")
    ]


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
    assert [root.path for root in plugins(tmp_path)] == ["/home/dev/p/1.0"]


def test_codex_looks_below_its_own_and_the_shared_folder() -> None:
    """Nothing but skills counts there."""
    found = codex_skills.roots({"HOME": "/home/dev"}, "/project", "/project")
    assert found == (
        codex("project", "/project", *OWN),
        codex("~/.codex/skills", "/home/dev/.codex/skills", ".", ".system", links_to="/"),
        codex("~/.agents/skills", "/home/dev/.agents/skills", links_to="/"),
        codex("/etc/codex/skills", "/etc/codex/skills"),
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


def install(own: Path, *places: str, config: str | None = None) -> None:
    """Lay installed plugins of Codex as MARKET/PLUGIN/VERSION, and switch them on."""
    for place in places:
        (own / "plugins" / "cache" / place).mkdir(parents=True)
    names = {tuple(place.split("/")[:2]) for place in places}
    on = "".join(f'[plugins."{name}@{market}"]\nenabled = true\n' for market, name in sorted(names))
    (own / "config.toml").write_text(on if config is None else config)


def installed(own: Path) -> list[str]:
    """Return where Codex loads its plugins from, in its folder of them."""
    found = codex_skills.roots({"CODEX_HOME": str(own)}, "/p", "/p")
    return [os.path.relpath(root.path, own / "plugins" / "cache") for root in found if root.prefix]


def test_codex_names_a_plugins_skills_after_it(tmp_path: Path) -> None:
    """An installed plugin lies at MARKET/PLUGIN/VERSION in the host's own folder (`skill_plugin`)."""
    install(tmp_path, "market/notes/0.1.0", "market/plain/local", "other/notes/2")
    cache = tmp_path / "plugins" / "cache"
    (cache / "market" / "file").write_text("no plugin")
    (cache / "market" / "notes" / "file").write_text("no version")
    found = codex_skills.roots({"CODEX_HOME": str(tmp_path)}, "/p", "/p")
    assert found[3:] == (
        codex("plugin notes", f"{cache}/market/notes/0.1.0", "skills", prefix="notes:"),
        codex("plugin plain", f"{cache}/market/plain/local", "skills", prefix="plain:"),
        codex("plugin notes", f"{cache}/other/notes/2", "skills", prefix="notes:"),
    )


@pytest.mark.parametrize(
    ("versions", "loaded"),
    [
        (["0.9.0", "0.10.0", "0.8.0"], ["0.10.0"]),
        (["local", "9.0.0"], ["local"]),
        (["odd"], ["odd"]),
        (["odd", "0.1.0"], []),
        (["0.1.0-beta", "0.0.9"], []),
    ],
)
def test_codex_loads_one_version_of_a_plugin(tmp_path: Path, versions: list[str], loaded: list[str]) -> None:
    """The highest, or the local one (`skill_versions`); where it is not certain which, none counts."""
    install(tmp_path, *(f"market/notes/{version}" for version in versions))
    assert installed(tmp_path) == [f"market/notes/{version}" for version in loaded]


@pytest.mark.parametrize(
    "config",
    [
        "",
        "plugins = 5",
        "[",
        '[plugins."notes@market"]\nenabled = false',
        '[plugins."notes@market"]',
        '[plugins."notes@other"]\nenabled = true',
        '[plugins."notes@market"]\nenabled = true\n#' + "x" * codex_plugins.CONFIG_BYTES,
        "a = \xff",
    ],
)
def test_a_plugin_that_codexs_configuration_does_not_switch_on_has_no_skills(
    tmp_path: Path, config: str
) -> None:
    """It was switched off, or never added (`skill_versions`)."""
    install(tmp_path, "market/notes/0.1.0", config=config)
    (tmp_path / "config.toml").write_bytes(config.encode("latin-1"))
    assert installed(tmp_path) == []
    (tmp_path / "config.toml").unlink()
    assert installed(tmp_path) == []


def test_codex_lists_no_more_plugins_than_are_looked_at(tmp_path: Path) -> None:
    """Every root costs each proven file a little."""
    install(tmp_path, *(f"market/p{number}/1" for number in range(codex_plugins.PLUGINS + 1)))
    assert len(installed(tmp_path)) == codex_plugins.PLUGINS


def test_codex_looks_from_where_it_works_up_to_the_repository(tmp_path: Path) -> None:
    """Where a project's own file stands below the repository's root (`skill_repository`)."""
    (tmp_path / "top" / ".git").mkdir(parents=True)
    project = tmp_path / "top" / "packages" / "web"
    found = codex_skills.roots({}, str(project / "src"), str(project))
    assert found == (
        codex("project", project, *(f"src/{place}" for place in OWN), *OWN),
        *(
            codex(
                f"{up}/{place}",
                os.path.normpath(project / up / place),
                links_to=os.path.normpath(project / up),
            )
            for up in ("..", "../..")
            for place in OWN
        ),
        codex("/etc/codex/skills", "/etc/codex/skills"),
    )


def test_codex_looks_no_further_than_a_project_that_is_a_repository(tmp_path: Path) -> None:
    """Nor above a folder that is in none."""
    (tmp_path / "top" / "inner" / ".git").mkdir(parents=True)
    for project in ("top/inner", "top"):
        assert codex_skills.roots({}, str(tmp_path / project), str(tmp_path / project)) == (
            codex("project", tmp_path / project, *OWN),
            codex("/etc/codex/skills", "/etc/codex/skills"),
        )


@pytest.mark.parametrize(
    ("began", "skills"),
    [
        ("/p", OWN),
        ("/p/a", (*(f"a/{place}" for place in OWN),)),
        ("/elsewhere", None),
        ("p", None),
        ("/a\0b", None),
    ],
)
def test_a_command_in_a_folder_of_its_own_finds_no_other_skills(
    began: str, skills: tuple[str, ...] | None
) -> None:
    """The hook's shell says where the host works; a command may run below it (`skill_depths`)."""
    [found, *_] = codex_skills.roots({"PWD": began}, "/p/a/b", "/p")
    assert found.skills == (skills or tuple(f"a/b/{place}" for place in OWN))


@pytest.mark.parametrize("environ", [{}, {"HOME": ""}, {"HOME": "relative"}])
def test_without_a_home_only_the_project_counts(environ: dict[str, str]) -> None:
    """A relative folder is nobody's."""
    assert claude_skills.roots(environ, "/project", "/project") == (
        Root("project", "/project", skills=(".claude/skills",)),
    )
    assert codex_skills.roots(environ, "/project", "/project") == (
        codex("project", "/project", *OWN),
        codex("/etc/codex/skills", "/etc/codex/skills"),
    )


def plugin(own: Path, entry: object, manifest: object = None) -> Root:
    """Return the root of a plugin `tools` that a market lists so, with three skills in its folder."""
    listed({"tools@market": [{"installPath": str(own / "copy")}]}, own)
    (own / "plugins" / "known_marketplaces.json").write_text(
        json.dumps({"market": {"source": {"source": "git"}, "installLocation": str(own / "market")}})
    )
    for folder, name, content in (
        ("market", "marketplace.json", {"plugins": [entry]}),
        ("copy", "plugin.json", manifest),
    ):
        (own / folder / ".claude-plugin").mkdir(parents=True)
        (own / folder / ".claude-plugin" / name).write_text(json.dumps(content))
    for place in ("own/reading", "packs/second", "skills/usual"):
        (own / "copy" / place).mkdir(parents=True)
        (own / "copy" / place / "SKILL.md").write_text("# A skill\n")
    [found] = plugins(own)
    return found


@pytest.mark.parametrize(
    ("entry", "manifest", "skills", "alone"),
    [
        ({}, {"skills": ["./own/reading", "./packs"]}, ("skills", "packs"), ("own/reading",)),
        ({}, {"skills": "./packs/"}, ("skills", "packs"), ()),
        ({}, {"skills": ["packs", "/etc", "./../up", "./skills", "./", 5]}, ("skills",), ()),
        ({}, {"skills": {"x": 1}}, ("skills",), ()),
        ({}, None, ("skills",), ()),
        ({"strict": False, "skills": ["./own/reading"]}, None, (), ("own/reading",)),
        ({"strict": False, "skills": ["./packs"]}, {"skills": "./own/reading"}, ("packs",), ()),
        ({"strict": False}, {"skills": "./packs"}, ("skills", "packs"), ()),
        ({"skills": ["./own/reading"]}, None, ("skills",), ()),
    ],
)
def test_a_plugin_of_claude_has_the_skills_that_its_manifest_or_its_market_names(
    tmp_path: Path, entry: dict[str, object], manifest: object, skills: object, alone: object
) -> None:
    """A market that speaks for a plugin speaks for all of it (`skill_manifest`, `skill_listed`)."""
    found = plugin(tmp_path, {"name": "tools", "source": "./"} | entry, manifest)
    assert (found.skills, found.alone) == (skills, alone)


def test_the_skills_of_the_machine_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They lie beside its settings; where no place of these is known, there are none."""
    monkeypatch.setattr(claude_skills, "MANAGED", str(tmp_path / "managed-settings.json"))
    assert claude_skills.roots({"HOME": "/home/dev"}, "/p", "/p")[0] == USER
    place = tmp_path / ".claude" / "skills"
    place.mkdir(parents=True)
    machine = Root(str(place), str(place), skills=(".",))
    assert claude_skills.roots({"HOME": "/home/dev"}, "/p", "/p")[:2] == (machine, USER)
    assert claude_skills.roots({"CLAUDE_CONFIG_DIR": "relative"}, "/p", "/p")[0] == machine
    monkeypatch.setattr(claude_skills, "MANAGED", "")
    assert claude_skills.roots({"HOME": "/home/dev"}, "/p", "/p")[0] == USER


@pytest.mark.parametrize(
    ("config", "off"),
    [
        ('[[skills.config]]\npath = "/a/SKILL.md"\nenabled = false', ("/a/SKILL.md",)),
        (
            '[[skills.config]]\nname = "a"\nenabled = false\n[[skills.config]]\nname = "b"\nenabled = true',
            ("a",),
        ),
        ('[[skills.config]]\nname = "a"\nenabled = true', ()),
        ("[[skills.config]]\nname = 5\nenabled = false", ()),
        ('[[skills.config]]\nname = ""\nenabled = false', ()),
        ("skills = 5", ()),
        ("[", ()),
    ],
)
def test_skills_that_codexs_user_switches_off_are_known(tmp_path: Path, config: str, off: object) -> None:
    """By the path of their file, or by their name (`skill_off`)."""
    (tmp_path / "config.toml").write_text(config)
    found = codex_skills.roots({"CODEX_HOME": str(tmp_path)}, "/p", "/p")
    assert {root.off for root in found} == {off}

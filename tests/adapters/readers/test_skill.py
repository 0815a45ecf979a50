"""A whole SKILL.md is the read of a skill, whoever gave it back."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from adapters.readers import skill
from contracts.conversation import Conversation
from contracts.event import FileResult, ShellResult, SkillResult
from contracts.library import Library, Root
from contracts.outcome import Skipped
from contracts.read import Read, Source

HERE = Conversation("claude-code", "one")
TEXT = "---\nname: parsing\ndescription: Use it when you write a parser.\n---\n\n# How we parse\n\nSlowly.\n"


@pytest.fixture
def library(tmp_path: Path) -> Library:
    """Return the library of a project, a user and a plugin, each with a skill."""
    for root, name in (
        ("project/.claude/skills", "parsing"),
        ("user/skills", "testing"),
        ("plugin/skills", "parsing"),
    ):
        folder = tmp_path / root / name
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(TEXT.replace("parsing", name))
    return Library(
        (
            Root("project", str(tmp_path / "project"), skills=(".claude/skills",)),
            Root("user", str(tmp_path / "user"), skills=("skills",)),
            Root("plugin tools", str(tmp_path / "plugin"), skills=("skills",), prefix="tools:"),
        ),
        str(tmp_path / "project"),
    )


def loaded(name: str, library: Library) -> Read | Skipped | None:
    """Return what comes of a skill that the host says it loaded."""
    return skill.confirm(SkillResult(HERE, "e", name, f"Launching skill: {name}", None), library)


def test_a_skill_says_what_it_is(library: Library, tmp_path: Path) -> None:
    """Its id, digest, title, when it applies, and where it lies in its root."""
    read = loaded("parsing", library)
    assert isinstance(read, Read)
    assert read.item_id == "skill:parsing"
    assert read.content_digest == f"sha256:{sha256(TEXT.encode()).hexdigest()}"
    assert (read.title, read.applies_when) == ("parsing", "Use it when you write a parser.")
    assert read.sources == (Source("project", ".claude/skills/parsing"),)
    assert read.file is not None
    assert (read.file.root, read.file.path) == (
        str(tmp_path / "project"),
        ".claude/skills/parsing/SKILL.md",
    )
    assert read.file.size == len(TEXT)


def test_every_way_to_read_it_is_one_item(library: Library, tmp_path: Path) -> None:
    """The skill tool, a file tool and a shell come to the same read."""
    path = tmp_path / "project/.claude/skills/parsing/SKILL.md"
    asked = ShellResult(HERE, "e", "cat .claude/skills/parsing/SKILL.md", TEXT.strip(), None)
    by_shell = skill.confirm(asked, library)
    by_tool = skill.confirm(FileResult(HERE, "e", str(path), TEXT, None), library)
    assert by_shell == by_tool == loaded("parsing", library)
    assert isinstance(by_shell, Read)


def test_a_users_and_a_plugins_skill_have_their_own_names_and_scopes(library: Library) -> None:
    """A plugin's skill has the plugin's name before its own, as its host spells it."""
    own, user, plugin = (loaded(name, library) for name in ("parsing", "testing", "tools:parsing"))
    assert isinstance(own, Read)
    assert isinstance(user, Read)
    assert isinstance(plugin, Read)
    assert (user.item_id, user.sources) == ("skill:testing", (Source("user", "skills/testing"),))
    assert (plugin.item_id, plugin.sources) == (
        "skill:tools:parsing",
        (Source("plugin tools", "skills/parsing"),),
    )
    assert len({own.store_scope, user.store_scope, plugin.store_scope}) == 3


def test_a_plugins_skill_goes_by_its_short_name_too(library: Library) -> None:
    """And a project's never by a plugin's."""
    only_plugin = Library(library.roots[2:], library.folder)
    assert loaded("parsing", only_plugin) == loaded("tools:parsing", library)
    assert loaded("tools:testing", library) == Skipped("skill-unknown")


def test_of_two_skills_of_one_name_the_first_place_counts(library: Library, tmp_path: Path) -> None:
    """In the order of the host, which shows afterwards which one it loaded."""
    (tmp_path / "user/skills/parsing").mkdir()
    (tmp_path / "user/skills/parsing/SKILL.md").write_text(TEXT)
    own, user = library.roots[:2]
    for roots, place in (((own, user), own.name), ((user, own), user.name)):
        read = loaded("parsing", Library(roots, library.folder))
        assert isinstance(read, Read)
        assert read.sources[0].pack == place


def test_a_link_to_the_same_skill_is_the_same_skill(library: Library, tmp_path: Path) -> None:
    """Many keep one folder of skills and link it from elsewhere in the project."""
    other = tmp_path / "project/packages/.claude"
    other.mkdir(parents=True)
    (other / "skills").symlink_to(tmp_path / "project/.claude/skills")
    root = Root("project", str(tmp_path / "project"), skills=(".claude/skills", "packages/.claude/skills"))
    assert loaded("parsing", Library((root,), library.folder)) == loaded("parsing", library)


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../parsing", "a/b", "/etc", "x" * 200, "a\0b", "gone", "a\nb"]
)
def test_no_other_name_is_a_skill(library: Library, name: str) -> None:
    """A built-in skill, a command, and what would lead out of the folder."""
    assert loaded(name, library) == Skipped("skill-unknown")


def test_a_link_out_of_its_root_is_refused(library: Library, tmp_path: Path) -> None:
    """Skills elsewhere on the disk are not this project's."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/SKILL.md").write_text(TEXT)
    (tmp_path / "project/.claude/skills/linked").symlink_to(tmp_path / "elsewhere")
    assert loaded("linked", library) == Skipped("file-linked")


def test_a_skill_without_front_matter_is_named_by_its_folder(library: Library, tmp_path: Path) -> None:
    """Its first heading is its title then."""
    (tmp_path / "project/.claude/skills/parsing/SKILL.md").write_text("# How we parse\n")
    read = loaded("parsing", library)
    assert isinstance(read, Read)
    assert (read.item_id, read.title, read.applies_when) == ("skill:parsing", "How we parse", "")


def test_an_ignored_skill_is_never_looked_at(library: Library) -> None:
    """A folder that the user ignores covers all in it."""
    for pattern in (".claude/skills/parsing", ".claude/", "**/SKILL.md", ".claude/skills/*/SKILL.md"):
        root = Root("project", library.roots[0].path, skills=(".claude/skills",), ignore=(pattern,))
        assert loaded("parsing", Library((root,), library.folder)) == Skipped("skill-unknown")


def test_other_files_and_bytes_that_are_no_text_are_no_skill(library: Library, tmp_path: Path) -> None:
    """A note beside the skill is somebody else's to read."""
    folder = tmp_path / "project/.claude/skills/parsing"
    (folder / "notes.md").write_text("# Notes\n")
    beside = FileResult(HERE, "e", str(folder / "notes.md"), "# Notes\n", None)
    assert skill.confirm(beside, library) is None
    (folder / "SKILL.md").write_bytes(b"\xff\xfe")
    assert loaded("parsing", library) == Skipped("result-malformed")


def test_a_scope_that_is_not_certain_is_refused(library: Library) -> None:
    """A root that has no spelling of its own has no scope."""
    root = library.roots[0]
    odd = Root("project", root.path + "/../project", skills=root.skills)
    assert loaded("parsing", Library((odd,), library.folder)) == Skipped("scope-unknown")


@pytest.mark.usefixtures("library")
def test_a_name_of_the_users_makes_two_checkouts_one_scope(tmp_path: Path) -> None:
    """Unless the user says so, two folders are two stores."""
    copy = tmp_path / "copy/.claude/skills/parsing"
    copy.mkdir(parents=True)
    (copy / "SKILL.md").write_text(TEXT)
    folders = (str(tmp_path / "project"), str(tmp_path / "copy"))

    def scopes(scope: str) -> set[str]:
        roots = (Root("project", folder, skills=(".claude/skills",), scope=scope) for folder in folders)
        reads = [loaded("parsing", Library((root,), root.path)) for root in roots]
        return {read.store_scope for read in reads if isinstance(read, Read)}

    assert (len(scopes("")), len(scopes("handbook"))) == (2, 1)


@pytest.mark.parametrize("asked", ["cat SKILL.md", "/home/x/SKILL.md", "bat -p a/SKILL.md | cat"])
def test_a_skill_is_concerned_by_its_file_name(asked: str) -> None:
    """Wherever it stands."""
    assert skill.concerns(asked)


@pytest.mark.parametrize("asked", ["cat README.md", "skill.md", "ls"])
def test_other_names_do_not_concern_it(asked: str) -> None:
    """A host looks for exactly this name."""
    assert not skill.concerns(asked)


@pytest.mark.parametrize("prefix", ["", "tools:"])
def test_a_skill_is_found_by_the_name_that_its_file_states(
    prefix: str, library: Library, tmp_path: Path
) -> None:
    """Claude Code loads it by that name and by its folder's (`skill_named`, `skill_user`)."""
    skills = tmp_path / ("plugin/skills" if prefix else "user/skills")
    (skills / "parsing" if prefix else skills / "testing").rename(skills / "folder")
    name = f"{prefix}{'parsing' if prefix else 'testing'}"

    read = loaded(name, library)
    assert isinstance(read, Read)
    assert read.item_id == f"skill:{name}"
    assert [source.path for source in read.sources] == ["skills/folder"]
    assert loaded(f"{prefix}folder", library) == read


def test_a_folders_name_counts_before_the_name_in_a_file(library: Library, tmp_path: Path) -> None:
    """The host shows which one it loaded: of two, the wrong one is withdrawn."""
    other = tmp_path / "project/.claude/skills/another"
    other.mkdir()
    (other / "SKILL.md").write_text(TEXT.replace("name: parsing", "name: testing"))

    read = loaded("testing", library)
    assert isinstance(read, Read)
    assert [source.pack for source in read.sources] == ["user"]


def test_a_name_in_files_is_sought_in_a_bounded_number_of_them(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hook has no time for a folder of thousands."""
    skills = tmp_path / "project/.claude/skills"
    for name in ("a", "b", "c"):
        (skills / name).mkdir()
        (skills / name / "SKILL.md").write_text(TEXT.replace("name: parsing", f"name: own-{name}"))
    monkeypatch.setattr(skill, "STATING", 2)

    assert isinstance(loaded("own-b", library), Read)
    assert loaded("own-c", library) == Skipped("skill-unknown")


def test_a_skill_from_where_no_host_looks_goes_by_its_path(library: Library, tmp_path: Path) -> None:
    """Any file can state any name; it must not pass for the skill that a host would load by it."""
    for place in ("docs/evil", "parsing", "vendor/x"):
        folder = tmp_path / "project" / place
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(TEXT)
        read = skill.confirm(FileResult(HERE, "e", str(folder / "SKILL.md"), TEXT, None), library)
        assert isinstance(read, Read)
        assert read.item_id == f"skill:{place}/SKILL.md"


def test_a_skill_of_a_package_in_the_project_goes_by_its_name(library: Library, tmp_path: Path) -> None:
    """Hosts find it once they work there."""
    folder = tmp_path / "project/packages/web/.claude/skills/pages"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(TEXT.replace("parsing", "pages"))
    text = TEXT.replace("parsing", "pages")
    read = skill.confirm(FileResult(HERE, "e", str(folder / "SKILL.md"), text, None), library)
    assert isinstance(read, Read)
    assert read.item_id == "skill:pages"


@pytest.mark.parametrize("stated", ["tools:other", "a/b", "..", "x" * 200, "a, b"])
def test_a_stated_name_that_no_folder_could_have_is_passed_over(
    stated: str, library: Library, tmp_path: Path
) -> None:
    """A colon would name a plugin's."""
    path = tmp_path / "project/.claude/skills/parsing/SKILL.md"
    path.write_text(TEXT.replace("name: parsing", f"name: '{stated}'"))
    read = loaded("parsing", library)
    assert isinstance(read, Read)
    assert read.item_id == "skill:parsing"

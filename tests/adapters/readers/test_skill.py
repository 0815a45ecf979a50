"""A whole SKILL.md is the read of a skill, whoever gave it back."""

from __future__ import annotations

import os
import shutil
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.readers import skill, skill_names
from contracts.conversation import Conversation
from contracts.event import FileResult, ShellResult, SkillResult
from contracts.library import Library, Root
from contracts.outcome import Skipped
from contracts.read import Read, Source
from tests.adapters.readers.confirming import confirm

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
            Root("~/.host/skills", str(tmp_path / "user/skills"), skills=(".",)),
            Root("plugin tools", str(tmp_path / "plugin"), skills=("skills",), prefix="tools:"),
        ),
        str(tmp_path / "project"),
    )


def loaded(name: str, library: Library) -> Read | Skipped | None:
    """Return what comes of a skill that the host says it loaded."""
    return confirm(SkillResult(HERE, "e", name, f"Launching skill: {name}", None), library)


def lay(folder: Path, name: str = "parsing") -> None:
    """Put a skill that states a name into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "SKILL.md").write_text(TEXT.replace("parsing", name))


def by_file(folder: Path, library: Library) -> str | None:
    """Return the id that a skill has when its file is read, None where it is nobody's business."""
    path = folder / "SKILL.md"
    read = confirm(FileResult(HERE, "e", str(path), path.read_text(), None), library)
    assert not isinstance(read, Skipped)
    return None if read is None else read.item_id


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
    by_shell = confirm(asked, library)
    by_tool = confirm(FileResult(HERE, "e", str(path), TEXT, None), library)
    assert by_shell == by_tool == loaded("parsing", library)
    assert isinstance(by_shell, Read)


def test_a_users_and_a_plugins_skill_have_their_own_names_and_scopes(library: Library) -> None:
    """A plugin's skill has the plugin's name before its own, as its host spells it."""
    own, user, plugin = (loaded(name, library) for name in ("parsing", "testing", "tools:parsing"))
    assert isinstance(own, Read)
    assert isinstance(user, Read)
    assert isinstance(plugin, Read)
    assert (user.item_id, user.sources) == ("skill:testing", (Source("~/.host/skills", "testing"),))
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
    refused = loaded("linked", library)
    assert refused == Skipped("file-linked", "it leads to where no link of this folder may lead")


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
    assert confirm(beside, library) is None
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
    """And goes by its folder's, which Claude Code prefers (`skill_named`, `skill_crossed`)."""
    skills = tmp_path / ("plugin/skills" if prefix else "user/skills")
    (skills / "parsing" if prefix else skills / "testing").rename(skills / "folder")

    read = loaded(f"{prefix}{'parsing' if prefix else 'testing'}", library)
    assert isinstance(read, Read)
    assert read.item_id == f"skill:{prefix}folder"
    assert [source.path.removeprefix("skills/") for source in read.sources] == ["folder"]
    assert loaded(f"{prefix}folder", library) == read


def test_a_folders_name_counts_before_the_name_in_a_file(library: Library, tmp_path: Path) -> None:
    """The host shows which one it loaded: of two, the wrong one is withdrawn."""
    other = tmp_path / "project/.claude/skills/another"
    other.mkdir()
    (other / "SKILL.md").write_text(TEXT.replace("name: parsing", "name: testing"))

    read = loaded("testing", library)
    assert isinstance(read, Read)
    assert [source.pack for source in read.sources] == ["~/.host/skills"]


def test_a_name_in_files_is_sought_in_a_bounded_number_of_them(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hook has no time for a folder of thousands."""
    skills = tmp_path / "project/.claude/skills"
    for name in ("a", "b", "c"):
        (skills / name).mkdir()
        (skills / name / "SKILL.md").write_text(TEXT.replace("name: parsing", f"name: own-{name}"))
    monkeypatch.setattr(skill_names, "SKILLS", 2)

    found = loaded("own-b", library)
    assert isinstance(found, Read)
    # Of more than are looked at, nobody knows whether another goes by its name.
    assert found.item_id == "skill:.claude/skills/b/SKILL.md"
    assert by_file(tmp_path / "project/.claude/skills/a", library) == "skill:.claude/skills/a/SKILL.md"
    assert isinstance(loaded("b", library), Read)
    assert loaded("own-c", library) == Skipped("skill-unknown")


ODD = (
    *("docs/evil", "parsing", "vendor/evil/.claude/skills/parsing", "packages/web/.claude/skills/parsing"),
    *(
        ".claude/skills/deep/parsing",
        ".claude/skills",
        ".claude/skills/.hidden/parsing",
        ".agents/skills/parsing",
    ),
)


@pytest.mark.parametrize("place", ODD)
def test_a_skill_from_where_the_host_does_not_look_goes_by_its_path(
    place: str, library: Library, tmp_path: Path
) -> None:
    """Any file can state any name; it must not pass for the one that a host would load (`skill_places`)."""
    lay(tmp_path / "project" / place)
    assert by_file(tmp_path / "project" / place, library) == f"skill:{place}/SKILL.md"


@pytest.mark.parametrize(
    "place",
    [
        *("user/plugins/evil/skills/parsing", "user/skills/deep/parsing", "user/skills", "user/skills/.x"),
        *(
            "plugin/node_modules/y/skills/parsing",
            "plugin/skills/a/b",
            "plugin/parsing",
            "plugin",
            "elsewhere/x",
        ),
    ],
)
def test_outside_the_project_only_what_the_host_would_load_counts(
    place: str, library: Library, tmp_path: Path
) -> None:
    """A plugin's dependency, a market that nobody installed from."""
    lay(tmp_path / place)
    assert by_file(tmp_path / place, library) is None


def test_a_skill_loaded_through_a_link_has_the_name_that_loaded_it(library: Library, tmp_path: Path) -> None:
    """Read as a file, too, by either path: it is one skill, and the host comes to it by that name."""
    lay(tmp_path / "project/shared/inner")
    (tmp_path / "project/.claude/skills/linked").symlink_to(tmp_path / "project/shared/inner")
    read = loaded("linked", library)
    assert isinstance(read, Read)
    assert read.item_id == "skill:linked"
    for path in ("project/.claude/skills/linked", "project/shared/inner"):
        assert by_file(tmp_path / path, library) == "skill:linked"


def test_of_twins_only_the_one_that_the_host_loads_goes_by_the_name(library: Library, tmp_path: Path) -> None:
    """Claude Code takes the one in the first of its places (`skill_twins`); neither replaces the other."""
    lay(tmp_path / "user/skills/parsing")
    own, user, plugin = library.roots
    here, there = tmp_path / "project/.claude/skills/parsing", tmp_path / "user/skills/parsing"
    for roots, names in (
        ((user, own, plugin), ("skill:.claude/skills/parsing/SKILL.md", "skill:parsing")),
        ((own, user, plugin), ("skill:parsing", "skill:parsing/SKILL.md")),
    ):
        ordered = Library(roots, library.folder)
        assert (by_file(here, ordered), by_file(there, ordered)) == names


@pytest.mark.parametrize(
    ("stating", "name"),
    [
        ("user/skills/other", "skill:.claude/skills/parsing/SKILL.md"),
        ("project/.claude/skills/other", "skill:.claude/skills/parsing/SKILL.md"),
        ("plugin/skills/other", "skill:parsing"),
    ],
)
def test_a_name_that_another_file_states_may_load_that_one(
    stating: str, name: str, library: Library, tmp_path: Path
) -> None:
    """2.1.197 does, where it comes first (`skill_crossed_second`); a plugin's has its own name before it."""
    own, user, plugin = library.roots
    lay(tmp_path / stating)
    there = Library((user, own, plugin), library.folder)
    assert by_file(tmp_path / "project/.claude/skills/parsing", there) == name


@pytest.fixture
def stated(tmp_path: Path) -> Library:
    """Return the library of a host that lists skills by what their files state, as Codex does."""
    for place in ("project", "user"):
        (tmp_path / place).mkdir()
    return Library(
        (
            Root(
                "project", str(tmp_path / "project"), skills=(".agents/skills",), depths=(0, 6), named="file"
            ),
            Root("~/.agents/skills", str(tmp_path / "user"), skills=(".",), depths=(0, 6), named="file"),
        ),
        str(tmp_path / "project"),
    )


@pytest.mark.parametrize("place", ["", "x", "x/y", "1/2/3/4/5/6"])
def test_a_host_that_looks_deeper_names_what_lies_there(place: str, stated: Library, tmp_path: Path) -> None:
    """By the name in the file, to the depth to which it looks and no further (`skill_depths`)."""
    at = tmp_path / "project/.agents/skills" / place
    lay(at)
    assert by_file(at, stated) == "skill:parsing"
    deeper = tmp_path / "project/.agents/skills/1/2/3/4/5/6/7"
    lay(deeper, "deeper")
    assert by_file(deeper, stated) == "skill:.agents/skills/1/2/3/4/5/6/7/SKILL.md"


def test_of_two_files_that_state_one_name_each_is_told_apart(stated: Library, tmp_path: Path) -> None:
    """In one folder of skills both go by their paths; of two folders the first has the name."""
    for place in ("project/.agents/skills/a", "project/.agents/skills/b", "user/a"):
        lay(tmp_path / place)
    first, second = (by_file(tmp_path / f"project/.agents/skills/{name}", stated) for name in "ab")
    assert (first, second) == ("skill:.agents/skills/a/SKILL.md", "skill:.agents/skills/b/SKILL.md")
    (tmp_path / "project/.agents/skills/b/SKILL.md").unlink()
    assert by_file(tmp_path / "project/.agents/skills/a", stated) == "skill:parsing"
    assert by_file(tmp_path / "user/a", stated) == "skill:a/SKILL.md"


@pytest.mark.parametrize(
    ("front", "name"),
    [
        ("description: When it applies", "skill:folder"),
        ("name: stated\ndescription: When it applies", "skill:stated"),
        ("name: stated", "skill:.agents/skills/folder/SKILL.md"),
        ("name: tools:other\ndescription: When", "skill:.agents/skills/folder/SKILL.md"),
        ("name: ..\ndescription: When", "skill:.agents/skills/folder/SKILL.md"),
        ("name: a/b\ndescription: When", "skill:.agents/skills/folder/SKILL.md"),
        (f"name: {'x' * 65}\ndescription: When", "skill:.agents/skills/folder/SKILL.md"),
    ],
)
def test_a_file_that_the_host_does_not_list_goes_by_its_path(
    front: str, name: str, stated: Library, tmp_path: Path
) -> None:
    """Without a description, or with a name that is too long; an odd name is shown to nobody."""
    at = tmp_path / "project/.agents/skills/folder"
    at.mkdir(parents=True)
    (at / "SKILL.md").write_text(f"---\n{front}\n---\n# Text\n")
    assert by_file(at, stated) == name


def test_a_folder_of_thousands_is_not_walked_through(
    stated: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A loop of links would have no end either; what is not reached has no name."""
    skills = tmp_path / "project/.agents/skills"
    lay(skills / "z")
    for name in ("a", "b"):
        (skills / name).mkdir()
        (skills / name / "again").symlink_to(skills)
    assert by_file(skills / "z", stated) == "skill:parsing"
    monkeypatch.setattr(skill_names, "FOLDERS", 3)
    assert by_file(skills / "z", stated) == "skill:.agents/skills/z/SKILL.md"


@pytest.mark.parametrize(
    "text",
    [
        "!`git status`",
        "Now:\n!`date`\n",
        "```!\ndate\n```",
        "${user_config.key}",
        "at ${CLAUDE_EFFORT} effort",
        "in ${CLAUDE_PLUGIN_DATA}",
        "in ${CLAUDE_PROJECT_DIR}",
    ],
)
def test_a_skill_whose_text_is_made_anew_proves_nothing_when_loaded(
    text: str, library: Library, tmp_path: Path
) -> None:
    """What a command printed can be anything, also what the file held before (`skill_dynamic`)."""
    path = tmp_path / "project/.claude/skills/parsing/SKILL.md"
    path.write_text(TEXT + text)
    assert loaded("parsing", library) == Skipped("skill-dynamic")
    assert by_file(path.parent, library) == "skill:parsing"


@pytest.mark.parametrize(
    "text", ["`date`!", "$ARGUMENTS", "${CLAUDE_SKILL_DIR}", "```sh\ndate\n```", "! `a`"]
)
def test_a_skill_without_commands_counts_when_loaded(text: str, library: Library, tmp_path: Path) -> None:
    """What the host fills in otherwise can be told."""
    (tmp_path / "project/.claude/skills/parsing/SKILL.md").write_text(TEXT + text)
    assert isinstance(loaded("parsing", library), Read)


@pytest.mark.parametrize("name", ["tools:other", "a, b", "SKILL.md"])
def test_a_folder_of_another_name_than_skills_have_goes_by_its_path(
    name: str, library: Library, tmp_path: Path
) -> None:
    """A colon would name a plugin's, and the file's own name is the path of one in the root."""
    at = tmp_path / "project/.claude/skills" / name
    lay(at)
    assert by_file(at, library) == f"skill:.claude/skills/{name}/SKILL.md"


NAMES = ("a", "b", "c")
LAYOUT = st.dictionaries(
    st.tuples(
        st.sampled_from(("user/skills", "project/sub/.claude/skills", "project/.claude/skills")),
        st.sampled_from(NAMES),
    ),
    st.sampled_from((*NAMES, "")),
    max_size=6,
)
Laid = dict[tuple[str, str], str]


def means(
    name: str, laid: Laid, ordered: list[tuple[str, str]], *, folders_first: bool
) -> tuple[str, str] | None:
    """Return the skill that a host loads by a name, of those that it has in an order."""
    if folders_first:
        for where in ordered:
            if where[1] == name:
                return where
    return next((where for where in ordered if name in {where[1], laid[where]}), None)


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(laid=LAYOUT)
def test_a_name_always_loads_the_very_file_that_was_read(laid: Laid, tmp_path: Path) -> None:
    """Whichever goes first, folders or what files state, and in any order (`skill_crossed_second`)."""
    places = ("user/skills", "project/sub/.claude/skills", "project/.claude/skills")
    for place in ("user", "project"):
        shutil.rmtree(tmp_path / place, ignore_errors=True)
        (tmp_path / place).mkdir()
    for (place, folder), stated in laid.items():
        lay(tmp_path / place / folder, stated)
    library = Library(
        (
            Root("~/.host/skills", str(tmp_path / "user/skills"), skills=(".",)),
            Root("project", str(tmp_path / "project"), skills=("sub/.claude/skills", ".claude/skills")),
        ),
        str(tmp_path / "project"),
    )
    orders = [
        sorted(sorted(laid, reverse=turned), key=lambda where: places.index(where[0]))
        for turned in (False, True)
    ]
    for place, folder in laid:
        called = by_file(tmp_path / place / folder, library)
        assert called is not None
        for ordered in orders if called == f"skill:{folder}" else ():
            for first in (False, True):
                assert means(folder, laid, ordered, folders_first=first) == (place, folder)


@pytest.mark.parametrize("stated", ['"pars\\x69ng"', "&x parsing", "'parsing'", "|-\n  parsing"])
def test_a_name_counts_however_yaml_writes_it(stated: str, library: Library, tmp_path: Path) -> None:
    """A letter by its number hides no file that a host would load."""
    at = tmp_path / "project/.claude/skills/other"
    lay(at)
    (at / "SKILL.md").write_text(TEXT.replace("name: parsing", f"name: {stated}"))
    assert (
        by_file(tmp_path / "project/.claude/skills/parsing", library)
        == "skill:.claude/skills/parsing/SKILL.md"
    )


def test_a_name_of_two_words_may_stand_on_two_lines(stated: Library, tmp_path: Path) -> None:
    """Each file of the name is told apart."""
    for place, name in (("a", "two words"), ("b", "two\n  words")):
        lay(tmp_path / "project/.agents/skills" / place, name)
    assert by_file(tmp_path / "project/.agents/skills/a", stated) == "skill:.agents/skills/a/SKILL.md"


def test_a_pipe_among_the_skills_holds_nothing_up(library: Library, tmp_path: Path) -> None:
    """Nobody writes to it."""
    at = tmp_path / "project/.claude/skills/pipe"
    at.mkdir()
    os.mkfifo(at / "SKILL.md")
    assert by_file(tmp_path / "project/.claude/skills/parsing", library) == "skill:parsing"
    assert loaded("stated-nowhere", library) == Skipped("skill-unknown")


def deep(tmp_path: Path, off: tuple[str, ...] = ()) -> Library:
    """Return a project of a host that goes by what files state, and passes over files that are links."""
    root = Root(
        "project",
        str(tmp_path / "project"),
        skills=(".agents/skills",),
        depths=(0, 6),
        named="file",
        linked_files=False,
        off=off,
    )
    return Library((root,), root.path)


@pytest.mark.parametrize("off", ["{}", "{}/SKILL.md", "parsing"])
def test_a_skill_that_is_switched_off_goes_by_its_path(tmp_path: Path, off: str) -> None:
    """By its folder, its file or its name: the host lists it under none."""
    folder = tmp_path / "project/.agents/skills/parsing"
    lay(folder)
    assert by_file(folder, deep(tmp_path)) == "skill:parsing"
    library = deep(tmp_path, off=(off.format(folder),))
    assert by_file(folder, library) == "skill:.agents/skills/parsing/SKILL.md"


def test_a_skill_that_is_switched_off_takes_no_name_from_another(tmp_path: Path) -> None:
    """The host does not load it."""
    one, other = (tmp_path / f"project/.agents/skills/{name}" for name in ("parsing", "other"))
    lay(one)
    lay(other)
    assert by_file(other, deep(tmp_path)) == "skill:.agents/skills/other/SKILL.md"
    assert by_file(other, deep(tmp_path, off=(str(one / "SKILL.md"),))) == "skill:parsing"


def test_a_byte_order_mark_hides_what_a_file_states(tmp_path: Path) -> None:
    """From a host that lists what files state; it lists no such file, so that it takes no name either."""
    one, other = (tmp_path / f"project/.agents/skills/{name}" for name in ("parsing", "other"))
    lay(one)
    (one / "SKILL.md").write_bytes(b"\xef\xbb\xbf" + (one / "SKILL.md").read_bytes())
    lay(other)
    assert by_file(one, deep(tmp_path)) == "skill:.agents/skills/parsing/SKILL.md"
    assert by_file(other, deep(tmp_path)) == "skill:parsing"


def test_a_file_that_is_a_link_has_a_name_only_where_the_host_follows_it(tmp_path: Path) -> None:
    """Codex follows links to folders alone (`skill_link_home`)."""
    lay(tmp_path / "project/shared/parsing")
    folder = tmp_path / "project/.agents/skills/parsing"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").symlink_to(tmp_path / "project/shared/parsing/SKILL.md")
    assert by_file(folder, deep(tmp_path)) == "skill:shared/parsing/SKILL.md"
    folder.joinpath("SKILL.md").unlink()
    folder.rmdir()
    folder.symlink_to(tmp_path / "project/shared/parsing")
    assert by_file(folder, deep(tmp_path)) == "skill:parsing"


def test_a_folder_may_be_one_skill(tmp_path: Path) -> None:
    """As a plugin names it; it is found by its own name, by the tool and as a file."""
    lay(tmp_path / "plugin/own/parsing")
    root = Root("plugin tools", str(tmp_path / "plugin"), prefix="tools:", alone=("own/parsing",))
    library = Library((root,), str(tmp_path))
    assert by_file(tmp_path / "plugin/own/parsing", library) == "skill:tools:parsing"
    read = loaded("tools:parsing", library)
    assert isinstance(read, Read)
    assert read.item_id == "skill:tools:parsing"
    assert loaded("tools:other", library) == Skipped("skill-unknown")


@pytest.fixture
def own(tmp_path: Path) -> Library:
    """Return the user's own folder of skills, from which links may lead anywhere."""
    folder = tmp_path / "home/.claude/skills"
    folder.mkdir(parents=True)
    root = Root("~/.claude/skills", str(folder), skills=(".",), links_to="/")
    return Library((root,), str(tmp_path))


def test_a_skill_of_the_users_own_may_be_a_link(own: Library, tmp_path: Path) -> None:
    """To one copy that an installer keeps, over a chain, or of the file alone; it keeps the link's name."""
    lay(tmp_path / "home/.agents/skills/parsing")
    skills = tmp_path / "home/.claude/skills"
    (skills / "linked").symlink_to("../../.agents/skills/parsing")
    (tmp_path / "chain").symlink_to(tmp_path / "home/.agents/skills/parsing")
    (skills / "a").mkdir()
    (skills / "a/SKILL.md").symlink_to(tmp_path / "chain/SKILL.md")
    assert by_file(skills / "linked", own) == "skill:a"
    (skills / "a/SKILL.md").unlink()
    assert by_file(skills / "linked", own) == "skill:linked"
    read = loaded("linked", own)
    assert isinstance(read, Read)
    assert read.file is not None
    assert (read.item_id, read.file.path) == ("skill:linked", "linked/SKILL.md")


@pytest.mark.parametrize(
    ("ends", "detail"),
    [
        ("nowhere", "it leads to no file"),
        ("folder", "it leads to no file"),
        (".ssh/x", "what it leads to never counts"),
        ("ignored/x", "what it leads to never counts"),
        ("foreign", "it belongs to another user"),
    ],
)
def test_a_link_says_why_it_does_not_count(own: Library, tmp_path: Path, ends: str, detail: str) -> None:
    """Broken, private, ignored, or another user's."""
    if ends == "foreign" and os.geteuid() != 0:
        pytest.skip("only root may give a file away")
    if ends != "nowhere":
        lay(tmp_path / ends)
    if ends == "folder":
        (tmp_path / ends / "SKILL.md").unlink()
        (tmp_path / ends / "SKILL.md").mkdir()
    if ends == "foreign":
        os.chown(tmp_path / ends / "SKILL.md", 4321, 4321)
    ignoring = Root("all", str(tmp_path), ignore=("ignored",))
    (tmp_path / "home/.claude/skills/linked").mkdir()
    (tmp_path / "home/.claude/skills/linked/SKILL.md").symlink_to(tmp_path / ends / "SKILL.md")
    library = Library((*own.roots, ignoring), own.folder)
    assert loaded("linked", library) == Skipped("file-linked", detail)


def test_a_link_that_changes_hands_while_it_is_opened_is_refused(
    own: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whose it is is asked again of the file that was opened."""
    lay(tmp_path / "elsewhere/parsing")
    (tmp_path / "home/.claude/skills/linked").symlink_to(tmp_path / "elsewhere/parsing")
    asked = iter((os.geteuid(), os.geteuid() + 1))
    monkeypatch.setattr("adapters.readers.places.os.geteuid", lambda: next(asked))
    assert loaded("linked", own) == Skipped("file-linked", "it belongs to another user")

"""The files that a call may have shown are found as agents really write them, checked against real shells."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from operator import methodcaller
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.readers import walks
from adapters.readers.names import HEADINGS, LONGEST, NAMES, Named, named
from contracts.conversation import Conversation
from contracts.event import FileResult, ShellResult
from contracts.library import Library, Root

HERE = Conversation("claude-code", "one")
FILES = [
    "AGENTS.md", "README.md", "docs/guide.md", "docs/short.md", "docs/long.md", "docs/1.md", "docs/2.md",
    "docs/3.md", "docs/DESIGN-notes.md", "docs/adr/0001-store.md", "docs/adr/0002-hooks.md",
    "docs/adr/0003-scope.md", "docs/deep/er/guide.md", "docs/plain.txt", "packages/one/README.md",
    "packages/two/README.md", "sub/docs/inner.md", ".hidden/secret.md", "node_modules/pkg/README.md",
    ".claude/skills/hone/SKILL.md", "docs/中文 说明.md", "docs/[id].md", "docs/a,b.md", "docs/k=v.md",
    "docs/it's.md", "docs/{x}.md",
]  # fmt: skip
MARK = re.compile(r"All that stands in <([^>]+)>")
ADR = "docs/adr/0001-store.md docs/adr/0002-hooks.md docs/adr/0003-scope.md"


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no busy machine end a walk early."""
    monkeypatch.setattr(walks, "SECONDS", 5)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a project of some documents, in git; each says where it lies."""
    root = tmp_path_factory.mktemp("names") / "project"
    for place in FILES:
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        (root / place).write_text(f"# A heading\n\nAll that stands in <{place}>.\n")
    (root / "list.txt").write_text("docs/guide.md\n")
    for words in ("init -q", "add -f -A", "-c user.name=a -c user.email=a@b commit -q -m all"):
        subprocess.run(["git", *words.split()], cwd=root, check=True)  # noqa: S607 - the one that is there
    return root


def look(project: Path, command: str, output: str = "", folder: Path | None = None) -> list[Named]:
    """Return what a command may have shown."""
    library = Library((Root("project", str(project)),), str(folder or project))
    return list(named(ShellResult(HERE, "e", command, output, None), library))


def places(project: Path, found: list[Named]) -> list[str]:
    """Return which files of the project are named, each once."""
    there = [one.path for one in found if one.path.is_file() and one.path.suffix == ".md"]
    return list(dict.fromkeys(Path(os.path.normpath(path)).relative_to(project).as_posix() for path in there))


COMMANDS = [
    (says, command.replace("⏎", "\n"), files.split(", "))
    for says, command, files in map(
        methodcaller("split", "\t"),
        (Path(__file__).parent / "commands.tsv").read_text(encoding="utf-8").splitlines()[1:],
    )
]
"""Commands as agents type them, with the files that they show: named outright, in order, or only implied.

"⏎" is the end of a line.
"""
ELSEWHERE = {"fd", "rg", "node"}
"""Programs that need not be where these tests run."""


def shown(project: Path, home: Path, command: str) -> set[str]:
    """Return which files a real shell shows for a command."""
    ran = subprocess.run(  # noqa: S602 - it is a shell that is asked
        command, shell=True, executable="bash", cwd=project, capture_output=True, text=True, check=False,
        env={"PATH": os.environ["PATH"], "HOME": str(home), "LC_ALL": "C.UTF-8"}, timeout=30,
    )  # fmt: skip
    return set(MARK.findall(ran.stdout))


@pytest.mark.parametrize(("says", "command", "files"), COMMANDS, ids=[one[1] for one in COMMANDS])
def test_the_files_that_a_real_shell_would_show_are_found(
    project: Path, private_home: Path, says: str, command: str, files: list[str]
) -> None:
    """What is named outright is told as such; what is taken too much is left to the bytes."""
    found = look(project, command)
    outright = places(project, [one for one in found if one.explicit])
    if says == "outright":
        assert set(outright) == set(files)
    else:
        assert set(outright) <= {"README.md"}
    assert set(files) <= set(places(project, found))
    program = command.partition(" ")[0]
    if program not in ELSEWHERE or shutil.which(program):
        assert shown(project, private_home, command) <= set(files)


@pytest.mark.parametrize(
    ("output", "wanted"),
    [
        ("==> docs/guide.md <==\n# Guide\n\n==> docs/short.md <==\n", "docs/guide.md, docs/short.md"),
        ("## docs/guide.md\ntext\n", "docs/guide.md"),
        ("--- docs/guide.md ---\ntext\n", "docs/guide.md"),
        ("=== docs/guide.md\ntext\n", "docs/guide.md"),
        ("===== docs/guide.md =====\ntext\n", "docs/guide.md"),
        ("docs/guide.md:\ntext\n", "docs/guide.md"),
        ("# File: docs/guide.md\ntext\n", "docs/guide.md"),
        ("─────┬─────\n     │ File: docs/guide.md\n─────┼─────\n   1 │ # Guide\n", "docs/guide.md"),
        ("┃ docs/guide.md\ntext\n", "docs/guide.md"),
        ("FILE: `docs/guide.md`\n", "docs/guide.md"),
        ("**docs/guide.md**\n", "docs/guide.md"),
        ("# docs/guide.md (lines 1-40)\n", "docs/guide.md"),
        ("docs/guide.md:12:text\ndocs/guide.md-13-text\n--\ndocs/short.md-1-text\n",
         "docs/guide.md, docs/short.md"),
        ("docs/中文 说明.md:1:text\n", "docs/中文 说明.md"),
        ("docs/guide.md\n12:text\n13-a\n\ndocs/中文 说明.md\n1:b\n", "docs/guide.md, docs/中文 说明.md"),
        ("\x1b[35mdocs/guide.md\x1b[0m\n\x1b[32m12\x1b[0m:text\n", "docs/guide.md"),
        ("\x1b[35mdocs/guide.md\x1b[0m:12:text\n", "docs/guide.md"),
        ("== docs/中文 说明.md ==\n", "docs/中文 说明.md"),
        ("first line\r\n==> docs/guide.md <==\r\ntext\r\n", "docs/guide.md"),
        ("See docs/guide.md, or the [short one](docs/short.md) and `AGENTS.md`.\n", ""),
        ("-rw-r--r-- 1 me me 45 Jan 1 00:00 docs/guide.md\n", ""),
        (" docs/guide.md | 12 +++\n 1 file changed\n", ""),
        ("## docs/guide.mdx\ndocs/guide.md.bak\n", ""),
        (f"## {'a' * 300} docs/guide.md\n", ""),
    ],
)  # fmt: skip
def test_a_result_names_files_in_its_own_headings(project: Path, output: str, wanted: str) -> None:
    """As `head`, `bat`, `grep`, `rg` and the loops of agents write them; prose does not."""
    found = look(project, "show the documents", output)
    assert places(project, found) == list(filter(None, wanted.split(", ")))
    assert not any(one.explicit for one in found)


def test_a_heading_is_taken_after_all_that_the_command_names(project: Path) -> None:
    """It may be one of the document's own; and the command's own name of a file stays its own."""
    found = look(project, "bat docs/guide.md docs/short.md", "## AGENTS.md\n\n## docs/guide.md\n")
    there = [(one.text, one.explicit) for one in found if one.path.is_file()]
    assert there == [("docs/guide.md", True), ("docs/short.md", True), ("AGENTS.md", False)]


@pytest.mark.parametrize(
    "command",
    [
        "ls docs packages | grep .md",
        "ls docs | head -40",
        "git commit -m 'docs: say more .md'",
        "make # as in the .md",
        "git status --short | grep '.md$'",
    ],
)
def test_what_only_lists_names_no_file(project: Path, command: str) -> None:
    """To look at all the files of a project would cost time for nothing."""
    assert places(project, look(project, command)) == []


def test_a_name_is_looked_for_in_each_folder_where_the_command_may_be(project: Path, tmp_path: Path) -> None:
    """The known ones first; a root is but a guess, and none where the file stands in the known one."""
    inside = project / "docs"
    found = look(project, "cat guide.md", folder=inside)
    assert found == [Named("guide.md", inside / "guide.md", guessed=False, explicit=True)]
    found = look(project, "cat AGENTS.md", folder=inside)
    assert [(one.path, one.guessed) for one in found] == [
        (inside / "AGENTS.md", False),
        (project / "AGENTS.md", True),
    ]
    found = look(project, "cd adr && cat 0001-store.md", folder=inside)
    assert places(project, found) == ["docs/adr/0001-store.md"]
    # As of a host that tells the folder after the command.
    found = look(project, "cd docs/adr && cat *.md", folder=inside / "adr")
    assert set(ADR.split()) <= set(places(project, found))
    assert look(project, f"cat {tmp_path}/a.md") == [
        Named(f"{tmp_path}/a.md", tmp_path / "a.md", False, True)
    ]


def test_the_home_and_the_users_own_variables_are_known(
    project: Path, private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a shell would read them."""
    monkeypatch.setenv("NOTES", str(private_home / "notes"))
    for typed, place in (
        ("~/a.md", "a.md"),
        ("$HOME/a.md", "a.md"),
        ('"${HOME}/a b.md"', "a b.md"),
        ("$NOTES/a.md", "notes/a.md"),
        ("${NOWHERE:-$HOME/.tool}/a.md", ".tool/a.md"),
        ("${NOWHERE:-${HOME}/.tool}/a.md", ".tool/a.md"),
    ):
        assert private_home / place in [one.path for one in look(project, f"cat {typed}") if one.explicit]


def test_a_file_tool_names_one_file(project: Path) -> None:
    """Whatever is in its text."""
    library = Library((Root("project", str(project)),), str(project))
    found = list(named(FileResult(HERE, "e", "docs/*.md", "## AGENTS.md\n", None), library))
    assert found == [Named("docs/*.md", project / "docs/*.md", guessed=False, explicit=True)]
    assert list(named(FileResult(HERE, "e", "a.md", "", None), Library((), "nowhere"))) == []


def test_names_are_bounded(project: Path) -> None:
    """Those of the command, and those of a result's headings."""
    command = "cat " + " ".join(f"n{number}.md" for number in range(500))
    assert len({one.text for one in look(project, command)}) == NAMES
    headings = "".join(f"==> h{number}.md <==\n" for number in range(500))
    assert len({one.text for one in look(project, "show", headings)}) == HEADINGS


def test_words_are_made_of_braces_and_variables_within_a_bound(project: Path) -> None:
    """And those that are what they are come after them all the same."""
    many = "echo {a,b}{c,d}{e,f}{g,h}{i,j}{k,l}; " * 20
    found = look(project, f"{many} f=docs/guide.md; cat $f docs/short.md")
    assert {"docs/guide.md", "docs/short.md"} <= set(places(project, found))
    assert len(look(project, "cat {1..9}{1..9}{1..9}.md")) == NAMES
    assert len(look(project, "for a in {1..99}; do for b in {1..99}; do cat $a$b.md; done; done")) == NAMES
    assert look(project, "cat " + "{" * 5000 + "a,b}.md # " + "x" * 5000) != []


def test_no_link_leads_a_search_or_a_pattern_out_of_a_root(tmp_path: Path) -> None:
    """A pattern goes on in a link as a shell does, where that stays inside; a search never."""
    root, outside = tmp_path / "project", tmp_path / "outside"
    for place in (root / "docs" / "in", outside / "in"):
        place.mkdir(parents=True)
        (place / "a.md").write_text("a")
    (root / "docs" / "out").symlink_to(outside)
    (root / "docs" / "around").symlink_to(root / "docs")
    for command, wanted in (
        ("cat docs/*/*.md", ["docs/in/a.md"]),
        ("cat docs/*/in/*.md", ["docs/around/in/a.md"]),
        ("cat docs/**/*.md", ["docs/in/a.md"]),
        ("find . -name '*.md' -exec cat {} +", ["docs/in/a.md"]),
        ("find docs/out -name '*.md' -exec cat {} +", []),
        (f"cat {outside}/*/*.md ../outside/in/*.md", []),
    ):
        assert [one.text for one in look(root, command)] == wanted


def test_foreign_folders_are_left_out_unless_they_are_named(project: Path) -> None:
    """And a pattern stands for no hidden name."""
    for command, wanted in (
        ("find .hidden -name 's*.md' -exec cat {} +", [".hidden/secret.md"]),
        ("find . -path './.hidden/*.md' -exec cat {} +", [".hidden/secret.md"]),
        ("find node_modules -name 'R*.md' -exec cat {} +", ["node_modules/pkg/README.md"]),
        ("cat */secret*.md", []),
        ("cat .h*/secret.md", [".hidden/secret.md"]),
    ):
        assert places(project, look(project, command)) == wanted


def test_folders_are_listed_within_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither of many entries, nor many, nor for long."""
    for number in range(40):
        (tmp_path / f"d{number:02}").mkdir()
        (tmp_path / f"d{number:02}" / "a.md").write_text("a")
    search = "find . -name '*.md' -exec cat {} +"
    assert len(look(tmp_path, search)) == len(look(tmp_path, "cat */*.md")) == 40
    monkeypatch.setattr(walks, "LISTED", 11)
    assert len(look(tmp_path, search)) == len(look(tmp_path, "cat */*.md")) == 10
    monkeypatch.setattr(walks, "ENTRIES", 39)
    assert look(tmp_path, search) == []
    monkeypatch.undo()
    monkeypatch.setattr(walks, "SECONDS", -1)
    assert look(tmp_path, search) == look(tmp_path, "cat */*.md") == []


def test_a_folder_that_is_gone_or_closed_gives_nothing(tmp_path: Path) -> None:
    """Nor does a name that no system can have."""
    for command in ("cat gone/*.md", "cat $(printf 'a')\0/*.md", f"cat {'a' * 300}*.md", "cat \udcff/*.md"):
        assert [one for one in look(tmp_path, command) if not one.explicit] == []


UNITS = [
    "{", "}", "$", "'", '"', "*", "[", "]", "`", "(", ")", "((", "$(", "$((", "${", "${a", "\\", "#", "<<A",
    "<<'", "<(", "{a,b}", "{a,", "{1..9}", "{{a,b},{", ";", "|", "&", "1", "1>", "=(", "=:@,", "[a", "**/",
    "\\n", "'a'/", "%s", "{f}", "~/", "a=(", '`"', '"$(', "$'\\'", "é.md,", "cwd='", "glob('*.md')",
    "'a/b.md',", "'\\''", "\n", " ", "cd a;", "cd ..;", "f=$f$f;", "a=x.md;", "x.md ", "*.md ",
    "docs/**/*.md ", "$f$g$h.md ", "-C a ", "for f in {a,b}; do ", "xargs -I{} ",
    "find . -name '*.md' -exec cat {} + ;", "bash -c '", "((i=1; ", "rg --files -g '*.md' | xargs cat;",
    "<<EOF\nx.md 'a.md'\nEOF\n", "'a','b',", "\ud800.md ", "**/a*/**/b*/",
]  # fmt: skip


@pytest.mark.parametrize("unit", UNITS)
def test_no_command_takes_long(project: Path, unit: str) -> None:
    """A hook has less than two seconds, and while one expression is matched nothing can end it."""
    for before, after in (("", ""), ("cat ", "x.md"), ('python -c "', '.md"'), ("bash -c '", ".md'")):
        command = before + (unit * LONGEST)[: LONGEST - len(before + after)] + after
        started = time.process_time()
        assert len({one.text for one in look(project, command)}) <= NAMES
        assert time.process_time() - started < 0.7


@pytest.mark.parametrize(
    "line",
    ["x.md", "docs/x.md:1:a", "## " * 90 + "x.md", " " * 290 + ".md", "=*" * 140 + ".md", "`" * 280 + ".md",
     "file: " * 40 + ".md", "1:" * 140 + ".md", "│ " * 140 + ".md", "\x1b[0m" * 50 + "a.md", "a.md " * 9999],
)  # fmt: skip
def test_no_result_takes_long(project: Path, line: str) -> None:
    """However many lines of it look like headings."""
    output = f"{line}\n" * (1_000_000 // len(line))
    started = time.process_time()
    look(project, "show the documents", output)
    assert time.process_time() - started < 0.7


@given(command=st.text(), output=st.text())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_makes_it_raise(project: Path, command: str, output: str) -> None:
    """Whatever an agent types and whatever comes of it."""
    for typed in (command, f"cat {command}.md", f"cat '{command}.md'", f'bash -c "{command}" a.md'):
        for one in look(project, typed, f"{output}.md\n## {output}.md"):
            assert one.path.is_absolute()


@given(command=st.lists(st.sampled_from([*UNITS, *(command for _, command, _ in COMMANDS)])).map("".join))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_mixture_of_what_a_shell_knows_makes_it_raise(project: Path, command: str) -> None:
    """Pieces of real commands, in any order."""
    assert len({one.text for one in look(project, command)}) <= NAMES

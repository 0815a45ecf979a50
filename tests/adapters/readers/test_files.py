"""A result proves the read of a file by its bytes, whatever was typed."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.readers.files import Proven, proven
from adapters.readers.names import CHANGES, LONGEST, NAMES
from adapters.readers.places import FILE_BYTES, LEVELS, LONGEST_PATH
from adapters.readers.walks import ENTRIES
from contracts.conversation import Conversation
from contracts.event import FileResult, ShellResult
from contracts.library import Library, Root
from contracts.outcome import Skipped

HERE = Conversation("claude-code", "one")
TEXT = "# Choose one queue\n\nBecause two are too many.\n"


def every(_: Root, place: str) -> bool:
    """Count every Markdown file."""
    return place.endswith(".md")


def shell(command: str, output: str) -> ShellResult:
    """Return what a shell gave."""
    return ShellResult(HERE, "e", command, output, None)


def tool(path: str | Path, content: str) -> FileResult:
    """Return what a file tool gave."""
    return FileResult(HERE, "e", str(path), content, None)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project with one document."""
    root = tmp_path / "project"
    (root / "docs" / "adr").mkdir(parents=True)
    (root / "docs" / "adr" / "1.md").write_text(TEXT)
    return root


def library(*roots: Path, folder: Path | None = None) -> Library:
    """Return a library of these roots, in which the host works in the first of them."""
    return Library(tuple(Root(root.name, str(root)) for root in roots), str(folder or roots[0]))


def place(found: list[Proven] | Skipped | None) -> str | None:
    """Return where in their roots found files lie, with the lines of parts, or the name of a refusal."""
    if not isinstance(found, list):
        return found.reason if found is not None else None
    return ", ".join(f"{one.found.path}:{one.lines}" if one.lines else one.found.path for one in found)


@pytest.mark.parametrize(
    "command",
    [
        "cat docs/adr/1.md",
        "sed -n 1,200p docs/adr/1.md",
        "bat -p 'docs/adr/1.md'",
        'cat "docs/adr/1.md" | head -100',
        "cat < docs/adr/1.md",
        "cd docs/adr && cat 1.md",
        "cd docs; cd adr; cat 1.md",
        "(cd 'docs/adr' && cat ./1.md)",
        "cat docs/../docs/adr/1.md",
        "cat docs/adr/1.md;",
        "echo other.md >/dev/null; cat docs/adr/1.md 2>/dev/null",
        'python3 -c \'print(open("docs/adr/1.md").read(), end="")\'',
    ],
)
@pytest.mark.parametrize("output", [TEXT, TEXT.strip(), "\n" + TEXT])
def test_any_command_that_gives_back_the_whole_file_proves_it(
    project: Path, command: str, output: str
) -> None:
    """Hosts trim the ends of an output; the rest must be the file's text."""
    found = proven(shell(command, output), library(project), every)
    assert place(found) == "docs/adr/1.md"


@pytest.mark.parametrize("output", [TEXT + "more", TEXT + TEXT, "more\n" + TEXT, "───────\n" + TEXT])
def test_what_stands_beside_the_file_makes_no_difference(project: Path, output: str) -> None:
    """Its lines are there, all of them and one after the other."""
    assert place(proven(shell("cat docs/adr/1.md", output), library(project), every)) == "docs/adr/1.md"


@pytest.mark.parametrize("output", [TEXT[:-5], TEXT.replace("\n\n", "\n"), TEXT.splitlines()[0]])
def test_a_part_of_a_short_file_is_refused_by_name(project: Path, output: str) -> None:
    """A line or two of it may stand anywhere."""
    found = proven(shell("cat docs/adr/1.md", output), library(project), every)
    assert place(found) == "content-differs"


@pytest.mark.parametrize("command", ["git add docs/adr/1.md", "echo x > docs/adr/1.md", "cat docs/adr/1.md"])
@pytest.mark.parametrize("output", ["", " \n"])
def test_a_command_that_gave_nothing_read_nothing(project: Path, command: str, output: str) -> None:
    """Commits, moves and redirects name files too: not a word of them."""
    assert proven(shell(command, output), library(project), every) is None


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("grep -n two docs/adr/*.md", "3:Because two are too few.\n"),
        ("wc -l docs/adr/1.md", "3 docs/adr/1.md\n"),
        ("ls -l docs/adr/1.md", "-rw-r--r-- 1 me me 45 Jan 1 00:00 docs/adr/1.md\n"),
        ("echo see docs/adr/1.md", "see docs/adr/1.md\n"),
        ("git commit docs/adr/1.md", "[main 1234567] Choose\n 1 file changed\n"),
        ("cat docs/adr/1.md", TEXT.upper()),
    ],
)
def test_what_does_not_look_like_the_file_is_nobodys_business(
    project: Path, command: str, output: str
) -> None:
    """Searches, counts, lists and commits name files too, and would bury the refusals that matter."""
    assert proven(shell(command, output), library(project), every) is None


def test_two_files_in_one_output_are_both(project: Path) -> None:
    """In the order in which they stand there."""
    (project / "docs" / "adr" / "2.md").write_text("# Two\n\nThe second of them.\n")
    result = shell("cat docs/adr/2.md docs/adr/1.md", "# Two\n\nThe second of them.\n" + TEXT)
    assert place(proven(result, library(project), every)) == "docs/adr/2.md, docs/adr/1.md"


def _long(project: Path) -> list[str]:
    lines = [
        f"Line {number * 37 % 97} of the long one, which says {number}." if number % 4 else ""
        for number in range(1, 481)
    ]
    (project / "docs" / "long.md").write_text("\n".join(lines) + "\n")
    return lines


@pytest.mark.parametrize(
    ("command", "first", "last"),
    [
        ("sed -n '1,221p' docs/long.md", 1, 221),
        ("sed -n '1,220p' docs/long.md", 1, 220),
        ("sed -n '220,300p' docs/long.md", 220, 300),
        ("head -50 docs/long.md", 1, 50),
        ("tail -n 41 docs/long.md", 440, 480),
    ],
)
def test_a_window_of_a_file_is_a_part_of_it(project: Path, command: str, first: int, last: int) -> None:
    """Blank lines at ends that a host trimmed count up to the number that the call states."""
    window = "\n".join(_long(project)[first - 1 : last])
    part = f"docs/long.md:{first}-{last} of 480"
    assert place(proven(shell(command, window + "\n"), library(project), every)) == part
    assert place(proven(shell(command, window.strip()), library(project), every)) == part


def test_blank_lines_that_nobody_asked_for_are_not_given_back(project: Path) -> None:
    """What a host does not trim is all that there is, and what it trims is no more than the call says."""
    lines = _long(project)
    for command, end, last in (
        ("head -219 docs/long.md", "", 219),
        ("sed -n '1,/line/p' docs/long.md", "", 219),
        ("sed -n '1,220p' docs/long.md", "\n", 219),
    ):
        text = "\n".join(lines[:219]) + end
        assert place(proven(shell(command, text), library(project), every)) == f"docs/long.md:1-{last} of 480"


@pytest.mark.parametrize(
    ("command", "windows"),
    [
        ("sed -n '1,39p' docs/long.md; echo; pwd", [(1, 39)]),
        ("sed -n '9,39p;80,120p' docs/long.md", [(9, 39), (80, 120)]),
        ("sed -n '9,40p;81,120p' docs/long.md", [(9, 40), (81, 120)]),
        ("head -39 docs/long.md; tail -41 docs/long.md", [(1, 39), (440, 480)]),
    ],
)
def test_a_blank_line_beside_a_window_is_of_it_where_the_call_says_so(
    project: Path, command: str, windows: list[tuple[int, int]]
) -> None:
    """It may be that of another command, or of another window."""
    lines = _long(project)
    shown = [line for first, last in windows for line in lines[first - 1 : last]]
    text = "\n".join([*shown, "", "/home/dev"] if "echo" in command else shown) + "\n"
    ranges = ", ".join(f"{first}-{last}" for first, last in windows)
    found = proven(shell(command, text), library(project), every)
    assert place(found) == f"docs/long.md:{ranges} of 480"


def test_what_a_slice_begins_with_counts_from_0(project: Path) -> None:
    """So the blank line of that number was not asked for."""
    text = "\n".join(_long(project)[220:299])
    command = "python3 -c \"print('\\n'.join(open('docs/long.md').read().split('\\n')[220:299]))\""
    assert place(proven(shell(command, text), library(project), every)) == "docs/long.md:221-299 of 480"


def test_a_line_that_two_windows_may_have_shown_is_of_neither(project: Path) -> None:
    """Unless the call states where one of them ends or begins."""
    lines = _long(project)
    lines[39] = lines[99] = "The same line at the end of one and at the begin of the other."
    (project / "docs" / "long.md").write_text("\n".join(lines) + "\n")
    text = "\n".join([*lines[9:39], *lines[99:140]]) + "\n"
    for command, ranges in (
        ("show --some docs/long.md", "10-39, 101-140"),
        ("sed -n '10,39p;100,140p' docs/long.md", "10-39, 100-140"),
    ):
        found = proven(shell(command, text), library(project), every)
        assert place(found) == f"docs/long.md:{ranges} of 480"


def test_a_file_that_is_named_above_its_lines_is_not_the_one_that_quotes_it(project: Path) -> None:
    """Though a blank line that follows stands in the other one, too."""
    said = [f"Line {number * 37 % 97} of the decision, which says {number}." for number in range(10)]
    (project / "docs" / "adr" / "2.md").write_text("\n".join(said) + "\n")
    (project / "docs" / "quotes.md").write_text("\n".join(["# It says", "", *said, "", "And so on."]) + "\n")
    text = "==> docs/adr/2.md <==\n" + "\n".join(said) + "\n\n==> docs/adr/1.md <==\n" + TEXT
    command = "find . -path '*adr*' -name '*.md' | xargs tail -n +1"
    assert place(proven(shell(command, text), library(project), every)) == "docs/adr/2.md, docs/adr/1.md"


@pytest.mark.parametrize(("first", "size"), [(100, 80), (1, 5), (476, 5)])
def test_a_part_that_a_file_tool_gives_needs_no_length(project: Path, first: int, size: int) -> None:
    """Its host states the place."""
    window = "\n".join(_long(project)[first - 1 : first - 1 + size])
    result = FileResult(HERE, "e", "docs/long.md", window, None, first)
    assert place(proven(result, library(project), every)) == f"docs/long.md:{first}-{first + size - 1} of 480"
    few = FileResult(HERE, "e", "docs/long.md", "\n".join(window.split("\n")[:3]), None, first)
    assert proven(few, library(project), every) == Skipped("lines-too-few", "3 of 480 lines of docs/long.md")


def test_a_first_line_of_nought_is_the_first(project: Path) -> None:
    """As Claude Code states it of a file that was asked for from line 0 on."""
    result = FileResult(HERE, "e", "docs/adr/1.md", TEXT, None, 0)
    assert place(proven(result, library(project), every)) == "docs/adr/1.md"


def test_a_refusal_says_what_was_compared(project: Path) -> None:
    """How many lines of which file."""
    lines = _long(project)
    found = proven(shell("head -3 docs/long.md", "\n".join(lines[:3])), library(project), every)
    assert found == Skipped("lines-too-few", "3 of 480 lines of docs/long.md")
    found = proven(tool("docs/long.md", "something else"), library(project), every)
    assert found == Skipped("content-differs", "docs/long.md")


def test_a_block_that_a_file_holds_twice_is_at_the_place_that_the_call_states(project: Path) -> None:
    """Nothing else tells which of them it is."""
    block = [f"Step {number * 37 % 97}: do what the step before says." for number in range(10)]
    lines = [*block, *(f"Something between them, number {number}." for number in range(20)), *block]
    (project / "docs" / "twice.md").write_text("\n".join(lines) + "\n")
    for command, wanted in (
        ("sed -n '31,40p' docs/twice.md", "docs/twice.md:31-40 of 40"),
        ("sed -n '1,10p' docs/twice.md", "docs/twice.md:1-10 of 40"),
        ("awk 'NR>30' docs/twice.md", "file-ambiguous"),
    ):
        assert place(proven(shell(command, "\n".join(block)), library(project), every)) == wanted


def test_a_file_shown_twice_is_one(project: Path) -> None:
    """And two of one content are both, where both are named and the content is there twice."""
    (project / "docs" / "adr" / "2.md").write_text(TEXT)
    command = "cat docs/adr/1.md docs/adr/2.md"
    assert place(proven(shell(command, TEXT + "---\n" + TEXT), library(project), every)) == (
        "docs/adr/1.md, docs/adr/2.md"
    )
    assert place(proven(shell(command, "---\n" + TEXT), library(project), every)) == "file-ambiguous"
    headed = "==> docs/adr/2.md <==\n" + TEXT
    assert place(proven(shell(command, headed), library(project), every)) == "docs/adr/2.md"
    command = "cat docs/adr/1.md docs/adr/1.md"
    assert place(proven(shell(command, TEXT + TEXT), library(project), every)) == "docs/adr/1.md"


def test_what_is_not_whole_proves_its_lines(project: Path) -> None:
    """A host may have cut the output."""
    lines = _long(project)
    text = "\n".join(lines[:99]) + "\n" + lines[100][:9]
    result = ShellResult(HERE, "e", "cat docs/long.md", text, None, Skipped("output-cut"))
    assert place(proven(result, library(project), every)) == "docs/long.md:1-99 of 480"
    result = ShellResult(HERE, "e", "cat docs/long.md", "x", None, Skipped("output-cut"))
    assert proven(result, library(project), every) == Skipped("output-cut")


def test_files_are_compared_within_bounds(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many, so large, and for so long; those that are named first count."""
    for number in range(4):
        (project / f"{number}.md").write_text(
            f"# Number {number}\n\nA text of its own, of number {number}.\n"
        )
    text = "".join((project / f"{number}.md").read_text() for number in range(4))
    result = shell("cat 0.md 1.md 2.md 3.md", text)
    for name, bound, count in (("FILES", 2, 2), ("ALL_BYTES", 60, 2), ("SECONDS", -1, 1)):
        with monkeypatch.context() as patched:
            patched.setattr(f"adapters.readers.files.{name}", bound)
            assert len(str(place(proven(result, library(project), every))).split(", ")) == count


def test_two_files_of_one_content_cannot_be_told_apart(project: Path) -> None:
    """Named together, either may have been read."""
    (project / "docs" / "adr" / "2.md").write_text(TEXT)
    result = shell("cat docs/adr/1.md || cat docs/adr/2.md", TEXT)
    assert place(proven(result, library(project), every)) == "file-ambiguous"


def test_a_file_that_changed_since_is_refused(project: Path) -> None:
    """What the agent saw is not what is there."""
    (project / "docs" / "adr" / "1.md").write_text(TEXT + "New.\n")
    assert place(proven(shell("cat docs/adr/1.md", TEXT), library(project), every)) == "lines-too-few"


def test_a_file_tool_names_its_file(project: Path) -> None:
    """An absolute path, or one in the folder where the host works."""
    for path in (project / "docs" / "adr" / "1.md", "docs/adr/1.md"):
        found = proven(tool(path, TEXT), library(project), every)
        assert place(found) == "docs/adr/1.md"
    for content, reason in ((TEXT[3:], "lines-too-few"), (TEXT[3:9], "content-differs")):
        found = proven(tool(project / "docs" / "adr" / "1.md", content), library(project), every)
        assert place(found) == reason


def test_what_is_named_nowhere_is_nobodys_business(project: Path, tmp_path: Path) -> None:
    """No name, a missing file, a folder, a file outside of every root."""
    (tmp_path / "outside.md").write_text(TEXT)
    (project / "folder.md").mkdir()
    for command in ("cat gone.md", "cat ../outside.md", "cat folder.md", "ls"):
        assert proven(shell(command, TEXT), library(project), every) is None
    assert proven(tool("docs/adr/1.md", TEXT), Library(), every) is None


def test_a_link_counts_by_where_it_leads(project: Path, tmp_path: Path) -> None:
    """Inside its root it is the file itself; out of it, it is refused by name."""
    outside = tmp_path / "outside.md"
    outside.write_text(TEXT)
    (project / "in.md").symlink_to("docs/adr/1.md")
    (project / "out.md").symlink_to(outside)
    (project / "up").symlink_to(tmp_path)
    (project / "loop.md").symlink_to("loop.md")
    assert place(proven(shell("cat in.md", TEXT), library(project), every)) == "docs/adr/1.md"
    assert place(proven(shell("cat out.md", TEXT), library(project), every)) == "file-linked"
    assert place(proven(shell("cat up/outside.md", TEXT), library(project), every)) == "file-linked"
    assert proven(shell("cat loop.md", TEXT), library(project), every) is None


def test_a_root_that_is_a_link_is_the_folder_itself(project: Path, tmp_path: Path) -> None:
    """Such as a home on another disk."""
    (tmp_path / "linked").symlink_to(project)
    found = proven(shell("cat docs/adr/1.md", TEXT), library(tmp_path / "linked"), every)
    assert place(found) == "docs/adr/1.md"


@pytest.mark.parametrize(
    "name",
    [".env.md", "docs/.env.local.md", ".envrc.md", ".env-staging.md", "a/.ssh/two\nlines.md", "id_rsa.md",
     "ID_ED25519_work.md", "server.key.md", ".ssh/notes.md", "a/.aws/x.md", "cert.pem.md", ".netrc.md",
     ".npmrc.md", ".PYPIRC.md", "a/.kube/config.md", ".git/notes.md", ".docker/x.md", ".azure/x.md",
     ".git-credentials.md", ".pgpass.md", ".htpasswd.md"],
)  # fmt: skip
def test_what_looks_like_a_key_never_counts(project: Path, name: str) -> None:
    """Whatever a user lists."""
    file = project / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(TEXT)
    assert proven(shell(f"cat {name}", TEXT), library(project), every) is None


@pytest.mark.parametrize(
    "name",
    ["environment.md", "monkey.md", "keys.md", "identity.md", "ssh/notes.md", "secrets.md", ".github/a.md",
     "docker/a.md", ".gitignore.md", "npmrc.md"],
)  # fmt: skip
def test_words_that_only_sound_like_keys_count(project: Path, name: str) -> None:
    """A document about keys is a document."""
    file = project / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(TEXT)
    assert place(proven(shell(f"cat {name}", TEXT), library(project), every)) == name


def test_the_nearest_root_is_the_one(project: Path) -> None:
    """A project within a project."""
    inner = project / "docs"
    found = proven(tool(inner / "adr" / "1.md", TEXT), library(project, inner), every)
    assert isinstance(found, list)
    assert [(one.found.root.name, one.found.path) for one in found] == [("docs", "adr/1.md")]


def test_the_root_that_lists_it_is_the_one(project: Path) -> None:
    """A nearer root in which the file does not count leaves it to the other."""
    inner = project / "docs"
    found = proven(
        tool(inner / "adr" / "1.md", TEXT), library(project, inner), lambda root, _: root.name == "project"
    )
    assert place(found) == "docs/adr/1.md"


def test_a_large_file_is_refused_and_a_device_is_none(project: Path) -> None:
    """A pipe without a writer does not block, and no more than the bound is read."""
    large = project / "large.md"
    large.write_bytes(b"a" * (FILE_BYTES + 1))
    os.mkfifo(project / "pipe.md")
    assert place(proven(tool(large, "a" * (FILE_BYTES + 1)), library(project), every)) == "file-too-large"
    for output, reason in (("a" * FILE_BYTES, "file-too-large"), ("1048577 large.md", None)):
        assert place(proven(shell("cat large.md", output), library(project), every)) == reason
    assert proven(tool(project / "pipe.md", ""), library(project), every) is None


def test_a_file_that_cannot_be_read_is_none(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The agent read it, and we may not."""

    def refuse(*_: object) -> int:
        raise PermissionError

    monkeypatch.setattr("adapters.readers.places.os.open", refuse)
    assert proven(shell("cat docs/adr/1.md", TEXT), library(project), every) is None


@pytest.mark.parametrize(
    ("data", "output"),
    [
        (b"\xef\xbb\xbf# A\n", "# A"),
        (b"\xef\xbb\xbf# A\n", "\ufeff# A"),
        (b"# A\r\nb\r\n", "# A\nb"),
        (b"# A\r\nb\r\n", "# A\r\nb"),
        ("# Größe 道 🙂\n".encode(), "# Größe 道 🙂"),
        (b"no end", "no end\n"),
    ],
)
def test_marks_and_line_ends_are_what_tools_make_of_them(project: Path, data: bytes, output: str) -> None:
    """A file tool of a host may drop the mark and know one line end."""
    (project / "a.md").write_bytes(data)
    assert place(proven(tool("a.md", output), library(project), every)) == "a.md"


@pytest.mark.parametrize("data", [b"", b"\n \n", b"\xff\xfe", b"caf\xe9\n"])
def test_no_text_proves_nothing(project: Path, data: bytes) -> None:
    """An empty file has nothing to say, and other bytes than UTF-8 reach the model as something else."""
    (project / "a.md").write_bytes(data)
    shown = data.decode("utf-8", "replace")
    assert place(proven(tool("a.md", shown), library(project), every)) == "content-differs"


def test_quoted_escaped_and_home_names_are_found(project: Path, private_home: Path) -> None:
    """As a shell reads them."""
    for name in ("two words.md", "it's.md", 'dou"ble.md'):
        (project / name).write_text(TEXT + name)
    (private_home / "notes.md").write_text(TEXT)
    for command, name in (
        ("cat 'two words.md'", "two words.md"),
        ('cat "two words.md"', "two words.md"),
        (r"cat two\ words.md", "two words.md"),
        ('cat "it\'s.md"', "it's.md"),
        (r'cat "dou\"ble.md"', 'dou"ble.md'),
    ):
        assert place(proven(shell(command, TEXT + name), library(project), every)) == name
    for command in ("cat ~/notes.md", "cat $HOME/notes.md", 'cat "${HOME}/notes.md"'):
        assert place(proven(shell(command, TEXT), library(project, private_home), every)) == "notes.md"
    for command in ('cat "$PWD/docs/adr/1.md"', "cat ${PWD}/docs/adr/1.md"):
        assert place(proven(shell(command, TEXT), library(project), every)) == "docs/adr/1.md"
    assert proven(shell("cat $HOMES/notes.md", TEXT), library(private_home), every) is None


def test_names_are_looked_up_within_a_bound(project: Path) -> None:
    """A command of a thousand names costs no thousand looks."""
    many = " ".join(f"{number}.md" for number in range(NAMES))
    assert proven(shell(f"cat {many} docs/adr/1.md", TEXT), library(project), every) is None
    assert place(proven(shell(f"cat docs/adr/1.md {many}", TEXT), library(project), every)) == "docs/adr/1.md"
    assert proven(shell("cat docs/adr/1.md" + " " * LONGEST, TEXT), library(project), every) is None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(command=st.text(), output=st.text(), path=st.text())
def test_no_text_makes_it_raise(project: Path, command: str, output: str, path: str) -> None:
    """Whatever an agent types."""
    for asked in (shell(f"cat {command}.md", output), tool(f"{path}.md", output)):
        assert isinstance(proven(asked, library(project), every), Skipped | None)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=st.text(), output=st.text())
def test_only_the_text_proves(project: Path, text: str, output: str) -> None:
    """But for the ends and the form of line ends, an output holds the text or proves nothing."""
    (project / "a.md").write_bytes(text.encode("utf-8", "surrogatepass"))
    found = proven(tool("a.md", output), library(project), every)
    if isinstance(found, list):
        assert text.replace("\r\n", "\n").strip().strip("\ufeff").strip() in output.replace("\r\n", "\n")


def test_a_root_inside_a_folder_of_keys_holds_nothing(tmp_path: Path) -> None:
    """Somebody works in `~/.ssh`."""
    root = tmp_path / ".ssh"
    root.mkdir()
    (root / "notes.md").write_text(TEXT)
    assert proven(shell("cat notes.md", TEXT), library(root), every) is None


@pytest.mark.parametrize("ignore", ["docs", "DOCS/", "docs/adr/*.MD", "**/adr"])
def test_what_any_root_ignores_is_ignored_in_all_of_them(project: Path, ignore: str) -> None:
    """Neither a root inside, nor another spelling of a name, brings an ignored file back."""
    outer = Root("project", str(project), ignore=(ignore,))
    inner = Root("inner", str(project / "docs"))
    for roots in ((outer, inner), (inner, outer)):
        held = Library(roots, str(project))
        assert proven(shell("cat docs/adr/1.md", TEXT), held, every) is None


def test_two_checkouts_of_one_document_are_not_taken_for_each_other(project: Path, tmp_path: Path) -> None:
    """The command goes to another worktree, in which the same name has the same content."""
    other = tmp_path / "worktree" / "docs" / "adr"
    other.mkdir(parents=True)
    (other / "1.md").write_text(TEXT)
    command = f"cd {tmp_path}/worktree && cat docs/adr/1.md"
    assert place(proven(shell(command, TEXT), library(project), every)) == "file-ambiguous"
    # As hosts tell it that follow the change.
    followed = library(project, folder=tmp_path / "worktree")
    assert place(proven(shell(command, TEXT), followed, every)) == "file-ambiguous"
    (other / "1.md").unlink()
    assert place(proven(shell(command, TEXT), library(project), every)) == "docs/adr/1.md"


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_what_becomes_a_link_while_it_is_looked_at_is_not_followed(
    project: Path, tmp_path: Path, kind: str
) -> None:
    """Its place was asked for before it is opened."""
    (tmp_path / "adr").mkdir()
    (tmp_path / "adr" / "1.md").write_text(TEXT)
    changed = project / "docs" / "adr" / ("1.md" if kind == "file" else "")

    def counts(root: Root, place: str) -> bool:
        changed.rename(project / "old")
        changed.symlink_to(tmp_path / "adr" / ("1.md" if kind == "file" else ""))
        return every(root, place)

    assert proven(tool(project / "docs" / "adr" / "1.md", TEXT), library(project), counts) is None
    assert (project / "old").exists()


def test_what_becomes_a_pipe_while_it_is_opened_does_not_block(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is a device, which to open can already do something."""
    os.mkfifo(project / "pipe.md")
    whole = (project / "docs" / "adr" / "1.md").stat()
    assert proven(tool("/dev/null", ""), library(Path("/dev")), lambda *_: True) is None
    monkeypatch.setattr("adapters.readers.places.os.stat", lambda *_, **__: whole)
    assert proven(tool("pipe.md", ""), library(project), every) is None


def test_a_file_that_grows_while_it_is_read_is_refused(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing says what the agent saw."""
    monkeypatch.setattr("adapters.readers.places.os.pread", lambda *_: TEXT[:5].encode())
    assert place(proven(shell("cat docs/adr/1.md", TEXT), library(project), every)) == "content-differs"


def test_a_sparse_file_costs_no_more_than_any_other(project: Path) -> None:
    """Neither one of a terabyte, nor one that is nothing but NULs."""
    for size, wanted in ((1 << 40, "file-too-large"), (FILE_BYTES, "content-differs")):
        with (project / "sparse.md").open("wb") as file:
            file.truncate(size)
        assert place(proven(tool("sparse.md", TEXT), library(project), every)) == wanted


def test_a_name_that_is_no_utf_8_does_not_count(project: Path) -> None:
    """No text could name it again."""
    odd = os.fsencode(project) + b"/caf\xe9.md"
    Path(os.fsdecode(odd)).write_text(TEXT)
    (project / "link.md").symlink_to(os.fsdecode(odd))
    assert proven(shell("cat link.md", TEXT), library(project), every) is None


@pytest.mark.parametrize(
    "name", ["a b.md", "zwei\nZeilen.md", "📚 道.md", "-n.md", "a'b.md", "#1.md", "%s.md"]
)
def test_any_name_is_a_name(project: Path, name: str) -> None:
    """A file tool says it as it is; a shell needs quotes."""
    (project / name).write_text(TEXT)
    assert place(proven(tool(name, TEXT), library(project), every)) == name
    quoted = "'" + name + "'" if "'" not in name else '"' + name + '"'
    assert place(proven(shell(f"cat -- {quoted}", TEXT), library(project), every)) == name


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (r"cat 'it'\''s.md'", "it's.md"),
        ("cat two' 'words.md", "two words.md"),
        ('cat "docs"/a.md', "docs/a.md"),
        ('cat docs/"a b".md', "docs/a b.md"),
        ("cat a,b.md", "a,b.md"),
        ("cat a=b.md", "a=b.md"),
        ("cat a:b.md", "a:b.md"),
        ("cat [id].md", "[id].md"),
        ("cat docs/{x}.md", "docs/{x}.md"),
        ("cat --file=a.md", "a.md"),
        ("git show HEAD:a.md", "a.md"),
        ("cat $(pwd)/a.md", "a.md"),
        ('cat "$(pwd)/a b.md"', "a b.md"),
        ("cat `pwd`/a.md", "a.md"),
        ("cat $(git rev-parse --show-toplevel)/docs/a.md", "docs/a.md"),
        ('cat "`git rev-parse --show-toplevel`/docs/a.md"', "docs/a.md"),
        ("cat docs/a*.md", "docs/a1.md"),
        ("cat ./docs/*.md | cat", "docs/a1.md"),
        ("cat docs/[ab]?.md;", "docs/a1.md"),
        ("cat *.md", "a.md"),
        ("cd docs && cat *.md", "docs/a.md"),
    ],
)
def test_what_a_shell_makes_of_a_name_is_found_where_it_is_simple(
    project: Path, command: str, name: str
) -> None:
    """Only to know where to look: the bytes prove it."""
    file = project / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(TEXT)
    (project / "docs" / "adr" / "1.md").unlink()
    for folder in (project, project / "docs" / "adr"):
        held = Library((Root("project", str(project)),), str(folder))
        if folder == project or "toplevel" in command:
            assert place(proven(shell(command, TEXT), held, every)) == name


def test_a_pattern_of_names_stands_for_no_hidden_foreign_or_countless_ones(
    project: Path, tmp_path: Path
) -> None:
    """And several of them are several files."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "1.md").write_text(TEXT)
    (project / "docs" / ".1.md").write_text(TEXT)
    for command in (
        "cat docs/*.md",
        f"cat {outside}/*.md",
        "cat ../outside/*.md",
        "cat gone/*.md",
    ):
        assert proven(shell(command, TEXT), library(project), every) is None
    (project / "docs" / "1.md").write_text(TEXT)
    assert place(proven(shell("cat docs/*.md", TEXT), library(project), every)) == "docs/1.md"
    (project / "docs" / "2.md").write_text("# Two\n")
    both = proven(shell("cat docs/*.md", TEXT + "# Two\n"), library(project), every)
    assert place(both) == "docs/1.md"
    for number in range(ENTRIES):
        (project / "docs" / f"{number}.txt").touch()
    assert proven(shell("cat docs/*.md", TEXT), library(project), every) is None


@pytest.mark.parametrize("text", [TEXT, "# Another\n"])
def test_the_folder_that_is_known_goes_before_a_guess(project: Path, text: str) -> None:
    """A file of the same name and content in the root is not meant where the command goes nowhere."""
    (project / "1.md").write_text(TEXT)
    inside = library(project, folder=project / "docs" / "adr")
    assert place(proven(shell("cat 1.md", TEXT), inside, every)) == "docs/adr/1.md"
    (project / "docs" / "adr" / "1.md").write_text(text)
    for command in ("cd ../.. && cat 1.md", "git -C ../.. show HEAD:1.md", "env --chdir=../.. cat 1.md"):
        found = place(proven(shell(command, TEXT), inside, every))
        assert found == ("file-ambiguous" if text == TEXT else "1.md")
    assert place(proven(shell("cat 1.md", TEXT), inside, every)) == (
        "docs/adr/1.md" if text == TEXT else None
    )
    (project / "docs" / "adr" / "1.md").unlink()
    assert place(proven(shell("cat 1.md", TEXT), inside, every)) == "1.md"


@pytest.mark.parametrize(
    "command",
    [
        "cat ~root/1.md",
        "cat docs\\adr\\1.md",
        "cat $HOME/1.md",
        "cat docs/adr/1.MD",
    ],
)
def test_a_name_that_only_a_shell_could_resolve_is_none(project: Path, command: str) -> None:
    """It is not guessed."""
    assert proven(shell(command, TEXT), library(project / "docs" / "adr", project), every) is None


@pytest.mark.parametrize(
    "output",
    [
        "\x1b[38;5;231m# Choose one queue\x1b[0m\n\nBecause two are too many.\n",
        "# Choose one queue \n\nBecause two are too many.\n",
        "  1 | # Choose one queue\n  2 |\n  3 . Because two are too many.\n",
    ],
    ids=["colours", "blanks at a line's end", "numbers in several forms"],
)
def test_what_a_program_adds_to_the_text_is_not_taken_off(project: Path, output: str) -> None:
    """The model saw something else than the file."""
    assert place(proven(shell("bat docs/adr/1.md", output), library(project), every)) == "content-differs"


@pytest.mark.parametrize("data", ["# A\n".encode("utf-16"), b"\0" * 64, b"# A\r\nb\n"])
def test_odd_bytes_are_what_they_are(project: Path, data: bytes) -> None:
    """Text of another encoding is none; NULs and mixed line ends are."""
    (project / "a.md").write_bytes(data)
    shown = data.decode("utf-8", "replace")
    known = b"\xff" not in data
    assert place(proven(tool("a.md", shown), library(project), every)) == (
        "a.md" if known else "content-differs"
    )


def test_a_file_lies_no_deeper_than_the_bound(project: Path) -> None:
    """A pattern is compared with each name of a path."""
    for levels, counts in ((LEVELS - 1, True), (LEVELS, False)):
        folder = project.joinpath(*["a"] * levels)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "x.md").write_text(TEXT)
        assert isinstance(proven(tool(folder / "x.md", TEXT), library(project), every), list) is counts


def test_a_path_is_looked_at_up_to_a_length(tmp_path: Path) -> None:
    """One that no person types is looked at nowhere, however short the file."""
    left = LONGEST_PATH - len(str(tmp_path)) - 99
    folder = tmp_path.joinpath(*["f" * 99] * (left // 100))
    folder.mkdir(parents=True)
    fits = folder / ("n" * (LONGEST_PATH - len(str(folder)) - 4) + ".md")
    longer = fits.with_name(f"n{fits.name}")
    for file in (fits, longer):
        file.write_text(TEXT)
    assert len(str(fits)) == LONGEST_PATH
    assert isinstance(proven(tool(fits, TEXT), library(tmp_path), every), list)
    assert proven(tool(longer, TEXT), library(tmp_path), every) is None


def test_a_folder_that_may_be_entered_and_not_listed_is_no_obstacle(project: Path) -> None:
    """And one that may not be entered is."""
    folder = project / "docs"
    folder.chmod(0o311)
    assert place(proven(shell("cat docs/adr/1.md", TEXT), library(project), every)) == "docs/adr/1.md"
    folder.chmod(0o000)
    found = proven(shell("cat docs/adr/1.md", TEXT), library(project), every)
    folder.chmod(0o755)
    assert place(found) == ("docs/adr/1.md" if os.geteuid() == 0 else None)


def test_a_root_that_cannot_be_looked_at_leaves_the_others(project: Path) -> None:
    """A loop of links, or no path at all."""
    (project / "loop").symlink_to("loop")
    roots = tuple(Root(str(one), str(one)) for one in (f"{project}/a\0b", project / "loop", project))
    assert place(proven(tool("docs/adr/1.md", TEXT), Library(roots, str(project)), every)) == "docs/adr/1.md"


SLOW = [
    "\n" * LONGEST,
    '"' + '\\"' * (LONGEST // 2 - 2) + "$",
    "cd docs;" * 900 + " ".join(f"{number}.md" for number in range(99)),
    "cd " + "docs/../" * 900 + "; cat docs/adr/1.md",
    "cd docs/../" * 700,
    " ".join(f"{number}.md" for number in range(1500)),
    "cat " + "../" * 2000 + "x.md",
    " cd" * (LONGEST // 3),
    "(" * LONGEST,
    "'" * LONGEST,
    "\\" * LONGEST,
    "docs/*.md " * 900,
    "docs/" + "*a" * 120 + ".md " + "[" * 4000 + ".md",
    "'a'" * (LONGEST // 3) + "$",
    '"a' * (LONGEST // 2),
    '"$' * (LONGEST // 2),
    'a"b\\' * (LONGEST // 4),
    " -C" * (LONGEST // 3),
    "$(pwd)/" * 1100,
]


@pytest.mark.parametrize("command", SLOW, ids=range(len(SLOW)))
def test_no_command_takes_long(project: Path, command: str) -> None:
    """A hook has less than two seconds, and while one expression is matched nothing can end it."""
    many = [project / "docs" / str(number) for number in range(300)]
    started = time.process_time()
    proven(shell(command[:LONGEST], TEXT), library(project, *many), every)
    assert time.process_time() - started < 0.5


def test_changes_of_the_folder_are_followed_within_a_bound(project: Path) -> None:
    """So many that nobody types them."""
    for changes, counts in ((CHANGES - 2, True), (CHANGES + 1, False)):
        command = "cd .; " * changes + "cd docs; cd adr; cat 1.md"
        assert isinstance(proven(shell(command, TEXT), library(project), every), list) is counts


def test_without_a_home_its_sign_is_a_name_like_any_other(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a service has no user."""

    def nobody(_: Path) -> Path:
        raise RuntimeError

    monkeypatch.setattr("adapters.readers.files.Path.expanduser", nobody)
    (project / "~").mkdir()
    (project / "~" / "1.md").write_text(TEXT)
    assert place(proven(shell("cat ~/1.md", TEXT), library(project), every)) == "~/1.md"

"""Whether a text that the host sent is what it makes of a skill's file, with these arguments."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.hosts.claude_skill_arguments import APPENDED
from adapters.hosts.claude_skill_text import FILE_BYTES, holds
from adapters.hosts.claude_transcript import Loaded

FRONT = "---\nname: reading\narguments: [file, pace, due-date]\n---\n"
FOLDER = "/p/.claude/skills/reading"
CONVERSATION = "5cd3f2a8-35a8-4ee7-a7c2-cb50a0b0dc86"


def sent(text: str, arguments: str = "", folder: str = FOLDER) -> Loaded:
    """Return what a transcript shows of a skill whose text the model got after the folder's line."""
    return Loaded(folder, f"\n{text}", arguments, CONVERSATION)


def test_a_text_without_a_front_matter_is_all_body() -> None:
    """It may hold marks of its own, and a front matter that never ends is none."""
    for source in (
        "# Reading\n",
        "",
        "# A\n---\nB\n",
        "----\nx\n---\n",
        "---\nname: x\n",
        "\n---\na: b\n---\n",
    ):
        assert holds(sent(source), source)
        assert not holds(sent(f"{source}more"), source)


@pytest.mark.parametrize(
    ("source", "body"),
    [
        ("---\nname: x\n---\n# Reading\n", "# Reading\n"),
        ("--- \nname: x\n---  \n\n   # Reading\n\n", "# Reading\n\n"),
        ("---\n---\n# Reading", "# Reading"),
        ("---\r\nname: x\r\n---\r\n# Reading\r\n", "# Reading\r\n"),
        ("\ufeff---\nname: x\n---\n# Reading\n", "# Reading\n"),
        ("---\nname: x\n---# Reading\n", "# Reading\n"),
        ("---\nname: [x\n---\n# Reading\n", "# Reading\n"),
        ("---\ndescription: a --- b\n---\n# Reading\n", "b\n---\n# Reading\n"),
        ("---\ndescription: a---\n# Reading\n", "# Reading\n"),
        ("---\nname: x\n  ---\n# Reading\n---\nMore\n", "# Reading\n---\nMore\n"),
        ("---\nname: x\n---more\n# Reading\n", "more\n# Reading\n"),
    ],
)
def test_the_front_matter_to_the_next_mark_is_not_sent(source: str, body: str) -> None:
    """Wherever that stands (`skill_filled`), nor are blanks after it; all the rest is, to the last letter."""
    assert holds(sent(body), source)
    for other in (f"{body}\n", f" {body}", f"\n{body}", body[1:], body[:-1], body.replace("R", "W"), ""):
        assert not holds(sent(other), source)


def test_a_byte_order_mark_is_passed_over_or_a_letter() -> None:
    """2.1.332 finds the front matter behind it, and 2.1.197 none."""
    source = "\ufeff---\nname: x\n---\n# Reading\n"
    assert holds(sent("# Reading\n"), source)
    assert holds(sent(source), source)


@pytest.mark.parametrize(
    ("place", "arguments", "filled"),
    [
        ("$ARGUMENTS", "docs/a b.md", "docs/a b.md"),
        ("$ARGUMENTS", "  a\nb  ", "  a\nb  "),
        ("$ARGUMENTS", "x $ARGUMENTS $0 $1", "x $ARGUMENTS $0 $1"),
        ("$ARGUMENTS", "in ${CLAUDE_SKILL_DIR}", f"in {FOLDER}"),
        ("$ARGUMENTS", "", ""),
        ("$ARGUMENTS[0] $ARGUMENTS[1]", "a b", "a b"),
        ("$ARGUMENTS[] $ARGUMENTS[x] $ARGUMENTSX $ARGUMENTS_1", "a", "a[] a[x] aX a_1"),
        ("$0, $1", "a b", "a, b"),
        ("$00 and $01", "a b", "a and b"),
        ("$0 and $1", "'a b' c", "a b and c"),
        ("$0 and $1", '"a b" c', "a b and c"),
        ("$0 and $1", r"a\ b c", "a b and c"),
        ("$0.5 x$0y $0_", "a", "a.5 x$0y $0_"),
        ("$0 for $5 or $ARGUMENTS[9]", "a", "a for $5 or $ARGUMENTS[9]"),
        ("$1234567890 $0", "a", "$1234567890 a"),
        (r"\$ARGUMENTS \$0 \$9 $0", "a", "$ARGUMENTS $0 $9 a"),
        (r"\\$0 \\\$0", "a", r"\\a \\\a"),
        (r"\$file $file", "a", r"\$file a"),
        ("$file by $due-date", "a b c", "a by c"),
        ("$file by $due-date", "a", "a by "),
        ("$files or $file[0] or $file_1 or $due", "", "$files or $file[0] or $file_1 or $due"),
        ("$file-$pace", "a b", "a-b"),
        ("$file-x", "a", "a-x"),
        ("$HOME ${HOME} ${ARGUMENTS} $USD", "", "$HOME ${HOME} ${ARGUMENTS} $USD"),
        ("${CLAUDE_SKILL_DIR}/x", "", f"{FOLDER}/x"),
        (r"\${CLAUDE_SKILL_DIR}", "", rf"\{FOLDER}"),
        ("${CLAUDE_SESSION_ID}", "", CONVERSATION),
        ("${CLAUDE_FOO} ${CLAUDE_PLUGIN_ROOT}", "", "${CLAUDE_FOO} ${CLAUDE_PLUGIN_ROOT}"),
    ],
)
def test_a_place_is_filled_with_what_the_host_puts_there(place: str, arguments: str, filled: str) -> None:
    """And with nothing else: not with less, with more, or with what stood beside it before an edit."""
    source = f"{FRONT}# Read\n\nAll of {place} twice.\n"
    text = f"# Read\n\nAll of {filled} twice.\n"
    assert holds(sent(text, arguments), source)
    for other in (f"{filled} more", f"more {filled}", f"{filled}\n", f"{filled} of it\nNever on Friday.\n"):
        assert not holds(sent(f"# Read\n\nAll of {other} twice.\n", arguments), source)
    assert not holds(sent(f"# Read\n\nAll of {filled}x twice.\n", f"{arguments}"), source)


def test_what_one_version_leaves_out_is_not_the_file() -> None:
    """2.1.197 puts nothing for a number that no argument has (`skill_left`)."""
    assert not holds(sent("Costs .\n", "a"), "Costs $5.\n")


@pytest.mark.parametrize(
    "arguments", ["a;b c", "a>b", "'un b", "(a b)", "$HOME b", "a=b c", "a\nb", "a`b`", "#a b", "x" * 5000]
)
def test_of_odd_arguments_no_single_one_is_known(arguments: str) -> None:
    """The host does not take them apart as a shell does; all of them together are what they are."""
    first, *_ = arguments.split()
    assert not holds(sent(f"Read {first}.\n", arguments), "Read $0.\n")
    assert not holds(sent(f"Read {first}.\n", arguments), f"{FRONT}Read $file.\n")
    assert not holds(sent(f"Read $0.\n{APPENDED}{arguments}", arguments), "Read $0.\n")
    assert holds(sent(f"Read {arguments}.\n", arguments), "Read $ARGUMENTS.\n")


@pytest.mark.parametrize(
    ("front", "known"),
    [
        ("arguments: file pace", True),
        ("arguments:\n  - file\n  - pace", True),
        ("arguments:\n- file\n- pace", True),
        ("arguments: [\"file\", 'pace']", True),
        ("arguments: file, pace", False),
        ("arguments: {file: 1}", False),
        ("arguments: " + "file pace " * 40, False),
        ("# file pace", False),
        ("name: file", False),
    ],
)
def test_names_of_arguments_are_those_that_the_front_matter_lists(front: str, known: bool) -> None:  # noqa: FBT001 - a column of the table
    """Where it is not certain which they are, their places are text."""
    source = f"---\nname: x\n{front}\nmodel: y\n---\nRead $file at $pace.\n"
    assert holds(sent("Read a at b.\n", "a b"), source) is known
    assert holds(sent(f"Read $file at $pace.\n{APPENDED}a b", "a b"), source) is not known


def test_arguments_without_a_place_come_after_the_text() -> None:
    """They alone, and just as they were given (`skill_filled`)."""
    source = f"{FRONT}# Reading\n\nIn ${{CLAUDE_SKILL_DIR}} for $9 or \\$0.\n"
    body = f"# Reading\n\nIn {FOLDER} for $9 or $0.\n"
    for arguments in ("a b", " a ", "a, b"):
        assert holds(sent(f"{body}{APPENDED}{arguments}", arguments), source)
        for other in (f"{arguments} c", "", f"{arguments}\n\nMore.", arguments[:-1]):
            assert not holds(sent(f"{body}{APPENDED}{other}", arguments), source)
        assert not holds(sent(f"{body}Never on Friday.{APPENDED}{arguments}", arguments), source)
    assert not holds(sent(f"{body}{APPENDED}", ""), source)


def test_a_plugins_own_folder_is_known_in_a_plugin_alone() -> None:
    """Elsewhere the host knows of none, and leaves the place."""
    source, folder = "In ${CLAUDE_PLUGIN_ROOT}.\n", "/plugin/skills/reading"
    for in_plugin in (True, False):
        assert holds(sent("In /plugin.\n", folder=folder), source, in_plugin=in_plugin) is in_plugin
        assert holds(sent(source, folder=folder), source, in_plugin=in_plugin) is not in_plugin


def test_a_text_that_would_grow_too_long_is_never_held_to_be_sent() -> None:
    """No skill is as long, and a hook has no time for it."""
    assert not holds(sent("a", "a" * FILE_BYTES), "$ARGUMENTS" * 100)


PIECES = [
    "$ARGUMENTS",
    "$0",
    "$1",
    "$ARGUMENTS[0]",
    "$file",
    "${CLAUDE_SKILL_DIR}",
    "${CLAUDE_SESSION_ID}",
    r"\$0",
]
LINES = st.lists(st.sampled_from([*PIECES, "", "a", "b", "Never on Friday.", "- x"]), max_size=4).map(
    " ".join
)
BODIES = st.lists(LINES, max_size=5).map("\n".join)
ARGUMENTS = st.sampled_from(["", "a", "a b", "'a b' c", "a\nb", "b; a", "Never on Friday.", "a $0"])


def host(source: str, arguments: str) -> str:
    """Return what the host makes of a body, told by another way than the one under test: piece by piece."""
    words = {
        "a": ["a"],
        "a b": ["a", "b"],
        "'a b' c": ["a b", "c"],
        "Never on Friday.": ["Never", "on", "Friday."],
    }
    given = words.get(arguments, arguments[:1].split())
    values = {
        "$ARGUMENTS": arguments,
        "$0": given[0] if given else "$0",
        "$1": given[1] if len(given) > 1 else "$1",
        "$ARGUMENTS[0]": given[0] if given else "$ARGUMENTS[0]",
        "${CLAUDE_SKILL_DIR}": FOLDER,
        "${CLAUDE_SESSION_ID}": CONVERSATION,
        r"\$0": "$0",
    }
    lines = [[values.get(word, word) for word in line.split(" ")] for line in source.split("\n")]
    text = "\n".join(" ".join(line) for line in lines)
    filled = {"$ARGUMENTS"} | ({"$0", "$ARGUMENTS[0]"} if given else set()) | ({"$1"} if given[1:] else set())
    placed = any(word in filled for line in source.split("\n") for word in line.split(" "))
    return text if placed or not arguments else f"{text}{APPENDED}{arguments}"


def known(source: str, arguments: str) -> bool:
    """Whether it is certain what the host puts into a body's places."""
    single = any(word in {"$0", "$1", "$ARGUMENTS[0]"} for word in source.replace("\n", " ").split(" "))
    return not single or arguments not in {"a\nb", "b; a", "a $0"}


@settings(deadline=None, max_examples=500)
@given(old=BODIES, new=BODIES, arguments=ARGUMENTS)
def test_an_old_text_is_never_taken_for_a_new_file(old: str, new: str, arguments: str) -> None:
    """Unless the two come to the same text, with the arguments of that very call."""
    text = host(old, arguments)
    same = host(new, arguments)
    assert not holds(sent(text, arguments), f"---\nname: x\n---\n#{new}")
    assert holds(sent(f"#{text}", arguments), f"---\nname: x\n---\n#{new}") is (
        text == same and known(new, arguments)
    )


@settings(deadline=None, max_examples=300)
@given(lines=st.lists(LINES, min_size=1, max_size=6), gone=st.integers(0, 5), arguments=ARGUMENTS)
def test_a_deleted_line_never_hides_in_a_place(lines: list[str], gone: int, arguments: str) -> None:
    """The text of before has it, and the file has not."""
    left = [line for number, line in enumerate(lines) if number != gone % len(lines)]
    old, new = ("\n".join(["#", *part, "End."]) for part in (lines, left))
    text = host(old, arguments)
    assert holds(sent(text, arguments), old) is known(old, arguments)
    assert holds(sent(text, arguments), new) is (text == host(new, arguments) and known(new, arguments))


@settings(deadline=None, max_examples=300)
@given(text=st.text(), source=st.text(), arguments=st.text())
def test_no_text_makes_it_raise_and_only_the_same_holds(text: str, source: str, arguments: str) -> None:
    """Where nothing can be filled in and there is no front matter, the text is the file."""
    found = holds(sent(text, arguments), source)
    if "$" not in source and "---" not in source and "\ufeff" not in source:
        assert found is (text == (f"{source}{APPENDED}{arguments}" if arguments else source))


@pytest.mark.parametrize(
    "unit",
    [
        "$",
        "\\",
        "\\$",
        "${CLAUDE_",
        "$ARGUMENTS[",
        "$1",
        "$1a",
        "$due-",
        "$due-date-",
        "---\n",
        "--- ",
        "\n",
        " ",
        "a",
    ],
)
def test_the_worst_files_take_linear_time(unit: str) -> None:
    """A hook has seconds, and other reads wait for it."""
    many = unit * (FILE_BYTES // len(unit))
    begun = time.process_time()
    for source in (f"---\n{many}", f"{FRONT}a{many}b", f"---\narguments: {many}\n---\n{many}", many):
        holds(sent(many, "a b"), source)
    holds(sent("a", many), "a$0$ARGUMENTS")
    assert time.process_time() - begun < 10

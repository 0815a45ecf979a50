"""Whether a text that the host sent is the body of a skill's file, whatever the host filled in."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.hosts.claude_skill_text import FILE_BYTES, PLACES, holds

FRONT = "---\nname: reading\narguments: [file, pace, due-date]\n---\n"


def test_a_text_without_a_front_matter_is_all_body() -> None:
    """It may hold marks of its own, and a front matter that never ends is none."""
    for source in ("# Reading\n", "", "# A\n---\nB\n", "----\nx\n---\n", "---\nname: x\n"):
        assert holds(f"\n{source}", source)
        assert not holds(f"{source}\nmore", source)


@pytest.mark.parametrize(
    "source",
    [
        "---\nname: x\n---\n# Reading\n",
        "--- \nname: x\n---  \n\n# Reading\n\n",
        "---\n---\n# Reading",
        "\ufeff---\r\nname: x\r\n---\r\n# Reading\r\n",
        "---\ndescription: a --- b\n---\n# Reading\n",
    ],
)
def test_a_front_matter_is_not_sent(source: str) -> None:
    """Line ends, a byte order mark and blank ends say nothing."""
    for text in ("\n# Reading\n", "# Reading", "\ufeff# Reading\r\n"):
        assert holds(text, source)
    for text in ("\n# Writing\n", "", "\nname: x\n", "# Reading # Reading", "x\n# Reading"):
        assert not holds(text, source)


def test_a_front_matter_may_end_at_a_mark_inside_a_line() -> None:
    """As both versions take it apart (`skill_filled`); the body is whole then, with a rest before it."""
    assert holds("b\n---\n# Reading\n", "---\ndescription: a --- b\n---\n# Reading\n")


@pytest.mark.parametrize(
    ("place", "filled"),
    [
        ("$ARGUMENTS", "docs/a b.md"),
        ("$ARGUMENTS", ""),
        ("$ARGUMENTS[0]", "docs"),
        ("$0", "docs"),
        ("$12", ""),
        ("${CLAUDE_SKILL_DIR}", "/p/.claude/skills/reading"),
        ("${CLAUDE_SESSION_ID}", "5cd3f2a8"),
        ("${CLAUDE_PLUGIN_ROOT}", "/p"),
        ("${user_config.api-url}", "https://x"),
        ("$file", "docs"),
        ("$pace", ""),
        ("$due-date", "today"),
        ("$file-$pace", "docs-slow"),
        ("!`git status`", "clean"),
        ("```!\ngit status\ngit log\n```", "clean\nnothing"),
        (r"\$1", "$1"),
    ],
)
def test_what_the_host_fills_in_may_be_anything(place: str, filled: str) -> None:
    """What stands around it is all there, in its order (`skill_arguments`)."""
    source = f"{FRONT}# Read\n\nAll of {place} twice.\n"
    assert holds(f"\n# Read\n\nAll of {filled} twice.\n", source)
    assert holds(f"\n# Read\n\nAll of {place} twice.\n", source)
    for other in (f"# Read\n\nAll of {filled} once.", f"# Write\n\nAll of {filled} twice.", "# Read twice."):
        assert not holds(other, source)
    assert holds(f"{filled} is first.", f"{FRONT}{place} is first.")
    assert holds(f"Last is {filled}", f"{FRONT}Last is {place}")
    assert not holds(f"First is {filled}", f"{FRONT}Last is {place}")


@pytest.mark.parametrize(
    "place",
    [
        "$HOME",
        "${HOME}",
        "$files",
        "$file[0]",
        "$file_1",
        "$due",
        "$1st",
        "x!`git status`",
        "`git status`",
        "```sh\ngit\n```",
    ],
)
def test_what_the_host_leaves_must_be_there(place: str) -> None:
    """A variable of a shell is no place for an argument, nor is code that is only shown."""
    source = f"{FRONT}Use {place} here."
    assert holds(f"Use {place} here.", source)
    assert not holds("Use another here.", source)


def test_a_name_is_a_place_only_where_the_skill_names_its_arguments() -> None:
    """Else it is text."""
    assert not holds("Use x.", "---\nname: file\n---\nUse $file.")


def test_arguments_without_a_place_come_after_the_text() -> None:
    """And nothing else does."""
    for source in (f"{FRONT}# Reading\n", f"{FRONT}In $0 or ${{CLAUDE_SKILL_DIR}}:\n# Reading\n"):
        body = source.removeprefix(FRONT)
        assert holds(f"\n{body}\n\nARGUMENTS: a b", source)
        assert holds(f"\n{body.rstrip()}\n\nARGUMENTS: a\nb", source)
        for after in ("\n\nARGUMENT: a", " ARGUMENTS: a", "\n\nMore.\n\nARGUMENTS: a"):
            assert not holds(f"\n{body.rstrip()}{after}", source)


def test_a_body_with_too_many_places_is_never_held_to_be_sent() -> None:
    """No skill has as many, and a hook has no time for them."""
    assert holds("a x " * PLACES, "$1 x " * PLACES)
    assert not holds("a x " * (PLACES + 1), "$1 x " * (PLACES + 1))


def test_pieces_may_not_overlap_or_change_places() -> None:
    """Each takes its own part of the text."""
    assert not holds("aba", "ab$ARGUMENTSba")
    assert holds("abba", "ab$ARGUMENTSba")
    assert not holds("a c b d", "a $1 b $2 c $3 d")


FILLED = ["$ARGUMENTS", "$0", "${CLAUDE_SKILL_DIR}", "!`date`", "```!\ndate\n```"]
WORDS = st.text("ab#\n -", max_size=12)


@settings(deadline=None, max_examples=300)
@given(
    parts=st.lists(st.tuples(WORDS, st.sampled_from(FILLED)), max_size=5),
    last=WORDS,
    filled=st.text("xyz\n`$", max_size=8),
    ends=st.sampled_from(["\n", "\r\n"]),
)
def test_every_filled_body_is_its_own(
    parts: list[tuple[str, str]], last: str, filled: str, ends: str
) -> None:
    """Whatever the host fills in; and with a word more at its end it is not."""
    source = FRONT + "# Begin\n" + "".join(f"{word} {place} " for word, place in parts) + last + "\nEnd."
    text = "\n# Begin\n" + "".join(f"{word} {filled} " for word, _ in parts) + last + "\nEnd.\n"
    assert holds(text, source.replace("\n", ends))
    assert not holds(text + "More", source)
    assert not holds("More" + text, source)


@settings(deadline=None, max_examples=300)
@given(text=st.text(), source=st.text())
def test_no_text_makes_it_raise_and_only_the_same_holds(text: str, source: str) -> None:
    """Where nothing can be filled in and there is no front matter, texts are the same but for blanks."""
    found = holds(text, source)
    if not re.search(r"\$|!`|```|---", source) and "ARGUMENTS" not in text:
        plain = [one.removeprefix("\ufeff").replace("\r\n", "\n").strip() for one in (text, source)]
        assert found is (plain[0] == plain[1])


@pytest.mark.parametrize(
    "unit",
    [
        "```!",
        "!`",
        " !`",
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
    holds(many, f"---\n{many}")
    holds("a" * FILE_BYTES, f"{FRONT}a{many}b")
    holds(many, f"{FRONT}a{many}")
    assert time.process_time() - begun < 10

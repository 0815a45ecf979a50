"""Patterns of paths: what they match, and that none of anybody's making takes long."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.readers.globs import covers, matches

MATCHED = [
    ("docs/adr/*.md", "docs/adr/1.md"),
    ("docs/adr/*.md", "docs/adr/.hidden.md"),
    ("./docs/./adr/*.md", "docs/adr/1.md"),
    ("**/DESIGN.md", "DESIGN.md"),
    ("**/DESIGN.md", "a/b/DESIGN.md"),
    ("docs/**", "docs/a/b.md"),
    ("**", "a.md"),
    ("**/**/**", "a/b.md"),
    ("docs/**/*.md", "docs/1.md"),
    ("docs/**/x/**/*.md", "docs/a/x/y/x/1.md"),
    ("d?cs/[0-9][!a]*.md", "docs/12 b.md"),
    ("[*].md", "*.md"),
    ("a.md", "a.md"),
    ("Gr\u00f6\u00dfe.md", "Gro\u0308\u00dfe.md"),
    ("*", "a\nb.md"),
    ("/docs/adr/*.md", "docs/adr/1.md"),
    ("/**", "a.md"),
    ("docs//1.md", "docs/1.md"),
    ("//docs/./1.md", "docs/1.md"),
]
UNMATCHED = [
    ("docs/adr/*.md", "docs/adr/old/1.md"),
    ("docs/*", "docs"),
    ("*.md", "docs/1.md"),
    ("DESIGN.md", "design.md"),
    ("docs/**/*.md", "other/docs/1.md"),
    ("/*.md", "docs/1.md"),
    ("/etc/**", "a/etc/a.md"),
    ("?.MD", "a.md"),
    ("?.md", "ss.md"),
    ("../**", "a.md"),
    ("**/../*.md", "a/b.md"),
    ("a/../*.md", "b.md"),
    ("", "a.md"),
    ("[", "a.md"),
    ("!**/*", "a.md"),
    ("{a,b}.md", "a.md"),
    ("a", ""),
    (".", "a"),
    ("/", "a.md"),
    ("//", ""),
]


@pytest.mark.parametrize(("pattern", "place"), MATCHED)
def test_these_match(pattern: str, place: str) -> None:
    """A name for a name, and two stars for any folders."""
    assert matches(place, (pattern,))
    assert matches(place, ("other", pattern))


@pytest.mark.parametrize(("pattern", "place"), UNMATCHED)
def test_these_do_not(pattern: str, place: str) -> None:
    """A pattern is of the whole path in a root, and nothing leads out of that."""
    assert not matches(place, (pattern,))


def test_no_pattern_matches_nothing() -> None:
    """Nor does a root itself match."""
    assert not matches("a.md", ())
    assert not matches(".", ("**", "*", "."))


@pytest.mark.parametrize(
    "pattern",
    ["docs", "docs/", "DOCS", "docs/a/b.md", "docs/A", "d*", "**/b.md", "**/a", "**", "/docs", "/docs/a/",
     "./docs", "docs//a", "docs/./a", "//docs"],
)  # fmt: skip
def test_a_folder_covers_all_in_it(pattern: str) -> None:
    """In upper and lower case alike."""
    assert covers((pattern,), "docs/a/b.md")


@pytest.mark.parametrize("pattern", ["b.md", "B.MD", "*.md", "?.md", "a", "a/", "[ab]*"])
def test_a_name_without_a_slash_covers_at_any_depth(pattern: str) -> None:
    """As everybody knows it from `.gitignore`; to ignore more is safe."""
    for place in ("docs/a/b.md", "a/b.md"):
        assert covers((pattern,), place)


@pytest.mark.parametrize(
    "pattern",
    ["doc", "/", "", "//", "/a", "/b.md", "./a", "docs/b", "a/b.md", "docs/a/b.md/c", "../docs", "!docs"],
)
def test_what_is_not_above_covers_nothing(pattern: str) -> None:
    """A path is one from the root, also of one name where a slash stands before it."""
    assert not covers((pattern,), "docs/a/b.md")


@pytest.mark.parametrize(
    ("pattern", "place"),
    [
        ("?.md", "ß.md"),
        ("ss.md", "ß.md"),
        ("ß.md", "SS.md"),
        ("STRASSE/?.md", "Straße/ß.md"),
        ("?.md", "İ.md"),
        ("?.md", "ŉ.md"),
        ("[ß].md", "ẞ.md"),
        ("É.md", "e\u0301.md"),
        ("?.md", "e\u0301.md"),
        ("ΣΑΣ.md", "σας.md"),
    ],
)
def test_whatever_form_of_case_is_met_it_is_ignored(pattern: str, place: str) -> None:
    """Some letters without their case are two: one that is asked for as one letter must not slip through."""
    assert covers((pattern,), place)


HOSTILE = [
    ("**/a*/" * 42, "a/" * 60 + "b.md"),
    ("**/*/" * 50 + "b.md", "a/" * 60 + "b.mdx"),
    ("*a" * 120 + "b", "a" * 250 + ".md"),
    ("/".join(["*a*"] * 60), "/".join(["ab" * 60] * 60)),
    ("[" * 256, "[" * 250),
    ("{a,b}" * 50, "a" * 50),
    ("@(a|a)+(a)" * 25, "a" * 200),
    ("**" * 128, "a/" * 60),
]


@pytest.mark.parametrize(("pattern", "place"), HOSTILE, ids=range(len(HOSTILE)))
def test_no_pattern_takes_long(pattern: str, place: str) -> None:
    """Two full lists of the worst, in a project's own file; one that keeps others waiting takes minutes."""
    patterns = [f"{pattern[:250]}{number}" for number in range(128)]
    started = time.process_time()
    matches(place, patterns)
    covers(patterns, place)
    assert time.process_time() - started < 2


PIECES = st.sampled_from(
    ["a", "b", "ab", "*", "?", "[", "]", "!", "/", "**", ".", "..", "\\", "{", ",", "\n", "Ä"]
)


@given(pattern=st.lists(PIECES, max_size=12).map("".join), place=st.lists(PIECES, max_size=12).map("".join))
def test_no_pattern_makes_it_raise(pattern: str, place: str) -> None:
    """And a path that matches is covered, too."""
    if matches(place, (pattern,)) and not pattern.endswith("/"):
        assert covers((pattern,), place)


@given(place=st.lists(st.sampled_from(["a", "b", ".c", "D"]), min_size=1, max_size=6).map("/".join))
def test_a_plain_path_is_the_pattern_of_itself(place: str) -> None:
    """With any of its folders left to two stars."""
    assert matches(place, (place,))
    names = place.split("/")
    for cut in range(len(names)):
        assert matches(place, ("/".join(["**", *names[cut:]]),))
        assert matches(place, ("/".join([*names[:cut], "**"]),))

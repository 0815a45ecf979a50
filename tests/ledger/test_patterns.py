"""Which patterns a list may hold: one that cannot mean anything here is a fault that says what to write."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.readers.globs import covers, matches
from ledger.patterns import LISTS, Patterns, Wrong, take


def wrong(key: str, pattern: str) -> Wrong | None:
    """Return what is wrong with one pattern of a list."""
    found = take({key: ["docs/**/*.md", pattern]})
    return found if isinstance(found, Wrong) else None


@pytest.mark.parametrize("key", LISTS)
@pytest.mark.parametrize(
    ("pattern", "remedy"),
    [
        ("../docs/*.md", "write the path in the project"),
        ("docs/../**/*.md", "write the path in the project"),
        ("docs/..", "write the path in the project"),
        ("~/notes/*.md", "write the path in the project"),
        ("~", "write the path in the project"),
        ("$HOME/notes/*.md", "write the path in the project"),
        ("${PWD}/*.md", "write the path in the project"),
        ("docs\\adr\\*.md", "put / between names"),
        ("\\*.md", "put / between names"),
        ("docs/{a,b}.md", "list each"),
        ("docs/{1..3}.md", "list each"),
        ("!docs/a.md", "list only what is meant"),
        (" docs/a.md", "take it out"),
        ("docs/a.md ", "take it out"),
        (" ", "take it out"),
    ],
)
def test_what_cannot_mean_anything_here_is_named_with_its_remedy(key: str, pattern: str, remedy: str) -> None:
    """It would be void without a word, and its author would never know."""
    found = wrong(key, pattern)
    assert found is not None
    assert found.place == f"{key}[1]"
    assert remedy in found.message


@pytest.mark.parametrize("pattern", ["/", ".", "./", "//", "/./"])
def test_the_project_itself_is_no_name(pattern: str) -> None:
    """Whoever means all of it writes two stars."""
    assert wrong("ignore", pattern) == Wrong("ignore[1]", "names nothing; ** stands for everything")
    found = wrong("documents", pattern)
    assert found is not None
    assert found.message.endswith("write **/*.md")


@pytest.mark.parametrize(
    ("pattern", "instead"),
    [
        ("docs", "docs.md or docs/**/*.md"),
        ("docs/", "docs.md or docs/**/*.md"),
        ("/docs/a", "docs/a.md or docs/a/**/*.md"),
        ("README", "README.md or README/**/*.md"),
        ("docs/*.txt", "docs/**/*.md"),
        ("docs/*.mdx", "docs/**/*.md"),
        ("docs/a.MD", "docs/**/*.md"),
        ("docs/a.md/", "docs/**/*.md"),
        ("x??", "**/*.md"),
        ("docs/[", "docs/**/*.md"),
        ("docs/[]", "docs/**/*.md"),
        ("*.m[!d]", "**/*.md"),
        ("**/", "**/*.md"),
    ],
)
def test_documents_that_can_be_no_markdown_say_what_to_write(pattern: str, instead: str) -> None:
    """A folder alone lists nothing; as something to ignore it is all in it."""
    found = wrong("documents", pattern)
    assert found is not None
    assert found.message.endswith(f"write {instead}")
    assert wrong("ignore", pattern) is None


@pytest.mark.parametrize(
    "pattern",
    ["*.md", "**", "docs/**", "docs/*", "docs/a*", "docs/[a-z].m[d]", "x???", "*.m?", "*.*", "/docs/a.md",
     "./docs//a.md", "{id}.md", "[id].md", "[!]x].md", "~a.md", "$x/a.md", "a..b.md", "a b/!c.md", ".md"],
)  # fmt: skip
def test_other_patterns_are_kept_as_written(pattern: str) -> None:
    """Odd as they may be, there is a name that they match."""
    assert take({"documents": [pattern], "ignore": [pattern]}) == Patterns((pattern,), (pattern,))


PIECES = st.sampled_from(["a", ".", "m", "d", ".md", "*", "?", "[", "]", "!", "/", "**", "-", "x"])


@given(
    pattern=st.lists(PIECES, min_size=1, max_size=8).map("".join), name=st.sampled_from(["a", "x", ".x", ""])
)
def test_no_pattern_that_lists_a_markdown_file_is_a_fault(pattern: str, name: str) -> None:
    """Whatever is refused matches no file of that ending, and none that is kept is refused as void."""
    place = pattern.strip("/").replace("*", "").replace("?", "x") + name + ".md"
    if matches(place, (pattern,)) and not pattern.startswith("!") and not pattern.endswith("/"):
        assert wrong("documents", pattern) is None
        assert covers((pattern,), place)

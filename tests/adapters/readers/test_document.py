"""A whole Markdown file that the user has listed is the read of a document."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from adapters.readers import document
from contracts.conversation import Conversation
from contracts.event import FileResult, ShellResult, SkillResult
from contracts.library import EMPTY, Library, Root
from contracts.outcome import Skipped
from contracts.read import Read, Source
from tests.adapters.readers.confirming import confirm

HERE = Conversation("codex", "one")
TEXT = "# Choose one queue\n\nBecause two are too many.\n"
LISTED = ("docs/adr/*.md", "**/DESIGN.md")


def confirmed(
    root: Path,
    place: str,
    text: str = TEXT,
    *,
    listed: tuple[str, ...] = LISTED,
    ignore: tuple[str, ...] = (),
) -> Read | Skipped | None:
    """Write a file into a root and return what comes of reading it whole."""
    file = root / place
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    library = Library((Root("project", str(root), documents=listed, ignore=ignore),), str(root))
    return confirm(ShellResult(HERE, "e", f"cat '{place}'", text, None), library)


def test_a_document_says_what_it_is(tmp_path: Path) -> None:
    """Its path is its id, its first heading its title."""
    read = confirmed(tmp_path, "docs/adr/1.md")
    assert isinstance(read, Read)
    assert (read.reader, read.item_id, read.title) == ("document", "docs/adr/1.md", "Choose one queue")
    assert read.applies_when == ""
    assert read.content_digest == f"sha256:{sha256(TEXT.encode()).hexdigest()}"
    assert read.sources == (Source("project", "docs/adr/1.md"),)
    assert read.file is not None
    assert (read.file.path, read.file.size) == ("docs/adr/1.md", len(TEXT))


def test_its_front_matter_says_more(tmp_path: Path) -> None:
    """A title of its own, and when it applies."""
    front = "---\ntitle: Queues\ndescription: Read it before you add a queue.\n---\n"
    read = confirmed(tmp_path, "docs/adr/1.md", front + TEXT)
    assert isinstance(read, Read)
    assert (read.title, read.applies_when) == ("Queues", "Read it before you add a queue.")


def test_a_document_without_a_heading_is_named_by_its_file(tmp_path: Path) -> None:
    """So that the briefing has something to say."""
    read = confirmed(tmp_path, "docs/adr/1.md", "Just text.\n")
    assert isinstance(read, Read)
    assert read.title == "1.md"


@pytest.mark.parametrize(
    "place", ["DESIGN.md", "a/DESIGN.md", "a/b/DESIGN.md", ".hidden/DESIGN.md", "docs/adr/2 b.md"]
)
def test_what_a_glob_matches_is_a_document(tmp_path: Path, place: str) -> None:
    """Two stars stand for any folders, none too."""
    assert isinstance(confirmed(tmp_path, place), Read)


@pytest.mark.parametrize(
    "place", ["docs/1.md", "docs/adr/old/1.md", "design.md", "MY_DESIGN.md", "x/docs/adr/1.md"]
)
def test_what_no_glob_matches_is_nobodys_business(tmp_path: Path, place: str) -> None:
    """Not even a word in the diagnostics."""
    assert confirmed(tmp_path, place) is None


@pytest.mark.parametrize("listed", [(), ("",), ("*.txt",), ("[",), ("!**/*",)])
def test_nothing_counts_until_it_is_listed(tmp_path: Path, listed: tuple[str, ...]) -> None:
    """Off by default, and a pattern that matches nothing lists nothing."""
    assert confirmed(tmp_path, "docs/adr/1.md", listed=listed) is None


@pytest.mark.parametrize("ignore", ["docs/adr/1.md", "docs", "docs/", "docs/**", "**/1.md", "*/adr"])
def test_what_is_ignored_never_counts(tmp_path: Path, ignore: str) -> None:
    """A folder covers all in it, with or without its slash."""
    assert confirmed(tmp_path, "docs/adr/1.md", ignore=(ignore,)) is None


def test_a_skill_is_no_document(tmp_path: Path) -> None:
    """It has a reader of its own, however it is listed."""
    read = confirmed(tmp_path, "a/SKILL.md", listed=("**/*.md",))
    assert isinstance(read, Read)
    assert read.reader == "skill"


def test_a_part_is_refused_by_name(tmp_path: Path) -> None:
    """Nothing proves that the rest was read."""
    confirmed(tmp_path, "docs/adr/1.md")
    library = Library((Root("project", str(tmp_path), documents=LISTED),), str(tmp_path))
    part = ShellResult(HERE, "e", "head -1 docs/adr/1.md", "# Choose one queue", None)
    assert confirm(part, library) == Skipped("content-differs", "docs/adr/1.md")
    tool = FileResult(HERE, "e", str(tmp_path / "docs/adr/1.md"), TEXT, None)
    assert isinstance(confirm(tool, library), Read)


def test_bytes_that_are_no_text_and_uncertain_scopes_are_refused(tmp_path: Path) -> None:
    """What reached the model is not what stands in the file, and a root without a spelling has no scope."""
    confirmed(tmp_path, "docs/adr/1.md")
    odd = Library((Root("project", f"{tmp_path}/../{tmp_path.name}", documents=LISTED),), str(tmp_path))
    whole = ShellResult(HERE, "e", "cat docs/adr/1.md", TEXT, None)
    assert confirm(whole, odd) == Skipped("scope-unknown")
    (tmp_path / "docs/adr/1.md").write_bytes(TEXT.encode() + b"\xff\xfe\n")
    assert confirm(whole, odd) is None
    tool = FileResult(HERE, "e", str(tmp_path / "docs/adr/1.md"), TEXT, None)
    assert confirm(tool, odd) == Skipped("content-differs", "docs/adr/1.md")


def test_a_loaded_skill_and_an_empty_library_are_none_of_its_business() -> None:
    """It asks no file system then."""
    assert confirm(SkillResult(HERE, "e", "a", "", None), EMPTY) == Skipped("skill-unknown")
    assert confirm(ShellResult(HERE, "e", "cat a.md", "a", None), EMPTY) is None


@pytest.mark.parametrize(
    ("asked", "does"), [("cat a.md", True), ("a.mdx", True), ("ls", False), ("cat a.txt", False)]
)
def test_it_is_concerned_by_the_ending(asked: str, *, does: bool) -> None:
    """A cheap look that starts all others."""
    assert document.concerns(asked) is does

"""What a text that a host sent to the model proves of a read that is pending."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec.structs import replace

from adapters import readers
from adapters.readers import sent
from contracts.conversation import Conversation
from contracts.event import ShellResult
from contracts.library import Library, Root
from contracts.lines import Lines
from contracts.read import PendingRead, Read, result_digest

HERE = Conversation("codex", "one")
LINES = [
    f"Case {number * 37 % 97:02} of the guide says {number}." if number % 5 else ""
    for number in range(1, 201)
]
OTHER = [f"Rule {number * 41 % 89:02} stands in line {number}." for number in range(1, 61)]
CUT = "Output:\n" + "\n".join([*LINES[:100], "…512 tokens truncated…", *OTHER[20:]])
NUMBERED = "\n".join(f"{number}\t{line}" for number, line in enumerate(LINES, 1))


@pytest.fixture
def library(tmp_path: Path) -> Library:
    """Return a project that lists two documents."""
    (tmp_path / "long.md").write_text("\n".join(LINES) + "\n")
    (tmp_path / "other.md").write_text("\n".join(OTHER) + "\n")
    return Library((Root("project", str(tmp_path), documents=("*.md",)),), str(tmp_path))


def pending(library: Library, command: str, output: str) -> PendingRead:
    """Return what a command read."""
    confirmed = readers.confirm(ShellResult(HERE, "e", command, output, None), library)
    return PendingRead("e", confirmed.reads, result_digest(output), None, 0)


def told(reads: tuple[Read, ...]) -> list[str]:
    """Return items with the lines of parts."""
    return [read.item_id if read.lines is None else f"{read.item_id}:{read.lines}" for read in reads]


@pytest.fixture
def both(library: Library) -> PendingRead:
    """Return the read of two files."""
    return pending(library, "cat long.md other.md", "\n".join([*LINES, *OTHER]) + "\n")


def test_the_whole_result_proves_all_of_it(both: PendingRead, tmp_path: Path) -> None:
    """Even where the files have changed since: the text is what was compared with them."""
    (tmp_path / "long.md").write_text("# Another\n")
    (tmp_path / "other.md").unlink()
    assert told(sent(both, "\n" + "\n".join([*LINES, *OTHER]))) == ["long.md", "other.md"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("\n".join(LINES), ["long.md"]),
        ("\n".join(OTHER), ["other.md"]),
        (CUT, ["long.md:1-100 of 200", "other.md:21-60 of 60"]),
        (NUMBERED + "\n\n<system-reminder>x", ["long.md"]),
        ("\n".join(LINES[:3]), []),
        ("exit 0", []),
        ("", []),
    ],
    ids=["the first", "the second", "cut", "numbered, with words behind", "three", "dropped", "nothing"],
)
def test_of_another_text_the_lines_count_that_stand_in_it(
    text: str, wanted: list[str], both: PendingRead
) -> None:
    """As in a result."""
    assert told(sent(both, text)) == wanted


def test_no_more_is_sent_than_was_read(library: Library) -> None:
    """Lines that the result did not show are not counted for it."""
    some = pending(library, "sed -n '1,101p' long.md", "\n".join(LINES[:101]))
    assert told(some.reads) == ["long.md:1-101 of 200"]
    assert told(sent(some, "\n".join(LINES[51:]))) == ["long.md:52-101 of 200"]
    assert told(sent(some, "\n".join(LINES[120:]))) == []


def test_blank_lines_at_a_trimmed_end_are_not_lost(library: Library) -> None:
    """They were given back when the result was read."""
    some = pending(library, "sed -n '1,100p' long.md", "\n".join(LINES[:100]) + "\n")
    assert told(some.reads) == ["long.md:1-100 of 200"]
    assert told(sent(some, "Output:\n" + "\n".join(LINES[:99]))) == ["long.md:1-100 of 200"]


def test_a_file_that_is_not_what_it_was_tells_nothing(both: PendingRead, tmp_path: Path) -> None:
    """Changed, gone, a folder, a pipe without a writer, or no text any more."""
    text = "\n".join(LINES) + "\nmore"
    assert told(sent(both, text)) == ["long.md"]
    for change in (
        lambda file: file.write_text("# Another\n"),
        lambda file: file.unlink(),
        lambda file: file.mkdir(),
        lambda file: (file.rmdir(), os.mkfifo(file)),
    ):
        change(tmp_path / "long.md")
        assert told(sent(both, text)) == []


def test_bytes_that_are_no_text_tell_nothing(both: PendingRead, tmp_path: Path) -> None:
    """Even where their digest is that of the read."""
    odd = b"\xff\xfe"
    (tmp_path / "long.md").write_bytes(odd)
    reads = tuple(replace(read, content_digest=f"sha256:{sha256(odd).hexdigest()}") for read in both.reads)
    assert told(sent(replace(both, reads=reads), "x")) == []


def test_what_has_no_file_is_all_or_nothing(library: Library) -> None:
    """A practice is its whole document."""
    read = Read("lore", "default", "a.b.c", "sha256:" + "0" * 64, "Title", "", ())
    one = PendingRead("e", (read,), result_digest("the document"), None, 0)
    assert sent(one, " the document\n") == (read,)
    assert sent(one, "the document and more") == ()
    assert library.roots


def test_lines_are_told_in_pieces(both: PendingRead) -> None:
    """A text may show several windows of one file."""
    text = "\n".join([*LINES[:50], "--", *LINES[100:149]])
    [read] = sent(both, text)
    assert read.lines == Lines(((1, 50), (101, 149)), 200)

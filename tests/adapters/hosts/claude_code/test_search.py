"""What the Grep tool gave: lines of files, names, or counts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from adapters import readers
from adapters.hosts import claude_code
from contracts.event import HostEvent, Ignored, ShellResult
from contracts.library import Library, Root
from contracts.outcome import Skipped
from contracts.read import Read

Payload = Callable[..., dict[str, Any]]

LINES = [f"Case {number * 37 % 97:02} of the guide says {number}." for number in range(1, 41)]


def parse(payload: dict[str, Any]) -> HostEvent | Skipped:
    """Hand a payload to the adapter as a hook does."""
    return claude_code.parse(msgspec.json.encode(payload), readers.concerns)


@pytest.fixture
def search(payload: Payload) -> Payload:
    """Give a payload of a search for lines, with some fields of its input and its result changed."""

    def made(asked: dict[str, Any], content: object = "", **fields: Any) -> dict[str, Any]:
        gave = {"mode": "content", "numFiles": 0, "filenames": [], "content": content, "numLines": 1} | fields
        asked = {"pattern": "x", "output_mode": "content"} | asked
        return payload(tool_name="Grep", tool_input=asked, tool_response=gave)

    return made


def test_a_search_says_where_it_looked(search: Payload) -> None:
    """Its path and its glob, as words of a shell."""
    event = parse(search({"path": "/p/two words.md", "glob": "*.md"}, "1:x"))
    assert isinstance(event, ShellResult)
    assert (event.command, event.output) == ("rg '/p/two words.md' '*.md'", "1:x")


@pytest.mark.parametrize("mode", ["files_with_matches", "count", ""])
def test_names_and_counts_are_no_lines(mode: str, search: Payload) -> None:
    """Whatever stands there."""
    event = parse(search({"path": "/p/a.md"}, "a.md:3", mode=mode))
    assert isinstance(event, ShellResult)
    assert event.output == ""


@pytest.mark.parametrize("asked", [{}, {"path": "src"}, {"glob": "*.py"}, {"path": ""}])
def test_a_search_that_names_no_markdown_is_ignored(asked: dict[str, Any], search: Payload) -> None:
    """Most of them."""
    assert isinstance(parse(search(asked, "1:x")), Ignored)


@pytest.mark.parametrize("asked", [{"path": 5}, {"path": "a.md", "glob": ["x"]}, {"path": None}])
def test_an_input_of_another_form_is_no_contract_of_ours(asked: dict[str, Any], search: Payload) -> None:
    """Texts were recorded, or nothing."""
    assert parse(search(asked, "1:x")) == Skipped("contract-mismatch")


@pytest.mark.parametrize("content", [None, 5, ["1:x"]])
def test_lines_of_another_form_are_no_contract_of_ours(content: object, search: Payload) -> None:
    """A text was recorded."""
    assert parse(search({"path": "a.md"}, content)) == Skipped("contract-mismatch")
    assert parse(search({"path": "a.md"}) | {"tool_response": "1:x"}) == Skipped("contract-mismatch")


@pytest.mark.parametrize(
    "form",
    [
        lambda number, line: f"{number}{':' if number % 3 else '-'}{line}",
        lambda number, line: (
            f"docs/a.md{':' if number % 3 else '-'}{number}{':' if number % 3 else '-'}{line}"
        ),
        # 2.1.197 names the file of a line beside a hit by its whole path.
        lambda number, line: (
            f"docs/a.md:{number}:{line}" if number % 3 else f"{{root}}/docs/a.md-{number}-{line}"
        ),
    ],
    ids=["one file", "several files", "several files, 2.1.197"],
)
def test_hits_with_the_lines_around_them_are_a_part(
    form: Callable[[int, str], str], search: Payload, tmp_path: Path
) -> None:
    """As far as they stand one after the other."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text("\n".join(LINES) + "\n")
    content = "\n".join(form(number, line) for number, line in enumerate(LINES[4:24], 5))
    asked = {"path": str(tmp_path / "docs"), "glob": "*.md"}
    event = parse(search(asked, content.replace("{root}", str(tmp_path))))
    assert isinstance(event, ShellResult)
    library = Library((Root("project", str(tmp_path), documents=("**/*.md",)),), str(tmp_path))
    [read] = readers.confirm(event, library).reads
    assert isinstance(read, Read)
    assert f"{read.item_id}:{read.lines}" == "docs/a.md:5-24 of 40"

"""The tables of payloads in the documentation are what the recordings hold, and nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from adapters.evidence import tables
from adapters.evidence.form import write
from adapters.hosts import HOSTS
from adapters.verdicts import FOLDER
from contracts.evidence import RecordedEvent, Recording
from tests.ledger.cli.running import run

if TYPE_CHECKING:
    from collections.abc import Callable

READ = {"tool_name": "Bash", "tool_input": {"command": "lore get a.b --json"}}


@pytest.mark.parametrize("host", HOSTS)
def test_the_tables_in_the_tree_are_those_of_the_recordings(host: str) -> None:
    """`readmark evidence check --update` writes them anew; they are never typed."""
    kept = FOLDER.parents[1] / tables.PLACE / f"{host}.md"

    assert kept.read_text(encoding="utf-8") == tables.text(host)


def test_no_other_host_has_tables() -> None:
    """A host that went, or one without recordings, leaves no file behind."""
    place = FOLDER.parents[1] / tables.PLACE

    assert sorted(path.stem for path in place.iterdir()) == sorted(HOSTS)


@pytest.fixture
def evidence(tmp_path: Path) -> Callable[..., Path]:
    """Record made-up payloads of a version of Codex, in a folder that looks like a checkout's."""
    folder = tmp_path / "contracts" / "evidence"

    def record(version: str, *payloads: dict[str, Any]) -> Path:
        events = [RecordedEvent(event=one["hook_event_name"], stdin=one) for one in payloads]
        write(Recording("codex", version, f"made_{len(payloads)}", events), folder)
        return folder

    return record


def section(text: str, name: str) -> list[str]:
    """Return the lines of one section without its title and empty lines."""
    lines = text.split(f"# {name}\n", 1)[1].split("\n#", 1)[0].splitlines()
    return [line for line in lines if line]


def test_a_field_is_always_there_or_sometimes(evidence: Callable[..., Path]) -> None:
    """Every type that was seen is named."""
    folder = evidence(
        "1.2.0",
        {"hook_event_name": "Stop", "other": 1},
        {"hook_event_name": "Stop", "other": None},
        {"hook_event_name": "Stop"},
    )

    assert section(tables.text("codex", folder), "Stop") == [
        "| Field | 1.2.0 |",
        "| --- | --- |",
        "| `hook_event_name` | string, always |",
        "| `other` | null or number, sometimes |",
    ]


def test_versions_stand_side_by_side_in_their_order_and_a_difference_is_marked(
    evidence: Callable[..., Path],
) -> None:
    """1.10.0 comes after 1.9.0; a field that is gone leaves a cell that says so."""
    evidence("1.10.0", {"hook_event_name": "Stop", "kept": True, "changed": "one"})
    folder = evidence("1.9.0", {"hook_event_name": "Stop", "kept": True, "changed": 1, "gone": []})

    assert section(tables.text("codex", folder), "Stop") == [
        "| Field | 1.9.0 | 1.10.0 |",
        "| --- | --- | --- |",
        "| **`changed`** | number, always | string, always |",
        "| **`gone`** | array, always | - |",
        "| `hook_event_name` | string, always | string, always |",
        "| `kept` | bool, always | bool, always |",
    ]


def test_every_recorded_event_is_there_with_its_number_of_payloads(evidence: Callable[..., Path]) -> None:
    """Registered or not; a version that never had an event has no column in its section."""
    evidence("1.0.0", {"hook_event_name": "SessionStart"}, {"hook_event_name": "SessionStart"})
    folder = evidence("2.0.0", {"hook_event_name": "SessionStart"}, {"hook_event_name": "Unheard"})
    text = tables.text("codex", folder)

    assert [line for line in text.splitlines() if line.startswith("| [")] == [
        "| [SessionStart](#sessionstart) | yes | 2 | 1 |",
        "| [Unheard](#unheard) | no | - | 1 |",
    ]
    assert section(text, "Unheard")[0] == "| Field | 2.0.0 |"


def test_only_a_readers_command_is_opened(evidence: Callable[..., Path]) -> None:
    """What other tools get and give stays shut; a response that is a text has no fields."""
    read = {"hook_event_name": "PostToolUse", **READ, "tool_response": "{}"}
    other = {"hook_event_name": "PostToolUse", "tool_input": {"path": "/x"}, "tool_response": {"secret": 1}}
    text = tables.text("codex", evidence("1.0.0", read, other))

    assert "path" not in text
    assert "secret" not in text
    assert section(text, "PostToolUse.Bash.tool_input")[1:] == [
        "| Field | 1.0.0 |",
        "| --- | --- |",
        "| `command` | string, sometimes |",
    ]
    assert section(text, "PostToolUse.Bash.tool_response") == [
        "What came of a call that concerns a reader. It is: string (1.0.0)."
    ]


def test_an_event_without_a_readers_command_has_no_section_of_one(evidence: Callable[..., Path]) -> None:
    """A call that failed has no response."""
    folder = evidence("1.0.0", {"hook_event_name": "PreToolUse", **READ})
    text = tables.text("codex", folder)

    assert "### PreToolUse.Bash.tool_input\n" in text
    assert "tool_response" not in text


def test_tables_have_a_place_only_in_a_checkout(evidence: Callable[..., Path]) -> None:
    """An installed copy has no folder for them."""
    folder = evidence("1.0.0", {"hook_event_name": "Stop"})
    assert tables.place("codex", folder) is None

    place = folder.parents[1] / tables.PLACE
    place.mkdir(parents=True)
    assert tables.place("codex", folder) == place / "codex.md"


def test_check_holds_the_tables_against_the_recordings_and_writes_them_when_asked(tmp_path: Path) -> None:
    """A version that is not proven yet is in them too."""
    folder = tmp_path / "contracts" / "evidence"
    (folder / "codex" / "0.171.0").mkdir(parents=True)
    for name in ("direct", "fail"):
        shutil.copy(FOLDER / "codex" / "0.171.0" / f"{name}.json", folder / "codex" / "0.171.0")
    place = tmp_path / tables.PLACE
    place.mkdir(parents=True)
    words = ("evidence", "check", "codex", "--evidence", str(folder))

    done = run(*words)
    assert done.code == 3
    assert "codex: docs/payloads/codex.md is not what the recordings give" in done.text
    assert list(place.iterdir()) == []
    assert run(*words, "--update").code == 0
    assert (place / "codex.md").read_text() == tables.text("codex", folder)
    assert run(*words).code == 0

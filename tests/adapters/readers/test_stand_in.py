from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from adapters.readers import lore
from adapters.readers.scope import DEFAULT
from contracts.outcome import Skipped
from contracts.read import Read, Source

LORE = Path(__file__).parents[2] / "stand_in" / "lore"


def run(command: str, protocol: str = "2") -> tuple[str, int]:
    """Run the stand-in as the words of the command say."""
    argv = [sys.executable, str(LORE), *command.split()[1:]]
    environment = os.environ | {"LORE_STAND_IN_PROTOCOL": protocol}
    ran = subprocess.run(argv, capture_output=True, text=True, check=False, env=environment)
    return ran.stdout, ran.returncode


def test_the_stand_in_can_be_started_by_its_name() -> None:
    """A demo puts its folder on the path."""
    assert os.access(LORE, os.X_OK)
    assert LORE.read_text().startswith("#!")


@pytest.mark.parametrize(
    "command",
    [
        "lore get sql.migration.atomic --json",
        "lore --store-root /s --no-project get sql.migration.atomic --json",
        "lore --json get --store-root=/s sql.migration.atomic --project-root /p",
    ],
)
def test_what_the_stand_in_prints_is_a_read(command: str) -> None:
    """Options may stand where the documentation lets them stand."""
    output, code = run(command)
    read = lore.prove(command, output)
    assert code == 0
    assert isinstance(read, Read)
    assert (read.item_id, read.title) == ("sql.migration.atomic", "Run each migration in one transaction")
    assert read.sources == (Source("stand-in", "sql.migration.atomic.md"),)
    assert read.store_scope.startswith("roots-")


def test_two_stores_are_two_scopes() -> None:
    """The stand-in's pack root follows its store root."""
    scopes = set()
    for root in ("/s", "/t", "/t/"):
        command = f"lore get a.b --json --store-root {root}"
        read = lore.prove(command, run(command)[0])
        assert isinstance(read, Read)
        scopes.add(read.store_scope)
    assert len(scopes) == 2


def test_the_older_protocol_has_no_roots() -> None:
    """The read is then of the default store."""
    output, code = run("lore get a.b --json", protocol="1")
    read = lore.prove("lore get a.b --json", output)
    assert code == 0
    assert "packRoot" not in output
    assert "toolVersion" not in output
    assert isinstance(read, Read)
    assert read.store_scope == DEFAULT


def test_a_missing_item_fails_with_exit_code_2() -> None:
    """The failure is a document too."""
    output, code = run("lore get missing.x --json")
    assert code == 2
    assert lore.prove("lore get missing.x --json", output) == Skipped("result-failed")


def test_a_later_protocol_is_named() -> None:
    """The stand-in can play a reader that is too new."""
    output, _ = run("lore get a.b --json", protocol="3")
    assert lore.prove("lore get a.b --json", output) == Skipped("result-protocol", "protocol 3")


def test_text_for_people_is_no_document() -> None:
    """Without `--json` nothing in the output looks like a result."""
    output, code = run("lore get a.b")
    assert code == 0
    assert not output.startswith("{")
    assert run("lore get missing.x") == ("", 2)

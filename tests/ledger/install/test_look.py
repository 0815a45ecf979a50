"""What stands of ours in a host's file, beside what an install would put there."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from ledger.install.change import Task, perform
from ledger.install.files import BOM, Refusal
from ledger.install.look import Standing, look
from tests.ledger.install.documents import PROGRAM, wanted

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HOST = "codex"
EVENTS = ("SessionStart", "PostToolUse", "SubagentStart", "SessionEnd")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Install into a file that there was not."""
    made = tmp_path / "home" / "hooks.json"
    perform(Task(made, HOST, wanted(HOST)), tmp_path / "state")
    return made


def found(file: Path) -> Standing:
    """Return our hooks in a file that holds some."""
    standing = look(file, HOST, partial(wanted, HOST))
    assert isinstance(standing, Standing)
    return standing


def edit(file: Path, change: Callable[[Any], object]) -> None:
    """Change what a file holds."""
    document = json.loads(file.read_text())
    change(document["hooks"])
    file.write_text(json.dumps(document))


def test_what_an_install_wrote_is_current(file: Path) -> None:
    """Every event with its whole command, and the program that all of them call."""
    standing = found(file)
    assert (standing.state, standing.programs, standing.target) == ("current", (PROGRAM,), file)
    assert tuple(standing.commands) == EVENTS
    assert all(len(lines) == 1 and "hook codex" in lines[0] for lines in standing.commands.values())


def test_a_file_in_another_format_is_current(file: Path) -> None:
    """Order, blanks and a byte order mark are the user's."""
    hooks = json.loads(file.read_text())["hooks"]
    file.write_bytes(BOM + json.dumps({"hooks": dict(reversed(hooks.items())), "a": 1}).encode())
    assert found(file).state == "current"


def test_a_missing_event_is_told_before_all(file: Path) -> None:
    """Also where another one is of yesterday."""

    def change(hooks: Any) -> None:
        del hooks["SessionEnd"]
        hooks["SessionStart"][0]["hooks"][0]["timeout"] = 99

    edit(file, change)
    assert found(file).state == "incomplete"


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda hooks: hooks["PostToolUse"][0].update(matcher="Bash"), id="another matcher"),
        pytest.param(
            lambda hooks: hooks["SessionEnd"][0]["hooks"][0].update(timeout=9), id="another timeout"
        ),
        pytest.param(lambda hooks: hooks.update(Stop=hooks["SessionStart"]), id="one more event"),
        pytest.param(lambda hooks: hooks["SessionEnd"].append(hooks["SessionEnd"][0]), id="twice"),
    ],
)
def test_what_an_install_would_change_is_outdated(file: Path, change: Callable[[Any], object]) -> None:
    """The hooks of an earlier readmark, or what somebody changed in them."""
    edit(file, change)
    assert found(file).state == "outdated"


def test_every_program_that_is_called_is_named(file: Path) -> None:
    """A direct call is of an earlier form; half a character is shown as what it is."""

    def change(hooks: Any) -> None:
        hooks["SessionStart"][0]["hooks"][0]["command"] = "/old/readmark hook codex"
        hooks["SessionEnd"][0]["hooks"][0]["command"] = "/x\ud800/readmark hook codex"

    edit(file, change)
    standing = found(file)
    assert standing.programs == ("/old/readmark", PROGRAM, "/x\\ud800/readmark")
    assert standing.state == "outdated"


def test_a_program_beside_its_arguments_is_named(tmp_path: Path) -> None:
    """Claude Code starts such a hook without a shell, so its path is no line of one."""
    file = tmp_path / "settings.json"
    handler = {"type": "command", "command": "/it's here/readmark", "args": ["hook", HOST]}
    file.write_text(json.dumps({"hooks": {"SessionStart": [{"hooks": [handler]}]}}))
    standing = found(file)
    assert (standing.state, standing.programs) == ("incomplete", ("/it's here/readmark",))


@pytest.mark.parametrize(
    "text", [None, "{}", '{"hooks": []}', '{"hooks": {"Stop": [{"hooks": [{"command": "x"}]}]}}']
)
def test_a_file_without_our_hooks_holds_none(tmp_path: Path, text: str | None) -> None:
    """A file that is missing, or holds what is no matter of ours."""
    file = tmp_path / "hooks.json"
    if text is not None:
        file.write_text(text)
    assert look(file, HOST, partial(wanted, HOST)) is None


def test_a_file_that_cannot_be_understood_is_refused_at_its_place(tmp_path: Path) -> None:
    """Whether our hooks stand in it, nobody can know."""
    file = tmp_path / "hooks.json"
    file.write_text('{\n "hooks": {,}}')
    refusal = look(file, HOST, partial(wanted, HOST))
    assert isinstance(refusal, Refusal)
    assert (refusal.line, refusal.column) == (2, 12)


def test_a_file_that_no_install_would_take_is_refused(file: Path) -> None:
    """Our hooks stand in it, beside an event that has another form than a host reads."""
    edit(file, lambda hooks: hooks.update(SessionEnd={}))
    assert isinstance(look(file, HOST, partial(wanted, HOST)), Refusal)


def test_looking_changes_nothing(file: Path) -> None:
    """Not even a time stamp, and no lock is made."""
    edit(file, lambda hooks: hooks.pop("SessionEnd"))
    before = (file.stat(), sorted(file.parent.parent.rglob("*")))
    found(file)
    after = (file.stat(), sorted(file.parent.parent.rglob("*")))
    assert before[0].st_mtime_ns == after[0].st_mtime_ns
    assert before[1] == after[1]

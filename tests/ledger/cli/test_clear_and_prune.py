"""`readmark clear` and `readmark prune`: what goes, and that nothing goes by mistake."""

from __future__ import annotations

import os
import pty
import subprocess
from pathlib import Path

import pytest

from contracts.conversation import Conversation
from contracts.outcome import Skipped
from contracts.read import Read
from ledger.cli.clear import LATER
from ledger.runtime import now_ms, open_ledger
from tests.ledger.cli.running import assert_valid, command, held, keep, run, state_home

PAIR = ("--host", "codex", "--conversation", "one")


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--yes",),
        ("--json",),
        ("--host", "codex"),
        ("--conversation", "one"),
        ("--all", "--host", "codex", "--yes"),
        ("--all", "--conversation", "one", "--yes"),
        ("--all", *PAIR, "--yes"),
        ("--all",),
    ],
)
def test_an_unclear_target_is_wrong_usage_and_clears_nothing(options: tuple[str, ...]) -> None:
    """Nothing, half of the pair, both kinds at once, or a question that nobody can answer."""
    keep("codex", "one")
    done = run("clear", *options)
    assert (done.code, done.out) == (2, b"")
    assert "--" in done.err
    assert held("codex", "one") == ["a.b"]


def test_a_conversation_is_cleared_and_no_other() -> None:
    """The count is what went."""
    for reference, items in (("one", ["a.b", "a.c"]), ("two", ["a.b"])):
        for item in items:
            keep("codex", reference, item)
    keep("claude-code", "one")
    done = run("clear", *PAIR, "--json")
    assert_valid("clear", done.json)
    assert (done.code, done.json) == (
        0,
        {"state": "cleared", "known": True, "conversations": 1, "candidates": 2},
    )
    assert held("codex", "one") == []
    assert held("codex", "two") == ["a.b"]
    assert held("claude-code", "one") == ["a.b"]


def test_a_person_reads_how_many_went() -> None:
    """One is not many."""
    keep("codex", "one")
    assert "1 candidate of" in run("clear", *PAIR).text
    for item in ("a.b", "a.c"):
        keep("codex", "two", item)
    assert "2 candidates of" in run("clear", "--host", "codex", "--conversation", "two").text


@pytest.mark.parametrize("options", [PAIR, ("--host", "codex", "--conversation", "two"), ("--all", "--yes")])
def test_a_person_reads_that_a_cleared_conversation_stays_closed(options: tuple[str, ...]) -> None:
    """Who goes on in it wonders otherwise why nothing is recorded."""
    keep("codex", "one")
    done = run("clear", *options)
    assert LATER in " ".join((done.text + done.err).split())


def a_fault() -> None:
    """Put a fault into the configuration, beside limits that are wider than the defaults."""
    file = Path(run("config", "--json").json["file"])
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("[limits]\nidle_seconds = 99999999\ncandidate = 5\n")


@pytest.mark.parametrize("options", [PAIR, ("--all", "--yes")])
def test_a_fault_of_the_configuration_stops_no_clear(options: tuple[str, ...]) -> None:
    """It is a way out of trouble; the fault is named beside the answer."""
    keep("codex", "one")
    a_fault()
    done = run("clear", *options, "--json")
    assert (done.code, done.json["candidates"]) == (0, 1)
    assert "limits.candidate:" in done.err


def test_a_clear_that_cannot_know_the_limits_drops_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the user keeps for longer than the default is still there once the fault is gone."""
    keep("codex", "old", "a.b")
    monkeypatch.setattr("ledger.runtime.now_ms", lambda: now_ms() + 8 * 24 * 3600 * 1000)
    monkeypatch.setattr("ledger.cli.access.now_ms", lambda: now_ms() + 8 * 24 * 3600 * 1000)
    file = Path(run("config", "--json").json["file"])
    a_fault()
    assert run("clear", *PAIR).code == 3
    file.write_text("[limits]\nidle_seconds = 99999999\n")
    assert held("codex", "old") == ["a.b"]


@pytest.mark.usefixtures("proven")
@pytest.mark.parametrize("verb", [("prune",), ("brief", *PAIR)])
def test_what_goes_by_the_limits_is_refused_while_they_have_a_fault(verb: tuple[str, ...]) -> None:
    """A purge by other limits than the user's would be a loss."""
    keep("codex", "one")
    a_fault()
    done = run(*verb)
    assert (done.code, done.out) == (4, b"")
    assert "config-invalid" in done.err


def test_an_unknown_conversation_is_closed_all_the_same_and_said_to_be_unknown() -> None:
    """A late event of it is refused; and who mistyped its name does not take it for done."""
    done = run("clear", *PAIR)
    assert (done.code, done.out) == (3, b"")
    assert "holds nothing of codex one" in done.err
    assert "closed" in done.err
    again = run("clear", *PAIR, "--json")
    assert (again.code, again.json) == (
        3,
        {"state": "cleared", "known": False, "conversations": 0, "candidates": 0},
    )
    late = Read("lore", "default", "a.b", "sha256:00", "T", "W", ())
    with open_ledger(os.environ, 1000) as ledger:
        assert ledger.record(Conversation("codex", "one"), late, None) == Skipped("conversation-cleared")


def test_all_conversations_are_cleared_after_a_yes() -> None:
    """`--yes` says it beforehand."""
    keep("codex", "one")
    keep("claude-code", "two")
    done = run("clear", "--all", "--yes", "--json")
    assert_valid("clear", done.json)
    assert done.json == {"state": "cleared", "known": True, "conversations": 2, "candidates": 2}
    assert run("list", "--json").json["conversations"] == []
    assert "0 candidates of 0" in run("clear", "--all", "--yes").text


@pytest.mark.parametrize(
    ("answer", "code", "left"), [(b"y\n", 0, []), (b"n\n", 3, ["a.b"]), (b"\n", 3, ["a.b"])]
)
def test_all_asks_at_a_terminal(answer: bytes, code: int, left: list[str]) -> None:
    """Only a yes clears; the question goes to standard error, so that output stays output."""
    keep("codex", "one")
    ours, theirs = pty.openpty()
    os.write(ours, answer)
    done = subprocess.run(
        command("clear", "--all"), stdin=theirs, capture_output=True, check=False, timeout=60
    )
    os.close(ours)
    os.close(theirs)
    assert done.returncode == code
    assert b"Clear every conversation of every host? [y/N]" in done.stderr
    assert LATER.encode() in done.stderr
    assert (b"Cleared: 1 candidate of 1 conversation." in done.stdout) is (code == 0)
    assert held("codex", "one") == left


def test_the_end_of_input_is_no_yes() -> None:
    """Ctrl-D at the question clears nothing."""
    keep("codex", "one")
    ours, theirs = pty.openpty()
    os.write(ours, b"\x04")
    done = subprocess.run(
        command("clear", "--all"), stdin=theirs, capture_output=True, check=False, timeout=60
    )
    os.close(ours)
    os.close(theirs)
    assert done.returncode == 3
    assert b"Traceback" not in done.stderr
    assert held("codex", "one") == ["a.b"]


def test_a_clear_that_is_not_certain_exits_4() -> None:
    """A broken ledger is said to be broken, for one conversation and for all."""
    keep("codex", "one")
    for options in (PAIR, ("--all", "--yes")):
        (state_home() / "ledger.db").write_bytes(b"no ledger at all" * 400)
        done = run("clear", *options, "--json")
        assert_valid("clear", done.json)
        assert (done.code, done.json["state"], done.json["reason"]) == (4, "unavailable", "store-corrupt")


def test_prune_says_what_was_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what has expired goes."""
    keep("codex", "one")
    assert run("prune").text == "Nothing has expired.\n"
    monkeypatch.setattr("ledger.runtime.now_ms", lambda: now_ms() + 8 * 24 * 3600 * 1000)
    done = run("prune", "--json")
    assert_valid("prune", done.json)
    assert (done.code, done.json) == (
        0,
        {"state": "pruned", "conversations": 1, "candidates": 1, "pending": 0},
    )


def test_a_person_reads_what_was_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The counts stand in the sentence."""
    keep("codex", "one")
    monkeypatch.setattr("ledger.runtime.now_ms", lambda: now_ms() + 8 * 24 * 3600 * 1000)
    assert "Removed: 1 conversation, 1 candidate, 0 pending reads." in run("prune").text


def test_a_prune_without_a_ledger_makes_none() -> None:
    """There is nothing to remove, and nothing is made for it."""
    assert run("prune", "--json").json == {
        "state": "pruned",
        "conversations": 0,
        "candidates": 0,
        "pending": 0,
    }
    assert not state_home().exists()


def test_a_prune_of_a_broken_ledger_exits_4(monkeypatch: pytest.MonkeyPatch) -> None:
    """For people on standard error, for programs as a state."""
    keep("codex", "one")
    (state_home() / "ledger.db").write_bytes(b"no ledger at all" * 400)
    done = run("prune", "--json")
    assert_valid("prune", done.json)
    assert (done.code, done.json["state"]) == (4, "unavailable")
    monkeypatch.setenv("READMARK_HOME", "relative")
    assert run("prune").code == 4

"""`readmark status`: how everything is, whatever is wrong."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from contracts.limits import Limits
from contracts.reasons import NOTHING_TO_DO, REFUSALS, UNAVAILABLE
from ledger.cli import access
from ledger.diagnostics import FILE
from ledger.runtime import open_ledger
from ledger.schema import MIGRATIONS
from tests.ledger.cli.running import assert_valid, keep, run, state_home
from tests.ledger.cli.running import seen_by_hook as seen

pytestmark = pytest.mark.usefixtures("no_word_of_hosts")

Break = Callable[[pytest.MonkeyPatch], None]


def status(code: int) -> Any:
    """Return the report for programs; the text for people comes with the same exit code."""
    done = run("status", "--json")
    assert_valid("status", done.json)
    assert (done.code, run("status").code) == (code, code)
    return done.json


def text() -> str:
    """Return what a person reads, as one line."""
    return " ".join(run("status").text.split())


def ledger_file() -> Path:
    """Name the ledger's file."""
    return state_home() / "ledger.db"


def test_a_fresh_machine_is_healthy_and_says_what_comes_next() -> None:
    """No ledger, no hooks, and nothing is made by looking."""
    told = status(0)
    assert told["state"] == "healthy"
    assert told["store"] == {"state": "absent"}
    assert told["counts"] == {"conversations": 0, "cleared": 0, "candidates": 0, "pending": 0}
    assert told["problems"] == []
    assert told["folder"] == {"path": str(state_home()), "source": "HOME"}
    assert [one["found"] for one in told["hosts"]] == [False, False]
    assert "Not on this machine: claude-code, codex. `readmark install HOST` registers" in text()
    assert not state_home().exists()


def test_a_ledger_in_use_is_counted() -> None:
    """Schema, size, what it holds, and the limits in force."""
    for reference in ("one", "two"):
        keep("codex", reference)
    run("clear", "--host", "codex", "--conversation", "two")
    told = status(0)
    assert told["store"]["state"] == "healthy"
    assert told["store"]["schema"] == len(MIGRATIONS)
    assert told["store"]["bytes"] == ledger_file().stat().st_size
    assert told["counts"] == {"conversations": 1, "cleared": 1, "candidates": 1, "pending": 0}
    assert told["limits"] == {key: getattr(Limits(), key) for key in Limits.__struct_fields__}
    assert "1 conversation, 1 candidate, 0 pending reads" in text()


def test_the_source_of_the_folder_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A hook and a person who see different folders can find out why."""
    monkeypatch.setenv("READMARK_HOME", str(tmp_path / "own"))
    assert status(0)["folder"] == {"path": str(tmp_path / "own"), "source": "READMARK_HOME"}
    assert "READMARK_HOME" in text()


@pytest.mark.usefixtures("proven")
def test_last_events_and_briefings_are_shown_by_host() -> None:
    """Event by event, those that never came too: a hook that is not registered shows so."""
    seen("codex", "SubagentStart", "briefed", at=1_000)
    seen("codex", "PostToolUse", "pending", at=2_000)
    seen("codex", "SubagentStart", "nothing-to-brief", at=3_000)
    keep("codex", "one", title="A title")
    claude, codex = status(0)["hosts"]
    assert claude == {
        "host": "claude-code",
        "on": True,
        "found": False,
        "proven": False,
        "installed": [],
        "events": dict.fromkeys(
            ["SessionStart", "PostToolUse", "PostToolBatch", "SubagentStart", "SessionEnd"]
        ),
    }
    briefed = {"at": "1970-01-01T00:00:01.000Z", "event": "SubagentStart", "outcome": "briefed", "ms": 80}
    assert codex["lastBriefed"] == briefed
    assert codex["lastEvent"]["outcome"] == "nothing-to-brief"
    assert {event: one and one["at"] for event, one in codex["events"].items()} == {
        "SessionStart": None,
        "PostToolUse": "1970-01-01T00:00:02.000Z",
        "SubagentStart": "1970-01-01T00:00:03.000Z",
        "SessionEnd": None,
    }
    assert (codex["lastRecorded"]["id"], codex["lastRecorded"]["conversation"]) == ("a.b", "one")
    assert re.search(r"SessionStart never, PostToolUse \d+ d ago, SubagentStart \d+ d ago", text())
    assert re.search(r"recorded \d+ s ago: A title briefed \d+ d ago refused never", text())


def test_the_last_refusals_come_newest_first_with_their_remedies() -> None:
    """Five of them; what was done well is no refusal."""
    for place, reason in enumerate(
        ["actor-subagent", "call-failed", "output-cut", "disabled", "host-unproven", "command-indirect"]
    ):
        seen("codex", "PostToolUse", "skipped", reason, at=place)
    seen("codex", "PostToolUse", "ignored", at=99)
    refusals = status(0)["refusals"]
    assert [one["why"]["reason"] for one in refusals] == [
        "command-indirect",
        "host-unproven",
        "disabled",
        "output-cut",
        "call-failed",
    ]
    assert refusals[0]["why"]["remedy"] == REFUSALS["command-indirect"].remedy


def test_the_last_refusal_of_a_host_is_explained() -> None:
    """Why, and the remedy; what came after it and was done well does not hide it."""
    seen("codex", "PostToolUse", "skipped", "output-cut", at=1)
    seen("codex", "PostToolUse", "skipped", "command-indirect", at=2)
    seen("codex", "PostToolUse", "unavailable", "store-locked", at=3)
    seen("codex", "PostToolUse", "pending", at=4)
    assert status(0)["hosts"][1]["lastRefused"]["reason"] == "command-indirect"
    assert f"PostToolUse: command-indirect: {REFUSALS['command-indirect'].meaning}" in text()
    assert REFUSALS["command-indirect"].remedy in text()


@pytest.mark.parametrize(
    "put", [os.mkfifo, lambda file: file.mkdir(), lambda file: file.write_bytes(b"\0" * 4096)]
)
def test_diagnostics_that_cannot_be_read_are_no_silence(put: Callable[[Path], None]) -> None:
    """Which file it is, and what to do; removing it mends it."""
    seen("codex", "SessionStart", "begun")
    (state_home() / FILE).unlink()
    put(state_home() / FILE)
    told = status(3)
    [why] = told["problems"]
    assert (why["reason"], "Remove what is named" in why["remedy"]) == ("diagnostics-unreadable", True)
    assert why["detail"].startswith(f"{state_home() / FILE}: ")
    (Path(os.environ["HOME"]) / ".codex").mkdir()
    assert "no hook has ever called" not in text()
    assert "last unknown: what hooks said cannot be read" in text()


def test_what_others_wrote_into_the_diagnostics_cannot_steer_the_terminal() -> None:
    """A host's name there is an argument of somebody's registration."""
    seen("codex", "\x1b[31m道\u202e", "skipped", "some\x07reason")
    assert status(0)["refusals"][0]["event"] == "\x1b[31m道\u202e"
    done = run("status")
    assert not {"\x1b", "\u202e", "\x07"} & set(done.text)
    assert "\\u001b[31m道\\u202e" in done.text
    assert "does not know the reason" in text()


def test_damaged_diagnostics_hide_nothing_else() -> None:
    """Lines that are none are passed over."""
    keep("codex", "one")
    (state_home() / FILE).write_bytes(b"\xff\x00{\n" * 100)
    told = status(3)
    assert told["refusals"] == []
    assert [one["reason"] for one in told["problems"]] == ["diagnostics-unreadable"]


def _garbage(patch: pytest.MonkeyPatch) -> None:
    del patch
    ledger_file().write_bytes(b"no ledger at all" * 400)


def _damaged(patch: pytest.MonkeyPatch) -> None:
    del patch
    data = bytearray(ledger_file().read_bytes())
    data[8192 : 8192 + 2048] = b"\xff" * 2048
    ledger_file().write_bytes(data)


def _newer(patch: pytest.MonkeyPatch) -> None:
    del patch
    with apsw.Connection(str(ledger_file())) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()


def _linked(patch: pytest.MonkeyPatch) -> None:
    del patch
    ledger_file().rename(ledger_file().with_name("elsewhere"))
    ledger_file().symlink_to("elsewhere")


def _locked(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(access, "PATIENCE_MS", 20)
    holder = apsw.Connection(str(ledger_file()))
    holder.execute("BEGIN EXCLUSIVE")
    # The connection lives as long as the test's patches.
    patch.setattr(access, "holder", holder, raising=False)


def _no_home(patch: pytest.MonkeyPatch) -> None:
    patch.setenv("READMARK_HOME", "relative")


def _folder_is_a_link(patch: pytest.MonkeyPatch) -> None:
    del patch
    home = state_home()
    home.rename(home.with_name("elsewhere"))
    home.symlink_to("elsewhere")


@pytest.mark.parametrize(
    ("breaks", "reason"),
    [
        (_garbage, "store-corrupt"),
        (_damaged, "store-corrupt"),
        (_newer, "store-newer"),
        (_linked, "store-linked"),
        (_locked, "store-locked"),
        (_no_home, "home-relative"),
        (_folder_is_a_link, "home-unusable"),
    ],
)
def test_a_broken_ledger_is_told_with_its_remedy_and_not_touched(
    breaks: Break, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is wrong, the rest still shows, and looking mends and breaks nothing."""
    for number in range(40):
        keep("codex", "one", f"item.{number}", title="title " * 50)
    breaks(monkeypatch)
    before = sorted(path.name for path in Path(os.environ["HOME"]).rglob("*"))
    told = status(4)
    assert told["state"] == "broken"
    assert [one["reason"] for one in told["problems"]] == [reason]
    assert told["problems"][0]["remedy"] == UNAVAILABLE[reason].remedy
    assert UNAVAILABLE[reason].remedy in text()
    assert len(told["hosts"]) == 2
    assert sorted(path.name for path in Path(os.environ["HOME"]).rglob("*")) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_folder_that_may_not_be_read_is_told() -> None:
    """Permissions are a reason of their own, and never look like an empty ledger."""
    keep("codex", "one")
    state_home().chmod(0)
    try:
        told = status(4)
    finally:
        state_home().chmod(stat.S_IRWXU)
    assert told["problems"][0]["reason"] in UNAVAILABLE


def test_a_fault_of_the_configuration_wants_attention_and_hides_nothing() -> None:
    """The ledger is shown by the defaults."""
    keep("codex", "one")
    config = Path(run("config", "--json").json["file"])
    config.parent.mkdir(parents=True)
    config.write_text("[limits]\ncandidate_byte = 1\n")
    told = status(3)
    assert told["state"] == "attention"
    assert told["counts"]["candidates"] == 1
    assert told["problems"][0]["reason"] == "config-invalid"
    assert "limits.candidate_byte" in told["problems"][0]["detail"]


def _read_only(patch: pytest.MonkeyPatch, *paths: Path) -> None:
    """Let these be of a file system that is mounted read-only, which not even root may write."""
    asked = os.access

    def access_(path: Path, mode: int, **more: Any) -> bool:
        return not (path in paths and mode & os.W_OK) and asked(path, mode, **more)

    patch.setattr(os, "access", access_)
    patch.setattr(os, "supports_effective_ids", {access_})


@pytest.mark.parametrize(
    ("make", "path", "reason"),
    [
        (True, "ledger.db", "store-read-only"),
        (True, ".", "store-read-only"),
        (False, "..", "home-unusable"),
    ],
)
def test_a_place_that_takes_no_write_wants_attention(
    make: bool,  # noqa: FBT001 - a case of the table
    path: str,
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is recorded can be read, and nothing is tried out."""
    if make:
        keep("codex", "one")
    else:
        state_home().parent.mkdir(parents=True)
    _read_only(monkeypatch, Path(os.path.normpath(state_home() / path)))
    before = sorted(Path(os.environ["HOME"]).rglob("*"))
    told = status(3)
    assert told["state"] == "attention"
    assert [one["reason"] for one in told["problems"]] == [reason]
    assert told["counts"]["candidates"] == int(make)
    assert sorted(Path(os.environ["HOME"]).rglob("*")) == before


def test_a_shared_folder_is_no_place_for_a_ledger(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A slip in READMARK_HOME is found before the first read is lost."""
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "of somebody").touch()
    shared.chmod(0o777)
    monkeypatch.setenv("READMARK_HOME", str(shared))
    assert [one["reason"] for one in status(3)["problems"]] == ["home-unusable"]


@pytest.mark.parametrize("make", [True, False])
@pytest.mark.parametrize(
    ("sizes", "full"),
    [((10, 0, 0, 0), True), ((10, 5, 10, 0), True), ((10, 5, 10, 5), False), ((0, 0, 0, 0), False)],
)
def test_a_full_file_system_wants_attention(
    make: bool,  # noqa: FBT001 - a case of the table
    sizes: tuple[int, int, int, int],
    full: bool,  # noqa: FBT001 - a case of the table
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Out of blocks or out of inodes; some file systems have no size at all and are never full."""
    if make:
        keep("codex", "one")
    blocks, free, files, places = sizes
    told = os.statvfs_result((4096, 4096, blocks, free, free, files, places, places, 0, 255))
    monkeypatch.setattr(os, "statvfs", lambda _: told)
    assert [one["reason"] for one in status(3 if full else 0)["problems"]] == ["store-full"] * full


@pytest.mark.parametrize("outcome", ["ignored", "unavailable", "begun"])
def test_what_the_last_hook_of_a_host_met_wants_attention(outcome: str) -> None:
    """Whatever else came of the event; an earlier trouble that is over does not."""
    seen("codex", "PostToolUse", outcome, "store-full", at=1)
    seen("claude-code", "Stop", "ignored", at=2)
    (problem,) = status(3)["problems"]
    assert problem["reason"] == "store-full"
    assert "the last hook of codex, 1970-01-01T00:00:00.001Z" in problem["detail"]
    assert status(3)["refusals"][0]["why"]["reason"] == "store-full"
    seen("codex", "PostToolUse", "pending", at=3)
    assert status(0)["problems"] == []


def test_a_refusal_is_no_trouble() -> None:
    """The agent read something else, or in another way."""
    seen("codex", "PostToolUse", "skipped", "command-indirect")
    assert status(0)["state"] == "healthy"


def test_a_trouble_is_told_once() -> None:
    """The hooks of both hosts met what is still so."""
    keep("codex", "one")
    ledger_file().write_bytes(b"no ledger at all" * 400)
    seen("codex", "PostToolUse", "unavailable", "store-corrupt")
    seen("claude-code", "PostToolUse", "unavailable", "store-corrupt")
    assert [one["reason"] for one in status(4)["problems"]] == ["store-corrupt"]


def test_a_host_that_nobody_knows_wants_attention() -> None:
    """A slip in a registration keeps a host from ever being heard."""
    seen("unknown", "other", "skipped", "host-unknown")
    seen("codex", "PostToolUse", "pending", at=1_800_000_000_001)
    (problem,) = status(3)["problems"]
    assert (problem["reason"], problem["remedy"]) == ("host-unknown", REFUSALS["host-unknown"].remedy)
    assert "2027-01-15" in problem["detail"]


def test_people_read_no_remedy_where_there_is_none() -> None:
    """That nothing is to be done goes without saying."""
    seen("codex", "PostToolUse", "skipped", "actor-unproven")
    assert REFUSALS["actor-unproven"].meaning in text()
    assert "skipped" not in text()
    assert NOTHING_TO_DO not in text()


def test_the_switch_wants_attention(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever wonders why nothing is recorded finds it here."""
    monkeypatch.setenv("READMARK_DISABLED", "1")
    assert status(3)["problems"][0]["remedy"] == REFUSALS["disabled"].remedy


def test_a_ledger_that_was_set_aside_is_mentioned_and_no_fault() -> None:
    """What it held is lost to readmark, not to its user; a fresh one is in its place."""
    for number in (1, 2):
        keep("codex", f"before {number}")
        ledger_file().write_bytes(b"no ledger" * 1_000)
        with open_ledger(os.environ, 1000) as ledger:
            ledger.prune()
    keep("codex", "after")
    (state_home() / "ledger.corrupt-x.db").touch()
    told = status(0)
    assert told["setAside"] == [str(state_home() / f"ledger.corrupt-{number}.db") for number in (2, 1)]
    assert "ledger.corrupt-2.db: damaged; what it held is not told any more" in text()

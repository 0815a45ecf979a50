"""`readmark record`: a payload's way, told gate by gate."""

from __future__ import annotations

import os
import pty
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from adapters.evidence.replay import Step
from contracts.lines import Lines
from contracts.outcome import Life, Noted, Recorded, Repeated, Settled, Skipped, Unavailable, Withdrawn
from contracts.read import Candidate, Read
from contracts.reasons import REFUSALS, UNAVAILABLE
from ledger.cli import record as record_verb
from ledger.hook import PAYLOAD_BYTES
from ledger.pipeline import Briefed, Handled, Nothing, Outcome
from tests.ledger.cli.running import (
    CLAUDE,
    CODEX,
    assert_valid,
    command,
    held,
    keep,
    process,
    put_verdict,
    run,
    state_home,
)

Steps = Callable[[tuple[str, str], str], Iterator[Step]]


@pytest.fixture
def record(tmp_path: Path) -> Callable[..., tuple[int, Any]]:
    """Record one payload from a file; give the exit code and the report, valid by its schema."""

    def records(host: str, payload: bytes, *more: str) -> tuple[int, Any]:
        file = tmp_path / "payload.json"
        file.write_bytes(payload)
        done = run("record", "--host", host, str(file), "--json", *more)
        assert_valid("record", done.json)
        return done.code, done.json

    return records


@pytest.mark.usefixtures("proven")
def test_a_recorded_conversation_of_codex_is_told_step_by_step(
    steps: Steps, record: Callable[..., tuple[int, Any]]
) -> None:
    """A read waits for its delivery, settles, is told to the subagent; the subagent's own read is refused."""
    told = [record("codex", step.payload) for step in steps(CODEX, "read_and_spawn")]
    states = [(code, one["state"]) for code, one in told if one["state"] != "ignored"]
    assert states == [(0, "begun"), (0, "pending"), (0, "recorded"), (0, "briefed"), (3, "skipped")]
    waiting = next(one for _, one in told if one["state"] == "pending")
    assert waiting["item"] == "root.one"
    assert waiting["gates"] == {
        "conversation": "passed",
        "actor": "passed",
        "success": "passed",
        "direct": "passed",
        "result": "passed",
        "delivery": "waiting",
    }
    settled = [one["settled"] for _, one in told if one["settled"]]
    assert settled == [{"recorded": [{"id": "root.one", "readOrdinal": 1, "change": "new"}]}]
    briefed = next(one for _, one in told if one["state"] == "briefed")
    assert '"root.one"' in briefed["briefing"]
    refused = told[-5][1]
    assert refused["refusal"]["reason"] == "actor-subagent"
    assert refused["gates"]["actor"] == "failed"
    assert refused["gates"]["result"] == "not-asked"


@pytest.mark.usefixtures("proven")
def test_a_recorded_conversation_of_claude_code_settles_its_read(
    steps: Steps, record: Callable[..., tuple[int, Any]]
) -> None:
    """The batch that ends the turn's tools shows what the model got."""
    told = [
        record("claude-code", step.payload)[1]
        for step in steps(CLAUDE, "same_batch_read_and_agent")
        if step.index >= 20
    ]
    assert [one["state"] for one in told[:2]] == ["pending", "recorded"]
    assert [one["event"] for one in told[:2]] == ["PostToolUse", "PostToolBatch"]
    assert told[1]["settled"]["recorded"][0]["id"] == "m.2"


@pytest.mark.usefixtures("proven")
def test_a_person_reads_gate_meaning_and_remedy(steps: Steps, tmp_path: Path) -> None:
    """Every refusal says which gate stayed shut, what that means, and what to do."""
    step = next(step for step in steps(CODEX, "fail") if step.event == "PostToolUse")
    (tmp_path / "payload").write_bytes(step.payload)
    done = run("record", "--host", "codex", str(tmp_path / "payload"))
    assert done.code == 3
    told = " ".join(done.text.split())
    assert "refused: call-failed" in told
    assert "skipped" not in told
    assert REFUSALS["call-failed"].meaning in told
    assert REFUSALS["call-failed"].remedy in told
    assert "success ✗ failed" in told
    assert "actor ✓ passed" in told
    assert "delivery - not asked" in told


def test_standard_input_is_read_where_no_file_is_named(
    codex_read: Callable[[int], str], steps: Steps
) -> None:
    """Scripts pipe payloads, with "-" or without."""
    codex_read(4)
    step = next(step for step in steps(CODEX, "read_and_spawn") if step.index == 4)
    for file in ([], ["-"]):
        done = process("record", "--host", "codex", "--json", *file, stdin=step.payload)
        assert (done.code, done.json["state"]) == (0, "repeated")


@pytest.mark.usefixtures("proven")
@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        pytest.param(b"", "payload-malformed", id="nothing"),
        pytest.param(b"\xff\xfe", "payload-malformed", id="no text"),
        pytest.param(b"[" * 100_000, "payload-malformed", id="deep"),
        pytest.param(b" " * (PAYLOAD_BYTES + 1), "payload-too-large", id="large"),
    ],
)
def test_what_is_no_payload_is_refused(
    payload: bytes, reason: str, record: Callable[..., tuple[int, Any]]
) -> None:
    """The bound is the hook's own."""
    code, told = record("codex", payload)
    assert (code, told["state"], told["refusal"]["reason"]) == (3, "skipped", reason)
    assert "gates" not in told


def test_a_host_without_a_verdict_writes_nothing(record: Callable[..., tuple[int, Any]]) -> None:
    """No evidence, no writes: not by the hook and not by hand."""
    code, told = record("codex", b"{}")
    assert (code, told["refusal"]["reason"]) == (3, "host-unproven")
    assert not state_home().exists()


@pytest.mark.usefixtures("proven")
def test_a_version_that_does_not_pass_writes_nothing(
    verdict_folder: Path, record: Callable[..., tuple[int, Any]]
) -> None:
    """Its own verdict decides, and the gates that are shut are named."""
    put_verdict(verdict_folder, "codex", "0.172.0", success="failed", visible="not-shown")
    code, told = record("codex", b"{}", "--host-version", "0.172.0")
    assert (code, told["refusal"]["reason"]) == (3, "version-failed")
    assert told["refusal"]["detail"] == "success failed, visible not-shown"
    assert not state_home().exists()


@pytest.mark.usefixtures("proven")
def test_the_switch_that_stops_the_hook_stops_this_way_too(
    record: Callable[..., tuple[int, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is the same way."""
    monkeypatch.setenv("READMARK_DISABLED", "1")
    assert record("codex", b"{}")[1]["refusal"]["reason"] == "disabled"


@pytest.mark.parametrize("name", ["missing", "."])
def test_a_file_that_cannot_be_read_is_wrong_usage(name: str, tmp_path: Path) -> None:
    """A slip in a path is no refusal of a payload."""
    done = run("record", "--host", "codex", str(tmp_path / name))
    assert (done.code, done.out) == (2, b"")
    assert "FILE" in done.err


@pytest.mark.usefixtures("proven")
def test_an_unavailable_ledger_exits_4(
    steps: Steps,
    record: Callable[..., tuple[int, Any]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A ledger that cannot be used is never a success."""
    keep("codex", "other")
    (state_home() / "ledger.db").write_bytes(b"no ledger at all" * 400)
    step = next(step for step in steps(CODEX, "read_and_spawn") if step.index == 4)
    code, told = record("codex", step.payload)
    assert code == 4
    assert told["settled"]["unavailable"]["reason"] == "store-corrupt"
    monkeypatch.setenv("READMARK_HOME", "relative")
    code, told = record("codex", step.payload)
    assert (code, told) == (4, {"state": "unavailable", "reason": "home-relative"})
    done = run("record", "--host", "codex", str(tmp_path / "payload.json"))
    assert (done.code, done.out) == (4, b"")
    assert UNAVAILABLE["home-relative"].remedy in done.err


@pytest.mark.usefixtures("proven")
def test_there_is_no_way_to_claim_a_read(record: Callable[..., tuple[int, Any]]) -> None:
    """A payload of our own making lacks what only the host writes."""
    claimed = {"session_id": "s", "hook_event_name": "PostToolUse", "item": "a.b", "proven": True}
    code, told = record("codex", msgspec.json.encode(claimed))
    assert (code, told["state"]) == (3, "skipped")
    assert held("codex", "s") == []
    assert "--id" not in run("record", "--help").text


@pytest.fixture
def read_of_claude(steps: Steps) -> bytes:
    """Return the payload of a recorded read."""
    return next(step.payload for step in steps(CLAUDE, "direct") if step.event == "PostToolUse")


@pytest.mark.usefixtures("proven")
@pytest.mark.parametrize(
    ("environ", "more", "version", "known"),
    [
        ("", [], None, False),
        ("claude-code_2-9-0_harness", [], "2.9.0", False),
        ("claude-code_2-1-197_harness", [], "2.1.197", True),
        ("", ["--host-version", "2.1.197"], "2.1.197", True),
        ("claude-code_2-1-197_harness", ["--host-version", "9\u202e"], "9\u202e", False),
        ("claude-code_2-1-197_harness", ["--host-version", ""], None, False),
    ],
)
def test_a_payload_of_a_version_that_is_not_proven_must_have_the_recorded_shape(  # noqa: PLR0913, PLR0917 - the columns of the table
    environ: str,
    more: list[str],
    version: str | None,
    known: bool,  # noqa: FBT001 - a case of the table
    read_of_claude: bytes,
    record: Callable[..., tuple[int, Any]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """As in the hook, whose environment states the version; a person can give it, and is told why not."""
    monkeypatch.setenv("AI_AGENT", environ)
    changed = read_of_claude.replace(b'"interrupted"', b'"sandboxDenied":true,"interrupted"')
    code, told = record("claude-code", changed, *more)
    assert (told.get("hostVersion"), told["versionProven"]) == (version, known)
    if known:
        assert (code, told["state"]) == (0, "pending")
        return
    assert (code, told["refusal"]["reason"]) == (3, "version-unproven")
    assert told["refusal"]["detail"] == "a new field"
    file = str(tmp_path / "payload.json")
    said = " ".join(run("record", "--host", "claude-code", file, *more).text.split())
    assert ("--host-version" in said) is (version is None)
    assert version is None or f"The version is {version.replace(chr(0x202E), chr(92) + 'u202e')}." in said
    assert record("claude-code", read_of_claude, *more)[1]["state"] == "pending"


HOW: dict[str, tuple[list[str], dict[str, str]]] = {
    "paused": (["pause"], {}),
    "disabled": (["hosts"], {"READMARK_DISABLED": "1"}),
    "config-invalid": (["hosts"], {"READMARK_CANDIDATES": "many"}),
}


@pytest.mark.parametrize("reason", HOW)
def test_a_life_that_ends_while_readmark_is_off_is_ended_by_this_way_too(
    reason: str,
    codex_read: Callable[[int], str],
    steps: Steps,
    record: Callable[..., tuple[int, Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The hook does so: what was read before must not show in the new life."""
    conversation = codex_read(4)
    keep("codex", conversation)
    begun = next(step.payload for step in steps(CODEX, "read_and_spawn") if step.event == "SessionStart")
    verb, environ = HOW[reason]
    run(*verb)
    with monkeypatch.context() as patch:
        for name, value in environ.items():
            patch.setenv(name, value)
        code, told = record("codex", begun)
        assert (code, told["refusal"]["reason"]) == (4 if reason == "config-invalid" else 3, reason)
    assert held("codex", conversation) == []


def test_the_help_says_that_it_is_no_rehearsal() -> None:
    """Whoever only wants to look finds out beforehand."""
    assert "really writes to the ledger" in " ".join(run("record", "--help").text.split())


@pytest.mark.usefixtures("proven")
def test_a_named_pipe_is_read_to_its_end(record: Callable[..., tuple[int, Any]], tmp_path: Path) -> None:
    """`record <(command)` of a shell is one."""
    reading, writing = os.pipe()
    os.write(writing, b"{")
    os.close(writing)
    done = run("record", "--host", "codex", f"/dev/fd/{reading}", "--json")
    os.close(reading)
    assert (done.code, done.json["refusal"]["reason"]) == (3, "payload-malformed")
    assert tmp_path.exists()
    assert record("codex", b"{")[0] == 3


def handled(outcome: Outcome, settled: Settled | Unavailable = Settled()) -> Handled:  # noqa: B008 - frozen
    """Return what the pipeline says of some payload."""
    return Handled("Cleared", outcome, settled)


READ = Read("lore", "default", "道\x1b", "sha256:00", "T", "W", ())
PART = Read("document", "p", "docs/a.md", "sha256:00", "T", "", (), lines=Lines(((1, 220),), 480))


@pytest.mark.parametrize(
    ("what", "code", "sentences"),
    [
        (handled(Noted((READ,))), 0, ["pending:", "Item: 道\\u001b Gate", "delivery … waiting"]),
        (
            handled(Noted((PART, READ), (Withdrawn(READ, Skipped("candidate-too-large", "9 of 4 bytes")),))),
            0,
            [
                "Item: docs/a.md, lines 1-220 of 480 Item: 道\\u001b ",
                "Refused: 道\\u001b: candidate-too-large",
                "(9 of 4 bytes)",
            ],
        ),
        (handled(Repeated()), 0, ["repeated: The same event came before"]),
        (handled(Life(2, 3)), 0, ["cleared:", "Candidates gone with the life that ended: 3."]),
        (handled(Life(2)), 0, ["cleared:"]),
        (handled(Briefed('Head\n{"id":"a"}', ())), 0, ["briefed:", 'Head {"id":"a"}']),
        (handled(Briefed("", ())), 0, ["nothing-to-brief:"]),
        (handled(Nothing()), 0, ["ignored:"]),
        (handled(Skipped("disabled")), 3, ["refused: disabled"]),
        (handled(Skipped("candidate-too-large", "9 of 4 bytes")), 3, ["(9 of 4 bytes)", "result ✗ failed"]),
        (handled(Skipped("foreign-payload")), 3, [REFUSALS["foreign-payload"].remedy]),
        (handled(Unavailable("store-full")), 4, [UNAVAILABLE["store-full"].remedy]),
        (
            handled(Nothing(), Settled((Recorded(Candidate(READ, 0, 7), "replaced"),))),
            0,
            ["recorded:", "Settled: 道\\u001b is candidate 7 (replaced)."],
        ),
        (
            handled(Nothing(), Settled((Recorded(Candidate(PART, 0, 8), "extended"),))),
            0,
            ["Settled: docs/a.md is candidate 8 (extended), lines 1-220 of 480."],
        ),
        (
            handled(Nothing(), Settled((), (Withdrawn(READ, Skipped("delivery-refuted")),))),
            0,
            ["withdrawn:", "Withdrawn: 道\\u001b: delivery-refuted", REFUSALS["delivery-refuted"].meaning],
        ),
        (
            handled(Nothing(), Unavailable("store-locked")),
            4,
            ["Could not settle: store-locked", UNAVAILABLE["store-locked"].remedy],
        ),
    ],
)
def test_every_outcome_is_told_to_people_and_to_programs(
    what: Handled, code: int, sentences: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """No outcome is silent, and none leaves its schema."""
    report = record_verb.report(what, "SessionEnd", "", proven=False)
    assert_valid("record", msgspec.json.decode(msgspec.json.encode(report)))
    assert record_verb.exit_code(report) == code
    record_verb.tell(report)
    told = " ".join(capsys.readouterr().out.split())
    for sentence in sentences:
        assert sentence in told


def test_a_program_is_told_of_each_item_of_a_call() -> None:
    """The first one's id stands for itself, too; lines and their number are absent for a whole."""
    noted = Noted((PART, READ), (Withdrawn(READ, Skipped("candidate-too-large", "9 of 4 bytes")),))
    recorded = Recorded(Candidate(PART, 0, 8), "extended")
    settled = Settled((recorded,), (Withdrawn(READ, Skipped("delivery-refuted")),))
    report = record_verb.report(handled(noted, settled), "PostToolUse", "", proven=True)
    told = msgspec.json.decode(msgspec.json.encode(report))
    assert_valid("record", told)
    assert told["item"] == "docs/a.md"
    lines = {"lines": [[1, 220]], "of": 480}
    assert told["items"] == [{"id": "docs/a.md", **lines}, {"id": READ.item_id}]
    assert [(one["id"], one["reason"]) for one in told["refused"]] == [(READ.item_id, "candidate-too-large")]
    assert told["settled"]["recorded"] == [
        {"id": "docs/a.md", "readOrdinal": 8, "change": "extended", **lines}
    ]
    [gone] = told["settled"]["refused"]
    assert (gone["id"], gone["reason"]) == (READ.item_id, "delivery-refuted")


@pytest.mark.parametrize("reason", REFUSALS)
def test_every_refusal_is_told_with_its_gates(reason: str) -> None:
    """Those that were asked have passed, but for the one that stayed shut."""
    report = record_verb.report(handled(Skipped(reason)), "PostToolUse", "", proven=False)
    told = msgspec.json.decode(msgspec.json.encode(report))
    assert_valid("record", told)
    assert record_verb.exit_code(report) == 3
    states = list(told.get("gates", {}).values())
    if REFUSALS[reason].gate is None:
        assert not states
    else:
        order = ["passed", "failed", "not-asked"]
        if reason == "delivery-unproven":
            # Asked before the result is looked at, though it is about the last gate.
            order = ["passed", "not-asked", "failed"]
        assert states == sorted(states, key=order.index)
        assert states.count("failed") == 1


@pytest.mark.usefixtures("proven")
def test_a_person_at_a_terminal_is_told_that_input_is_awaited() -> None:
    """Otherwise it would look like a hang."""
    ours, theirs = pty.openpty()
    os.write(ours, b"{\n\x04")
    done = subprocess.run(
        command("record", "--host", "codex"), stdin=theirs, stderr=theirs, stdout=subprocess.PIPE, check=False
    )
    os.close(theirs)
    shown = os.read(ours, 4096)
    os.close(ours)
    assert done.returncode == 3
    assert b"Ctrl-D" in shown

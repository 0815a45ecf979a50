"""The hook process: one answer or none, exit code 0, inside the deadline, whatever happens."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from adapters.evidence.replay import load, replay
from adapters.hosts import load as load_host
from adapters.verdicts import SHAPES
from contracts.limits import Limits
from contracts.outcome import Ready, Told
from ledger.calls import Ledger
from ledger.diagnostics import entries
from ledger.hook import DEADLINE, PAYLOAD_BYTES, SESSION_END_DEADLINE
from ledger.runtime import now_ms
from tests.ledger.cli.running import WITH_VERDICTS
from tests.ledger.crowd import locked

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Hook = Callable[..., subprocess.CompletedProcess[bytes]]

COMMAND = Path(sys.executable).with_name("readmark")
EVIDENCE = Path(__file__).parents[2] / "contracts" / "evidence"
PROVEN = "claude-code_2-1-197_harness"
"""What Claude Code 2.1.197 tells its hooks of itself."""
LONG = 30
"""Seconds that a lock is held at most, longer than any hook waits."""
SLACK = 1.0
"""Seconds that starting Python may take on a loaded machine, beyond the deadline itself."""


@pytest.fixture
def state(private_home: Path) -> Path:
    """Name the state folder that a hook under the private home uses."""
    return private_home / ".local" / "state" / "readmark"


@pytest.fixture
def hook(private_home: Path) -> Hook:
    """Run the installed hook on one payload."""
    base = {"PATH": os.environ["PATH"], "HOME": str(private_home), "AI_AGENT": PROVEN}

    def run(
        payload: bytes, host: str = "claude-code", environ: Mapping[str, str] | None = None, **more: Any
    ) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [COMMAND, "hook", host],
            input=payload,
            env={**base, **(environ or {})},
            capture_output=True,
            timeout=30,
            check=False,
            **more,
        )

    return run


def claude(event: str, **fields: Any) -> bytes:
    """Make a payload in the form that Claude Code 2.1.197 sends, with its conversation S1."""
    return json.dumps(
        {
            "session_id": "S1",
            "transcript_path": "/home/dev/.claude/projects/-p/S1.jsonl",
            "cwd": "/project",
            "hook_event_name": event,
            **fields,
        }
    ).encode()


def reading(
    item_id: str = "a.b", title: str = "T", call: str = "toolu_1", **fields: Any
) -> tuple[bytes, bytes]:
    """Make the two payloads of one read: the tool's result, and what was sent to the model."""
    output = json.dumps(
        {
            "protocolVersion": 2,
            "command": "get",
            "ok": True,
            "data": {
                "practice": {"id": item_id, "title": title, "applies_when": "W", "body": "B"},
                "contentDigest": "sha256:" + "0" * 64,
                "sources": [{"packName": "p", "sourcePath": "x.md", "packRoot": "/abs"}],
            },
        },
        ensure_ascii=False,
    )
    command = {"command": f"lore get {item_id} --json"}
    response = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
    call_fields = {"tool_name": "Bash", "tool_input": command, "tool_use_id": call}
    result = claude("PostToolUse", **call_fields, tool_response=response, **fields)
    batch = claude("PostToolBatch", tool_calls=[{**call_fields, "tool_response": output}])
    return result, batch


SUBAGENT = claude("SubagentStart", agent_id="a1", agent_type="general-purpose")


def quiet(done: subprocess.CompletedProcess[bytes]) -> bool:
    """Whether a hook call said nothing at all and succeeded."""
    return (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def context(done: subprocess.CompletedProcess[bytes]) -> str:
    """Return the text that the host adds to the subagent's first request."""
    assert (done.returncode, done.stderr) == (0, b"")
    answer = json.loads(done.stdout.decode())
    assert list(answer) == ["hookSpecificOutput"]
    assert answer["hookSpecificOutput"]["hookEventName"] == "SubagentStart"
    return str(answer["hookSpecificOutput"]["additionalContext"])


def told(state: Path) -> list[Told]:
    """Return what the ledger keeps as told to subagents, the last first."""
    with Ledger(state, Limits(), now_ms) as ledger:
        listed = ledger.list()
    assert isinstance(listed, Ready)
    return [told for one in listed.conversations for told in one.told]


def record(hook: Hook, **fields: Any) -> None:
    """Hand the two payloads of one read to the hook."""
    for payload in reading(**fields):
        assert quiet(hook(payload))


def test_a_read_is_told_to_the_next_subagent(hook: Hook) -> None:
    """The main job, through the installed command."""
    record(hook, item_id="python.errors", title="Errors are values")

    assert '{"id":"python.errors","title":"Errors are values","appliesWhen":"W"}' in context(hook(SUBAGENT))


def test_what_the_hook_told_is_kept_and_only_that(hook: Hook, state: Path) -> None:
    """Two subagents, of which the first was told nothing; what a person asks for leaves nothing."""
    hook(SUBAGENT)
    record(hook)
    context(hook(SUBAGENT))
    environ = {"PATH": os.environ["PATH"], "READMARK_HOME": str(state)}
    asked = ["brief", "--host", "claude-code", "--conversation", "S1"]
    explained = ["record", "--host", "claude-code", "--host-version", "2.1.197"]
    for arguments in (asked, explained):
        done = subprocess.run(
            [COMMAND, *arguments], input=SUBAGENT, env=environ, capture_output=True, timeout=30, check=True
        )
        assert b'"id":"a.b"' in done.stdout

    assert [(one.items, one.left_out) for one in told(state)] == [(("a.b",), 0)]


def test_a_briefing_is_handed_out_though_it_cannot_be_kept(hook: Hook, state: Path) -> None:
    """Another process writes all the while; the hook's own wait is short, and the reason is named."""
    record(hook)
    with locked(state / "ledger.db", "IMMEDIATE", LONG):
        started = time.monotonic()
        assert '"id":"a.b"' in context(hook(SUBAGENT))
        assert time.monotonic() - started < DEADLINE
    last = entries(state)[-1]

    assert (last.summary.outcome, last.summary.reason) == ("briefed", "store-locked")
    assert told(state) == []


@pytest.mark.parametrize("trouble", ["full", "read-only"])
def test_a_briefing_is_handed_out_though_nothing_can_be_written(
    hook: Hook, state: Path, trouble: str
) -> None:
    """A quota that is used up, and a file that a person closed."""
    record(hook)
    more: dict[str, Any] = {}
    if trouble == "full":
        more["preexec_fn"] = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    elif os.geteuid() == 0:
        pytest.skip("root writes everywhere")
    else:
        state.chmod(0o500)
    assert '"id":"a.b"' in context(hook(SUBAGENT, **more))
    state.chmod(0o700)

    assert told(state) == []


def test_a_host_that_has_gone_away_was_told_nothing(hook: Hook, state: Path) -> None:
    """Nobody took the answer."""
    record(hook)
    reader, writer = os.pipe()
    os.close(reader)
    with subprocess.Popen(
        [COMMAND, "hook", "claude-code"],
        stdin=subprocess.PIPE,
        stdout=writer,
        env={"HOME": str(state.parents[2]), "AI_AGENT": PROVEN},
    ) as process:
        os.close(writer)
        process.communicate(SUBAGENT, timeout=30)

    assert process.returncode == 0
    assert told(state) == []


def test_an_unproven_version_counts_while_every_payload_has_the_recorded_shape(
    hook: Hook, state: Path, tmp_path: Path
) -> None:
    """A new field may say that the call did not end well; so a newer host's read with one is refused."""
    newer = {"AI_AGENT": "claude-code_2-9-0_harness"}
    direct = load(EVIDENCE / "claude-code" / "2.1.197" / "first" / "direct.json")
    [known] = [step.payload for step in replay(direct, tmp_path) if step.event == "PostToolUse"]
    for payload in (known.replace(b'"interrupted"', b'"sandboxDenied":true,"interrupted"'), known):
        assert quiet(hook(payload, environ=newer))
    changed, same = entries(state)

    assert (changed.summary.reason, changed.summary.detail) == ("version-unproven", "a new field")
    assert (same.version, same.summary.outcome) == ("2.9.0", "pending")


def test_a_version_whose_own_verdict_does_not_pass_is_off(private_home: Path, tmp_path: Path) -> None:
    """That another version passes does not help it, and the diagnostics say why."""
    evidence = tmp_path / "evidence"
    for version in ("2.1.197", "2.1.332"):
        kept = (EVIDENCE / "claude-code" / version / "verdict.json").read_bytes()
        place = evidence / "claude-code" / version / "verdict.json"
        place.parent.mkdir(parents=True)
        shut = version == "2.1.332"
        place.write_bytes(kept.replace(b'"passed"', b'"failed"', 1) if shut else kept)
    shutil.copy(EVIDENCE / "claude-code" / SHAPES, evidence / "claude-code" / SHAPES)
    direct = load(EVIDENCE / "claude-code" / "2.1.197" / "first" / "direct.json")
    [read] = [step.payload for step in replay(direct, tmp_path) if step.event == "PostToolUse"]
    for version in ("2-1-332", "2-1-197"):
        done = subprocess.run(
            [sys.executable, "-c", WITH_VERDICTS, str(evidence), "hook", "claude-code"],
            input=read,
            env={"HOME": str(private_home), "AI_AGENT": f"claude-code_{version}_harness"},
            capture_output=True,
            timeout=30,
            check=False,
        )
        assert (done.returncode, done.stdout) == (0, b"")
    off, on = entries(private_home / ".local" / "state" / "readmark")

    assert (off.summary.reason, off.summary.detail) == ("version-failed", "conversation failed")
    assert (off.version, on.summary.outcome) == ("2.1.332", "pending")


def test_an_empty_ledger_leaves_the_subagent_alone(
    hook: Hook,
) -> None:
    """Zero bytes, and no store is made."""
    assert quiet(hook(SUBAGENT))


def test_a_recorded_codex_conversation_briefs_its_subagent(hook: Hook, tmp_path: Path) -> None:
    """codex/0.171.0/sub_v1: the root reads root.one and starts a subagent."""
    registered = {one.event for one in load_host("codex").REGISTRATION.hooks}
    answers = [
        done
        for step in replay(load(EVIDENCE / "codex" / "0.171.0" / "first" / "sub_v1.json"), tmp_path)
        if step.event in registered and (done := hook(step.payload, "codex")).stdout
    ]

    assert len(answers) == 1
    assert '"id":"root.one"' in context(answers[0])


BAD = {
    "empty": b"",
    "cut": b"{",
    "list": b"[]",
    "null": b"null",
    "not UTF-8": b"\xff\xfe",
    "NaN": b'{"a":NaN}',
    "deep": b"[" * 100_000,
    "two documents": b"{}" * 2,
    "NUL": b"\0" * 1000,
}
BAD_FOR = [("codex", name) for name in BAD] + [("claude-code", "not UTF-8"), ("no-such-host", "empty")]
"""Each adapter meets all bytes in tests of its own; what they do to the process is no host's matter."""


@pytest.mark.parametrize(("host", "name"), BAD_FOR)
def test_bad_bytes_are_a_quiet_no_op(hook: Hook, host: str, name: str) -> None:
    """Nothing on stdout or stderr, exit code 0."""
    assert quiet(hook(BAD[name], host))


def test_a_payload_of_64_mb_is_read_to_its_end_and_dropped(
    hook: Hook,
) -> None:
    """The host can write all of it; nothing is recorded."""
    result, _ = reading()
    huge = result[:-1] + b',"more":"' + b"x" * (64 << 20) + b'"}'

    assert len(huge) > PAYLOAD_BYTES
    assert quiet(hook(huge))


def test_a_pipe_that_never_closes_ends_at_the_deadline(private_home: Path) -> None:
    """The writer keeps the pipe open and the hook leaves on its own."""
    started = time.monotonic()
    with subprocess.Popen(
        [COMMAND, "hook", "codex"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"HOME": str(private_home), "AI_AGENT": PROVEN},
    ) as process:
        assert process.stdin
        process.stdin.write(b'{"session_id":')
        process.stdin.flush()
        code = process.wait(timeout=10)
        took = time.monotonic() - started
        assert process.stdout
        assert (code, process.stdout.read()) == (0, b"")
    assert took < 2 + SLACK


def test_a_locked_store_delays_no_longer_than_the_deadline(hook: Hook, state: Path) -> None:
    """The subagent starts as without readmark, and the diagnostics say why."""
    record(hook)
    with locked(state / "ledger.db", "EXCLUSIVE", LONG):
        started = time.monotonic()
        done = hook(SUBAGENT)
        took = time.monotonic() - started

    assert quiet(done)
    assert took < 2 + SLACK
    assert entries(state)[-1].summary.reason == "store-locked"


def test_a_session_end_is_over_before_hosts_kill_it(hook: Hook, state: Path) -> None:
    """Hosts give a session's end about a second, even if the store is locked."""
    record(hook)
    with locked(state / "ledger.db", "EXCLUSIVE", LONG):
        started = time.monotonic()
        done = hook(claude("SessionEnd", reason="clear"))
        took = time.monotonic() - started

    assert quiet(done)
    assert took < SESSION_END_DEADLINE + 0.2 + SLACK


def test_a_clear_that_met_a_lock_hides_the_conversation_all_the_same(hook: Hook, state: Path) -> None:
    """If clearing could not be made certain, nothing of it is shown again."""
    record(hook)
    with locked(state / "ledger.db", "EXCLUSIVE", LONG):
        assert quiet(hook(claude("SessionEnd", reason="clear")))

    assert quiet(hook(SUBAGENT))
    assert quiet(hook(claude("SessionStart", source="resume")))
    assert quiet(hook(SUBAGENT))


@pytest.mark.parametrize(
    "environ",
    [{"READMARK_DISABLED": "1"}, {"READMARK_CANDIDATES": "many"}],
    ids=["switched off", "bad config"],
)
def test_a_clear_counts_also_where_nothing_may_be_recorded(hook: Hook, environ: dict[str, str]) -> None:
    """What a host clears must not come back once readmark is switched on or mended."""
    record(hook)
    assert quiet(hook(SUBAGENT, environ=environ))
    assert quiet(hook(claude("SessionEnd", reason="clear"), environ=environ))

    assert quiet(hook(SUBAGENT))


@pytest.mark.parametrize(
    "environ",
    [
        {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"},
        {"PYTHONIOENCODING": "cp932", "LC_ALL": "C"},
        {"LC_ALL": "C", "LANG": "C"},
        {"PYTHONWARNINGS": "always", "PYTHONDEVMODE": "1"},
    ],
    ids=["cp1252", "cp932", "C", "warnings"],
)
def test_no_locale_changes_what_is_read_or_answered(hook: Hook, environ: dict[str, str]) -> None:
    """Bytes in, bytes out: a title in Japanese with an emoji survives."""
    title = "日本語の見出し 📚"
    for payload in reading(title=title):
        assert quiet(hook(payload, environ=environ))

    assert title in context(hook(SUBAGENT, environ=environ))


@pytest.mark.parametrize(
    "environ",
    [
        {"HOME": ""},
        {"HOME": "relative"},
        {"XDG_STATE_HOME": "relative"},
        {"READMARK_HOME": "relative"},
        {"READMARK_HOME": "/proc/readmark"},
        {"READMARK_CANDIDATES": "many"},
        {"READMARK_DISABLED": "1"},
    ],
)
def test_no_environment_makes_it_fail_or_write_where_it_should_not(
    hook: Hook, tmp_path: Path, environ: dict[str, str]
) -> None:
    """Never below the working directory, never an error."""
    for payload in (*reading(), SUBAGENT):
        done = hook(payload, environ={"READMARK_HOME": str(tmp_path / "state"), **environ}, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, b"")
    assert {path.name for path in tmp_path.iterdir()} <= {"state"}


def test_a_working_directory_that_is_gone_is_no_fault(hook: Hook, tmp_path: Path, private_home: Path) -> None:
    """A removed worktree still runs the hook of its session."""
    record(hook)
    gone = tmp_path / "gone"
    gone.mkdir()
    script = f'cd "{gone}" && rmdir "{gone}" && exec "{COMMAND}" hook claude-code'
    done = subprocess.run(
        ["/bin/sh", "-c", script],
        input=SUBAGENT,
        env={"HOME": str(private_home), "PATH": os.environ["PATH"], "AI_AGENT": PROVEN},
        capture_output=True,
        check=False,
        timeout=30,
    )

    assert '"id":"a.b"' in context(done)


def test_a_host_that_has_gone_away_is_no_fault(hook: Hook, private_home: Path) -> None:
    """The answer meets a closed pipe."""
    record(hook)
    reader, writer = os.pipe()
    os.close(reader)
    with subprocess.Popen(
        [COMMAND, "hook", "claude-code"],
        stdin=subprocess.PIPE,
        stdout=writer,
        stderr=subprocess.PIPE,
        env={"HOME": str(private_home), "AI_AGENT": PROVEN},
    ) as process:
        os.close(writer)
        _, stderr = process.communicate(SUBAGENT, timeout=30)

    assert (process.returncode, stderr) == (0, b"")


def test_the_same_event_in_two_processes_at_once_counts_once(hook: Hook, private_home: Path) -> None:
    """A hook registered in settings and in a plugin runs twice with the same bytes."""
    result, batch = reading()
    processes = [
        subprocess.Popen(
            [COMMAND, "hook", "claude-code"],
            stdin=subprocess.PIPE,
            env={"HOME": str(private_home), "AI_AGENT": PROVEN},
        )
        for _ in range(2)
    ]
    for process in processes:
        assert process.stdin
        process.stdin.write(result)
    for process in processes:
        process.communicate(timeout=30)
    assert [process.returncode for process in processes] == [0, 0]
    assert quiet(hook(batch))
    assert quiet(hook(batch))

    assert context(hook(SUBAGENT)).count('"id":"a.b"') == 1


def test_a_foreign_sender_gets_the_answer_that_it_accepts(hook: Hook, state: Path) -> None:
    """Cursor runs Claude Code's hooks and takes an empty answer for broken JSON; others need nothing."""
    result, _ = reading()
    cursors = result.replace(b"{", b'{"cursor_version":"2.0","conversation_id":"C","generation_id":"G",', 1)

    assert hook(cursors).stdout == b"{}"
    assert entries(state)[-1].summary.reason == "foreign-payload"
    assert quiet(hook(result, "codex"))


SECRETS = (b"ghp_0123456789abcdef", b"PGPASSWORD=hunter2", b"BEGIN PRIVATE KEY", b"secret-body")


def test_no_text_of_a_payload_reaches_the_disk(hook: Hook, private_home: Path) -> None:
    """Tokens in the command, the output, the description and the event's name are nowhere."""
    result, batch = reading()
    secret = " ".join(one.decode() for one in SECRETS)
    payloads = [
        result.replace(b'"body": "B"', b'"body": "secret-body"').replace(
            b'\\"body\\": \\"B\\"', b'\\"body\\": \\"secret-body ' + SECRETS[0] + b'\\"'
        ),
        batch,
        claude("PostToolUse", tool_name="Bash", tool_input={"command": f"lore get x --json # {secret}"}),
        claude(secret, prompt=secret),
        claude("UserPromptSubmit", prompt=secret),
        SUBAGENT,
    ]
    for payload in payloads:
        assert hook(payload).returncode == 0
    written = b"".join(path.read_bytes() for path in private_home.rglob("*") if path.is_file())

    assert written
    assert not [one for one in SECRETS if one in written]


def test_the_diagnostics_tell_what_happened_in_our_own_words(hook: Hook, state: Path) -> None:
    """One line a call, with the host's name of the event if it is one of ours."""
    record(hook)
    hook(SUBAGENT)
    hook(claude("Something", x=1))
    said = [(one.event, one.summary.outcome, one.summary.recorded) for one in entries(state)]

    assert said == [
        ("PostToolUse", "pending", 0),
        ("PostToolBatch", "recorded", 1),
        ("SubagentStart", "briefed", 0),
        ("other", "ignored", 0),
    ]


@pytest.mark.parametrize("named", ["codx", "", "unknown", "ghp_0123456789abcdef"])
def test_a_host_that_nobody_knows_is_named_as_such(hook: Hook, state: Path, named: str) -> None:
    """A slip in a registration is a reason of its own, and what was typed stays out of the file."""
    for payload in (reading()[0], b"{", b"x" * (PAYLOAD_BYTES + 1)):
        assert quiet(hook(payload, named))
    said = [(one.host, one.event, one.summary.outcome, one.summary.reason) for one in entries(state)]

    assert said == [("unknown", "other", "skipped", "host-unknown")] * 3


def test_a_deadline_names_the_host_that_it_met(state: Path, private_home: Path) -> None:
    """Also where no byte of the payload came."""
    with subprocess.Popen(
        [COMMAND, "hook", "codx"], stdin=subprocess.PIPE, env={"HOME": str(private_home)}
    ) as process:
        assert process.wait(timeout=10) == 0
    [said] = entries(state)

    assert (said.host, said.summary.reason) == ("unknown", "deadline")


def test_a_killed_hook_leaves_a_store_that_works(hook: Hook, private_home: Path) -> None:
    """SIGKILL at many moments of a session's end and of a read; the next call is as good as any."""
    for number in range(30):
        payload = reading(call=f"toolu_{number}")[0] if number % 2 else claude("SessionEnd", reason="other")
        process = subprocess.Popen(
            [COMMAND, "hook", "claude-code"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            env={"HOME": str(private_home), "AI_AGENT": PROVEN},
        )
        assert process.stdin
        process.stdin.write(payload)
        process.stdin.close()
        try:
            process.wait(timeout=0.005 * number)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    record(hook, call="toolu_last")

    assert '"id":"a.b"' in context(hook(SUBAGENT))


def test_of_two_hooks_at_once_one_hands_out_the_briefing(hook: Hook, state: Path, private_home: Path) -> None:
    """As a host runs them that has readmark in a plugin and in its own file; the other keeps silent."""
    record(hook)
    environ = {"PATH": os.environ["PATH"], "HOME": str(private_home), "AI_AGENT": PROVEN}
    running = [
        subprocess.Popen(
            [COMMAND, "hook", "claude-code"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ
        )
        for _ in range(2)
    ]
    for one in running:
        assert one.stdin is not None
        one.stdin.write(SUBAGENT)
        one.stdin.close()
        # Or `communicate` would flush it.
        one.stdin = None
    answers = [one.communicate()[0] for one in running]
    assert [one.returncode for one in running] == [0, 0]
    assert sorted(map(bool, answers)) == [False, True]
    last = [one.summary.outcome for one in entries(state) if one.event == "SubagentStart"]
    assert sorted(last) == ["briefed", "repeated"]


STARTS = [SUBAGENT, claude("SubagentStart", agent_id="a2", agent_type="general-purpose")]


def test_another_subagent_is_told_too(hook: Hook) -> None:
    """The same text for another start is another briefing."""
    record(hook)
    assert all('"id":"a.b"' in context(hook(payload)) for payload in STARTS)
    assert [hook(payload).stdout for payload in STARTS] == [b"", b""]


def test_a_subagent_that_starts_again_is_told_what_is_new(hook: Hook) -> None:
    """Claude Code starts one again when a message resumes it; it still has what it was told before."""
    record(hook)
    assert '"id":"a.b"' in context(hook(SUBAGENT))
    assert hook(SUBAGENT).stdout == b""
    record(hook, item_id="c.d", call="toolu_2")
    assert '"id":"c.d"' in context(hook(SUBAGENT))

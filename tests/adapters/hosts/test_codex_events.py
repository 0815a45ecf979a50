"""Which Codex event becomes what, and who is speaking."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from adapters.hosts import codex
from contracts.conversation import REFERENCE_BYTES, Conversation
from contracts.event import Begun, Ignored, Resumed, ShellResult, SubagentStarted
from contracts.outcome import Skipped
from tests.adapters.hosts.codex_fixtures import concerns, moment, moments

ROOT = "01a22b13-5530-70d1-a78e-9d9d079b1387"
OTHER = "01a22b13-0000-7000-8000-000000000000"
ROLLOUT = f"/home/dev/.codex/sessions/2026/11/30/rollout-2026-11-30T06-10-17-{ROOT}.jsonl"
CONVERSATION = Conversation("codex", ROOT)


def parsed(**payload: Any) -> object:
    """Parse a payload of these keys, from the root conversation unless they say otherwise."""
    whole = {"session_id": ROOT, "transcript_path": ROLLOUT, "cwd": "/project"} | payload
    return codex.parse(json.dumps(whole).encode(), concerns)


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("startup", Begun),
        ("fork", Begun),
        ("clear", Begun),
        ("teleport", Begun),
        ("resume", Resumed),
        ("compact", Ignored),
    ],
)
def test_a_session_source_says_whether_a_life_begins_or_goes_on(source: str, kind: type) -> None:
    """Only a stated resume goes on; compaction ends nothing; a source that is not known begins anew."""
    assert parsed(hook_event_name="SessionStart", source=source) == kind(CONVERSATION)


def test_a_session_without_transcript_begins_too() -> None:
    """`--ephemeral` keeps none, and its conversation is new all the same."""
    heard = parsed(hook_event_name="SessionStart", source="startup", transcript_path=None)
    assert heard == Begun(CONVERSATION)


def test_a_start_told_by_another_thread_does_not_end_the_life_of_the_root() -> None:
    """A review bears the root's id: should it ever start a session, the root's reads must survive it."""
    path = ROLLOUT.replace(ROOT, OTHER)
    heard = parsed(hook_event_name="SessionStart", source="startup", transcript_path=path)
    assert heard == Skipped("actor-unproven")


@pytest.mark.parametrize("source", ["", None, [], {}, 5, ["startup"]])
def test_a_session_start_without_a_source_is_no_contract_of_ours(source: object) -> None:
    """The recorded host always names one."""
    assert parsed(hook_event_name="SessionStart", source=source) == Skipped("contract-mismatch")


@pytest.mark.parametrize("event", ["SessionEnd", "Stop", "PreToolUse", "Interrupt", "PostCompact", "Novelty"])
def test_other_events_only_name_their_conversation(event: str) -> None:
    """They let pending reads settle; `/clear` has no event of its own."""
    assert parsed(hook_event_name=event, reason="other") == Ignored(CONVERSATION)


@pytest.mark.parametrize("name", [None, "", 5, ["Stop"], {}])
def test_a_payload_that_names_no_event_is_no_contract_of_ours(name: object) -> None:
    """Nothing is guessed from the other fields."""
    assert parsed(hook_event_name=name) == Skipped("contract-mismatch")


def test_a_subagent_start_belongs_to_the_root_conversation() -> None:
    """The transcript it names is already the subagent's, the conversation is not."""
    heard = parsed(
        hook_event_name="SubagentStart", agent_id=OTHER, transcript_path=ROLLOUT.replace(ROOT, OTHER)
    )
    assert heard == SubagentStarted(CONVERSATION)


@pytest.mark.parametrize("agent", [None, "", [], {}, 5, ["x"]])
def test_a_subagent_start_without_a_subagent_is_no_contract_of_ours(agent: object) -> None:
    """The recorded host names the subagent; without it, it is not known who would receive the text."""
    assert parsed(hook_event_name="SubagentStart", agent_id=agent) == Skipped("contract-mismatch")


@pytest.mark.parametrize("reference", [None, "", [], {}, "a\u0000b", "a\nb", "x" * (REFERENCE_BYTES + 1)])
@pytest.mark.parametrize("event", ["SessionStart", "SubagentStart"])
def test_an_event_without_a_sound_conversation_proves_none(event: str, reference: object) -> None:
    """No default stands in for it."""
    refused = parsed(hook_event_name=event, session_id=reference, source="startup", agent_id=None)
    assert refused == Skipped("conversation-unproven")
    assert parsed(hook_event_name="Stop", session_id=reference) == Ignored(None)


@pytest.mark.parametrize("reference", ["../../x", "C:\\x", ".", "CON", "x" * REFERENCE_BYTES, "é" * 128])
def test_an_odd_reference_is_opaque(reference: str) -> None:
    """It is never made a path, so it needs no form of its own."""
    heard = parsed(hook_event_name="Stop", session_id=reference)
    assert heard == Ignored(Conversation("codex", reference))


@pytest.mark.parametrize("reference", [5, True, ["x"], {"id": ROOT}])
def test_a_conversation_of_another_type_is_no_contract_of_ours(reference: object) -> None:
    """A changed host is reported as one."""
    heard = parsed(hook_event_name="SubagentStart", session_id=reference, agent_id=OTHER)
    assert heard == Skipped("contract-mismatch")


@pytest.mark.parametrize("tool", ["apply_patch", "mcp__demo__get_note", "collaborationspawn_agent", "bash"])
def test_other_tools_are_ignored(tool: str) -> None:
    """Their input and response may have any form."""
    heard = parsed(hook_event_name="PostToolUse", tool_name=tool, tool_input=5, tool_response={})
    assert heard == Ignored(CONVERSATION)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"tool_name": None},
        {"tool_name": ""},
        {"tool_name": 5},
        {"tool_name": "Bash"},
        {"tool_name": "Bash", "tool_input": None},
        {"tool_name": "Bash", "tool_input": "lore get a.b.c --json"},
        {"tool_name": "Bash", "tool_input": {}},
        {"tool_name": "Bash", "tool_input": {"command": ["lore", "get"]}},
        {"tool_name": "Bash", "tool_input": {"cmd": "lore get a.b.c --json"}},
    ],
)
def test_a_tool_event_without_its_fields_is_no_contract_of_ours(fields: dict[str, object]) -> None:
    """A changed host must not look like "no read"."""
    assert parsed(hook_event_name="PostToolUse", **fields) == Skipped("contract-mismatch")


def test_a_command_that_names_no_reader_is_ignored_before_any_gate(tmp_path: Path) -> None:
    """It costs no look at the transcript: `notfound` failed, and that is nobody's business."""
    failed = moment("notfound", tmp_path)
    failed.transcript.unlink()
    assert failed.parse() == Ignored(Conversation("codex", failed.payload["session_id"]))


def test_the_root_is_known_by_the_thread_of_its_transcript(tmp_path: Path) -> None:
    """The plain case: exit 0, whole output, the root's own thread."""
    read = moment("direct", tmp_path)
    result = read.proven()
    assert result.conversation == Conversation("codex", read.payload["session_id"])
    assert (result.event_id, result.command) == ("call_1_0", "lore get a.b.c --json")
    assert result.output == read.payload["tool_response"]


@pytest.mark.parametrize("scenario", ["sub_v1_role", "sub_v2_followup", "read_and_spawn"])
def test_a_subagents_read_is_not_the_roots(scenario: str, tmp_path: Path) -> None:
    """It bears the root's `session_id`, and an `agent_id`."""
    reads = [one for one in moments(scenario, tmp_path) if one.payload.get("agent_id")]
    told = [one.parse() for one in reads if one.payload["hook_event_name"] == "PostToolUse"]
    assert told
    assert set(map(type, told)) == {Skipped}
    assert all(one == Skipped("actor-subagent") for one in told)


def test_a_review_is_not_the_root_although_it_bears_no_agent_id(tmp_path: Path) -> None:
    """A review thread has the root's `session_id`, no `agent_id`, and a transcript of its own."""
    read = moment("sub_v1_role", tmp_path)
    del read.payload["agent_id"], read.payload["agent_type"]
    assert read.payload["session_id"] not in read.transcript.name
    assert read.parse() == Skipped("actor-unproven")


def test_without_a_transcript_nobody_is_proven_the_root(tmp_path: Path) -> None:
    """`--ephemeral` writes none; so also a review in such a conversation cannot be told apart."""
    assert moment("ephemeral", tmp_path).parse() == Skipped("actor-unproven")


@pytest.mark.parametrize("empty", ["", None, [], {}])
def test_an_empty_agent_id_counts_as_none(empty: object, tmp_path: Path) -> None:
    """A key that is there and empty says no more than a key that is not there."""
    assert isinstance(moment("direct", tmp_path).parse(agent_id=empty), ShellResult)


def test_an_agent_id_of_another_type_is_no_contract_of_ours(tmp_path: Path) -> None:
    """It neither proves a subagent nor the root."""
    assert moment("direct", tmp_path).parse(agent_id=5) == Skipped("contract-mismatch")


def test_a_resumed_conversation_goes_on_in_its_file(tmp_path: Path) -> None:
    """Three processes write to one transcript, and each one's read is proven."""
    proven = [
        isinstance(moment("resume_exec", tmp_path / str(n), nth=n).parse(), ShellResult) for n in range(5)
    ]
    assert proven == [True] * 5


def test_after_a_rewind_the_thread_is_the_first_id_of_the_file_name(tmp_path: Path) -> None:
    """The second id is the rewind's own."""
    rewound = moment("tui_resume_fork", tmp_path, nth=3)
    root = rewound.payload["session_id"]
    thread, _, _ = rewound.transcript.stem.partition("_")
    assert thread.endswith(root)
    assert isinstance(rewound.parse(), ShellResult)
    swapped = rewound.transcript.with_name(f"rollout-2026-11-30T05-45-20-{OTHER}_{root}.jsonl")
    rewound.transcript.rename(swapped)
    assert rewound.parse(transcript_path=str(swapped)) == Skipped("actor-unproven")


def test_the_answer_to_a_subagent_start_holds_the_text_and_nothing_else() -> None:
    """An unknown field would void it; the text arrives as it was given."""
    text = 'read "é"\n  🧵 </tag>'
    answer = codex.brief(text)
    assert json.loads(answer) == {
        "hookSpecificOutput": {"hookEventName": "SubagentStart", "additionalContext": text}
    }


def test_the_registration_is_in_seconds_and_within_what_the_host_grants() -> None:
    """The host gives a session's end at most 3 s; only tool events of the shell start a process."""
    hooks = {hook.event: hook for hook in codex.REGISTRATION.hooks}
    assert codex.REGISTRATION.timeout_unit == "s"
    assert codex.REGISTRATION.file == ".codex/hooks.json"
    assert {name: (hook.matcher, hook.timeout, hook.only_readers) for name, hook in hooks.items()} == {
        "SessionStart": (None, 5, False),
        "PostToolUse": ("^Bash$", 5, True),
        "SubagentStart": (None, 5, False),
        "SessionEnd": (None, 2, False),
    }

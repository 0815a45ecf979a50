"""What the adapter makes of recorded runs; the version in a test's parameters is the host's."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from adapters.evidence.replay import Step
from adapters.hosts import claude_code
from adapters.readers import sent
from contracts.event import (
    Begun,
    Cleared,
    Delivered,
    HostEvent,
    Ignored,
    Resumed,
    ShellResult,
    SkillResult,
    SubagentStarted,
)
from contracts.outcome import Skipped
from contracts.read import PendingRead, result_digest

Parsed = HostEvent | Skipped
Play = Callable[[str, str], list[tuple[str, Parsed]]]

BOTH = pytest.mark.parametrize("version", ["2.1.197", "2.1.332"])

FAILED = {
    "lore get missing.x --json",
    "grep zzz note.txt",
    "nosuchcmd_zz",
    "kill -9 $$",
    "echo '{\"ok\":true}'; exit 1",
}
"""The commands of the matrix that the host itself says did not end well."""


def tool_events(played: list[tuple[str, Parsed]]) -> list[Parsed]:
    """Return what became of finished calls, without the events that are ignored."""
    return [
        event
        for name, event in played
        if name in {"PostToolUse", "PostToolUseFailure"} and not isinstance(event, Ignored)
    ]


@BOTH
def test_every_command_of_the_matrix_ends_well_or_is_refused_as_failed(
    version: str, steps: Callable[[str, str], list[Step]]
) -> None:
    """29 commands; how they are written is not the host's business, whether they ended well is."""
    seen: dict[str, bool] = {}
    for step in steps(version, "bash_matrix"):
        if step.event in {"PostToolUse", "PostToolUseFailure"}:
            command = json.loads(step.payload)["tool_input"]["command"]
            event = claude_code.parse(step.payload, lambda _: True)
            failed = event.part if isinstance(event, ShellResult) else event
            assert failed in {None, Skipped("call-failed")}
            seen[command] = failed is None
    assert len(seen) == 29
    assert {command for command, well in seen.items() if not well} == FAILED


@BOTH
def test_a_command_that_names_no_reader_is_ignored(version: str, parsed: Play) -> None:
    """Of the 29 finished calls, those without the reader's name say nothing for the ledger."""
    ignored = [
        event
        for name, event in parsed(version, "bash_matrix")
        if name.startswith("PostToolUse") and isinstance(event, Ignored)
    ]
    # One command of 2.1.332 lost the reader's name to scrubbing.
    assert len(ignored) in {13, 14}
    assert all(event.conversation is not None for event in ignored)


@BOTH
def test_a_batch_states_the_very_text_that_the_call_returned(version: str, parsed: Play) -> None:
    """A direct read, then the batch that sends it to the model."""
    played = parsed(version, "bash_matrix")
    result = tool_events(played)[0]
    batch = next(event for _, event in played if isinstance(event, Delivered))
    assert isinstance(result, ShellResult)
    assert batch.texts == {result.event_id: result.output}
    assert batch.conversation == result.conversation


@pytest.mark.parametrize(
    ("scenario", "reasons"),
    [
        # run_in_background, and Ctrl+B would look the same: PostToolUse comes at launch.
        ("background", ["call-unfinished"]),
        # Timed out with a whole JSON document in the error's text.
        ("timeout_bg_disabled", ["call-failed", "call-failed"]),
    ],
)
def test_a_call_that_did_not_end_is_refused(scenario: str, reasons: list[str], parsed: Play) -> None:
    """2.1.197: a launch into the background, a kill by the timeout."""
    assert tool_events(parsed("2.1.197", scenario)) == [Skipped(reason) for reason in reasons]


@BOTH
def test_an_output_that_the_host_cut_says_so(version: str, parsed: Play) -> None:
    """20 k and 28 k of padding come whole; from 31 k on, the host keeps the rest in a file of its own."""
    events = tool_events(parsed(version, "large"))
    assert [type(event) for event in events[:2]] == [ShellResult, ShellResult]
    parts = [event.part for event in events[2:6] if isinstance(event, ShellResult)]
    assert parts == [Skipped("output-cut")] * 4
    assert events[6] == Skipped("call-failed")


@BOTH
def test_a_hook_that_runs_twice_says_the_same_twice(version: str, parsed: Play) -> None:
    """Two registrations: the event id is what tells that it is one read."""
    first, again, *_ = tool_events(parsed(version, "tui_esc_during_posthook"))
    assert first == again


@BOTH
def test_a_result_that_an_escape_took_away_is_never_stated_as_sent(version: str, parsed: Play) -> None:
    """Esc during another PostToolUse hook: the payload was a success, but the model got a rejection."""
    played = parsed(version, "tui_esc_during_posthook")
    taken, _, sent, _ = tool_events(played)
    stated = [key for _, event in played if isinstance(event, Delivered) for key in event.texts]
    assert isinstance(taken, ShellResult)
    assert isinstance(sent, ShellResult)
    assert stated == [sent.event_id]


def test_a_result_that_another_hook_replaced_is_settled_as_not_delivered(
    parsed: Play, pending: Callable[..., PendingRead]
) -> None:
    """2.1.197: PostToolUse still shows the original, the batch shows what the model gets."""
    played = parsed("2.1.197", "post_updatedToolOutput")
    result = tool_events(played)[0]
    batch = next(event for _, event in played if isinstance(event, Delivered))
    assert isinstance(result, ShellResult)
    read = pending(result.event_id, result.output)
    assert [bool(one.reads) for one in claude_code.settle(batch, [read], sent)] == [False]


def test_the_command_that_ran_counts_and_not_the_one_that_was_asked_for(parsed: Play) -> None:
    """2.1.197: PreToolUse rewrote `lore get …` to `echo rewritten`."""
    assert tool_events(parsed("2.1.197", "pre_rewrite")) == []


@pytest.mark.parametrize("scenario", ["denied", "pre_block"])
def test_a_call_that_never_ran_gives_no_result(scenario: str, parsed: Play) -> None:
    """2.1.197: only the batch with the refusal's text comes, for a call that nothing is pending of."""
    assert tool_events(parsed("2.1.197", scenario)) == []


@pytest.mark.parametrize(
    ("version", "scenario"),
    [
        ("2.1.197", "sub_foreground"),
        ("2.1.197", "sub_background"),
        ("2.1.197", "sub_parallel"),
        ("2.1.197", "sub_worktree"),
        ("2.1.197", "fork_subagent"),
        ("2.1.197", "same_batch_read_and_agent"),
        ("2.1.332", "sub_foreground"),
        ("2.1.332", "hook_async"),
    ],
)
def test_a_subagents_calls_and_batches_never_count(
    version: str, scenario: str, steps: Callable[[str, str], list[Step]]
) -> None:
    """Foreground, background, parallel, in a worktree, forked: the key agent_id tells them all."""
    subagents = 0
    for step in steps(version, scenario):
        event = claude_code.parse(step.payload, lambda _: True)
        if "agent_id" in json.loads(step.payload):
            subagents += 1
            assert not isinstance(event, ShellResult | Delivered | Begun | Resumed | Cleared)
    assert subagents > 2


@BOTH
def test_a_subagents_start_names_the_roots_conversation(version: str, parsed: Play) -> None:
    """The start carries the root's session_id, so that its reads are the ones to brief about."""
    played = parsed(version, "sub_foreground")
    root = played[0][1]
    started = [event for name, event in played if name == "SubagentStart"]
    assert isinstance(root, Begun)
    assert started == [SubagentStarted(root.conversation)]


@BOTH
def test_clear_ends_the_old_conversation_and_begins_another(version: str, parsed: Play) -> None:
    """SessionEnd (clear) of the old id, SessionStart (clear) of a new one."""
    played = [event for name, event in parsed(version, "tui_clear_compact") if name.startswith("Session")]
    begun, cleared, fresh, *_ = played
    assert isinstance(begun, Begun)
    assert cleared == Cleared(begun.conversation)
    assert isinstance(fresh, Begun)
    assert fresh.conversation != begun.conversation


@BOTH
def test_compaction_neither_ends_nor_begins_a_life(version: str, parsed: Play) -> None:
    """SubagentStop of an agent that never started, then SessionStart (compact) under the same id."""
    played = parsed(version, "tui_clear_compact")
    before, compacted = [event for name, event in played if name == "SessionStart"][-2:]
    assert isinstance(before, Begun)
    assert compacted == Ignored(before.conversation)


def test_a_cleared_conversation_can_be_resumed(parsed: Play) -> None:
    """2.1.197: after `/clear` the old id comes back with source resume."""
    played = [
        event for name, event in parsed("2.1.197", "clear_then_resume_old") if name.startswith("Session")
    ]
    old = played[0]
    assert isinstance(old, Begun)
    assert Cleared(old.conversation) in played
    assert played.index(Resumed(old.conversation), 4) > played.index(Cleared(old.conversation))


def test_a_fork_of_the_older_version_starts_under_its_parents_id(parsed: Play) -> None:
    """2.1.197: SessionStart says resume and the parent's id; all later events have an id of their own."""
    played = parsed("2.1.197", "session_resume_fork")
    started = {event.conversation for _, event in played if isinstance(event, Begun | Resumed)}
    read_in = {event.conversation for _, event in played if isinstance(event, ShellResult)}
    assert read_in - started


def test_a_fork_of_the_newer_version_begins_a_conversation(parsed: Play) -> None:
    """2.1.332: source fork and the new id at once."""
    played = parsed("2.1.332", "session_resume_fork")
    started = {event.conversation for _, event in played if isinstance(event, Begun)}
    read_in = {event.conversation for _, event in played if isinstance(event, ShellResult)}
    assert read_in <= started


@BOTH
def test_ending_without_a_clear_ends_nothing(version: str, parsed: Play) -> None:
    """Exit, signals, /resume into another conversation: all of them can be resumed."""
    ended = [event for name, event in parsed(version, "tui_resume_fork") if name == "SessionEnd"]
    assert ended
    assert all(isinstance(event, Ignored) and event.conversation for event in ended)


@BOTH
def test_other_tools_and_refused_calls_say_nothing(version: str, parsed: Play) -> None:
    """Read of no Markdown, Write, an unknown tool, a Bash call with a bad schema; a loaded skill does."""
    played = parsed(version, "read_skill")
    kinds = {type(event) for name, event in played if name.startswith("PostTool")}
    assert kinds == {Ignored, SkillResult, Delivered}
    [skill] = [event for _, event in played if isinstance(event, SkillResult)]
    assert (skill.name, skill.shown) == ("labskill", "Launching skill: labskill")


def test_texts_of_several_calls_come_in_one_batch(parsed: Play) -> None:
    """2.1.197: two reads and a failure in parallel, stated together with a Read that concerns nobody."""
    played = parsed("2.1.197", "parallel")
    results = {event.event_id: event for _, event in played if isinstance(event, ShellResult)}
    batch = next(event for _, event in played if isinstance(event, Delivered))
    assert set(results) < set(batch.texts)
    assert {key: result_digest(batch.texts[key]) for key in results} == {
        key: result_digest(result.output) for key, result in results.items()
    }

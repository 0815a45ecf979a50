"""How the hooks are registered: what the host needs, and what must never be there."""

from __future__ import annotations

from adapters.hosts import claude_code

HOOKS = {hook.event: hook for hook in claude_code.REGISTRATION.hooks}


def test_hooks_stand_in_the_users_settings() -> None:
    """Times there are in seconds."""
    assert claude_code.REGISTRATION.file == ".claude/settings.json"
    assert claude_code.REGISTRATION.timeout_unit == "s"


def test_every_source_of_a_start_is_covered() -> None:
    """startup, resume, clear, compact, fork (since 2.1.332), and those to come."""
    assert HOOKS["SessionStart"].matcher is None
    assert HOOKS["SessionEnd"].matcher is None
    assert HOOKS["SubagentStart"].matcher is None


def test_tool_events_start_a_process_only_for_readers() -> None:
    """Lifecycle events name no reader and always matter."""
    assert {event for event, hook in HOOKS.items() if hook.only_readers} == {"PostToolUse", "PostToolBatch"}
    assert HOOKS["PostToolUse"].matcher == "Bash|Read|Grep|Skill"


def test_each_event_is_registered_once_with_a_short_time() -> None:
    """Above our own deadlines (2 s, 0.8 s at the end), far below what a person would notice as a hang."""
    assert len(HOOKS) == len(claude_code.REGISTRATION.hooks) == 5
    assert {event: hook.timeout for event, hook in HOOKS.items()} == {
        "SessionStart": 5,
        "PostToolUse": 5,
        "PostToolBatch": 5,
        "SubagentStart": 5,
        "SessionEnd": 2,
    }

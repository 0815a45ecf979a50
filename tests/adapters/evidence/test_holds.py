from __future__ import annotations

from typing import Literal

from adapters.evidence.holds import failures
from adapters.evidence.scenario import Holds
from contracts.evidence import RecordedEvent, RecordedRequest, Recording

EVENTS = [
    RecordedEvent(event="SessionStart", stdin={"source": "startup", "transcript_path": None}),
    RecordedEvent(tool_process=["lore", "get", "a.b"], env={}),
    RecordedEvent(event="PostToolUse", stdin={"tool_name": "Bash"}),
    RecordedEvent(event="PostToolUse", stdin={"tool_name": "Bash", "agent_id": "t"}),
]


def request(
    asker: Literal["root", "subagent", "aside"], *holds: str, agent: str | None = None
) -> RecordedRequest:
    """Return a model request."""
    return RecordedRequest(at=0, asker=asker, conversation="s", agent=agent, holds=list(holds))


def recording(*requests: RecordedRequest) -> Recording:
    """Return a recording with the events above."""
    return Recording("codex", "1.0", "test", EVENTS, requests=list(requests))


def test_events_hold_in_their_order_with_others_between() -> None:
    """Fields narrow an event; `tool` is a process of the reader."""
    wanted = ["SessionStart source=startup transcript_path=None", "tool a.b", "PostToolUse agent=yes"]
    assert failures(recording(), Holds(events=wanted)) == []


def test_a_missing_event_is_named() -> None:
    """The first that is not there after what came before it."""
    assert failures(recording(), Holds(events=["PostToolUse agent=yes", "PostToolUse agent=no"])) == [
        "After what came before it, there is no 'PostToolUse agent=no'."
    ]
    assert failures(recording(), Holds(events=["tool other"])) == [
        "After what came before it, there is no 'tool other'."
    ]


def test_an_unwanted_event_is_named() -> None:
    """`absent` takes the same form."""
    assert failures(recording(), Holds(absent=["Stop", "PostToolUse agent=yes"])) == [
        "There is a 'PostToolUse agent=yes'."
    ]


def test_what_was_delivered_is_what_the_roots_requests_held() -> None:
    """A subagent's request and the host's own do not count; an item counts once, at its first time."""
    requests = (
        request("root", "practice b", "context X"),
        request("subagent", "practice s", agent="t"),
        request("aside", "practice o"),
        request("root", "practice b", "practice a"),
    )
    assert failures(recording(*requests), Holds(delivered=["b", "a"])) == []
    assert failures(recording(*requests), Holds(delivered=["a", "b"])) == [
        "The root's model got ['b', 'a'], not ['a', 'b']."
    ]


def test_a_subagent_is_briefed_by_its_first_request_only() -> None:
    """What comes later than the first request is too late."""
    context = "context SubagentStart"
    early = (request("subagent", context, agent="t1"), request("subagent", context, agent="t2"))
    late = (request("subagent", agent="t3"), request("subagent", context, agent="t3"))
    assert failures(recording(*early, *late), Holds(briefed=2)) == []
    assert failures(recording(*early, *late), Holds(briefed=3)) == [
        "The handed text reached 2 subagents, not 3 subagents."
    ]


def test_a_text_that_reaches_the_root_is_a_failure() -> None:
    """Whatever the subagents got."""
    context = "context SubagentStart"
    requests = (request("subagent", context, agent="t1"), request("root", context))
    assert failures(recording(*requests), Holds(briefed=1)) == [
        "The handed text reached the root itself, not 1 subagents."
    ]


def test_a_scenario_can_state_that_the_text_reaches_the_root() -> None:
    """Then it is a failure where it reaches subagents only."""
    context = "context SubagentStart"
    child = request("subagent", context, agent="t1")
    assert failures(recording(child, request("root", context)), Holds(briefed="root")) == []
    assert failures(recording(child), Holds(briefed="root")) == [
        "The handed text reached 1 subagents, not the root itself."
    ]


def test_a_looked_for_text_must_reach_the_stated_agents_and_no_others() -> None:
    """What is named was in some request of that agent; what is not named was in none."""
    requests = (request("root", "text body"), request("subagent", "text other", "practice a", agent="t"))
    assert failures(recording(*requests), Holds(found=["body"], found_by_subagents=["other"])) == []
    assert failures(recording(*requests), Holds(found=["body", "other"])) == [
        "Requests of a root held ['body'], not ['body', 'other']."
    ]
    assert failures(recording(*requests), Holds(found_by_subagents=[])) == [
        "Requests of a subagent held ['other'], not []."
    ]

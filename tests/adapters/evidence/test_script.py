from __future__ import annotations

from adapters.evidence.model.fill import filled
from adapters.evidence.scenario import Call, Turn
from adapters.evidence.script import FINISHED, Script

ONE, TWO, CHILD = Turn(say="1"), Turn(say="2"), Turn(say="child")
PLAYS = {"root": [ONE, TWO], "child": [CHILD]}


def test_turns_come_in_order_and_end_with_a_few_words() -> None:
    """What comes after the play's end is answered all the same: a host must never wait."""
    script = Script(PLAYS)
    turns = [script.turn("t", ["[[play root]] go"])[2] for _ in range(3)]
    assert turns == [ONE, TWO, FINISHED]


def test_conversations_do_not_share_a_play() -> None:
    """Two subagents with the same task each get the whole play."""
    script = Script(PLAYS)
    assert script.turn("t1", ["[[play root]]"]) == ("root", 0, ONE)
    assert script.turn("t2", ["[[play root]]"]) == ("root", 0, ONE)
    assert script.turn("t1", ["[[play root]]"]) == ("root", 1, TWO)


def test_the_last_mark_decides() -> None:
    """A later prompt starts another play; an inherited history does not."""
    script = Script(PLAYS)
    assert script.turn("t", ["[[play root]]", "and [[play child]]"])[2] == CHILD
    assert script.turn("t", ["[[play child]]", "no mark"])[2] == FINISHED


def test_no_mark_is_answered_with_a_few_words() -> None:
    """A host may ask what no scenario thought of."""
    assert Script(PLAYS).turn("t", []) == ("", 0, FINISHED)


def test_an_error_stays_for_the_hosts_further_attempts() -> None:
    """2.1.332 of Claude Code asks again after a 400; it must not get past the error."""
    error = Turn(status=400)
    script = Script({"root": [error, ONE]})
    assert [script.turn("t", ["[[play root]]"])[2] for _ in range(3)] == [error] * 3


TEXTS = ['{"agent_id":"first-1"}', "Process running with session ID 4711", '{"agent_id": "second-2"}']


def test_places_are_filled_from_the_conversation() -> None:
    """An id that the host gave earlier can be named before it is known."""
    call = Call(tool="wait", arguments={"targets": ["$agent", "$agent1"], "note": "of $agent2"})
    assert filled(call, TEXTS).arguments == {"targets": ["second-2", "first-1"], "note": "of second-2"}


def test_a_process_is_a_number_and_free_text_is_filled_too() -> None:
    """Hosts want a process's id as a number where it stands alone."""
    call = Call(tool="poll", arguments={"session_id": "$process"}, text="poll($process)")
    assert filled(call, TEXTS) == Call(tool="poll", arguments={"session_id": 4711}, text="poll(4711)")


def test_a_place_that_nothing_fills_stays() -> None:
    """It shows in the recording instead of failing where nobody looks."""
    call = Call(tool="wait", arguments={"targets": ["$agent3", "$cell"], "n": [1, None]})
    assert filled(call, TEXTS) == call

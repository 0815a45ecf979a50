"""What settles a pending read.

The recordings hold no transcripts. The lines here are made up, in the form of the runs' transcripts: a `user`
record with a `tool_result` block.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from adapters.hosts import claude_code
from adapters.hosts.claude_transcript import LINES, WINDOW_BYTES
from adapters.readers import sent
from contracts.conversation import Conversation
from contracts.event import Delivered, HostEvent, Ignored
from contracts.read import PendingRead, Settlement

Pending = Callable[..., PendingRead]

OUTPUT = '{"ok": true}'
ID = "toolu_lab000200"
HERE = Conversation("claude-code", "5cd3f2a8-35a8-4ee7-a7c2-cb50a0b0dc86")


def block(**fields: Any) -> dict[str, Any]:
    """Return a result block, as the model got it, with some fields changed."""
    return {"tool_use_id": ID, "type": "tool_result", "content": OUTPUT, "is_error": False} | fields


def line(*blocks: dict[str, Any], **fields: Any) -> bytes:
    """Return one line of a transcript that holds these blocks, with some fields changed."""
    record = {
        "parentUuid": "0b1f",
        "isSidechain": False,
        "type": "user",
        "message": {"role": "user", "content": list(blocks)},
        "toolUseResult": {"stdout": OUTPUT, "stderr": "", "interrupted": False},
        "sourceToolAssistantUUID": "77aa",
    }
    return msgspec.json.encode(record | fields) + b"\n"


def other(size: int = 200) -> bytes:
    """Return a line that has nothing to do with the call."""
    return line(block(tool_use_id="toolu_other", content="x" * size))


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    """Give the place where the pending reads look."""
    return tmp_path / "transcript.jsonl"


def settled(pending: PendingRead, event: HostEvent | None = None) -> bool | None:
    """Return whether the read was delivered; None while it stays pending."""
    found = claude_code.settle(event, [pending], sent)
    assert {one.event_id for one in found} <= {pending.event_id}
    return bool(found[0].reads) if found else None


@pytest.mark.parametrize(
    ("text", "delivered"),
    [
        (OUTPUT, True),
        (f"\n{OUTPUT}\n ", True),
        ("REPLACED", False),
        (f"{OUTPUT} and more", False),
        ("<persisted-output>\nOutput too large (30.7KB)…", False),
    ],
)
def test_a_batch_settles_a_read_by_its_whole_text(text: str, delivered: bool, pending: Pending) -> None:  # noqa: FBT001 - a table's column
    """White space around the text does not count; anything else does."""
    assert settled(pending(), Delivered(HERE, {ID: text})) is delivered


def test_what_a_batch_does_not_name_is_looked_up_in_the_transcript(
    pending: Pending, transcript: Path
) -> None:
    """An Esc on a later call of the same message: the first call's output did reach the model."""
    transcript.write_bytes(line(block()))
    assert settled(pending(), Delivered(HERE, {"toolu_other": OUTPUT})) is True


@pytest.mark.parametrize("event", [None, Ignored(HERE)])
def test_any_event_and_a_person_can_settle_from_the_transcript(
    event: HostEvent | None, pending: Pending, transcript: Path
) -> None:
    """The record that counts stands among others."""
    transcript.write_bytes(other() + line(block()) + other())
    assert settled(pending(), event) is True


@pytest.mark.parametrize(
    ("blocks", "delivered"),
    [
        ([block(content=[{"type": "text", "text": OUTPUT}])], True),
        ([block(content=[{"type": "text", "text": OUTPUT[:5]}, {"type": "text", "text": OUTPUT[5:]}])], True),
        ([block(tool_use_id="toolu_other", content="x"), block()], True),
        ([{"type": "text", "text": ID}, block()], True),
        ([{"type": "tool_result", "tool_use_id": ID, "content": OUTPUT}], True),
        ([block(content="REPLACED")], False),
        ([block(content=f"{OUTPUT}{OUTPUT}")], False),
        ([block(content="The user doesn't want to proceed with this tool use.", is_error=True)], False),
        ([block(is_error=True)], False),
        # Forms that the host was never seen to write say nothing.
        ([block(content=None)], None),
        ([block(content=[{"type": "image"}])], None),
        ([block(content=[OUTPUT])], None),
        ([block(type="text")], None),
        ([block(tool_use_id="toolu_other", content=ID)], None),
        ([block(tool_use_id=f"{ID}0")], None),
        ([], None),
    ],
)
def test_the_roots_result_block_decides(
    blocks: list[dict[str, Any]],
    delivered: bool | None,  # noqa: FBT001 - a table's column
    pending: Pending,
    transcript: Path,
) -> None:
    """Delivered, certainly not, or not said."""
    transcript.write_bytes(other() + line(*blocks))
    assert settled(pending()) is delivered


@pytest.mark.parametrize(
    "changed",
    [
        {"isSidechain": True},
        {"type": "assistant"},
        {"type": "attachment"},
        {"type": None},
        {"message": None},
        {"message": {"content": f"the result of {ID} was {OUTPUT}"}},
        {"message": {"content": {"tool_use_id": ID, "type": "tool_result", "content": OUTPUT}}},
    ],
)
def test_another_record_with_the_calls_id_says_nothing(
    changed: dict[str, Any], pending: Pending, transcript: Path
) -> None:
    """A subagent's line, the call itself, a hook's note, a prompt that quotes it."""
    transcript.write_bytes(line(block(), **changed))
    assert settled(pending()) is None


def test_the_first_result_of_the_call_counts(pending: Pending, transcript: Path) -> None:
    """What came first is what the model went on with."""
    transcript.write_bytes(line(block(content="REPLACED")) + line(block()))
    assert settled(pending()) is False


def test_only_what_was_written_after_the_call_counts(pending: Pending, transcript: Path) -> None:
    """The locator may stand inside a line that was being written."""
    first = line(block(content="REPLACED"))
    transcript.write_bytes(first + line(block()))
    assert settled(pending(offset=len(first))) is True
    assert settled(pending(offset=len(first) - 10)) is True
    assert settled(pending(offset=10_000)) is None


def test_a_line_that_is_being_written_says_nothing_yet(pending: Pending, transcript: Path) -> None:
    """At every length but the whole, with or without its line end."""
    whole = line(block())
    for length in range(len(whole) - 1):
        transcript.write_bytes(other(10) + whole[:length])
        assert settled(pending()) is None
    transcript.write_bytes(other(10) + whole[:-1])
    assert settled(pending()) is True


@pytest.mark.parametrize(
    "bad",
    [
        b"",
        b"\n\n\n",
        b"\x00" * 5000,
        b"\xff\xfe" + ID.encode() + b"\n",
        b"[" * 100_000 + ID.encode() + b"\n",
        b'{"type":"user","x":"\\ud800","id":"' + ID.encode() + b'"}\n',
        b'{"type":"user","message":NaN,"id":"' + ID.encode() + b'"}\n',
        ID.encode() * 1000,
    ],
)
def test_a_damaged_line_is_passed_over(bad: bytes, pending: Pending, transcript: Path) -> None:
    """The good one after it still counts."""
    transcript.write_bytes(bad)
    assert settled(pending()) is None
    transcript.write_bytes(bad + b"\n" + line(block()))
    assert settled(pending()) is True


def test_no_file_no_claim(pending: Pending, transcript: Path, tmp_path: Path) -> None:
    """Missing, a folder, unreadable names, no locator at all."""
    assert settled(pending()) is None
    assert settled(pending(transcript=tmp_path)) is None
    assert settled(pending(transcript=Path("/nul\0byte"))) is None
    assert settled(pending(transcript=None)) is None
    transcript.write_bytes(line(block()))
    assert settled(pending(offset=-1)) is None
    assert settled(pending(offset=2**70)) is None


def test_a_link_is_not_followed(pending: Pending, transcript: Path, tmp_path: Path) -> None:
    """The link would be a way to have any file read."""
    target = tmp_path / "target.jsonl"
    target.write_bytes(line(block()))
    transcript.symlink_to(target)
    assert settled(pending()) is None
    assert settled(pending(transcript=target)) is True


def test_a_pipe_does_not_hang(pending: Pending, transcript: Path) -> None:
    """Opening a pipe without a writer would wait for ever."""
    os.mkfifo(transcript)
    assert settled(pending()) is None


def test_a_result_too_far_away_stays_pending(pending: Pending, transcript: Path) -> None:
    """The window bounds the work."""
    near = other(WINDOW_BYTES - 5000)
    transcript.write_bytes(near + line(block()))
    assert settled(pending()) is True
    transcript.write_bytes(other(WINDOW_BYTES) + line(block()))
    assert settled(pending()) is None


def test_a_huge_transcript_costs_no_more_than_a_small_one(pending: Pending, transcript: Path) -> None:
    """500 MB, sparse: the window is read, not the file."""
    with transcript.open("wb") as file:
        file.truncate(500 * 1024 * 1024)
    reads = [pending(event_id=f"toolu_{number}") for number in range(100)]
    before = time.process_time()
    assert claude_code.settle(None, reads, sent) == []
    assert time.process_time() - before < 0.5


def test_reads_that_never_settle_do_not_starve_newer_ones(pending: Pending, transcript: Path) -> None:
    """The bytes of one call are for the newest first; the answer keeps the order of the question."""
    lines = other(WINDOW_BYTES * 2)
    transcript.write_bytes(lines + line(block()) + line(block(tool_use_id="toolu_last", content="x")))
    lost: Sequence[PendingRead] = [pending(event_id=f"toolu_{number}") for number in range(20)]
    new = [pending(offset=len(lines)), pending(event_id="toolu_last", offset=len(lines))]
    assert claude_code.settle(None, [*lost, *new], sent) == [
        Settlement(ID, new[0].reads),
        Settlement("toolu_last"),
    ]


def test_a_result_behind_too_many_lines_with_its_id_stays_pending(pending: Pending, transcript: Path) -> None:
    """The number of lines to decode is bounded too, or a full window of short ones would take seconds."""
    decoy = line(block(), type="attachment")
    transcript.write_bytes(decoy * (LINES - 1) + line(block()))
    assert settled(pending()) is True
    transcript.write_bytes(decoy * LINES + line(block()))
    assert settled(pending()) is None


def test_nothing_pending_needs_no_look() -> None:
    """Most events."""
    assert claude_code.settle(Ignored(HERE), [], sent) == []

"""How much of a transcript is read, and of what kind of file."""

from __future__ import annotations

import json
import os
import tracemalloc
from pathlib import Path

import pytest

from adapters.hosts import codex, codex_delivery, codex_result, codex_transcript
from adapters.readers import sent
from contracts.event import ShellResult
from contracts.outcome import Skipped
from contracts.wire import decode
from tests.adapters.hosts.codex_fixtures import Moment, encoded, moment, pending, pending_at, tool_output

HUGE = 500 * 1024 * 1024
UNPROVEN = Skipped("call-unproven")


class Meter:
    """Counts the bytes that are really read."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Stand between the adapter and its files."""
        self.total = 0
        self._read = os.pread
        monkeypatch.setattr(os, "pread", self)

    def __call__(self, file: int, size: int, offset: int) -> bytes:
        """Read and count."""
        data = self._read(file, size, offset)
        self.total += len(data)
        return data


@pytest.fixture
def read(tmp_path: Path) -> Moment:
    """Return the plain case, at the moment of its hook."""
    return moment("direct", tmp_path)


def grow(read: Moment) -> None:
    """Make the transcript a huge one, almost all of it a hole, that ends with a line's end."""
    os.truncate(read.transcript, HUGE)
    with read.transcript.open("ab") as file:
        file.write(b"\n")


def test_a_huge_transcript_costs_no_more_than_a_small_one(
    read: Moment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A record is at the end when its hook runs."""
    lines = read.lines()
    grow(read)
    read.append(*lines)
    meter = Meter(monkeypatch)
    result = read.proven()
    assert result.locator is not None
    assert result.locator.offset > HUGE
    assert meter.total <= codex_transcript.WINDOWS[0]
    read.append(tool_output("call_1_0", result.output))
    meter.total = 0
    assert [bool(one.reads) for one in codex.settle(None, [pending(result)], sent)] == [True]
    assert meter.total <= codex_transcript.BLOCK


def test_a_record_far_from_the_end_is_given_up(read: Moment, monkeypatch: pytest.MonkeyPatch) -> None:
    """The work has a bound, whatever the file."""
    grow(read)
    meter = Meter(monkeypatch)
    assert read.parse() == UNPROVEN
    assert 0 < meter.total <= sum(codex_transcript.WINDOWS)


@pytest.mark.parametrize("behind", [0, 60_000, 70_000, 500_000, 600_000, 4_000_000])
def test_a_record_is_found_wherever_a_window_begins(behind: int, read: Moment) -> None:
    """Other lines may have followed: parallel calls write into the same file."""
    filler = encoded(tool_output("call_0_0", "x" * 900))
    with read.transcript.open("ab") as file:
        file.write(filler * (behind // len(filler)))
    assert isinstance(read.parse(), ShellResult)


def test_every_place_of_a_window_within_a_record_gives_the_same_answer(
    read: Moment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A window that begins inside the record's line must not take it for a line."""
    expected = read.proven()
    size = read.transcript.stat().st_size
    for small in range(1, size + 1):
        monkeypatch.setattr(codex_transcript, "WINDOWS", (small, size))
        assert read.parse() == expected


def test_a_read_that_is_never_shown_costs_a_bounded_look(
    read: Moment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is looked for again and again until it expires."""
    waiting = pending(read.proven())
    grow(read)
    meter = Meter(monkeypatch)
    assert codex.settle(None, [waiting], sent) == []
    assert 0 < meter.total <= codex_delivery.PENDING_BYTES


def test_many_reads_that_are_never_shown_cost_a_bounded_look_and_hinder_no_fresh_one(
    read: Moment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newest is looked for first."""
    old = pending(read.proven())
    lines = read.lines()
    grow(read)
    read.append(*lines)
    fresh = read.proven()
    read.append(tool_output("call_1_0", fresh.output))
    meter = Meter(monkeypatch)
    assert len(codex.settle(None, [*[old] * 64, pending(fresh)], sent)) == 1
    assert meter.total <= codex.SETTLE_BYTES


def test_lines_that_only_look_like_it_are_not_all_decoded(
    read: Moment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of nothing but short lines with the id costs a bounded number of looks, too."""
    waiting = pending(read.proven())
    looks = 0

    def counted(data: bytes, kind: type) -> object:
        nonlocal looks
        looks += 1
        return decode(data, kind)

    monkeypatch.setattr(codex_transcript, "decode", counted)
    monkeypatch.setattr(codex_delivery, "decode", counted)
    with read.transcript.open("ab") as file:
        file.write(b'"call_1_0" _call_output\n' * 300_000)
    assert read.parse() == UNPROVEN
    assert 0 < looks <= codex_transcript.LOOKED_AT * len(codex_transcript.WINDOWS)
    looks = 0
    assert codex.settle(None, [waiting], sent) == []
    assert 0 < looks <= codex_transcript.LOOKED_AT + 1


def test_outputs_that_lack_the_results_piece_are_not_decoded(
    read: Moment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A read that a script dropped is looked for again and again, in whatever else was said since."""
    waiting = [pending(read.proven())] * 5
    read.append(*[tool_output("c", "[" + "[]," * 1000 + "1]", "custom_tool_call_output")] * 300)
    looks = 0

    def counted(data: bytes, kind: type) -> object:
        nonlocal looks
        looks += 1
        return decode(data, kind)

    for module in (codex_delivery, codex_result, codex_transcript):
        monkeypatch.setattr(module, "decode", counted)
    meter = Meter(monkeypatch)
    assert codex.settle(None, waiting, sent) == []
    assert looks == len(waiting)
    # Once for the newest, once for all others.
    assert meter.total <= 2 * read.transcript.stat().st_size


def test_json_that_quotes_the_piece_is_not_built(read: Moment) -> None:
    """Only strings that may hold the result are unescaped; the values around them may be millions."""
    result = read.proven()
    waiting = pending(result)
    many = "[" + "[]," * 400_000
    for inner, expected in (({"output": result.output[:-9]}, []), ({"output": result.output}, [True])):
        read.append(tool_output("c", f"{many}{json.dumps(inner)}]", "custom_tool_call_output"))
        tracemalloc.start()
        answers = codex.settle(None, [waiting], sent)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert [bool(one.reads) for one in answers] == expected
        assert peak < 12 * len(many)


def test_what_is_not_reached_in_time_stays_pending(read: Moment, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither delivered nor refuted: the next event looks again."""
    waiting = pending(read.proven())
    read.append(tool_output("call_1_0", "blocked by a hook " + "x" * 500_000))
    monkeypatch.setattr(codex, "SETTLE_SECONDS", 0)
    assert codex.settle(None, [waiting], sent) == []
    monkeypatch.undo()
    assert [bool(one.reads) for one in codex.settle(None, [waiting], sent)] == [False]


@pytest.mark.parametrize("ticks", range(1, 12))
def test_a_look_that_ends_at_any_moment_refutes_nothing_that_was_sent(
    ticks: int, read: Moment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A result within JSON is found in several steps; the time may pass between any two."""
    result = read.proven()
    quoted = json.dumps([result.output[:-9], result.output])
    read.append(tool_output("call_1_0", quoted))
    clock = iter([*[0.0] * ticks, *[1.0] * 100])
    monkeypatch.setattr(codex_transcript, "monotonic", lambda: next(clock))
    assert [bool(one.reads) for one in codex.settle(None, [pending(result)], sent)] in ([], [True])


def test_many_dropped_reads_far_apart_are_all_looked_for(read: Moment) -> None:
    """One pass serves those that stand together, and the newest has its own."""
    lines = read.lines()
    waiting = []
    for n in range(6):
        read.append(*[tool_output("c", "x" * 1000)] * 600)
        for line in lines:
            if "item" in line["payload"]:
                line["payload"]["item"]["id"] = f"call_{n}"
        read.append(*lines)
        result = read.parse(tool_use_id=f"call_{n}")
        assert isinstance(result, ShellResult)
        waiting.append(pending(result))
        read.append(tool_output(f"call_{n}", f"{n}" if n % 2 else result.output))
    told = codex.settle(None, waiting, sent)
    assert [(one.event_id, bool(one.reads)) for one in told] == [(f"call_{n}", n % 2 == 0) for n in range(6)]


def test_a_record_that_is_being_written_is_not_yet_one(read: Moment) -> None:
    """A line cut anywhere proves nothing; whole, it does so even before its line's end."""
    whole = read.transcript.read_bytes().rstrip(b"\n")
    start = whole.rfind(b"\n") + 1
    for size in range(start, len(whole), 13):
        read.transcript.write_bytes(whole[:size])
        assert read.parse() == UNPROVEN
    read.transcript.write_bytes(whole)
    assert isinstance(read.parse(), ShellResult)


def test_the_end_of_a_line_is_no_line(read: Moment, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a window cuts off belongs to the line: after a crash a record may follow a torn line."""
    whole = read.transcript.read_bytes()
    record = whole[whole.rstrip(b"\n").rfind(b"\n") + 1 :]
    read.transcript.write_bytes(b"\0" * 99 + record)
    monkeypatch.setattr(codex_transcript, "WINDOWS", (len(record), len(record) + 99))
    assert read.parse() == UNPROVEN


def test_a_broken_line_hides_no_other(read: Moment) -> None:
    """Bytes of any kind before or behind the record are no record."""
    record = read.transcript.read_bytes()
    for junk in (b"\xff\xfe", b"{", b'{"type":"event_msg","payload":"call_1_0"}', b'["call_1_0"', b"\0" * 99):
        read.transcript.write_bytes(junk + b"\n" + record + junk + b'"call_1_0"\n' + junk)
        assert isinstance(read.parse(), ShellResult)


def test_an_empty_transcript_proves_nothing(read: Moment) -> None:
    """The host may have moved it away."""
    read.transcript.write_bytes(b"")
    assert read.parse() == UNPROVEN


def test_a_missing_transcript_proves_nothing(read: Moment) -> None:
    """Nor does a folder in its place, a path below a file, or a relative path."""
    read.transcript.rename(moved := read.transcript.with_name("moved"))
    assert read.parse() == UNPROVEN
    assert read.parse(transcript_path=f"{moved}/{read.transcript.name}") == UNPROVEN
    read.transcript.mkdir()
    assert read.parse() == UNPROVEN


def test_a_relative_transcript_is_not_looked_for(read: Moment, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hook's own folder says nothing of the host's."""
    monkeypatch.chdir(read.transcript.parent)
    assert read.parse(transcript_path=read.transcript.name) == UNPROVEN


def test_a_link_is_not_followed(read: Moment) -> None:
    """The host writes regular files; a link may lead to what it did not write."""
    read.transcript.rename(real := read.transcript.with_name("real"))
    read.transcript.symlink_to(real)
    assert read.parse() == UNPROVEN
    read.transcript.unlink()
    read.transcript.symlink_to(read.transcript)
    assert read.parse() == UNPROVEN


def test_a_pipe_is_not_waited_for(read: Moment) -> None:
    """Opening one without a writer would block for ever."""
    waiting = pending(read.proven())
    read.transcript.unlink()
    os.mkfifo(read.transcript)
    assert read.parse() == UNPROVEN
    assert codex.settle(None, [waiting], sent) == []


def test_a_device_is_not_read(read: Moment, monkeypatch: pytest.MonkeyPatch) -> None:
    """It could give bytes without end."""
    meter = Meter(monkeypatch)
    assert codex.settle(None, [pending_at("/dev/zero", 0, read.payload["tool_response"])], sent) == []
    assert meter.total == 0


@pytest.mark.parametrize("broken", ["open", "pread"])
def test_an_unreadable_transcript_proves_nothing(
    broken: str, read: Moment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No permission, or a device that fails: a refusal, not an exception."""
    waiting = pending(read.proven())

    def fail(*_: object) -> int:
        raise PermissionError

    monkeypatch.setattr(os, broken, fail)
    assert read.parse() == UNPROVEN
    assert codex.settle(None, [waiting], sent) == []


@pytest.mark.parametrize("folder", ["/a\0b", "/\ud800", "/" + "x" * 5000, "/" + "x/" * 3000])
def test_a_path_that_no_file_can_have_proves_nothing(folder: str, read: Moment) -> None:
    """A payload may name anything."""
    told = read.parse(transcript_path=f"{folder}/{read.transcript.name}")
    assert told == UNPROVEN


def test_files_are_closed_and_never_changed(read: Moment) -> None:
    """The transcript is the host's own."""
    waiting = pending(read.proven())
    before, open_files = read.transcript.read_bytes(), len(list(Path("/dev/fd").iterdir()))
    for _ in range(5):
        read.parse()
        codex.settle(None, [waiting], sent)
        read.parse(transcript_path=f"{read.transcript.parent}/x/{read.transcript.name}")
    assert len(list(Path("/dev/fd").iterdir())) == open_files
    assert read.transcript.read_bytes() == before

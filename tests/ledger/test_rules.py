"""The rules of the ledger hold for every input."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.conversation import REFERENCE_BYTES, Conversation
from contracts.limits import Limits
from contracts.lines import Lines
from contracts.outcome import Skipped, Withdrawn
from contracts.read import EVENT_ID_BYTES, File, Locator, Source
from ledger import rules
from ledger.rules import Known, Standing, Turn
from tests.ledger.samples import FILE, HERE, NOON, pending, read

LIMITS = Limits()
LIVE, CLEARED = Standing(3, cleared=False), Standing(3, cleared=True)
WEEK = LIMITS.idle_seconds * 1000

A = Lines(((1, 4),), 10)
B = Lines(((6, 6),), 10)

times = st.integers(-(2**53), 2**53)


def test_a_start_begins_a_new_empty_life_of_a_live_conversation_only() -> None:
    """A stray start of an unknown conversation makes nothing, and a cleared one stays cleared."""
    assert rules.begun(LIVE) == Turn(Standing(4, cleared=False), emptied=True)
    assert rules.begun(None) is None
    assert rules.begun(CLEARED) is None


def test_a_resume_keeps_a_life_and_opens_a_cleared_or_idle_one_empty() -> None:
    """Only a resume opens what a clear has closed."""
    assert rules.resumed(LIVE, idle=False) == Turn(LIVE, emptied=False)
    assert rules.resumed(LIVE, idle=True) == Turn(Standing(4, cleared=False), emptied=True)
    assert rules.resumed(CLEARED, idle=False) == Turn(Standing(4, cleared=False), emptied=True)
    assert rules.resumed(None, idle=False) is None


def test_a_clear_closes_every_conversation_known_or_not() -> None:
    """A late event of a conversation that was never seen must be refused, too."""
    assert rules.cleared(LIVE) == Turn(Standing(3, cleared=True), emptied=True)
    assert rules.cleared(CLEARED) == Turn(Standing(3, cleared=True), emptied=True)
    assert rules.cleared(None) == Turn(Standing(1, cleared=True), emptied=True)


@given(times, times)
def test_idling_counts_the_distance_and_purging_only_the_past(now: int, stamp: int) -> None:
    """A stamp from the far future is out of sight, but no other process purges it on its way."""
    assert rules.idle(now, stamp, LIMITS) == rules.idle(stamp, now, LIMITS) == (abs(now - stamp) > WEEK)
    earliest, _ = rules.awake(now, LIMITS)
    assert (stamp < earliest) == (rules.idle(now, stamp, LIMITS) and stamp < now)


@pytest.mark.parametrize("distance", [-1, 1])
def test_the_bounds_of_time_are_inclusive(distance: int) -> None:
    """Exactly the idle time is not yet over it."""
    assert not rules.idle(NOON, NOON + distance * WEEK, LIMITS)
    assert rules.idle(NOON, NOON + distance * (WEEK + 1), LIMITS)
    hour = LIMITS.pending_seconds * 1000
    assert not rules.expired(NOON, NOON + distance * hour, LIMITS)
    assert rules.expired(NOON, NOON + distance * (hour + 1), LIMITS)


@given(st.integers(0, 2**31), st.integers(1, 2**31))
def test_what_goes_brings_the_rest_within_the_bound_and_no_further(count: int, bound: int) -> None:
    """Nothing goes without need."""
    gone = rules.surplus(count, bound)
    assert count - gone == min(count, bound)


@pytest.mark.parametrize(
    ("previous", "now", "kept", "change"),
    [
        (None, None, None, "new"),
        (None, A, A, "new"),
        (Known("sha256:2", None), A, A, "replaced"),
        (Known("sha256:2", A), None, None, "replaced"),
        (Known("sha256:1", None), None, None, "again"),
        (Known("sha256:1", None), A, None, "again"),
        (Known("sha256:1", A), A, A, "again"),
        (Known("sha256:1", Lines(((1, 9),), 10)), A, Lines(((1, 9),), 10), "again"),
        (Known("sha256:1", B), A, Lines(((1, 4), (6, 6)), 10), "extended"),
        (Known("sha256:1", Lines(((5, 10),), 10)), A, None, "extended"),
        (Known("sha256:1", A), None, None, "extended"),
        (Known("sha256:1", Lines(((1, 4),), 11)), A, A, "replaced"),
    ],
)
def test_a_read_meets_what_was_there_by_its_digest_and_its_lines(
    previous: Known | None, now: Lines | None, kept: Lines | None, change: str
) -> None:
    """Lines of one content come together; other content, or another count of its lines, starts anew."""
    new = msgspec.structs.replace(read(title="Now"), content_digest="sha256:1", lines=now)
    assert rules.met(previous, new, LIMITS) == (msgspec.structs.replace(new, lines=kept), change)


def test_lines_of_before_go_where_both_do_not_fit_the_bound_of_a_candidate() -> None:
    """The read itself fits, or it would have been refused."""
    new = msgspec.structs.replace(read(), lines=A)
    bound = msgspec.structs.replace(LIMITS, candidate_bytes=rules.metadata_bytes(new))
    known = Known(new.content_digest, B)
    assert rules.met(known, new, bound) == (new, "replaced")
    assert rules.met(known, new, LIMITS)[1] == "extended"


def test_sources_have_a_fixed_order_and_none_is_there_twice() -> None:
    """The order in which a reader named them does not show."""
    one, other = Source("a", "2"), Source("b", "1")
    mixed = msgspec.structs.replace(read(), sources=(other, one, other))
    assert rules.ordered(mixed).sources == (one, other)
    assert rules.ordered(read()) == read()


def test_metadata_counts_bytes_of_every_text_sources_and_nul_included() -> None:
    """Bytes are bytes of UTF-8, however SQL would count."""
    empty = msgspec.structs.replace(
        read(),
        reader="",
        store_scope="",
        item_id="",
        content_digest="",
        title="",
        applies_when="",
        sources=(),
    )
    assert rules.metadata_bytes(empty) == 0
    for field in ("reader", "store_scope", "item_id", "content_digest", "title", "applies_when"):
        assert rules.metadata_bytes(msgspec.structs.replace(empty, **{field: "é\0😀"})) == 7
    sourced = msgspec.structs.replace(empty, sources=(Source("é", "\0"), Source("", "😀")))
    assert rules.metadata_bytes(sourced) == 7
    filed = msgspec.structs.replace(empty, file=File("é", "\0😀", 10**6, 10**18))
    assert rules.metadata_bytes(filed) == 7
    lined = msgspec.structs.replace(empty, lines=Lines(((1, 40), (60, 60)), 480))
    assert rules.metadata_bytes(lined) == len('{"shown":[[1,40],[60,60]],"of":480}')


def test_a_candidate_of_exactly_the_bound_fits_and_one_byte_more_is_skipped_with_both_numbers() -> None:
    """It is never cut to look complete."""
    size = rules.metadata_bytes(read())
    assert rules.refused(HERE, read(), "e", msgspec.structs.replace(LIMITS, candidate_bytes=size)) is None
    skipped = rules.refused(HERE, read(), "e", msgspec.structs.replace(LIMITS, candidate_bytes=size - 1))
    assert skipped is not None
    assert (skipped.reason, skipped.detail) == ("candidate-too-large", f"{size} of {size - 1} bytes")


@pytest.mark.parametrize(
    ("reference", "reason"),
    [
        ("", "conversation-unproven"),
        ("é" * (REFERENCE_BYTES // 2) + "x", "conversation-unproven"),
        ("x" * 10_000, "conversation-unproven"),
        ("\ud800", "result-malformed"),
        ("é" * (REFERENCE_BYTES // 2), None),
        ("../../x", None),
        ("a\0b", None),
        ("C:\\x", None),
        (".", None),
        ("CON", None),
    ],
)
def test_a_reference_is_opaque_and_bounded_in_bytes(reference: str, reason: str | None) -> None:
    """What looks like a path or a device is a name like any other."""
    skipped = rules.refused(Conversation("codex", reference), read(), None, LIMITS)
    assert (skipped and skipped.reason) == reason
    assert rules.proven(Conversation("codex", reference)) == (reason is None)


@pytest.mark.parametrize(
    ("event_id", "reason"),
    [
        ("", "delivery-unproven"),
        ("é" * (EVENT_ID_BYTES // 2) + "x", "delivery-unproven"),
        ("\udfff", "result-malformed"),
        ("é" * (EVENT_ID_BYTES // 2), None),
        (None, None),
    ],
)
def test_an_event_id_is_bounded_in_bytes_and_may_be_missing(event_id: str | None, reason: str | None) -> None:
    """An empty one is none that a host could have meant."""
    skipped = rules.refused(HERE, read(), event_id, LIMITS)
    assert (skipped and skipped.reason) == reason


@pytest.mark.parametrize(
    "field", ["reader", "store_scope", "item_id", "content_digest", "title", "applies_when"]
)
def test_a_lone_surrogate_anywhere_is_refused(field: str) -> None:
    """It cannot be written as UTF-8, so the ledger could not give it back."""
    bad = msgspec.structs.replace(read(), **{field: "a\ud800b"})
    skipped = rules.refused(HERE, bad, "e", LIMITS)
    assert skipped is not None
    assert skipped.reason == "result-malformed"


@pytest.mark.parametrize("bad", [Source("\udc80", "a"), Source("a", "\udc80")])
def test_a_lone_surrogate_in_a_source_is_refused(bad: Source) -> None:
    """Sources are texts like the others."""
    skipped = rules.refused(HERE, msgspec.structs.replace(read(), sources=(bad,)), "e", LIMITS)
    assert skipped is not None
    assert skipped.reason == "result-malformed"


@pytest.mark.parametrize("name", ["root", "path"])
def test_a_path_that_is_no_utf8_is_refused(name: str) -> None:
    """Python spells its bytes as lone surrogates."""
    named = msgspec.structs.replace(FILE, **{name: b"/caf\xe9".decode("utf-8", "surrogateescape")})
    bad = msgspec.structs.replace(read(), file=named)
    for skipped in (
        rules.refused(HERE, bad, "e", LIMITS),
        rules.noted(HERE, pending("e", bad), LIMITS),
    ):
        assert isinstance(skipped, Skipped)
        assert (skipped.reason, skipped.detail) == ("result-malformed", "lone surrogate")


@pytest.mark.parametrize(
    ("size", "mtime_ns", "fits"),
    [
        (0, -(2**63 - 1), True),
        (2**63 - 1, 2**63 - 1, True),
        (-1, 0, False),
        (2**63, 0, False),
        (0, 2**63, False),
        (0, -(2**63) - 1, False),
    ],
)
def test_a_files_numbers_fit_63_bits_or_are_refused(size: int, mtime_ns: int, fits: bool) -> None:  # noqa: FBT001 - a table
    """A file system can say anything of a time."""
    filed = msgspec.structs.replace(read(), file=File("/r", "p", size, mtime_ns))
    skipped = rules.refused(HERE, filed, "e", LIMITS)
    assert (skipped is None) == fits
    assert fits or skipped == rules.Skipped("result-malformed", "size or time of the file")


def test_a_pending_read_is_refused_as_its_read_would_be_and_for_a_place_that_cannot_exist() -> None:
    """What could never settle is not worth noting."""
    fine = pending("e")
    long = Locator("/" + "x" * rules.LOCATOR_BYTES, 0)
    for changed, reason in (
        ({}, None),
        ({"locator": None}, None),
        ({"locator": Locator("/" * rules.LOCATOR_BYTES, 0)}, None),
        ({"locator": long}, "delivery-unproven"),
        ({"locator": Locator("\ud800", 0)}, "result-malformed"),
        ({"result_digest": "\ud800"}, "result-malformed"),
        ({"event_id": ""}, "delivery-unproven"),
        ({"reads": (read(title="x" * 5000), read(title="\ud800"))}, "candidate-too-large"),
    ):
        one = msgspec.structs.replace(fine, **changed)
        found = rules.noted(HERE, one, LIMITS)
        if reason is None:
            assert found == (one, ())
        else:
            assert isinstance(found, Skipped)
            assert found.reason == reason, changed


def test_of_several_reads_those_are_noted_that_can_be_kept() -> None:
    """In their order, with their sources in theirs; each of the others has its reason."""
    mixed = msgspec.structs.replace(read("b"), sources=tuple(reversed(read().sources)))
    bad = read("bad", title="\ud800")
    found = rules.noted(HERE, pending("e", bad, mixed, read("a")), LIMITS)
    why = Skipped("result-malformed", "lone surrogate")
    assert found == (pending("e", read("b"), read("a")), (Withdrawn(bad, why),))

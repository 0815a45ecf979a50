"""Foreign bytes become typed values, or are malformed; nothing else ever comes out."""

from __future__ import annotations

import time
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.wire import MARK, Malformed, decode


class Item(msgspec.Struct, frozen=True):
    """A small document."""

    title: str
    size: int = 0


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b'{"title": "K\xfcche"}',
        b'{"title": "x", "size": NaN}',
        b'{"title": "x", "other": Infinity}',
        b'{"title": "x"} {"title": "y"}',
        b"\xff\xfe",
        b'{"title": "x", "other": ' + b"[" * 5000 + b"]" * 5000 + b"}",
        '{"title": "\ud800"}',
    ],
    ids=range(9),
)
def test_bytes_that_are_no_json_document_are_malformed(data: bytes | str) -> None:
    """Bad UTF-8, NaN, half a character that is no escape, two documents, and depth that no host sends."""
    assert decode(data, Item) == Malformed(syntax=True)


@pytest.mark.parametrize("data", [b"null", b"[]", b"1", b"{}", b'{"title": null}', b'{"title": 1}'])
def test_json_of_another_shape_is_told_from_bad_json(data: bytes) -> None:
    """A host that has changed is not a host that pipes rubbish."""
    assert decode(data, Item) == Malformed(syntax=False)


def test_unknown_fields_are_passed_over_and_the_last_of_two_equal_keys_counts() -> None:
    """A host may say more than we ask."""
    assert decode(b'{"title": "a", "new": [1], "title": "b", "size": 3}', Item) == Item("b", 3)


@given(st.binary(max_size=60))
def test_no_bytes_raise(data: bytes) -> None:
    """Whatever arrives, the hook goes on."""
    decode(data, dict[str, Any])


@pytest.mark.parametrize("marks", [1, 2, 5])
def test_byte_order_marks_before_a_document_are_passed_over(marks: int) -> None:
    """As a shell on another system puts them there; one in the middle is none."""
    assert decode(MARK * marks + b'{"title": "x"}', Item) == Item("x")
    assert decode(b'{"title": "x"}' + MARK, Item) == Malformed(syntax=True)


@pytest.mark.parametrize(
    ("escaped", "wanted"),
    [
        (r"\ud800", "\ufffd"),
        (r"\uDFFF", "\ufffd"),
        (r"a\ud83d", "a\ufffd"),
        (r"\ud83d\ude00", "\N{GRINNING FACE}"),
        (r"\ud83d\ud83d\ude00", "\ufffd\N{GRINNING FACE}"),
        (r"\ude00\ud83d", "\ufffd\ufffd"),
        (r"\\ud800", r"\ud800"),
        (r"\\\ud800", "\\\ufffd"),
        (r"\ud83d\\ude00", r"\ufffd\ude00".replace(r"\ufffd", "\ufffd")),
        (r"\ud800\n\"", '\ufffd\n"'),
    ],
)
def test_half_a_character_is_replaced(escaped: str, wanted: str) -> None:
    """In a field that is used, and in one that nobody uses, which loses nothing."""
    bad = escaped.encode()
    assert decode(b'{"title": "' + bad + b' \\ud800"}', Item) == Item(wanted + " \ufffd")
    assert decode(b'{"title": "x", "other": ["\\ud800' + bad + b'"]}', Item) == Item("x")


_HALVES = st.sampled_from([r"\ud800", r"\udc00", r"\uDBFF", r"\ud83d\ude00", r"\\", r"\"", r"\n", "x", "é"])


@given(st.lists(_HALVES, max_size=12), st.lists(_HALVES, max_size=12))
def test_whatever_is_in_one_field_the_other_is_kept(one: list[str], other: list[str]) -> None:
    """Each escape is taken by itself."""
    text = "".join(other)
    document = f'{{"title": "kept", "other": "{"".join(one)}", "last": "{text}"}}'.encode()
    found = decode(document, dict[str, str])
    assert isinstance(found, dict)
    assert found["title"] == "kept"
    assert "\ud800" not in found["last"]
    if "ud800" not in text and "udc00" not in text and "uDBFF" not in text:
        assert found["last"] == msgspec.json.decode(f'"{text}"')


@pytest.mark.parametrize("unit", [rb"\ud800", rb"\n", rb"\ud83d\ude00", rb"\\"])
def test_a_large_document_of_escapes_costs_a_moment(unit: bytes) -> None:
    """One with more of them than any host sends is not looked through."""
    for size in (1 << 19, 16 << 20):
        document = b'{"title": "' + unit * (size // len(unit)) + b'", "other": "\\ud800"}'
        begun = time.process_time()
        decode(document, Item)
        assert time.process_time() - begun < 1

"""Foreign bytes become typed values, or are malformed; nothing else ever comes out."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.wire import Malformed, decode


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
        b'{"title": "\\ud800"}',
        b'{"title": "x"} {"title": "y"}',
        b"\xff\xfe",
        b'{"title": "x", "other": ' + b"[" * 5000 + b"]" * 5000 + b"}",
        '{"title": "\ud800"}',
    ],
    ids=range(10),
)
def test_bytes_that_are_no_json_document_are_malformed(data: bytes | str) -> None:
    """Bad UTF-8, NaN, lone surrogates, two documents, and depth that no host sends."""
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

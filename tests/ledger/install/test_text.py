"""What is read as a document, and where the fault is in what is none."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.install.text import DEPTH, Fault, parse, place
from tests.ledger.install.documents import VALUES, written

FAULTS = [
    ("", 1, 1, "is empty"),
    ("  \n", 1, 1, "is empty"),
    ("// {}\n/* */", 1, 1, "nothing but comments"),
    ("[", 1, 2, "ends too early"),
    ("{} {}", 1, 4, "follows"),
    ('{"a": 1,\n "b" 2}', 2, 6, "colon"),
    ('{"a": 1\n "b": 2}', 2, 2, "comma or }"),
    ("[1\r\n2]", 2, 1, "comma or ]"),
    ("[1\r2]", 2, 1, "comma or ]"),
    ("[,]", 1, 2, "value is missing"),
    ("[1,,]", 1, 4, "value is missing"),
    ("{,}", 1, 2, "double quotes"),
    ("{a: 1}", 1, 2, "double quotes"),
    ("{'a': 1}", 1, 2, "double quotes"),
    ('{"a": }', 1, 7, "value is missing"),
    ('{"a": "b', 1, 9, "string"),
    ('["a\nb"]', 1, 4, "string"),
    ('["\\x"]', 1, 3, "string"),
    ('["\\u12g4"]', 1, 3, "string"),
    ("[01]", 1, 2, "value is missing"),
    ("[1.]", 1, 2, "value is missing"),
    ("[+1]", 1, 2, "value is missing"),
    ("[NaN]", 1, 2, "value is missing"),
    ("[nulls]", 1, 2, "value is missing"),
    ("[1 /* never", 1, 4, "comment"),
    ("[1, # no\n2]", 1, 5, "value is missing"),
    ("[\u00a01]", 1, 2, "value is missing"),
    ("[道, 1", 1, 2, "value is missing"),
    ('["道", 1', 1, 8, "comma or ]"),
    ("[" * (DEPTH + 2), 1, DEPTH + 2, "nested"),
    ("[" * 100_000, 1, DEPTH + 2, "nested"),
]


@pytest.mark.parametrize(("text", "line", "column", "says"), FAULTS)
def test_a_fault_is_found_in_its_place(text: str, line: int, column: int, says: str) -> None:
    """Line and column are what an editor shows."""
    with pytest.raises(Fault) as raised:
        parse(text)
    assert place(text, raised.value.at) == (line, column)
    assert says in raised.value.message


def test_a_long_string_without_an_end_is_refused_at_once() -> None:
    """Time does not grow beyond the text's own length."""
    with pytest.raises(Fault, match="string"):
        parse('["' + "a\\n" * 200_000)


@given(value=VALUES, data=st.data())
def test_whatever_is_valid_is_read_as_it_is(value: object, data: st.DataObject) -> None:
    """With comments and trailing commas too."""
    document = parse(data.draw(written(value)))
    assert document.plain(document.root) == value


@given(text=st.text(alphabet='{}[]",:/* \n\\1tru', max_size=12))
def test_what_is_neither_comment_nor_comma_is_as_strict_as_json(text: str) -> None:
    """What has no comment and no comma before a bracket is read if, and only if, JSON reads it."""
    try:
        expected = json.loads(text)
    except ValueError:
        if "/" not in text and "," not in text:
            with pytest.raises(Fault):
                parse(text)
    else:
        document = parse(text)
        assert document.plain(document.root) == expected

"""Foreign text on one line, with nothing hidden."""

from __future__ import annotations

import json
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.escape import json_line, json_text, one_line, utf16_units

HIDING = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
DEFAULT_IGNORABLE_LETTERS_AND_MARKS = (
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\ufe00\ufe0f\uffa0\U000e0100\U000e01ef\u2800"
)


@given(st.text())
def test_the_escaped_text_decodes_to_the_very_text(text: str) -> None:
    """Nothing is lost and nothing is added."""
    assert json.loads(json_text(text)) == text


@given(st.text())
def test_the_escaped_text_is_one_visible_line(text: str) -> None:
    """No character that ends a line, hides, or turns direction is left."""
    assert json_text(text).isprintable()
    assert not any(unicodedata.category(c) in HIDING for c in json_text(text))


@pytest.mark.parametrize("number", range(0, sys.maxunicode + 1, 0x1000))
def test_no_code_point_hides_in_a_briefing(number: int) -> None:
    """Every code point of Unicode is looked at, in blocks."""
    for point in range(number, number + 0x1000):
        escaped = json_text(chr(point))
        assert escaped.isprintable()
        if unicodedata.category(chr(point)) in HIDING:
            assert escaped.startswith('"\\u')


@pytest.mark.parametrize("character", DEFAULT_IGNORABLE_LETTERS_AND_MARKS)
def test_letters_and_marks_that_no_screen_shows_are_escaped(character: str) -> None:
    """Some invisible characters are letters or marks by their category."""
    assert json_text(character).startswith('"\\u')
    assert one_line(character).startswith("\\u")


@pytest.mark.parametrize("character", ["<", ">", "&", "`", '"', "\\", "\n", "\r", "\u2028", "\u202e", "\x85"])
def test_characters_that_break_out_do_not_stand_in_the_line(character: str) -> None:
    """A tag, a fence, a string or a line cannot be opened or closed from inside."""
    inside = json_text(f"a{character}b")[1:-1]
    assert character not in inside.replace("\\\\", "").replace('\\"', "").replace("\\u", "")


def test_a_lone_surrogate_stays_escaped() -> None:
    """It is no character, and could not be encoded."""
    assert json_text("\ud800") == '"\\ud800"'


def test_letters_of_any_script_stay_as_they_are() -> None:
    """A title in Japanese costs its own length."""
    assert json_text("日本語の見出し") == '"日本語の見出し"'
    assert one_line("Prüfung") == "Prüfung"


def test_a_line_is_one_json_object() -> None:
    """The names are ours and come in our order."""
    assert json_line({"id": "a.b", "title": "x\ny"}) == '{"id":"a.b","title":"x\\u000ay"}'


@given(st.text(st.characters(exclude_categories=("Cs",))))
def test_units_are_utf16_code_units(text: str) -> None:
    """The count is what a host that measures UTF-16 gets."""
    assert utf16_units(text) == len(text.encode("utf-16-le")) // 2

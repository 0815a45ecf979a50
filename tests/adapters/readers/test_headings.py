"""The first heading of a Markdown text: what CommonMark takes for one, in plain words."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from adapters.readers.headings import CHARACTERS, RAW, first, plain
from adapters.readers.markdown import about

COMMONMARK = MarkdownIt("commonmark").disable("inline")


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("# One\n# Two\n", "One"),
        ("text\n\n## Second level ##\n", "Second level"),
        ("Underlined\n==========\n", "Underlined"),
        ("Underlined\n---\n", "Underlined"),
        ("Two\nlines\n===\n", "Two lines"),
        ("```\n# code\n```\n# Real\n", "Real"),
        ("````\n```\n# code\n````\n# Real\n", "Real"),
        ("~~~ sh\n# code\n~~~\n# Real\n", "Real"),
        ("~~~ `sh`\n# code\n~~~\n# Real\n", "Real"),
        ("``` never closed\n# code\n", ""),
        ("``` no `fence\n# Real\n", "Real"),
        ("#NoBlank\n\n# Real", "Real"),
        ("#\n\n# Real", "Real"),
        ("####### seven\n\n# Real", "Real"),
        ("    # code\n# Real", "Real"),
        ("\t# code\n# Real", "Real"),
        ("<!--\n# Old\n-->\n# Real\n", "Real"),
        ("<!-- a -->\n# Real\n", "Real"),
        ("<!-- never closed\n# Old\n", ""),
        ("[//]: # (a comment)\n# Real\n", "Real"),
        ("[a]: /b\nReal\n===\n", "Real"),
        ('<p align="center">\n# Old\n</p>\n\n# Real\n', "Real"),
        ('<img src="a.png">\n# Old\n\n# Real\n', "Real"),
        ('<a name="x"></a>\n# Real\n', "Real"),
        ("<pre>\n\n# Old\n</pre>\n# Real\n", "Real"),
        ("<div>\n---\n\n# Real\n", "Real"),
        ("- item\n---\n# Real\n", "Real"),
        ("- item\n===\n# Real\n", "Real"),
        ("1. item\n\n   # Old\n\n# Real\n", "Real"),
        ("- # Old\n\n# Real\n", "Real"),
        ("> quote\n---\n# Real\n", "Real"),
        ("> # Old\ntext\n===\n", "text"),
        ("| a | b |\n---\n# Real\n", "Real"),
        ("a | b\n--- | ---\n1 | 2\n---\n# Real\n", "Real"),
        ("Status: accepted\nDate: today\n---\n# Real\n", "Real"),
        ("Decision: one queue\n---\n", "Decision: one queue"),
        ("Status: accepted\nDate: today\n===\n", "Status: accepted Date: today"),
        ("Text\n\nStatus: accepted\nDate: today\n---\n", "Status: accepted Date: today"),
        ("# ![](logo.png)\n# Real\n", "Real"),
        ("# two  blanks\tand a tab #\n", "two  blanks   and a tab"),
        ("no heading at all", ""),
        ("", ""),
        ("---\n", ""),
        ("\n---\n", ""),
    ],
)
def test_the_first_heading_is_found_as_markdown_reads_it(text: str, heading: str) -> None:
    """Fences, HTML, lists, tables, and what only looks like a heading."""
    assert first(text) == heading


@pytest.mark.parametrize(
    ("heading", "words"),
    [
        ("**Choose** one *queue*", "Choose one queue"),
        ("__Choose__ _one_ ~~queue~~", "Choose one queue"),
        ("***Choose***", "Choose"),
        ("`lore get` and ``a`b``", "lore get and a`b"),
        ("[ADR](0001.md) [two][2]", "ADR two"),
        ('[ADR](a(b).md "title")', "ADR"),
        ("[![logo](a.png)](b) Readmark", "logo Readmark"),
        ("Queues {#queues}", "Queues"),
        ('<a name="x"></a>Queues<br>', "Queues"),
        ("Queues <!-- old -->", "Queues"),
        ("\\*args and \\_x\\_", "*args and _x_"),
        ("`**kw` `[x](y)` `\\*`", "**kw [x](y) \\*"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("snake_case_name and __init", "snake_case_name and __init"),
        ("[Draft] Vec<T> {x}", "[Draft] Vec<T> {x}"),
        ("C# and F#", "C# and F#"),
        ("a ` b ** c", "a ` b ** c"),
        ("Errors &amp; retries: &lt;T&gt;", "Errors & retries: <T>"),
        ("Caf&#233; &#x2014; rules &copy", "Café \u2014 rules &copy"),
        ("&#42;not marked&#42; `&amp;` \\&amp;", "*not marked* &amp; &amp;"),
        ("&nosuch; &#99999999; &;", "&nosuch; &#99999999; &;"),
        ("Use<br/>Postgres", "Use Postgres"),
        ("Use <BR class='x'> Postgres<br>", "Use Postgres"),
        ("See <https://example.com/a_b_c>", "See https://example.com/a_b_c"),
        ("Write <me+you@example.com>", "Write me+you@example.com"),
        ("1 <2> a<b:c d>", "1 <2> a<b:c d>"),
    ],
)
def test_simple_marks_are_taken_off(heading: str, words: str) -> None:
    """And signs that mark nothing stay."""
    assert plain(heading) == words


@pytest.mark.parametrize(
    ("heading", "words"),
    [
        ("[Use Postgres]", "Use Postgres"),
        ("[use  POSTGRES] now", "use  POSTGRES now"),
        ("[Use *Postgres*] [Draft]", "[Use Postgres] [Draft]"),
        ("![Use Postgres]", "Use Postgres"),
    ],
)
def test_a_link_of_one_word_is_one_where_the_text_defines_it(heading: str, words: str) -> None:
    """Else its brackets are brackets."""
    assert first(f"# {heading}\n\ntext\n\n  [Use Postgres]: https://example.com\n") == words
    assert first("# [Use Postgres]\n\n[Use Postgres]\n") == "[Use Postgres]"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_each_form_of_line_end_ends_a_line(end: str) -> None:
    """So no line of the body becomes a part of a heading, or of the front matter."""
    assert first(f"# Rotate keys{end}{end}The old one was secret.{end}") == "Rotate keys"
    assert first(f"Rotate keys{end}==={end}text") == "Rotate keys"
    says = about(f"---{end}title: One{end}description: Two{end}---{end}# Three{end}text")
    assert (says.title, says.description, says.heading) == ("One", "Two", "Three")


def test_other_signs_end_no_line() -> None:
    """As Markdown has it."""
    assert first("# One\u2028two\x0bthree\x85four") == "One\u2028two\x0bthree\x85four"


def test_more_literals_than_are_kept_stay_as_they_are() -> None:
    """Nobody writes so many."""
    assert plain("`a` " * 33) == "a " * 32 + "`a`"
    assert plain("*a*" * RAW) == "*a*" * RAW


LINES = st.sampled_from(
    ["", "# H", "## ", "text", "two text", "===", "---", "--", "=", "- item", "  in item", "1. one", "2. two",
     "> quote", "```", "~~~", "``` a`b", "```py", "    code", "<!--", "-->", "<!-- x -->", "<div>", "</div>",
     "<b>", "<b>x</b>", "<a name='x'></a>", "***", "* * *", "  # I", "+ y", "<pre>", "</pre>", "[a]: /x",
     "#NoBlank", "    # c", "- # T", "12) n", "<?php", "?>", "<br/>", "- - -", "## closed ##", "\tt"]
)  # fmt: skip


def reference(text: str) -> str:
    """Return the first heading that says something as markdown-it-py finds it, without its marks."""
    tokens = COMMONMARK.parse(text)
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.level == 0:
            lines = tokens[at + 1].content.split("\n")
            if words := plain(" ".join(line.strip() for line in lines)):
                return words
    return ""


@given(st.lists(LINES, max_size=7).map("\n".join))
def test_it_is_the_heading_that_a_whole_parser_finds(text: str) -> None:
    """Whatever stands around it."""
    assert first(text) == reference(text)


@given(st.text())
def test_any_text_has_a_heading_of_one_line_or_none(text: str) -> None:
    """No text makes it raise."""
    assert "\n" not in first("# " + text)
    assert "\n" not in first(text + "\n===\n")


SLOW = [
    "- a\n", "a\n", ">", "> a\n", "#\n", "# a", "# [a](", "# **", "# `", "# ``a", "# <!--", "# <a ", "# _a",
    "[a]: ", "``` a", "<b a=", "<b a", "<!-- ", "1) a\n\n", "| a\n---\n", "* ", "- - x", "\\", "    a\n",
    "a: b\n", "~~~\n",
]  # fmt: skip


@pytest.mark.parametrize("piece", SLOW)
def test_no_text_takes_long(piece: str) -> None:
    """A search that goes back and forth would hold the hook past its deadline."""
    for size in (RAW - 2, CHARACTERS, 1024 * 1024):
        text = (piece * size)[:size]
        for whole in (text, text.replace("\n", " "), (text[: RAW - 2] + "\n") * 16):
            started = time.process_time()
            first(whole)
            assert time.process_time() - started < 0.2

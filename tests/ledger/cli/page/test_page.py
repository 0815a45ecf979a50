"""The page as a program reads it: what it says, and that nothing on it is more than text."""

from __future__ import annotations

import base64
import hashlib
import itertools
import re
from datetime import datetime
from importlib.resources import files

import pytest
from msgspec.structs import replace

from contracts.lines import Lines
from contracts.outcome import Ready, Unavailable
from contracts.reasons import GATES, REFUSALS
from ledger.cli.failure import explain
from ledger.cli.page import render as rendering
from ledger.cli.page.answer import Answer
from ledger.cli.page.render import render
from ledger.cli.page.text import TEXT
from ledger.diagnostics import Entry, Summary
from ledger.escape import one_line
from tests.ledger.cli.page import scenes
from tests.ledger.cli.page.reading import Element, parsed

SCENES = {
    "quiet": scenes.quiet(),
    "hostile": scenes.hostile(),
    "empty": Ready(()),
    "unavailable": Unavailable("store-corrupt"),
}


def _page(name: str) -> Element:
    return parsed(scenes.html(SCENES[name]))


@pytest.mark.parametrize("name", SCENES)
def test_a_page_nests_and_names_each_thing_once(name: str) -> None:
    """Ids are unique, labels point to ids, and headings skip no level."""
    page = _page(name)
    ids = [one.attributes["id"] for one in page.all() if "id" in one.attributes]
    pointed = [
        target
        for one in page.all()
        for what in ("aria-labelledby", "aria-describedby", "for")
        for target in one.attributes.get(what, "").split()
    ]
    levels = [int(one.tag[1]) for one in page.all() if re.fullmatch("h[1-6]", one.tag)]

    assert len(ids) == len(set(ids))
    assert set(pointed) <= set(ids)
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


@pytest.mark.parametrize("name", SCENES)
def test_a_page_refers_to_nothing_outside_itself(name: str) -> None:
    """No address, no inline style, no handler; the policy allows our own style and script by hash."""
    page = _page(name)
    policy = _policy(page)
    script, style = page.one("script"), page.one("style")

    for one in page.all():
        for attribute, value in one.attributes.items():
            assert not attribute.startswith("on")
            assert attribute not in {"src", "srcset", "style", "action", "formaction", "xlink:href"}
            if attribute == "href":
                assert re.fullmatch("#[a-z]+", value)
    assert not re.search(r"url\(|@import|https?:", style.text)
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == f"'{_sha256(script.text)}'"
    assert policy["style-src"] == f"'{_sha256(style.text)}'"
    assert not {"fetch", "XMLHttpRequest", "innerHTML", "eval"} & set(re.findall(r"\w+", script.text))


def _policy(page: Element) -> dict[str, str]:
    [meta] = [
        one for one in page.all("meta") if one.attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    parts = (part.split() for part in meta.attributes["content"].split(";"))
    return {part[0]: " ".join(part[1:]) for part in parts}


def _sha256(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@pytest.mark.parametrize("words", scenes.HOSTILE)
def test_hostile_text_is_shown_as_text(words: str) -> None:
    """A title, an id, a reference or a host can be anything; the page shows it as `readmark list` does."""
    page = _page("hostile")
    shown = [one.text for one in page.all("bdi")]
    cut = one_line(words[:TEXT])

    assert shown.count(cut) >= 5
    assert any(one.text == one_line(words) for one in page.all("span", class_="host"))
    assert any(one.text == one_line(words) for one in page.all("code"))


def test_no_hidden_character_reaches_the_page() -> None:
    """Not one that turns the direction, ends a line, or shows nothing."""
    html = scenes.html(scenes.hostile())

    assert not set(html) & set("\u202e\u202c\u2028\u2029\u200b\ufeff\x00\x07\u200d")


def test_an_attribute_holds_hostile_text_as_text() -> None:
    """Quotes do not end it."""
    regions = [one.attributes.get("aria-label", "") for one in _page("hostile").all("div", class_="wide")]

    for words in scenes.HOSTILE:
        assert f"Reads of {one_line(words)} {one_line(words)}" in regions


def test_long_text_says_how_much_is_left_out() -> None:
    """A word of 4 KiB neither fills the page nor looks whole."""
    cuts = {one.text for one in _page("hostile").all("span", class_="cut")}

    assert f"… and {4096 - TEXT:,} more characters" in cuts


def test_no_place_of_a_file_is_on_the_page() -> None:
    """Where a read's file lies on this machine stays in the ledger."""
    assert "somebody" not in scenes.html(scenes.quiet())


def test_conversations_stand_by_day_newest_first() -> None:
    """A heading for each local day, and a list below it."""
    page = _page("quiet")
    days = [
        (day.one("h3").text, len(day.all("li", class_="conversation")))
        for day in page.all("div", class_="day")
    ]

    assert days == [
        ("Friday 15 January", 3),
        ("Thursday 14 January", 2),
        ("Tuesday 12 January", 1),
        ("Monday 11 January", 1),
    ]


def test_a_conversation_shows_its_reads_and_what_its_subagents_were_told() -> None:
    """In a table and in a list; only the newest conversation is open from the start."""
    first, *others = _page("quiet").all("li", class_="conversation")
    kind, *rows = first.one("tbody").all("tr")

    assert kind.text == "Practices"
    assert "open" in first.one("details").attributes
    assert not any("open" in one.one("details").attributes for one in others)
    assert [row.all("td")[0].text for row in rows] == ["7", "6", "5", "4", "3", "2", "1"]
    assert rows[0].one("th").text.startswith("Structure of a good error message practice.structure-of-a-good")
    assert first.one("span", class_="counts").text == "7 reads, 3 subagents told, 1 waiting"
    told = first.one("ol", class_="told-list").all("li")
    assert len(told) == 3
    assert told[0].text.startswith(
        "Fri 15 Jan, 08:56: Structure of a good error message; Test what a user sees;"
    )
    assert told[0].text.endswith("(1 more had no room)")
    assert "1 more read is proven but for delivery" in first.text


def test_reads_stand_by_kind_with_what_changed_and_what_has_gone() -> None:
    """Newest first in each, and what has gone is only counted."""
    page = parsed(scenes.html(scenes.mixed()))
    kinds = [
        [row.text if row.has({"class_": "kind"}) else row.all("td")[0].text for row in body.all("tr")]
        for body in page.one("li", class_="conversation").all("tbody")
    ]
    assert kinds == [["Practices", "3"], ["Skills", "2"], ["Documents", "4", "1"]]
    changed = [row.all("td")[0].text for row in page.all("tr") if "changed since" in row.text]
    assert changed == ["4"]
    assert "1 practice and 1 skill that have gone are not shown." in page.text


def test_of_a_part_its_lines_stand_beside_its_time() -> None:
    """A whole says nothing of lines."""
    one = scenes.conversed("parts", 1, 2)
    part, whole = one.candidates
    part = replace(part, read=replace(part.read, lines=Lines(((1, 220), (300, 300)), 480)))
    page = parsed(scenes.html(Ready((replace(one, candidates=(part, whole)),))))
    cells = [row.all("td")[-1].text for row in page.all("tr") if row.all("td", class_="number")]
    assert cells[0].endswith(" lines 1-220, 300 of 480")
    assert "lines" not in cells[1]


def test_every_time_is_there_for_programs() -> None:
    """In UTC, beside the local time for people."""
    times = _page("quiet").all("time")

    assert len(times) > 60
    for one in times:
        assert datetime.fromisoformat(one.attributes["datetime"]).utcoffset() is not None
    assert (times[0].attributes["datetime"], times[0].text) == (
        "2027-01-15T08:00:00.000Z",
        "Fri 15 Jan, 09:00",
    )


def test_the_time_line_has_words_beside_each_drawing() -> None:
    """A drawing is either named or hidden from who cannot see it."""
    page = _page("quiet")
    drawings = page.all("svg")
    named = [one for one in drawings if one.attributes.get("role") == "img"]
    hidden = [
        one
        for one in drawings
        if one.attributes.get("aria-hidden") == "true"
        or any(one in above.all("svg") for above in page.all(class_="axis"))
    ]

    assert [one.attributes["aria-label"] for one in named] == [
        "51 reads from Mon 11 Jan, 03:13 to Fri 15 Jan, 08:56; most on Friday 15 January (22)."
    ]
    assert len(named) + len(hidden) == len(drawings)


def test_a_refusal_is_counted_with_its_meaning_and_remedy() -> None:
    """The most frequent first, each with its last time and its hosts."""
    page = _page("quiet")
    [section] = [one for one in page.all("section") if one.attributes.get("aria-labelledby") == "refusals"]
    rows = section.one("tbody").all("tr")
    reasons = [row.one("th").text for row in rows]

    assert reasons == ["command-indirect", "actor-subagent", "command-unstructured", "store-locked"]
    assert REFUSALS["command-indirect"].meaning in rows[0].text
    assert REFUSALS["command-indirect"].remedy in rows[0].text
    assert "Nothing to do." in rows[1].text
    assert "claude-code, codex" in rows[0].text
    counts = [int(row.all("td")[0].text) for row in rows]
    assert counts == sorted(counts, reverse=True)
    assert f"{sum(counts)} of the last 240 hook calls" in section.text


def test_a_reason_that_nobody_knows_is_shown_all_the_same() -> None:
    """Diagnostics of a newer readmark, or of somebody's pen."""
    page = parsed(scenes.html(Ready(()), [Entry(0, "codex", "x", 1, Summary("skipped", "<b>new</b>"))]))

    assert "<b>new</b>This readmark" not in page.text
    assert "<b>new</b>" in [one.text for one in page.all("code")]


def test_gates_stand_by_host_and_version() -> None:
    """One row a version, one column a gate, each with the number of scenarios."""
    table = _page("quiet").one("table", class_="gates")
    heads = [one.text for one in table.one("thead").all("th")]
    rows = [[one.text for one in row.all("td")] for row in table.all("tr")[1:]]

    assert heads == ["Host", "Version", *GATES]
    assert rows[0] == ["passed3 scenarios"] * len(GATES)
    assert rows[3][-2:] == ["not shown0 scenarios", "failed1 scenario"]
    assert "1.0.0: delivery not-shown, visible failed" in table.text


def test_an_empty_ledger_says_what_to_do_next() -> None:
    """Somebody who sees nothing learns which commands come first."""
    page = parsed(scenes.html(Ready(()), []))

    assert "Nothing is recorded yet." in page.text
    assert "readmark install HOST" in [one.text for one in page.all("code")]
    assert "No hook has ever called." in page.text
    assert not page.all("form")


def test_an_empty_ledger_whose_hooks_call_points_to_the_refusals() -> None:
    """Then the hooks are in place, and the reasons tell the rest."""
    page = parsed(scenes.html(Ready(())))

    assert "Hooks have called" in page.text
    assert "readmark install HOST" not in page.text


def test_a_cleared_ledger_says_that_only_marks_are_left() -> None:
    """It is not as if nothing had ever been recorded."""
    page = parsed(scenes.html(Answer(Ready(()), scenes.NOW, cleared=2), []))

    assert "Nothing is recorded: of 2 cleared conversations only a mark is left." in page.text


def test_an_unavailable_ledger_is_never_shown_as_empty() -> None:
    """The reason, the remedy, and no number that is not known."""
    page = _page("unavailable")
    numbers = [(div.one("dt").text, div.one("dd").text) for div in page.one("dl").all("div")]

    assert "The ledger is unavailable" in page.text
    assert explain("store-corrupt").remedy in page.text
    assert "Nothing is recorded" not in page.text
    assert numbers[:4] == [
        ("Conversations", "unknown"),
        ("Reads", "unknown"),
        ("Subagents told", "unknown"),
        ("Waiting for proof", "unknown"),
    ]


def test_problems_stand_above_everything_with_their_remedy() -> None:
    """What is wrong comes first."""
    page = parsed(scenes.html(Answer(scenes.quiet(), scenes.NOW, problems=(explain("disabled"),))))
    first = page.one("main").all("section")[0]

    assert first.one("h2").text == "What is wrong, and how to fix it"
    assert "Unset READMARK_DISABLED." in first.text


def test_reads_that_have_no_room_are_counted_and_can_be_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest conversations stay whole; an older one keeps its line and names the command."""
    monkeypatch.setattr(rendering, "READS_BYTES", 9_000)
    made = render(scenes.model(scenes.quiet()))
    page = parsed(made.html.decode())
    those = page.all("li", class_="conversation")
    rows = [len(one.all("tr")) - 2 for one in those if one.all("tr")]

    assert rows[0] == 7
    assert sum(rows) + made.left_out == 51
    assert made.left_out > 0
    assert f"{made.left_out} reads of the older conversations have no room on this page." in page.text
    assert any(
        "readmark list --host codex --conversation 019a2711-5e6f-7a8b-8c9d-e0f1a2b3c4d5" in one.text
        for one in page.all("code")
    )


def test_a_full_ledger_fits_whole() -> None:
    """512 conversations with 64 reads each leave nothing out."""
    made = render(scenes.model(scenes.crowded()))

    assert made.left_out == 0
    assert made.html.count(b'<th scope="row">') > 32_768
    assert len(made.html) < 15 * 1024 * 1024


PAIRS = [
    *(
        (ink, ground, 4.5)
        for ink in ("ink", "quiet", "reads", "bad", "good")
        for ground in ("ground", "sheet")
    ),
    *((ink, "notice", 4.5) for ink in ("ink", "quiet", "reads", "bad")),
    *((mark, ground, 3) for mark in ("told", "reads", "quiet", "focus") for ground in ("ground", "sheet")),
]
"""What stands on what, and the least contrast of WCAG 2.2 AA: 4.5 for text, 3 for drawings and focus."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("front", "behind", "least"), PAIRS)
def test_colours_are_far_enough_apart(scheme: str, front: str, behind: str, least: float) -> None:
    """In light and in dark."""
    style = files("ledger.cli.page").joinpath("page.css").read_text()
    light, dark = re.findall(r":root \{(.*?)\}", style, re.DOTALL)[:2]
    colours = dict(re.findall(r"--(\w+): (#\w{6});", light if scheme == "light" else dark))
    high, low = sorted((_luminance(colours[front]), _luminance(colours[behind])), reverse=True)

    assert (high + 0.05) / (low + 0.05) >= least


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue

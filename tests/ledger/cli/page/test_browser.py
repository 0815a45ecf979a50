"""The page in a real Chromium: what it asks for, how it looks, and how it is used without a mouse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from contracts.outcome import Ready, Unavailable
from tests.ledger.cli.page import scenes

WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
SCENES = {
    "quiet": scenes.quiet(),
    "hostile": scenes.hostile(),
    "empty": Ready(()),
    "unavailable": Unavailable("store-locked"),
}
Open = Callable[..., Any]


class Seen:
    """What a page asked for and complained about."""

    def __init__(self, page: Page) -> None:
        """Listen from the start."""
        self.requests: list[str] = []
        self.refused: list[str | None] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("requestfailed", lambda request: self.refused.append(request.failure))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: self.complaints.append(dialog.message))


@contextmanager
def _shown(browser: Browser, file: Path, **options: Any) -> Iterator[tuple[Page, Seen]]:
    context = browser.new_context(**({"viewport": WIDE} | options))
    try:
        page = context.new_page()
        seen = Seen(page)
        page.goto(file.as_uri())
        yield page, seen
    finally:
        context.close()


def _whole(page: Page, file: Path) -> None:
    """Take a picture of the whole page, on a screen as tall as it: what no screen shows is not drawn."""
    height = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": WIDE["width"], "height": height})
    page.screenshot(path=file)


@pytest.fixture
def made(tmp_path: Path) -> Callable[[str], Path]:
    """Write the page of a scene into a file."""

    def makes(name: str) -> Path:
        file = tmp_path / f"{name}.html"
        file.write_text(scenes.html(SCENES[name], [] if name == "empty" else None), "utf-8")
        return file

    return makes


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", SCENES)
def test_a_page_asks_for_nothing_and_complains_of_nothing(
    browser: Browser, made: Callable[[str], Path], picture: Callable[[str], Path], name: str, scheme: str
) -> None:
    """One request, for the file itself; and in the dark it is dark."""
    file = made(name)
    with _shown(browser, file, color_scheme=scheme) as (page, seen):
        page.wait_for_load_state("networkidle")
        ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        _whole(page, picture(f"{name}-{scheme}"))

        assert seen.requests == [file.as_uri()]
        assert seen.complaints == []
        assert ground == ("rgb(247, 246, 243)" if scheme == "light" else "rgb(21, 24, 27)")


@pytest.mark.parametrize("width", [400, 800, 1400])
def test_the_numbers_fill_their_rows_and_tables_fit_a_page_of_800(
    browser: Browser, made: Callable[[str], Path], width: int
) -> None:
    """No empty block stands beside the last number, and no column is cut where it could have room."""
    with _shown(browser, made("quiet"), viewport={"width": width, "height": 900}) as (page, _):
        ends = page.evaluate(
            "[...document.querySelectorAll('.totals > div')].map(e => e.getBoundingClientRect())"
            ".map(e => [e.top, e.right])"
        )
        edge = max(right for _, right in ends)
        assert {top for top, _ in ends} == {top for top, right in ends if right == pytest.approx(edge)}
        wide = page.evaluate(
            "[...document.querySelectorAll('section > .wide')].map(e => e.scrollWidth - e.clientWidth)"
        )
        assert len(wide) == 2
        assert max(wide) == 0 or width == 400


@pytest.mark.parametrize("name", SCENES)
def test_a_checker_of_accessibility_finds_no_violation(
    browser: Browser, made: Callable[[str], Path], name: str
) -> None:
    """axe-core with all its rules."""
    with _shown(browser, made(name), bypass_csp=True) as (page, _):
        found = Axe().run(page)

        assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        ({"color_scheme": "dark"}, ["color-contrast"]),
        ({"viewport": NARROW}, ["scrollable-region-focusable", "target-size", "meta-viewport"]),
    ],
    ids=["dark", "narrow"],
)
def test_the_checker_finds_nothing_in_the_dark_or_on_a_narrow_screen(
    browser: Browser, made: Callable[[str], Path], options: dict[str, Any], rules: list[str]
) -> None:
    """By the rules that these can change, with every conversation open."""
    with _shown(browser, made("quiet"), bypass_csp=True, **options) as (page, _):
        page.get_by_role("button", name="Open all").click()
        found = Axe().run(page, options={"runOnly": {"type": "rule", "values": rules}})

        assert found.violations_count == 0, found.generate_report()
        assert found.response["passes"]


def test_a_narrow_screen_shows_the_page_without_sideways_scrolling(
    browser: Browser, made: Callable[[str], Path], picture: Callable[[str], Path]
) -> None:
    """Also where a single word is longer than the screen; only wide tables move by themselves."""
    for name in ("quiet", "hostile"):
        with _shown(browser, made(name), viewport=NARROW) as (page, _):
            page.screenshot(path=picture(f"{name}-narrow"))
            page.get_by_role("button", name="Open all").click()

            assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]


def test_the_keyboard_alone_reaches_everything_in_its_order(
    browser: Browser, made: Callable[[str], Path], picture: Callable[[str], Path]
) -> None:
    """The way around the head first, then the sections, the tools, and the conversations."""
    with _shown(browser, made("quiet")) as (page, _):
        reached = []
        for _step in range(10):
            page.keyboard.press("Tab")
            reached.append(
                page.evaluate(
                    "(document.activeElement.innerText || document.activeElement.id).split('\\n')[0]"
                )
            )
            outlined = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert outlined == "solid"
        page.screenshot(path=picture("quiet-focus"))

        assert reached[:7] == [
            "Skip to the content",
            "Conversations",
            "Refusals",
            "Hosts and gates",
            "filter",
            "Open all",
            "Close all",
        ]
        assert reached[7] == "08:56"
        assert reached[8] == "What its main agent read, the newest first"
        assert reached[9] == "07:55"


def test_the_first_key_skips_to_the_content(browser: Browser, made: Callable[[str], Path]) -> None:
    """A person who cannot see need not hear the head of the page each time."""
    with _shown(browser, made("quiet")) as (page, _):
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to the content")).to_be_in_viewport()
        page.keyboard.press("Enter")

        expect(page.locator("main")).to_be_focused()


def test_arrows_move_between_conversations_and_enter_opens_one(
    browser: Browser, made: Callable[[str], Path]
) -> None:
    """The keys of a list, while one of its lines has the focus."""
    with _shown(browser, made("quiet")) as (page, _):
        lines = page.locator(".conversation summary")
        lines.first.focus()
        page.keyboard.press("ArrowDown")
        expect(lines.nth(1)).to_be_focused()
        page.keyboard.press("End")
        expect(lines.last).to_be_focused()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")

        expect(lines.last).to_be_focused()
        expect(page.locator(".conversation details").last).to_have_attribute("open", "")
        expect(page.locator(".conversation tbody").last).to_be_visible()


def test_the_filter_keeps_what_has_all_words_and_says_how_much(
    browser: Browser, made: Callable[[str], Path], picture: Callable[[str], Path]
) -> None:
    """In titles, ids, hosts and references, in any order and case; without words all is as before."""
    with _shown(browser, made("quiet")) as (page, seen):
        box = page.get_by_role("searchbox", name="Filter")
        shown = page.locator(".conversation:visible")
        box.fill("SECRETS codex")
        expect(page.locator("#shown")).to_have_text("4 conversations, 7 reads")
        expect(shown).to_have_count(4)
        expect(page.locator(".conversation tbody tr:not(.kind):visible")).to_have_count(7)
        page.screenshot(path=picture("quiet-filter"))
        box.fill("nobody ever wrote this")
        expect(page.get_by_text("No conversation has these words.")).to_be_visible()
        box.press("Escape")
        expect(shown).to_have_count(7)

        expect(page.locator("details[open]")).to_have_count(1)
        expect(page.locator("#nothing")).to_be_hidden()
        assert seen.complaints == []


def test_a_kind_of_which_the_filter_keeps_nothing_shows_no_heading(browser: Browser, tmp_path: Path) -> None:
    """And its heading is no read that words could be found in."""
    file = tmp_path / "mixed.html"
    file.write_text(scenes.html(scenes.mixed()), "utf-8")
    with _shown(browser, file) as (page, _):
        headings = page.locator(".conversation tr.kind:visible")
        expect(headings).to_have_text(["Practices", "Skills", "Documents"])
        box = page.get_by_role("searchbox", name="Filter")
        box.fill("changed since")
        expect(page.locator("#shown")).to_have_text("1 conversation, 1 read")
        expect(headings).to_have_text(["Documents"])
        box.fill("documents")
        expect(page.get_by_text("No conversation has these words.")).to_be_visible()
        box.fill("")
        expect(headings).to_have_count(3)


def test_the_page_is_whole_without_its_script(browser: Browser, made: Callable[[str], Path]) -> None:
    """Conversations open and close, and no control is there that would do nothing."""
    with _shown(browser, made("quiet"), java_script_enabled=False) as (page, _):
        expect(page.locator("form")).to_be_hidden()
        expect(page.locator("#nothing")).to_be_hidden()
        page.locator(".conversation summary").nth(1).click()

        expect(page.locator(".conversation tbody").nth(1)).to_be_visible()
        expect(page.get_by_text("The reader was asked for text for people.")).to_be_visible()


def test_the_policy_lets_no_other_script_run(browser: Browser, made: Callable[[str], Path]) -> None:
    """Were a text ever to become an element, it would still do nothing."""
    with _shown(browser, made("hostile")) as (page, seen):
        page.evaluate(
            "() => { const bad = document.createElement('script'); bad.textContent = 'window.ran = 1';"
            " document.body.append(bad); document.body.insertAdjacentHTML('beforeend',"
            " '<img src=https://example.org/x.png onerror=window.ran=1>'); }"
        )

        assert page.evaluate("window.ran") is None
        assert seen.refused == ["csp"]
        assert any("Content Security Policy" in complaint for complaint in seen.complaints)


def test_paper_shows_what_is_closed_on_the_screen(
    browser: Browser, made: Callable[[str], Path], picture: Callable[[str], Path]
) -> None:
    """Nobody can open a line on paper."""
    with _shown(browser, made("quiet")) as (page, _):
        page.emulate_media(media="print")
        _whole(page, picture("quiet-print"))

        expect(page.locator(".conversation tbody").last).to_be_visible()
        expect(page.locator("form")).to_be_hidden()
        assert page.locator(".conversation tbody").last.bounding_box()


def test_a_full_ledger_opens_and_filters_quickly(
    browser: Browser, tmp_path: Path, picture: Callable[[str], Path]
) -> None:
    """32,768 reads; the bounds are wide, for slow machines."""
    file = tmp_path / "full.html"
    file.write_text(scenes.html(scenes.crowded()), "utf-8")
    with _shown(browser, file) as (page, _):
        load = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
        page.screenshot(path=picture("full"))
        took = page.evaluate(
            """async () => {
                const box = document.getElementById("filter"), start = performance.now();
                box.value = "secrets";
                box.dispatchEvent(new Event("input"));
                const told = document.getElementById("shown");
                while (!told.textContent) await new Promise(requestAnimationFrame);
                return performance.now() - start;
            }"""
        )
        print(f"loaded in {load:.0f} ms, filtered in {took:.0f} ms")  # noqa: T201 - for who measures

        assert load < 20_000
        assert took < 10_000

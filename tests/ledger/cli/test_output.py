"""What people and programs see: encodings, widths, colours, times."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import unicodedata
from collections.abc import Callable

import pytest
from rich.cells import cell_len

from ledger.cli.words import LAST_MS, ago, printable, stamp
from tests.ledger.cli.running import SHOWN_AT, command, keep, process, run

WIDE = "道可道非常道名可名非常名" * 6
NARROW_LOCALES = [
    {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"},
    {"PYTHONIOENCODING": "ascii"},
    {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    {"LC_ALL": "C"},
]
REFERENCE = "01a22b11-596b-7ca1-8d27-98cf900f6dd1"


@pytest.fixture
def filled() -> None:
    """Fill the ledger with all that is hard to print."""
    keep("codex", REFERENCE, "narrow.item", title="Plain title")
    keep("codex", REFERENCE, "wide.item", title=WIDE)
    keep(
        "codex",
        REFERENCE,
        "emoji",
        title="😀 [bold]x[/bold] :smile: \u202e\x1b[31m\n\ttab family 👨‍👩‍👧 e\u0301",
    )
    keep("claude-code", "r" * 256, "x" * 300, title="t" * 500)


def seen_by(terminal: int) -> bytes:
    """Read all that was written to a terminal."""
    found = b""
    while True:
        try:
            block = os.read(terminal, 65536)
        except OSError:
            return found
        if not block:
            return found
        found += block


def at_terminal(*arguments: str, hints: bool = False, **environ: str) -> str:
    """Run a command with a terminal as its standard output, and for hints as its standard error."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        command(*arguments),
        stdout=theirs,
        stderr=theirs if hints else subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "TERM": "xterm", **environ},
    ):
        os.close(theirs)
        found = seen_by(ours)
    os.close(ours)
    return found.decode()


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("locale", NARROW_LOCALES, ids=["cp1252", "ascii", "C", "C.UTF-8"])
@pytest.mark.parametrize("verb", ["list", "status", "hosts", "config"])
def test_any_locale_shows_everything(verb: str, locale: dict[str, str]) -> None:
    """What an encoding cannot say comes as an escape, never as an error."""
    done = process(verb, environ=locale)
    # No host is here, which a status takes for a fault.
    assert (done.code, done.err) == (3 if verb == "status" else 0, "")
    if locale.get("PYTHONIOENCODING"):
        done.out.decode(locale["PYTHONIOENCODING"])


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("locale", NARROW_LOCALES, ids=["cp1252", "ascii", "C", "C.UTF-8"])
def test_programs_get_utf_8_in_any_locale(locale: dict[str, str]) -> None:
    """JSON is UTF-8 by its own standard."""
    titles = {
        candidate["title"]
        for conversation in process("list", "--json", environ=locale).json["conversations"]
        for candidate in conversation["candidates"]
    }
    assert WIDE in titles


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("verb", ["list", "status", "hosts", "config"])
def test_tables_fit_80_columns(verb: str) -> None:
    """Wide letters take two columns each; what does not fit goes on in the next line."""
    lines = run(verb).text.splitlines()
    assert lines
    assert max(cell_len(line) for line in lines) <= 80


@pytest.mark.usefixtures("filled")
def test_columns_of_wide_letters_line_up() -> None:
    """What follows a wide cell stands where it stands after a narrow one."""
    lines = run("list", "--host", "codex").text.splitlines()
    heading = next(line for line in lines if "Title" in line)
    for item in ("narrow.item", "wide.item", "emoji"):
        line = next(line for line in lines if item in line)
        when = re.search(r"\d+ s ago", line)
        assert when is not None
        assert cell_len(line[: when.start()]) == heading.index("Read")


@pytest.mark.usefixtures("filled")
def test_foreign_text_stays_on_its_line_and_steers_nothing() -> None:
    """Control characters and markup come as text."""
    text = run("list").text
    assert not [c for c in text if unicodedata.category(c) in {"Cc", "Cf"} and c != "\n"]
    joined = text.replace("\n", "").replace(" ", "")
    assert "\\u202e" in joined
    assert "[bold]x[/bold]" in joined
    assert ":smile:" in joined


@pytest.mark.usefixtures("filled")
def test_nothing_is_cut_from_a_long_reference() -> None:
    """It must be possible to clear what is shown."""
    text = run("list", "--host", "claude-code").text
    assert text.count("r") >= 256


@pytest.mark.usefixtures("filled")
def test_colours_are_for_terminals_only() -> None:
    """Not in a pipe, not where NO_COLOR says so, not on a dumb terminal."""
    assert "\x1b[" in at_terminal("config")
    assert "\x1b" not in at_terminal("config", NO_COLOR="1")
    assert "\x1b" not in at_terminal("config", TERM="dumb")
    assert b"\x1b" not in process("config", environ={"TERM": "xterm", "FORCE_COLOR": "1"}).out


@pytest.mark.usefixtures("filled")
def test_a_terminal_decides_on_the_width() -> None:
    """A narrow one gets narrow lines."""
    lines = at_terminal("config", NO_COLOR="1", COLUMNS="60").splitlines()
    assert max(len(line) for line in lines) <= 60
    assert max(len(line) for line in at_terminal("status", NO_COLOR="1", COLUMNS="200").splitlines()) > 80


@pytest.mark.parametrize(
    ("milliseconds", "expected"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (1_800_000_000_007, "2027-01-15T08:00:00.007Z"),
        (LAST_MS, "9999-12-31T23:59:59.999Z"),
        (LAST_MS + 1, "9999-12-31T23:59:59.999Z"),
        (2**63, "9999-12-31T23:59:59.999Z"),
        (-1, "1970-01-01T00:00:00.000Z"),
    ],
)
def test_times_are_rfc_3339_whatever_the_clock_said(milliseconds: int, expected: str) -> None:
    """A stamp out of all bounds is shown as the nearest that has a form."""
    assert stamp(milliseconds) == expected


@pytest.mark.parametrize(
    ("earlier", "expected"),
    [
        (0, "0 s ago"),
        (59_999, "59 s ago"),
        (60_000, "1 min ago"),
        (3_600_000, "1 h ago"),
        (86_400_000 * 3, "3 d ago"),
        (-1, "in the future"),
    ],
)
def test_people_read_how_long_ago(earlier: int, expected: str) -> None:
    """One unit is enough; a clock that went back is not hidden."""
    assert ago(1_000_000_000_000 - earlier, 1_000_000_000_000) == expected


def test_a_path_of_any_bytes_can_be_printed() -> None:
    """Linux allows names that are no text."""
    assert printable(os.fsdecode(b"/a/\xff/b")) == "/a/\\xff/b"


@pytest.mark.usefixtures("proven")
def test_hints_are_for_people_at_a_terminal_only(codex_read: Callable[[int], str]) -> None:
    """Where a subagent would receive nothing a person reads a sentence, a program nothing."""
    options = ("brief", "--host", "codex", "--conversation")
    assert "would receive nothing" in at_terminal(*options, "unknown", hints=True)
    assert at_terminal(*options, "unknown", hints=False) == ""
    reference = codex_read(SHOWN_AT)
    assert at_terminal(*options, reference, hints=True).endswith("}\r\n")
    assert at_terminal(*options, reference, hints=False).endswith("}")
    assert ".codex/hooks.json" in at_terminal("hosts", "codex", "--registration", hints=True)

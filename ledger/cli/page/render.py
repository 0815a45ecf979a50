"""The page as one HTML file: everything inline, nothing fetched, every foreign character escaped."""

import base64
import hashlib
from functools import lru_cache
from importlib.resources import files
from shlex import quote
from typing import Any

import msgspec
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape

from ledger.cli.page.model import Page
from ledger.cli.page.moment import Moment
from ledger.cli.page.text import Text
from ledger.escape import one_line

READS_BYTES = 16 * 1024 * 1024
"""Most bytes of conversations; in what comes after, each keeps its line and says how to list its reads."""


class Rendered(msgspec.Struct, frozen=True):
    """The page, and how many reads had no room on it."""

    html: bytes
    left_out: int


def _source(name: str) -> str:
    return files("ledger.cli.page").joinpath(name).read_text("utf-8")


def _shown(value: Any) -> Any:
    """Make what no screen shows visible, as in `readmark list`; escaping for HTML comes after this."""
    return one_line(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _hash(of: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(of.encode()).digest()).decode()


def _text(of: Text) -> Markup:
    """Return a text apart from what stands around it, whichever way it is written."""
    shown = escape(one_line(of.shown))
    if not of.left_out:
        return Markup(f"<bdi>{shown}</bdi>")  # noqa: S704 - escaped above
    more = f'<span class="cut">… and {of.left_out:,} more characters</span>'
    return Markup(f"<bdi>{shown}</bdi> {more}")  # noqa: S704 - escaped above


def _when(moment: Moment) -> Markup:
    return Markup(f'<time datetime="{escape(moment.machine)}">{escape(moment.dated)}</time>')  # noqa: S704 - escaped


def _coded(of: str) -> Markup:
    """Return a sentence of ours; what stands between backticks is code."""
    parts = [escape(one_line(part)) for part in of.split("`")]
    return Markup("").join(
        Markup(f"<code>{part}</code>") if place % 2 else part  # noqa: S704 - escaped above
        for place, part in enumerate(parts)
    )


def _environment() -> Environment:
    made = Environment(
        autoescape=True, finalize=_shown, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    # Filters, not macros: for tens of thousands of reads a macro takes three times as long.
    made.filters |= {
        "text": lru_cache(None)(_text),
        "when": lru_cache(None)(_when),
        "coded": _coded,
        "quoted": quote,
    }
    return made


def render(page: Page) -> Rendered:
    """Return the page's bytes in UTF-8."""
    environment = _environment()
    one = environment.from_string(_source("conversation.html"))
    used = left_out = 0
    days = []
    newest = True
    for day in page.days:
        chunks = []
        for conversation in day.conversations:
            chunk = Markup(one.render(c=conversation, cut=False, opened=newest))  # noqa: S704 - autoescaped
            newest = False
            if used + len(chunk.encode()) > READS_BYTES:
                left_out += len(conversation.reads)
                chunk = Markup(one.render(c=conversation, cut=True, opened=False))  # noqa: S704 - autoescaped
            used += len(chunk.encode())
            chunks.append(chunk)
        days.append((day.name, chunks))
    style, script = _source("page.css"), _source("page.js")
    html = environment.from_string(_source("page.html")).render(
        p=page,
        days=days,
        left_out=left_out,
        # Both are our own files: neither holds text of the ledger, or a policy by hash would not be one.
        style=Markup(style),  # noqa: S704 - our own file
        script=Markup(script),  # noqa: S704 - our own file
        style_hash=_hash(style),
        script_hash=_hash(script),
    )
    return Rendered(html.encode(), left_out)

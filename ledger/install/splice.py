"""Puts items into a JSON text and takes them out, so that taking out undoes putting in to the last byte.

What tells later whether a bracket was there before is the blank behind it: one that we write has a blank
or a line's end there, and into one that was there and empty the first item goes without any.
"""

import json
import re
from typing import Any

from ledger.install.text import Document, Item, Node

_NEWLINE = re.compile(r"\r\n|\n|\r")
_BLANKS = re.compile(r"[ \t]*")
_ENDS = re.compile(r"[ \t]*[\r\n]")
UNIT = "  "
"""The indentation of a document that shows none of its own."""


def newline(text: str) -> str:
    """Return how the text ends its lines."""
    found = _NEWLINE.search(text)
    return found[0] if found else "\n"


def render(value: Any, base: str | None, text: str = "", unit: str = UNIT) -> str:
    """Return a value as JSON: over several lines that begin with `base`, or in one line without it.

    `text` shows how lines end.
    """
    if not isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    inner = None if base is None else base + unit
    parts = [
        render(part, inner, text, unit) for part in (value.values() if isinstance(value, dict) else value)
    ]
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {part}" for key, part in zip(value, parts, strict=True)]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    if base is None:
        return f"{opening} {', '.join(parts)} {closing}"
    end = newline(text)
    return f"{opening}{end}{inner}{f',{end}{inner}'.join(parts)}{end}{base}{closing}"


def insert(document: Document, container: Node, key: str | None, value: Any) -> str:
    """Return the text with one more item at the end of a container; an element has no key."""
    text = document.text
    blank = _blank(document, container)
    found = _NEWLINE.search(blank)
    base = blank[found.end() :] if found else None
    if not container.items and not _inline(document):
        base = _indentation(text, container.start) + _unit(document)
    item = ("" if key is None else f"{json.dumps(key)}: ") + render(value, base, text, _unit(document))
    if not container.items:
        return _put(text, container.solid, blank + item)
    last = container.items[-1]
    if last.comma is not None:
        return _put(text, container.solid, f"{blank}{item},")
    return _put(_put(text, container.solid, blank + item), last.end, ",")


def remove(document: Document, container: Node, item: Item) -> str:
    """Return the text without an item, one comma beside it, and the blanks before it; comments stay."""
    text = document.text
    index = next(place for place, one in enumerate(container.items) if one is item)
    before = container.items[index - 1].comma if index else None
    comma = before if item.comma is None else item.comma
    rest = text[item.end :] if item.comma is None else text[item.end : item.comma] + text[item.comma + 1 :]
    # A comment that only a line's end closes must not swallow what would come to stand behind it.
    begin = item.start if item.after_line and not _ENDS.match(rest) else item.solid
    cuts = [(begin, item.end)] + ([] if comma is None else [(comma, comma + 1)])
    for start, end in sorted(cuts, reverse=True):
        text = text[:start] + text[end:]
    return text


def replace(document: Document, node: Node, value: Any) -> str:
    """Return the text with another value in place of a node, in one line where that was in one."""
    text = document.text
    old = text[node.start : node.end]
    base = _indentation(text, node.start) if _NEWLINE.search(old) else None
    return text[: node.start] + render(value, base, text, _unit(document)) + text[node.end :]


def made_for(document: Document, container: Node, item: Item) -> bool:
    """Whether a container was written by us, to hold an item, and holds nothing else: no comment either."""
    text = document.text
    if len(container.items) != 1:
        return False
    between = text[container.start + 1 : item.start]
    rest = text[item.end : container.end - 1].replace(",", " ", 0 if item.comma is None else 1)
    return bool(between) and not between.strip() and not rest.strip()


def _put(text: str, at: int, more: str) -> str:
    return text[:at] + more + text[at:]


def _inline(document: Document) -> bool:
    """Whether the document writes all it holds in one line."""
    root = document.root
    return bool(root.items) and not _NEWLINE.search(document.text, root.start, root.end)


def _indentation(text: str, at: int) -> str:
    """Return the blanks at the begin of the line of an offset."""
    begin = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    return "".join(_BLANKS.findall(text, begin, at)[:1])


def _unit(document: Document) -> str:
    """Return one step of indentation, as the first member of the document shows it."""
    for item in document.root.items[:1]:
        before = document.text[item.solid : item.start]
        if _NEWLINE.search(before):
            return re.split(r"[\r\n]", before)[-1] or UNIT
    return UNIT


def _blank(document: Document, container: Node) -> str:
    """Return what to write before an item that comes last in a container."""
    text = document.text
    line = newline(text) + _indentation(text, container.start) + _unit(document)
    if not container.items:
        if container.after_line:
            return line
        return "" if container.solid == container.start + 1 else " "
    last = container.items[-1]
    before = text[last.solid : last.start]
    lines = _NEWLINE.findall(before)
    if lines:
        return str(lines[-1]) + re.split(r"[\r\n]", before)[-1]
    if container.after_line or _NEWLINE.search(text, last.start, last.end):
        return line
    return " "

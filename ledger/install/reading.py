"""Whether a host itself would take in what its file holds, found out on the text as its user wrote it."""

import json
import re

from contracts.form import Form, Reading
from contracts.shape import kind_of
from ledger.escape import one_line
from ledger.install.text import BLANKS, Document, Fault, Node, parse

NO_HOOK = "The host, or a version of it, runs no hook of such a file."
MARK = f"Here stands a byte order mark, which the host does not read. {NO_HOOK}"
NAME_LENGTH = 40
"""Longest name of a member that is shown whole."""
LARGEST = 2**64 - 1

_ESCAPES = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u([dD][89a-fA-F])[0-9a-fA-F]{2}|\\."
)
_KINDS = {"bool": "true or false", "null": "null"}


def check(text: str, reading: Reading) -> None:
    """Raise Fault at the first place of a text for which its host takes in none of it.

    A text of nothing but blanks is not checked: our hooks are all that it will hold.
    """
    if not text.strip(BLANKS):
        return
    document = parse(text)
    if document.loose is not None:
        at, what = document.loose
        raise Fault(at, f"{what} stands here, which is no plain JSON. {NO_HOOK}")
    if not reading.halves:
        for found in _ESCAPES.finditer(text):
            if found[1] is not None:
                raise Fault(found.start(), f"Here stands half of a character. {NO_HOOK}")
    _check(document, document.root, reading.form)


def _check(document: Document, node: Node, form: Form) -> None:
    kind = _kind(document, node)
    if form.kinds and kind not in form.kinds:
        raise _fault(node.start, f"Here must stand {_named(form.kinds)}")
    if form.whole and kind == "number" and not _whole(document.text[node.start : node.end]):
        raise _fault(node.start, "Here must stand a whole number that is not below 0")
    if kind == "array" and form.items is not None:
        for item in node.items:
            _check(document, item.value, form.items)
    if kind == "object":
        _check_members(document, node, form)


def _check_members(document: Document, node: Node, form: Form) -> None:
    last = {str(item.key): item for item in node.items}
    for item in node.items:
        name = str(item.key)
        if name not in form.members:
            if form.closed:
                known = " and ".join(f'"{one}"' for one in form.members)
                raise _fault(item.start, f"{_quoted(name)} stands here, and the host knows only {known}")
        elif last[name] is item:
            _check(document, item.value, form.members[name])
        elif form.single:
            raise _fault(last[name].start, f"{_quoted(name)} stands here a second time")
    missing = [name for name in form.needs if name not in last]
    if missing:
        raise _fault(node.start, f'"{missing[0]}" is missing here')
    if form.variants:
        named = last[form.tag].value
        variant = form.variants.get(document.plain(named))
        if variant is None:
            words = ", ".join(f'"{word}"' for word in form.variants)
            raise _fault(named.start, f"Here must stand one of {words}")
        _check(document, node, variant)


def _kind(document: Document, node: Node) -> str:
    return kind_of(document.plain(node)) if node.kind == "literal" else node.kind


def _whole(number: str) -> bool:
    return number.isdigit() and len(number) <= len(str(LARGEST)) and int(number) <= LARGEST


def _named(kinds: tuple[str, ...]) -> str:
    words = {"object": "an object", "array": "an array", "string": "a text", "number": "a number"}
    return " or ".join(words.get(kind) or _KINDS[kind] for kind in kinds)


def _quoted(name: str) -> str:
    shown = json.dumps(name, ensure_ascii=False)
    return one_line(shown if len(shown) <= NAME_LENGTH else f'{shown[:NAME_LENGTH]}…"')


def _fault(at: int, what: str) -> Fault:
    return Fault(at, f"{what}. {NO_HOOK}")

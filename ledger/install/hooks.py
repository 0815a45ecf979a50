"""What must change in the text of a host's file for our hooks to be there, or to be gone."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from ledger.install import splice
from ledger.install.handlers import Handler, Pair, document_of, member, ours
from ledger.install.text import BLANKS, Document, Fault, Node, place

ENDS = frozenset({"\n", "\r\n", "\r"})
"""How a line can end."""
Wanted = Mapping[str, Sequence[Mapping[str, Any]]]
"""Groups of hooks by event: each has one handler in `hooks` and may have a `matcher`."""


class Unclear(msgspec.Struct, frozen=True):
    """A file that cannot be understood: line and column, from 1, and what is wrong there."""

    line: int
    column: int
    message: str


def fresh(wanted: Wanted) -> str:
    """Return the text of a file that holds nothing but our hooks."""
    return splice.render({"hooks": _plain(wanted)}, "") + "\n"


def added(text: str, host: str, wanted: Wanted) -> str | Unclear:
    """Return the text with exactly the wanted hooks of ours in it; the same text where they are.

    An earlier registration is changed in its place.
    """
    return _until_done(text, lambda document: _towards(document, host, wanted))


def removed(text: str, host: str) -> str | Unclear | None:
    """Return the text without our hooks, or None where nothing is left but what we once wrote around them.

    A bracket that was there before them stays; one that came with them goes. So does a file that `fresh`
    made: it ends with a line's end, while into an empty file ours come last, and leave it empty again.
    """
    gone = _until_done(text, lambda document: _away(document, host))
    return None if gone in ENDS and text.startswith("{") else gone


def registered(text: str, host: str) -> dict[str, list[Pair]] | Unclear:
    """Return what is registered for us: matcher and handler, by event."""
    try:
        found: dict[str, list[Pair]] = {}
        for one in ours(document_of(text), host):
            found.setdefault(str(one.event.key), []).append(one.plain)
    except Fault as fault:
        return Unclear(*place(text, fault.at), fault.message)
    return found


def _until_done(text: str, step: Callable[[Document], str | None]) -> str | Unclear:
    """Take one step after the other until there is none; each begins with a fresh look at the text."""
    while True:
        try:
            after = step(document_of(text))
        except Fault as fault:
            return Unclear(*place(text, fault.at), fault.message)
        if after is None:
            return text
        text = after


def _plain(wanted: Wanted) -> dict[str, list[Any]]:
    return {event: list(groups) for event, groups in wanted.items()}


def _towards(document: Document, host: str, wanted: Wanted) -> str | None:
    """Return the text one step nearer to what is wanted, or None."""
    root = _must_be("object", document.root, "The document must be an object.")
    hooks = member(root, "hooks")
    if root.start == root.end:
        return document.text + splice.render({"hooks": _plain(wanted)}, "", document.text)
    if hooks is None:
        return splice.insert(document, root, "hooks", _plain(wanted))
    _must_be("object", hooks.value, '"hooks" must be an object.')
    _check_events(hooks.value, wanted)
    present: dict[str, list[Handler]] = {event: [] for event in wanted}
    for one in ours(document, host):
        present.setdefault(str(one.event.key), []).append(one)
    for event, have in present.items():
        groups = wanted.get(event, ())
        for one, group in zip(have, groups, strict=False):
            if one.plain != _pair(group):
                return _corrected(document, one, group)
        if len(have) > len(groups):
            return _without(document, have[-1])
        if len(have) < len(groups):
            return _with(document, hooks.value, event, groups[len(have) :])
    return None


def _check_events(hooks: Node, wanted: Wanted) -> None:
    """Raise Fault for an event of the wrong type, before a change: its place is in the user's own text."""
    for event in wanted:
        found = member(hooks, event)
        if found is not None:
            _must_be("array", found.value, f'"{event}" must be an array.')


def _with(document: Document, hooks: Node, event: str, groups: Sequence[Mapping[str, Any]]) -> str:
    found = member(hooks, event)
    if found is None:
        return splice.insert(document, hooks, event, list(groups))
    return splice.insert(document, found.value, None, groups[0])


def _corrected(document: Document, one: Handler, group: Mapping[str, Any]) -> str:
    matcher, handler = _pair(group)
    if one.plain[0] == matcher:
        return splice.replace(document, one.handler.value, handler)
    if len(one.handlers.items) == 1:
        return splice.replace(document, one.group.value, group)
    # Others share the matcher; ours gets a group of its own in the next step.
    return splice.remove(document, one.handlers, one.handler)


def _away(document: Document, host: str) -> str | None:
    """Return the text with one hook of ours less, or None where there is none."""
    found = list(ours(document, host))
    return _without(document, found[-1]) if found else None


def _without(document: Document, one: Handler) -> str:
    if len(one.handlers.items) > 1:
        return splice.remove(document, one.handlers, one.handler)
    root = document.root
    hooks = next(item for item in root.items if item.key == "hooks")
    nest = [(one.event.value, one.group), (hooks.value, one.event), (root, hooks)]
    for container, item in nest:
        if not splice.made_for(document, container, item):
            return splice.remove(document, container, item)
    outside = document.text[: root.start] + document.text[root.end :]
    # Comments around it are not ours.
    return splice.remove(document, root, hooks) if outside.strip(BLANKS) else outside


def _pair(group: Mapping[str, Any]) -> Pair:
    return group.get("matcher"), group["hooks"][0]


def _must_be(kind: str, node: Node, message: str) -> Node:
    if node.kind != kind:
        raise Fault(node.start, message)
    return node

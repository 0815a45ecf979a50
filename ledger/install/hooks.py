"""What must change in the text of a host's file for our hooks to be there, or to be gone."""

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

import msgspec

from ledger.install import splice
from ledger.install.text import BLANKS, Document, Fault, Item, Node, parse, place

PROGRAM = "readmark"
SHELLS = frozenset({"sh"})
ENDS = frozenset({"\n", "\r\n", "\r"})
"""How a line can end."""
WRAPPED, DIRECT = 4, 3
"""How many words our commands have: a shell with our script and our program, or our program itself."""

Wanted = Mapping[str, Sequence[Mapping[str, Any]]]
"""Groups of hooks by event: each has one handler in `hooks` and may have a `matcher`."""


class Unclear(msgspec.Struct, frozen=True):
    """A file that cannot be understood: line and column, from 1, and what is wrong there."""

    line: int
    column: int
    message: str


class _Ours(msgspec.Struct):
    """One handler of ours, with all that it stands in."""

    event: Item
    group: Item
    handlers: Node
    handler: Item
    plain: tuple[Any, Any]


def words_of(command: str, args: Any = None) -> list[str]:
    """Return the words of a command: a line for a shell, or with `args` a program and what it is given.

    Claude Code 2.1.197 knows both forms. What is neither has no words.
    """
    if args is not None:
        return (
            [command, *args] if isinstance(args, list) and all(isinstance(one, str) for one in args) else []
        )
    try:
        return shlex.split(command)
    except ValueError:
        return []


def is_ours(command: str, host: str, args: Any = None) -> bool:
    """Whether a command is one that readmark registers, or once did, for a host.

    It is, if it calls a program named `readmark` with exactly `hook HOST`: by itself, or as the one
    argument of a `sh -c` script that calls it as `"$0"`, or as what it found by that name (`"$1"`,
    `"$1/$0"`). What a person wrapped in other words is theirs.
    """
    words = words_of(command, args)
    if len(words) == DIRECT:
        return PurePosixPath(words[0]).name == PROGRAM and words[1:] == ["hook", host]
    return (
        len(words) == WRAPPED
        and PurePosixPath(words[0]).name in SHELLS
        and words[1] == "-c"
        and re.search(rf'"\$(?:0|1|1/\$0)" hook {re.escape(host)}(?![\w-])', words[2]) is not None
        and PurePosixPath(words[3]).name == PROGRAM
    )


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


def registered(text: str, host: str) -> dict[str, list[Any]] | Unclear:
    """Return what is registered for us: matcher and handler, by event."""
    try:
        found: dict[str, list[Any]] = {}
        for one in _ours(_document(text), host):
            found.setdefault(str(one.event.key), []).append(one.plain)
    except Fault as fault:
        return Unclear(*place(text, fault.at), fault.message)
    return found


def _until_done(text: str, step: Callable[[Document], str | None]) -> str | Unclear:
    """Take one step after the other until there is none; each begins with a fresh look at the text."""
    while True:
        try:
            after = step(_document(text))
        except Fault as fault:
            return Unclear(*place(text, fault.at), fault.message)
        if after is None:
            return text
        text = after


def _document(text: str) -> Document:
    """Return the document of a text; one of nothing but blanks is an object that has no brackets yet.

    Claude Code 2.1.332 takes such a file as one without settings and says nothing of it, while it complains
    of one with nothing but comments. Codex 0.171.0 warns of both, goes on, and has no hooks.
    """
    if text.strip(BLANKS):
        return parse(text)
    return Document(text, Node("object", len(text), len(text), [], len(text)))


def _plain(wanted: Wanted) -> dict[str, list[Any]]:
    return {event: list(groups) for event, groups in wanted.items()}


def _towards(document: Document, host: str, wanted: Wanted) -> str | None:
    """Return the text one step nearer to what is wanted, or None."""
    root = _must_be("object", document.root, "The document must be an object.")
    hooks = _member(root, "hooks")
    if root.start == root.end:
        return document.text + splice.render({"hooks": _plain(wanted)}, "", document.text)
    if hooks is None:
        return splice.insert(document, root, "hooks", _plain(wanted))
    _must_be("object", hooks.value, '"hooks" must be an object.')
    present: dict[str, list[_Ours]] = {event: [] for event in wanted}
    for one in _ours(document, host):
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


def _with(document: Document, hooks: Node, event: str, groups: Sequence[Mapping[str, Any]]) -> str:
    member = _member(hooks, event)
    if member is None:
        return splice.insert(document, hooks, event, list(groups))
    array = _must_be("array", member.value, f'"{event}" must be an array.')
    return splice.insert(document, array, None, groups[0])


def _corrected(document: Document, one: _Ours, group: Mapping[str, Any]) -> str:
    matcher, handler = _pair(group)
    if one.plain[0] == matcher:
        return splice.replace(document, one.handler.value, handler)
    if len(one.handlers.items) == 1:
        return splice.replace(document, one.group.value, group)
    # Others share the matcher; ours gets a group of its own in the next step.
    return splice.remove(document, one.handlers, one.handler)


def _away(document: Document, host: str) -> str | None:
    """Return the text with one hook of ours less, or None where there is none."""
    ours = list(_ours(document, host))
    return _without(document, ours[-1]) if ours else None


def _without(document: Document, one: _Ours) -> str:
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


def _ours(document: Document, host: str) -> Iterator[_Ours]:
    """Yield every handler of ours; what has another form than a host reads is none."""
    hooks = _member(document.root, "hooks")
    events = [] if hooks is None else _items("object", hooks.value)
    for event in events:
        for group in _items("array", event.value):
            handlers = _member(group.value, "hooks")
            for handler in [] if handlers is None else _items("array", handlers.value):
                command = _member(handler.value, "command")
                if command is None or command.value.kind != "string" or handlers is None:
                    continue
                args = _member(handler.value, "args")
                given = None if args is None else document.plain(args.value)
                if is_ours(document.plain(command.value), host, given):
                    matcher = _member(group.value, "matcher")
                    plain = (
                        None if matcher is None else document.plain(matcher.value),
                        document.plain(handler.value),
                    )
                    yield _Ours(event, group, handlers.value, handler, plain)


def _pair(group: Mapping[str, Any]) -> tuple[Any, Any]:
    return group.get("matcher"), group["hooks"][0]


def _items(kind: str, node: Node) -> list[Item]:
    return node.items if node.kind == kind else []


def _must_be(kind: str, node: Node, message: str) -> Node:
    if node.kind != kind:
        raise Fault(node.start, message)
    return node


def _member(node: Node, key: str) -> Item | None:
    """Return a member of an object by its name, or None; raises Fault where the name is there twice."""
    found = [item for item in _items("object", node) if item.key == key]
    if len(found) > 1:
        raise Fault(found[1].start, f'"{key}" stands here a second time.')
    return found[0] if found else None

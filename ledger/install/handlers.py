"""Which hooks in a host's file are ours, which only mention us, and where each of them stands."""

import re
import shlex
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

import msgspec

from ledger.install.text import BLANKS, Document, Fault, Item, Node, parse

PROGRAM = "readmark"
SHELLS = frozenset({"sh"})
WRAPPED, DIRECT = 4, 3
"""How many words our commands have: a shell with our script and our program, or our program itself."""


Pair = tuple[Any, Any]
"""The matcher of a hook and the hook itself, as Python has them."""


class Other(msgspec.Struct, frozen=True):
    """A hook that calls readmark in words of its user: its event, and what it runs."""

    event: str
    command: str


class Handler(msgspec.Struct):
    """One handler with all that it stands in."""

    event: Item
    group: Item
    handlers: Node
    handler: Item
    plain: Pair

    @property
    def command(self) -> str:
        """What it runs."""
        return str(self.plain[1]["command"])

    @property
    def args(self) -> Any:
        """What that is given, where it is no line of a shell."""
        return self.plain[1].get("args")


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


def others(text: str, host: str) -> tuple[Other, ...]:
    """Return the hooks that mention readmark with `hook HOST` and are not ours; raises Fault."""
    return tuple(
        Other(str(one.event.key), " ".join(_words(one)))
        for one in handlers_of(document_of(text))
        if not is_ours(one.command, host, one.args) and _mentions(" ".join(_words(one)), host)
    )


def _words(one: Handler) -> list[str]:
    args = one.args if isinstance(one.args, list) else []
    return [one.command, *(word for word in args if isinstance(word, str))]


def _mentions(command: str, host: str) -> bool:
    return (
        PROGRAM in command and re.search(rf"(?<![\w-])hook {re.escape(host)}(?![\w-])", command) is not None
    )


def document_of(text: str) -> Document:
    """Return the document of a text; one of nothing but blanks is an object that has no brackets yet.

    Claude Code 2.1.332 takes such a file as one without settings and says nothing of it, while it complains
    of one with nothing but comments. Codex 0.171.0 warns of both, goes on, and has no hooks.
    """
    if text.strip(BLANKS):
        return parse(text)
    return Document(text, Node("object", len(text), len(text), [], len(text)))


def ours(document: Document, host: str) -> Iterator[Handler]:
    """Yield every handler of ours."""
    return (one for one in handlers_of(document) if is_ours(one.command, host, one.args))


def handlers_of(document: Document) -> Iterator[Handler]:
    """Yield every handler with a command; what has another form than a host reads is none."""
    hooks = member(document.root, "hooks")
    events = [] if hooks is None else items_of("object", hooks.value)
    for event in events:
        for group in items_of("array", event.value):
            handlers = member(group.value, "hooks")
            for handler in [] if handlers is None else items_of("array", handlers.value):
                command = member(handler.value, "command")
                if command is None or command.value.kind != "string" or handlers is None:
                    continue
                matcher = member(group.value, "matcher")
                plain = (
                    None if matcher is None else document.plain(matcher.value),
                    document.plain(handler.value),
                )
                yield Handler(event, group, handlers.value, handler, plain)


def items_of(kind: str, node: Node) -> list[Item]:
    """Return what an object or array holds; a node of another kind holds nothing."""
    return node.items if node.kind == kind else []


def member(node: Node, key: str) -> Item | None:
    """Return a member of an object by its name, or None; raises Fault where the name is there twice."""
    found = [item for item in items_of("object", node) if item.key == key]
    if len(found) > 1:
        raise Fault(found[1].start, f'"{key}" stands here a second time.')
    return found[0] if found else None

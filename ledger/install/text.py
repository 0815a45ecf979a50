"""Reads JSON as text with positions, so that an edit need not write again what it does not change.

Comments and trailing commas are read where a file has them; everything else is as strict as JSON.
"""

import json
import re
from typing import Any, Literal

import msgspec

DEPTH = 100
"""How deep a document may be nested; what hosts read is nested less than ten deep."""

DIGITS = 300
"""Longest whole number that is taken as one; Python's own bound may be set to 640."""

BLANKS = " \t\r\n"
"""What JSON takes for blank."""

_SPACE = re.compile(rf"[{BLANKS}]*")
_LINE = re.compile(r"//[^\r\n]*")
_NEWLINE = re.compile(r"\r\n|\r|\n")
# Possessive: without that, an unclosed string could take time beyond all bounds.
_BODY = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_LITERAL = re.compile(r"true|false|null")
_WORD = re.compile(r"[A-Za-z0-9_.+-]")

Kind = Literal["object", "array", "string", "number", "literal"]


class Fault(Exception):  # noqa: N818 - a place and what is wrong there, not an error of ours
    """The text is not what it must be at a place; meets `ledger.install.hooks`, which makes it a value."""

    def __init__(self, at: int, message: str) -> None:
        """Take the offset in characters, and one sentence."""
        super().__init__(at, message)
        self.at = at
        self.message = message


class Node(msgspec.Struct, gc=False):
    """One value; `start` and `end` are offsets into the text.

    Of an object or array, `solid` is where the last thing before its closing bracket ends, comments
    included, and `after_line` says that this is a comment which only a line's end closes.
    """

    kind: Kind
    start: int
    end: int
    items: "list[Item]" = []
    solid: int = 0
    after_line: bool = False


class Item(msgspec.Struct, gc=False):
    """One member of an object, or one element of an array, which has no key.

    `solid` and `after_line` say the same of the place before it. `comma` is the offset of the comma after.
    """

    value: Node
    start: int
    solid: int
    after_line: bool
    key: str | None = None
    comma: int | None = None

    @property
    def end(self) -> int:
        """The offset where its value ends."""
        return self.value.end


class Document(msgspec.Struct):
    """A text and the one value in it; `loose` is the first place that is no plain JSON, and what is there."""

    text: str
    root: Node
    loose: tuple[int, str] | None = None

    def plain(self, node: Node) -> Any:
        """Return the value of a node as Python has it; of members with one name the last counts."""
        if node.kind == "object":
            return {item.key: self.plain(item.value) for item in node.items}
        if node.kind == "array":
            return [self.plain(item.value) for item in node.items]
        return json.loads(self.text[node.start : node.end], parse_int=_number)


def _number(digits: str) -> int | float:
    """Return a number that is whole; Python refuses to make an integer of very many digits."""
    return int(digits) if len(digits) <= DIGITS else float(digits)


def parse(text: str) -> Document:
    """Return the document; raises Fault at the first place that cannot be understood."""
    scanner = _Scanner(text)
    scanner.skip()
    if scanner.at == len(text):
        only = "holds nothing but comments" if text.strip(BLANKS) else "is empty"
        raise Fault(0, f"The file {only}.")
    root = scanner.value(0)
    scanner.skip()
    if scanner.at != len(text):
        raise Fault(scanner.at, "Something follows after the end of the document.")
    return Document(text, root, scanner.loose)


def place(text: str, at: int) -> tuple[int, int]:
    """Return line and column of an offset, both counted from 1, the column in characters."""
    line, begin = 1, 0
    for found in _NEWLINE.finditer(text, 0, at):
        line, begin = line + 1, found.end()
    return line, at - begin + 1


class _Scanner:
    """Goes through a text once, from token to token."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.solid = 0
        self.after_line = False
        self.loose: tuple[int, str] | None = None

    def skip(self) -> None:
        """Go on to the next token, over blanks and comments."""
        while True:
            self.at = self._past(_SPACE)
            if self.text.startswith("//", self.at):
                self._slacken(self.at, "A comment")
                self._take(self._past(_LINE))
                self.after_line = True
            elif self.text.startswith("/*", self.at):
                end = self.text.find("*/", self.at + 2)
                if end < 0:
                    raise Fault(self.at, "A comment begins here and never ends.")
                self._slacken(self.at, "A comment")
                self._take(end + 2)
            else:
                return

    def value(self, depth: int) -> Node:
        """Read the value that begins here."""
        if depth > DEPTH:
            raise Fault(self.at, f"The document is nested more than {DEPTH} deep.")
        begin = self.text[self.at : self.at + 1]
        if begin == "{":
            return self._container("object", "}", depth)
        if begin == "[":
            return self._container("array", "]", depth)
        if begin == '"':
            return self._string()
        for kind, pattern in (("number", _NUMBER), ("literal", _LITERAL)):
            found = pattern.match(self.text, self.at)
            if found is not None and not _WORD.match(self.text, found.end()):
                node = Node(kind, self.at, found.end())  # type: ignore[arg-type] # one of the two above
                self._take(node.end)
                return node
        raise Fault(self.at, "A value is missing here." if begin else "The document ends too early.")

    def _container(self, kind: Kind, closing: str, depth: int) -> Node:
        node = Node(kind, self.at, self.at, [])
        self._take(self.at + 1)
        self.skip()
        while not self.text.startswith(closing, self.at):
            if node.items and node.items[-1].comma is None:
                raise Fault(self.at, f"A comma or {closing} is missing here.")
            node.items.append(self._item(kind, depth))
            self.skip()
            if self.text.startswith(",", self.at):
                node.items[-1].comma = self.at
                self._take(self.at + 1)
                self.skip()
        node.solid, node.after_line = self.solid, self.after_line
        if node.items and node.items[-1].comma is not None:
            self._slacken(node.items[-1].comma, "A comma after the last item")
        self._take(self.at + 1)
        node.end = self.at
        return node

    def _item(self, kind: Kind, depth: int) -> Item:
        start, solid, after_line = self.at, self.solid, self.after_line
        key = None
        if kind == "object":
            if not self.text.startswith('"', self.at):
                raise Fault(self.at, "A name in double quotes is missing here.")
            name = self._string()
            key = json.loads(self.text[name.start : name.end])
            self.skip()
            if not self.text.startswith(":", self.at):
                raise Fault(self.at, "A colon is missing here.")
            self._take(self.at + 1)
            self.skip()
        return Item(self.value(depth + 1), start, solid, after_line, key)

    def _string(self) -> Node:
        end = self._past(_BODY)
        if not self.text.startswith('"', end):
            raise Fault(end, "A string does not end, or holds here what JSON does not allow.")
        node = Node("string", self.at, end + 1)
        self._take(node.end)
        return node

    def _slacken(self, at: int, what: str) -> None:
        """Keep the first place that is no plain JSON; a comma shows as too much only afterwards."""
        if self.loose is None or at < self.loose[0]:
            self.loose = at, what

    def _past(self, pattern: re.Pattern[str]) -> int:
        found = pattern.match(self.text, self.at)
        return self.at if found is None else found.end()

    def _take(self, end: int) -> None:
        self.at = self.solid = end
        self.after_line = False

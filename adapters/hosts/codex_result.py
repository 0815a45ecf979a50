"""Recognises a read's result in what a tool said, as plain text or as a string within JSON."""

from collections.abc import Iterator
from re import MULTILINE, escape
from re import compile as pattern

import msgspec

from adapters.hosts.codex_transcript import Call, Work
from contracts.read import result_digest
from contracts.wire import Malformed, decode

OUTPUT_LINE = "Output:\n"
"""The line between the host's own words and the output, in every recorded tool output."""

SHORT = 200
"""How many characters a result has at most that must stand in lines of its own: others may hold its words."""

PIECES = 32
"""How many lines of a result are looked for at most where a part of it can prove something."""
STRINGS_BYTES = 1024 * 1024
"""How long a JSON document is at most whose strings are compared line by line."""

_RUN = pattern("[0-9A-Za-z]+")
_WORD = pattern(r"\w+")
_KEY = pattern(r'"[ \t\r\n]*:')


class Result:
    """A read's result as its record holds it: whole, or its two ends and the digest of the whole.

    `piece` is its longest run of ASCII letters and digits, for a practice a digest's 64: no form of
    escaping changes it, so what lacks it cannot hold the result.
    """

    def __init__(self, head: str, tail: str, digest: str | None) -> None:
        """Take the whole as the head and no digest, or both ends and the digest."""
        self._head = head
        self._tail = tail
        self._digest = digest
        self.size = len(head) + len(tail)
        self.piece = max(_RUN.findall(head) + _RUN.findall(tail), key=len, default="")

    @classmethod
    def of(cls, call: Call, digest: str) -> "Result | None":
        """Return the result, or None where the record is of another one or holds nothing to look for."""
        text = call.output.strip()
        if not text:
            return None
        if result_digest(text) == digest:
            return cls(text, "", None)
        ends = call.ends()
        return cls(ends[0].lstrip(), ends[1].rstrip(), digest) if ends else None

    def within(self, text: str) -> bool:
        """Whether `text` holds the whole result, from its first to its last character."""
        if self._digest is None and self.size <= SHORT:
            return pattern(rf"^[^\S\n]*{escape(self._head)}[^\S\n]*$", MULTILINE).search(text) is not None
        start = text.find(self._head)
        if self._digest is None or start < 0:
            return start >= 0
        end = text.rfind(self._tail, start) + len(self._tail)
        return end > start and result_digest(text[start:end]) == self._digest


def pieces(output: str) -> list[str]:
    """Return the longest words of some lines of an output: what lacks them all holds no large part of it."""
    found = [max(words, key=len) for line in output.split("\n") if (words := _WORD.findall(line))]
    return found[:: max(1, -(-len(found) // PIECES))]


class Said:
    """One text of a tool output, with the JSON in it; what is done for one result serves the next.

    Code mode's `text(r)` sends a result as JSON of its own (`first/cm_background`).
    """

    def __init__(self, text: str) -> None:
        """Take the text; it is looked into when it is asked."""
        self._text = text
        self._documents: list[_Document] | None = None

    @property
    def body(self) -> str:
        """The text without the host's own words before an output."""
        head, line, tail = self._text.partition(OUTPUT_LINE)
        return tail if line and (not head or head.endswith("\n")) else self._text

    def strings(self) -> list[str]:
        """Return the strings of more than one line in the JSON that the text holds."""
        found: list[str] = []
        for document in _documents(self._text):
            todo: list[object] = [document.value()]
            while todo:
                value = todo.pop()
                if isinstance(value, dict):
                    todo.extend(value.values())
                elif isinstance(value, list):
                    todo.extend(value)
                elif isinstance(value, str) and "\n" in value:
                    found.append(value)
        return found

    def holds(self, result: Result, work: Work) -> bool:
        """Whether the text, or a string in it where it is JSON, holds the whole result.

        False means nothing where the work was over.
        """
        if result.piece not in self._text:
            return False
        if result.within(self._text):
            return True
        if self._documents is None:
            self._documents = list(_documents(self._text))
        strings = (one for document in self._documents for one in document.strings(result, work))
        return any(map(result.within, strings))


def _documents(text: str) -> Iterator["_Document"]:
    head, line, tail = text.partition(OUTPUT_LINE)
    for candidate in (text, tail) if line and (not head or head.endswith("\n")) else (text,):
        # Checked without being built: a few MB may be millions of values.
        if candidate.lstrip()[:1] in {"{", "[", '"'} and not isinstance(
            decode(candidate, msgspec.Raw), Malformed
        ):
            yield _Document(candidate)


class _Document:
    """A JSON document, of which only those strings are unescaped that may hold a result."""

    def __init__(self, text: str) -> None:
        self._text = text
        # As long as the text, and every quote left in it begins or ends a string.
        self._plain = text.replace("\\\\", "__").replace('\\"', "__")
        self._unescaped: dict[int, str] = {}

    def value(self) -> object:
        """Return the document as objects, None for a long one: it may hold millions of values."""
        return decode(self._text, object) if len(self._text) <= STRINGS_BYTES else None

    def strings(self, result: Result, work: Work) -> Iterator[str]:
        """Yield the values with the result's piece that are long enough for it, until the work is over."""
        quote = -1
        while not work.over() and (at := self._plain.find(result.piece, quote + 1)) >= 0:
            # What stands between two strings may pass for one here: it says nothing that the text does not.
            begin = max(quote, self._plain.rfind('"', quote + 1, at))
            quote = self._plain.find('"', at)
            if quote < 0:
                return
            if begin >= 0 and quote - begin > result.size and not _KEY.match(self._plain, quote):
                yield self._string(begin, quote + 1)

    def _string(self, begin: int, end: int) -> str:
        found = self._unescaped.get(begin)
        if found is None:
            value = decode(self._text[begin:end], str)
            found = self._unescaped[begin] = "" if isinstance(value, Malformed) else value
        return found

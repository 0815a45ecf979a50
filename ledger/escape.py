"""How foreign text is written where an agent or a person reads it: on one line, with nothing hidden."""

import re

_SYNTAX = frozenset('<>&`"\\')
"""Printable characters that could open or close a tag, a fence or a string."""

_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Characters that Python calls printable and no screen shows: fillers, selectors, the blank Braille cell."""


def _plain(character: str) -> bool:
    return character.isprintable() and not _UNSEEN.match(character)


def _code_units(character: str) -> str:
    point = ord(character)
    if point <= 0xFFFF:  # noqa: PLR2004 - the last code point that is one UTF-16 unit
        return f"\\u{point:04x}"
    point -= 0x10000
    return f"\\u{0xD800 + (point >> 10):04x}\\u{0xDC00 + (point & 0x3FF):04x}"


def json_text(text: str) -> str:
    r"""Return `text` as a JSON string in quotes that stays one line and shows each of its characters.

    What could end a line, a fence or a tag, change direction or hide text comes as `\uXXXX`;
    letters of any script stay as they are. Decoding the JSON gives the text back, unless it holds
    lone surrogates, which stay escaped.
    """
    if text.isprintable() and _SYNTAX.isdisjoint(text) and not _UNSEEN.search(text):
        return f'"{text}"'
    return '"' + "".join(c if _plain(c) and c not in _SYNTAX else _json_escape(c) for c in text) + '"'


def _json_escape(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    return _code_units(character)


def one_line(text: str) -> str:
    r"""Return `text` for a person's terminal: unseen and control characters come as `\uXXXX`."""
    return (
        text
        if text.isprintable() and not _UNSEEN.search(text)
        else "".join(c if _plain(c) else _code_units(c) for c in text)
    )


def encodable(*texts: str) -> bool:
    """Whether all texts can be written as UTF-8; a lone surrogate cannot."""
    try:
        for text in texts:
            text.encode()
    except UnicodeEncodeError:
        return False
    return True


def utf16_units(text: str) -> int:
    """Count the UTF-16 code units of `text`, which is how the hosts measure a context."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def json_line(fields: dict[str, str]) -> str:
    """Return one JSON object on one line, its values as `json_text` writes them; names are our own."""
    return "{" + ",".join(f'"{name}":{json_text(value)}' for name, value in fields.items()) + "}"

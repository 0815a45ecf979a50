"""The one place where foreign bytes become typed values."""

import re
from typing import TypeVar

import msgspec

T = TypeVar("T")

MARK = b"\xef\xbb\xbf"
"""A byte order mark, in UTF-8."""
REPLACEMENT = "\ufffd"
"""What stands for half a character that came without its other half."""
ESCAPES = 1 << 20
"""In how many escapes of one document a half character is looked for; a host sends some thousand."""

_ESCAPE = (
    rb"\\(?:u[dD][89aAbB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)
"""An escape: a pair of halves, one half, or another one."""


class Malformed(msgspec.Struct, frozen=True):
    """The bytes are not one JSON document of the wanted shape; `syntax` tells bad JSON from a wrong shape."""

    syntax: bool


def decode(data: bytes | str, kind: type[T]) -> T | Malformed:
    """Decode one JSON document, whatever the bytes are.

    Byte order marks before it are passed over, and for half a character (an unpaired surrogate escape) stands
    `REPLACEMENT`. Deep nesting, invalid UTF-8 and NaN are Malformed: msgspec 0.23 raises RecursionError and
    UnicodeError outside its own hierarchy.
    """
    found = _decoded(data, kind)
    if isinstance(found, Malformed) and found.syntax and isinstance(data, bytes):
        mended = _mended(data)
        return found if mended == data else _decoded(mended, kind)
    return found


def _decoded(data: bytes | str, kind: type[T]) -> T | Malformed:
    try:
        if isinstance(data, bytes) and not data.isascii():
            data.decode()  # msgspec does not check the text that it passes over
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError:
        return Malformed(syntax=False)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return Malformed(syntax=True)


def _mended(data: bytes) -> bytes:
    """Return a document without marks before it and without halves of characters."""
    while data.startswith(MARK):
        data = data.removeprefix(MARK)
    if not (b"\\ud" in data or b"\\uD" in data) or data.count(b"\\") > ESCAPES:
        return data
    # Compiled here: hardly any document needs it.
    return re.sub(_ESCAPE, lambda found: found[0] if found[1] is None else b"\\ufffd", data, flags=re.DOTALL)

"""The one place where foreign bytes become typed values."""

from typing import TypeVar

import msgspec

T = TypeVar("T")


class Malformed(msgspec.Struct, frozen=True):
    """The bytes are not one JSON document of the wanted shape; `syntax` tells bad JSON from a wrong shape."""

    syntax: bool


def decode(data: bytes | str, kind: type[T]) -> T | Malformed:
    """Decode one JSON document, whatever the bytes are.

    Deep nesting, invalid UTF-8, lone surrogates and NaN are Malformed too: msgspec 0.23 raises
    RecursionError and UnicodeError outside its own hierarchy.
    """
    try:
        if isinstance(data, bytes) and not data.isascii():
            data.decode()  # msgspec does not check the text that it passes over
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError:
        return Malformed(syntax=False)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return Malformed(syntax=True)

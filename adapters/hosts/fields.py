"""The fields of a host's payload, still JSON: of one that is no text nothing is built, however large it is.

A payload has up to 16 MB, and a value of any depth can stand in any field; as objects of Python it would
hold the interpreter for seconds, past every deadline.
"""

from enum import Enum
from pathlib import Path
from re import compile as pattern
from typing import Literal

import msgspec

from contracts.wire import Malformed, decode


class Other(Enum):
    """What stands for a value that is neither a text nor empty: its type is all that a gate asks for."""

    OTHER = "other"


OTHER = Other.OTHER
Value = str | Literal[Other.OTHER] | None
"""A text that is not empty, a value of another type, or None for what is absent, null or empty."""

_EMPTY = pattern(rb'(?:null|""|\[[ \t\r\n]*\]|\{[ \t\r\n]*\})?')


class _Placed(msgspec.Struct):
    cwd: str


def there(field: msgspec.Raw) -> bool:
    """Whether the payload has the key at all, empty or not."""
    return bytes(field) != b""


def text_of(field: msgspec.Raw) -> str | None:
    """Return a field's text, an empty one too; None where it is no text."""
    text = decode(bytes(field), str)
    return None if isinstance(text, Malformed) else text


def given(field: msgspec.Raw) -> Value:
    """Return the value of an optional key, None where it is empty: a host may write either."""
    if _EMPTY.fullmatch(field):
        return None
    text = text_of(field)
    return OTHER if text is None else text


def folder(payload: bytes) -> str | None:
    """Return a payload's `cwd`, which every recorded one has; see `contracts.host.Host.folder`."""
    found = decode(payload, _Placed)
    return found.cwd if isinstance(found, _Placed) and Path(found.cwd).is_absolute() else None

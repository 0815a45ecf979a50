"""Writes values as TOML, whatever characters a path has."""

import json
from typing import Any


def quoted(text: str) -> str:
    """Return a text as a basic string, which may be a key too.

    JSON has the same escapes, but makes pairs of surrogates of what TOML takes only as it is, and leaves DEL.
    """
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def value(found: Any) -> str:
    """Return a text, a number, a truth value, or a list or table of them, on one line."""
    match found:
        case str():
            return quoted(found)
        case dict():
            return "{" + ", ".join(f"{quoted(key)} = {value(item)}" for key, item in found.items()) + "}"
        case list():
            return "[" + ", ".join(value(item) for item in found) + "]"
        case _:
            return json.dumps(found)

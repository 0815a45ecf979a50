"""The two lists of patterns that the configuration and a project's file may hold, checked and bounded."""

from typing import Any

import msgspec

PATTERNS = 64
"""How many patterns one list holds at most."""
PATTERN_BYTES = 256
"""Longest pattern, in bytes of UTF-8."""


class Patterns(msgspec.Struct, frozen=True):
    """Which files count as `documents`, as globs, and what is to `ignore`; as they were written, in order."""

    documents: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


class Wrong(msgspec.Struct, frozen=True):
    """What is wrong with a list: the place in it, by our own names, and what it must be."""

    place: str
    message: str


LISTS = Patterns.__struct_fields__


def take(found: dict[str, Any]) -> Patterns | Wrong:
    """Return the lists among the keys of a file, or the first fault; other keys are not looked at."""
    taken: dict[str, tuple[str, ...]] = {}
    for key in LISTS:
        values = found.get(key, [])
        if not isinstance(values, list):
            return Wrong(key, "must be a list of texts")
        if len(values) > PATTERNS:
            return Wrong(key, f"has {len(values)} patterns; at most {PATTERNS} are looked at")
        for index, value in enumerate(values):
            if not _is_pattern(value):
                return Wrong(
                    f"{key}[{index}]", f"must be a text of 1 to {PATTERN_BYTES} bytes, all of them printable"
                )
        taken[key] = tuple(values)
    return Patterns(**taken)


def _is_pattern(value: object) -> bool:
    return isinstance(value, str) and value.isprintable() and 0 < len(value.encode()) <= PATTERN_BYTES

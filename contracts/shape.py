"""The shape of a payload: which fields, of which types, and whether every recorded one had them."""

from typing import Any

import msgspec

_KINDS: tuple[tuple[type, str], ...] = (
    (bool, "bool"),
    (int, "number"),
    (float, "number"),
    (str, "string"),
    (list, "array"),
    (dict, "object"),
)


class Field(msgspec.Struct, frozen=True):
    """One field's JSON types, sorted; `always` says that no recorded payload lacks it."""

    kinds: tuple[str, ...]
    always: bool


Shape = dict[str, Field]

OPEN = ("tool_input", "tool_response")
"""Fields of a payload with a shape of their own, under `EVENT.TOOL.FIELD`: what a tool got and what it gave.

An object in one of them has its own too, under that name and its field's."""


def kind_of(value: Any) -> str:
    """Return the JSON type of a decoded value; whole and other numbers are one."""
    return next((name for kind, name in _KINDS if isinstance(value, kind)), "null")


def departs(value: Any, shape: Shape) -> str | None:
    """Return the first field, sorted by name, by which an object departs from a shape, or None.

    A field that was never recorded is a departure too: it may say that the call did not end well,
    as new fields of that kind have. The name of such a field is not ours, so it comes as "a new field".
    """
    if not isinstance(value, dict):
        return "no object"
    for name, field in sorted(shape.items()):
        if name not in value:
            if field.always:
                return name
        elif kind_of(value[name]) not in field.kinds:
            return name
    return None if value.keys() <= shape.keys() else "a new field"

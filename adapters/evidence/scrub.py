"""Takes the machine out of a recording: its paths, its user, its folders. Ids stay as the host made them."""

import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from adapters.evidence import machine, paths
from adapters.evidence.lab import Lab
from contracts.evidence import Recording

USER, UID = "dev", 1000
"""Who a recording says that it was."""
MACHINE = "lab"
"""What a recording calls the machine."""

SLUG_UNITS = 200
"""How long the slug of a path is before Claude Code shortens it, in UTF-16 units."""


def scrubbed(recording: Recording, lab: Lab) -> Recording:
    """Return the recording with neutral paths and names in every text and every key."""
    return msgspec.convert(_each(msgspec.to_builtins(recording), scrubber(lab)), Recording)


def scrubber(lab: Lab) -> Callable[[str], str]:
    """Return what makes one text neutral."""
    name = lab.scenario.name
    plain = {
        str(lab.project): paths.project(name),
        str(lab.home): paths.home(name),
        str(lab.root): "/lab",
        # Where a host says which hook failed.
        str(Path(__file__).parent): "/readmark",
        **({} if sys.executable.startswith("/usr/bin/") else {sys.executable: "/python"}),
    }
    # As it is first: what is written another way is the longer text only where it differs at all.
    texts = {form(found): form(neutral) for form in FORMS for found, neutral in plain.items()}
    # Below a long root no slug but those of these paths tells of which folder it is.
    short = re.compile(re.escape(slug(str(lab.root))[:SLUG_UNITS]) + r"-[0-9a-z]+") if _is_long(lab) else None
    texts |= {f"{user}@{name}": f"{USER}@{MACHINE}" for user in machine.users() for name in machine.names()}
    texts[f"/claude-{os.getuid()}/"] = f"/claude-{UID}/"

    def scrub(text: str) -> str:
        neutral: str = paths.replaced(text, texts)
        return short.sub("-lab", neutral) if short else neutral

    return scrub


def _is_long(lab: Lab) -> bool:
    return len(slug(str(lab.root))) >= SLUG_UNITS


def slug(path: str) -> str:
    """Return a path as Claude Code writes it into the name of a folder.

    It counts in UTF-16 units, and puts a number that it reckons from the whole path in place of what is too
    long (seen with a long and with an astral TMPDIR in 2.1.197 and 2.1.332).
    """
    units = memoryview(path.encode("utf-16-le", "surrogatepass")).cast("H")
    letters = "".join(chr(unit) if unit < 128 and chr(unit).isalnum() else "-" for unit in units)  # noqa: PLR2004 - ASCII
    if len(letters) <= SLUG_UNITS:
        return letters
    number = 0
    for unit in units:
        number = (31 * number + unit) & 0xFFFFFFFF
    signed = number - (1 << 32) if number >> 31 else number
    return f"{letters[:SLUG_UNITS]}-{_in_36(abs(signed))}"


def _in_36(number: int) -> str:
    digits = ""
    while number or not digits:
        number, rest = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[rest] + digits
    return digits


def _escaped(path: str) -> str:
    """Return a path as it stands in JSON that is itself a text."""
    return json.dumps(path)[1:-1]


def _escaped_in_utf8(path: str) -> str:
    return json.dumps(path, ensure_ascii=False)[1:-1]


FORMS: tuple[Callable[[str], str], ...] = (str, _escaped, _escaped_in_utf8, quote, slug)
"""How a path can stand in a text."""


def _each(value: Any, scrub: Callable[[str], str]) -> Any:
    match value:
        case str():
            return scrub(value)
        case dict():
            return {_each(key, scrub): _each(item, scrub) for key, item in value.items()}
        case list():
            return [_each(item, scrub) for item in value]
        case _:
            return value

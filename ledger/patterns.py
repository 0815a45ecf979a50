"""The two lists of patterns that the configuration and a project's file may hold, checked and bounded.

A pattern that can mean nothing here is a fault: whoever wrote it believes that it does something.
"""

import re
from fnmatch import fnmatchcase
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

_ENDING = ".md"
_WORDS = re.compile(r"[\w -]+")
_SET_OR_LETTER = re.compile(r"\[!?+\]?+[^\]]*\]|.", re.DOTALL)
"""One part of a name that stands for one letter, or a star; a bracket that is never closed is a letter."""

_MEANINGLESS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\A\s|\s\Z"), "begins or ends with a blank; take it out"),
    (
        re.compile(r"\\"),
        "has a backslash; put / between names, and a sign that is meant as a letter into [ ]",
    ),
    (re.compile(r"\A!"), "begins with !, and nothing is taken back here; list only what is meant"),
    (
        re.compile(r"\A(?:~|\$(?:HOME|PWD|\{HOME\}|\{PWD\}))(?:/|\Z)"),
        "begins with a folder that only a shell knows; write the path in the project",
    ),
    (
        re.compile(r"(?:\A|/)\.\.(?:/|\Z)"),
        "has .., and nothing outside of the project counts; write the path in the project",
    ),
    (
        re.compile(r"\{[^{}]*(?:,|\.\.)[^{}]*\}"),
        "has a choice in { }, which stands for nothing here; list each",
    ),
)
"""What people write that cannot match what they mean, each with what is wrong and what to do."""


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
            if wrong := _wrong(key, value):
                return Wrong(f"{key}[{index}]", wrong)
        taken[key] = tuple(values)
    return Patterns(**taken)


def _wrong(key: str, value: object) -> str:
    """Return what is wrong with one pattern and what to do about it, or nothing."""
    if not isinstance(value, str) or not value.isprintable() or not 0 < len(value.encode()) <= PATTERN_BYTES:
        return f"must be a text of 1 to {PATTERN_BYTES} bytes, all of them printable"
    for meaningless, wrong in _MEANINGLESS:
        if meaningless.search(value):
            return wrong
    *folders, last = ["", *(name for name in value.split("/") if name not in {"", "."})]
    if key == "documents" and (value.endswith("/") or not _can_be_markdown(last)):
        above = "/".join([*folders[1:], ""])
        files = f"{above}{last}.md or {above}{last}/**/*.md" if _WORDS.fullmatch(last) else f"{above}**/*.md"
        return f"matches no name that ends in {_ENDING}, as that of a document does; write {files}"
    return "" if last else "names nothing; ** stands for everything"


def _can_be_markdown(name: str) -> bool:
    """Whether a name that ends in `.md` can match; the parts of the pattern are taken from its end."""
    wanted = list(_ENDING)
    for part in reversed(_SET_OR_LETTER.findall(name)):
        if part == "*" or not wanted:
            return True
        if not fnmatchcase(wanted.pop(), part):
            return False
    return not wanted

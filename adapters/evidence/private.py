"""The net below scrubbing: finds what a recording would tell of the machine and the person that made it."""

import os
import re
import tempfile
from collections.abc import Iterator
from typing import Any

import msgspec

from adapters.evidence import machine
from adapters.evidence.lab import Lab
from adapters.evidence.scrub import MACHINE, UID, USER, slug
from contracts.evidence import Recording

COMMON = frozenset({USER, MACHINE, "agent", "claude", "code", "codex", "project", "root", "test", "user"})
"""Names that say nothing by themselves, and that recordings are full of; as a part of a path they count."""

EVERYWHERE = frozenset({"/", "/tmp", "/var/tmp", "/private/tmp", "/dev/shm"})  # noqa: S108 - no file is made there
"""Folders that every machine has."""


def found(recording: Recording, lab: Lab) -> list[str]:
    """Return what a scrubbed recording holds of this machine, each with its place, in one sentence."""
    telling = _telling(lab)
    return [
        f"It still holds {what} of this machine, at {place}."
        for place, text in _texts(msgspec.to_builtins(recording), "")
        for what, pattern in telling.items()
        if pattern.search(text)
    ]


def _telling(lab: Lab) -> dict[str, re.Pattern[str]]:
    """Return by what to know what is this machine's own, by what it is."""
    said = msgspec.json.encode(lab.scenario).decode()
    uid = os.getuid()
    forms = {
        "the run's folder": [_path(str(lab.root)), re.escape(lab.root.name), re.escape(slug(lab.root.name))],
        "the folder for temporary files": _folder(tempfile.gettempdir()),
        "the home": [form for home in machine.homes() for form in _home(home)],
        "the user's name": [form for name in machine.users() for form in _user(name, said)],
        "the machine's name": [form for name in machine.names() for form in _name(name, said)],
        "the user's number": [] if uid == UID else [rf"/claude-{uid}(?!\d)", rf"/run/user/{uid}(?!\d)"],
    }
    return {what: re.compile("|".join(found)) for what, found in forms.items() if found}


def _user(name: str, said: str) -> list[str]:
    if name == USER:
        return []
    known = re.escape(name)
    return [rf"(?<!\w){known}@", rf"/(?:home|Users)/{known}(?!\w)", *_word(name, said)]


def _name(name: str, said: str) -> list[str]:
    return [] if name in {MACHINE, "localhost"} else [rf"@{re.escape(name)}(?!\w)", *_word(name, said)]


def _word(name: str, said: str) -> list[str]:
    """Return a name as a word of its own, unless it is a common one or the scenario has it too."""
    word = rf"(?<!\w){re.escape(name)}(?!\w)"
    return [] if name in COMMON or re.search(word, said) else [word]


def _path(path: str) -> str:
    return rf"{re.escape(path)}(?![\w.-])"


def _folder(path: str) -> list[str]:
    return [] if path in EVERYWHERE else [_path(path), re.escape(slug(path))]


def _home(path: str) -> list[str]:
    # Codex calls the root agent of a tree `/root`; only a hidden folder below tells a home from it.
    return [r"/root/\."] if path == "/root" else _folder(path)


def _texts(value: Any, place: str) -> Iterator[tuple[str, str]]:
    match value:
        case str():
            yield place, value
        case dict():
            for key, item in value.items():
                yield f"a key of {place or 'the recording'}", key
                yield from _texts(item, f"{place}.{key}".lstrip("."))
        case list():
            for index, item in enumerate(value):
                yield from _texts(item, f"{place}[{index}]")
        case _:
            pass

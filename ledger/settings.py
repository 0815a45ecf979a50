"""The limits in force, and where each came from: a default, the configuration file, or the environment.

Two lists of patterns stand beside them, and come from the file alone.
"""

import codecs
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from contracts.limits import Limits
from ledger.patterns import LISTS, Patterns, Wrong, take

PREFIX = "READMARK_"
FILE_BYTES = 65_536
"""Largest configuration file that is read; a full one is under 1 KiB."""

SECTION = "limits"
"""The one section of the file; the lists stand above it."""
DIGITS = 20
"""Longest number that is looked at; Python refuses to convert endless ones."""
OTHERS = frozenset({"READMARK_HOME", "READMARK_CONFIG", "READMARK_DISABLED", "READMARK_DEBUG"})
"""The variables that are no limits."""

Origin = Literal["default", "file", "environment"]


class Settings(msgspec.Struct, frozen=True):
    """Effective limits and the origin of each, by its key, and the lists of the file."""

    limits: Limits
    origins: dict[str, Origin]
    patterns: Patterns = Patterns()


class Fault(msgspec.Struct, frozen=True):
    """What is wrong with the configuration: the place, named as the user wrote it, and the reason.

    `origin` tells whether to put right the file or the environment.
    """

    place: str
    message: str
    origin: Literal["file", "environment"] = "file"


def variable(key: str) -> str:
    """Return the environment variable that overrides a key of the limits."""
    return PREFIX + key.upper()


def unknown_variables(environ: Mapping[str, str]) -> list[str]:
    """Return the names that look like variables of ours and are none, sorted."""
    known = OTHERS | {variable(key) for key in Limits.__struct_fields__}
    return sorted(name for name in environ if name.startswith(PREFIX) and name not in known)


def _bounds(key: str) -> str:
    """Return what a value must be, in words."""
    from typing import get_type_hints  # noqa: PLC0415 - only a fault needs it, and a hook loads this module

    meta = get_type_hints(Limits, include_extras=True)[key].__metadata__[0]
    return f"must be a whole number from {meta.ge} to {meta.le}"


class _File(msgspec.Struct, frozen=True):
    limits: dict[str, Any] = {}
    patterns: Patterns = Patterns()


def _contents(found: dict[str, Any], name: str) -> _File | Fault:
    """Return the limits and the lists of the file; anything else in it is a fault."""
    for key in sorted(found.keys() - {SECTION, *LISTS}):
        if isinstance(found[key], dict):
            return Fault(name, f"has the unknown section [{key}]; the known one is [{SECTION}]")
        return Fault(
            name,
            f"has the key {key} outside of a section; every key but {' and '.join(LISTS)} "
            f"stands below [{SECTION}]",
        )
    patterns = take(found)
    if isinstance(patterns, Wrong):
        return Fault(patterns.place, patterns.message)
    limits = found.get(SECTION, {})
    if not isinstance(limits, dict):
        return Fault(name, f"{SECTION} must be a section: [{SECTION}]")
    return _File(limits, patterns)


def without_mark(data: bytes) -> bytes:
    """Return the bytes of a file without the byte order mark that editors of Windows put before a text."""
    return data.removeprefix(codecs.BOM_UTF8)


def _read(file: Path) -> _File | Fault:
    try:
        # A pipe without a writer must not hold anybody up; as a regular file it is no different.
        with os.fdopen(os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as opened:
            if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
                return Fault(file.name, "is no regular file")
            data = opened.read(FILE_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return _File()
    except OSError as error:
        return Fault(file.name, f"cannot be read ({type(error).__name__})")
    if len(data) > FILE_BYTES:
        return Fault(file.name, f"is larger than {FILE_BYTES} bytes")
    try:
        return _contents(msgspec.toml.decode(without_mark(data)), file.name)
    except RecursionError:
        return Fault(file.name, "is nested too deeply")
    except (msgspec.MsgspecError, ValueError) as error:
        return Fault(file.name, f"is no valid TOML: {error}")


def _number(value: str) -> int | str:
    return int(value) if value.isascii() and value.isdigit() and len(value) <= DIGITS else value


def load(file: Path, environ: Mapping[str, str]) -> Settings | Fault:
    """Read the configuration; a fault names the key that is wrong and never raises.

    An environment variable that is set but empty counts as not set.
    """
    read = _read(file)
    if isinstance(read, Fault):
        return read
    found = read.limits
    origins: dict[str, Origin] = {}
    values: dict[str, Any] = {}
    for key in Limits.__struct_fields__:
        if environ.get(variable(key)):
            origins[key], values[key] = "environment", _number(environ[variable(key)])
        elif key in found:
            origins[key], values[key] = "file", found[key]
        else:
            origins[key] = "default"
    unknown = found.keys() - set(Limits.__struct_fields__)
    if unknown:
        known = ", ".join(Limits.__struct_fields__)
        return Fault(f"{SECTION}.{min(unknown)}", f"is no known key; the keys are {known}")
    for key, value in values.items():
        try:
            msgspec.convert({key: value}, type=Limits)
        except msgspec.ValidationError:
            if origins[key] == "environment":
                return Fault(variable(key), _bounds(key), "environment")
            return Fault(f"{SECTION}.{key}", _bounds(key))
    return Settings(msgspec.convert(values, type=Limits), origins, read.patterns)

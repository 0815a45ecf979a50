"""The limits in force, and where each came from: a default, the configuration file, or the environment."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from contracts.limits import Limits

PREFIX = "READMARK_"
FILE_BYTES = 65_536
"""Largest configuration file that is read; a full one is under 1 KiB."""

Origin = Literal["default", "file", "environment"]


class Settings(msgspec.Struct, frozen=True):
    """Effective limits and the origin of each, by its key."""

    limits: Limits
    origins: dict[str, Origin]


class Fault(msgspec.Struct, frozen=True):
    """What is wrong with the configuration: the place, named as the user wrote it, and the reason."""

    place: str
    message: str


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    limits: dict[str, Any] = {}


def variable(key: str) -> str:
    """Return the environment variable that overrides a key of the limits."""
    return PREFIX + key.upper()


def _read(file: Path) -> dict[str, Any] | Fault:
    try:
        with file.open("rb") as opened:
            data = opened.read(FILE_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        return Fault(file.name, f"cannot be read ({type(error).__name__})")
    if len(data) > FILE_BYTES:
        return Fault(file.name, f"is larger than {FILE_BYTES} bytes")
    try:
        # Decoding bytes that are no UTF-8 raises outside msgspec's own hierarchy.
        return msgspec.toml.decode(data, type=_File).limits
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        return Fault(file.name, str(error))


def _number(value: str) -> int | str:
    return int(value) if value.isascii() and value.isdigit() else value


def load(file: Path, environ: Mapping[str, str]) -> Settings | Fault:
    """Read the configuration; a fault names the key that is wrong and never raises.

    An environment variable that is set but empty counts as not set.
    """
    found = _read(file)
    if isinstance(found, Fault):
        return found
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
        return Fault(f"limits.{min(unknown)}", f"is no known key; the keys are {known}")
    for key, value in values.items():
        try:
            msgspec.convert({key: value}, type=Limits)
        except msgspec.ValidationError as error:
            place = variable(key) if origins[key] == "environment" else f"limits.{key}"
            return Fault(place, str(error).partition(" - at ")[0])
    return Settings(msgspec.convert(values, type=Limits), origins)

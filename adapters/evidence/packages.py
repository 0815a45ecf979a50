"""Gets the pinned host versions from their packages, with npm, into a folder of their own."""

import shutil
import subprocess
from pathlib import Path

import msgspec
from filelock import FileLock, Timeout

from adapters.evidence.unusable import UnusableError

PINNED = Path(__file__).parents[2] / "contracts" / "evidence" / "hosts.toml"
"""Which versions of which package the evidence is recorded with."""

INSTALL_SECONDS = 300


class Package(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A host's package: its name, the program in it, and the versions that are played."""

    package: str
    program: str
    versions: tuple[str, ...]


class Missing(msgspec.Struct, frozen=True):
    """A host that cannot be installed here, and why, for a person."""

    host: str
    version: str
    reason: str


def pinned(path: Path | None = None) -> dict[str, Package]:
    """Return the pinned packages by host; raises UnusableError where the file has a fault, or is none."""
    path = path or PINNED
    try:
        return msgspec.toml.decode(path.read_bytes(), type=dict[str, Package])
    except (OSError, msgspec.MsgspecError, UnicodeError) as error:
        raise UnusableError(f"{path} does not say which programs hosts have: {error}.") from None


def binary(host: str, version: str, folder: Path) -> Path | Missing:
    """Return the program of a pinned host below `folder`, and install it there where it is not yet.

    Each version has a folder of its own; an interrupted installation leaves none. Of several processes that
    ask at once, one installs and the others wait for it.
    """
    package = pinned()[host]
    place = folder / f"{host}-{version}"
    program = place / "node_modules" / ".bin" / package.program
    if program.exists():
        return program
    npm = shutil.which("npm")
    if npm is None:
        return Missing(host, version, "npm is not on the PATH")
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(folder / f".{place.name}.lock", timeout=INSTALL_SECONDS):
            fault = None if program.exists() else _install(npm, f"{package.package}@{version}", place)
    except Timeout:
        fault = "another installation of it does not end"
    if fault is None and not program.exists():
        fault = "the package holds no such program"
    return program if fault is None else Missing(host, version, fault)


def _install(npm: str, wanted: str, place: Path) -> str | None:
    """Install a package beside `place` and rename it there; returns what went wrong, in npm's last line."""
    draft = place.with_name(f".{place.name}")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir()
    words = [npm, "install", "--no-audit", "--no-fund", "--prefix", str(draft), wanted]
    try:
        result = subprocess.run(  # noqa: S603 - npm, with names from our own file
            words, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"npm: {type(error).__name__}"
    if result.returncode != 0:
        last = (result.stderr.strip().splitlines() or ["no reason given"])[-1]
        return f"npm: {last}"
    shutil.rmtree(place, ignore_errors=True)
    draft.rename(place)
    return None

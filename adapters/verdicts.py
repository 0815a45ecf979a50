"""Which gates recorded evidence shows as passed, by host and version: the switch of every adapter."""

from pathlib import Path

import contracts
from contracts.verdict import Verdict
from contracts.wire import Malformed, decode

FOLDER = Path(contracts.__file__).parent / "evidence"


def _order(version: str) -> tuple[int, ...]:
    return tuple(int(part) if part.isdigit() else -1 for part in version.split("."))


def verdicts(host: str, folder: Path = FOLDER) -> list[Verdict]:
    """Return the verdicts of a host, newest version first; a missing or damaged file is no verdict."""
    found: list[Verdict] = []
    for file in (folder / host).glob("*/verdict.json"):
        verdict = decode(file.read_bytes(), Verdict)
        if not isinstance(verdict, Malformed) and verdict.host == host:
            found.append(verdict)
    return sorted(found, key=lambda verdict: _order(verdict.version), reverse=True)


def proven(host: str, folder: Path = FOLDER) -> bool:
    """Whether a verdict of this host passes every gate: without one, nothing is recorded or briefed."""
    return any(verdict.passing for verdict in verdicts(host, folder))

"""Says what keeps a folder of recordings from being judged: what is broken, misplaced or missing in it."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from adapters.evidence.counterparts import alone
from adapters.evidence.replay import FIRST, VERDICT, load, recordings
from adapters.hosts import HOSTS
from contracts.verdict import Verdict
from contracts.wire import Malformed, decode

BESIDE = (FIRST, "failed")
"""Folders beside a version's recordings; what stands in the second did not hold, and counts for nothing."""


def versions(root: Path, host: str | None = None) -> list[Path]:
    """Return the folders `<host>/<version>/` of a host, or of all that readmark knows, sorted."""
    places = (path for name in HOSTS if host in {None, name} for path in (root / name).glob("*"))
    return sorted(path for path in places if path.is_dir())


def held(folder: Path) -> list[Path]:
    """Return the files of a version's recordings, whatever is in them."""
    return [path for path in recordings(folder.parents[1], folder.parent.name) if folder in path.parents]


def named(folder: Path, path: Path) -> str:
    """Return the name of a recording in its version's folder, as verdicts have it."""
    return path.relative_to(folder).with_suffix("").as_posix()


def kept(folder: Path) -> Verdict | None:
    """Return the verdict that stands in a version's folder, None where there is none that can be read."""
    path = folder / VERDICT
    found = decode(path.read_bytes(), Verdict) if path.is_file() else Malformed(syntax=True)
    return None if isinstance(found, Malformed) else found


def misplaced(root: Path) -> str | None:
    """Return why a folder cannot be one of evidence, or None."""
    if any((root / name).is_dir() for name in HOSTS):
        return None
    said = f"{root} has no folder of a host ({', '.join(HOSTS)}), so it is no folder of recordings."
    for other in (root / "evidence", root / "contracts" / "evidence", root.parent, root.parent.parent):
        if any((other / name).is_dir() for name in HOSTS):
            return f"{said} Name {other} instead."
    return said


def strays(root: Path) -> Iterator[str]:
    """Yield what lies beside the folders of hosts and belongs to none, in a sentence each."""
    for path in sorted(root.iterdir()):
        if path.is_dir() and path.name not in HOSTS and path.name[0] not in "._":
            yield f"{path.name} is the folder of no host that readmark knows ({', '.join(HOSTS)})."


def faults(folder: Path) -> list[str]:
    """Return what keeps `<host>/<version>/` from being judged, in a sentence each."""
    files = held(folder)
    if not files:
        return ["There is no recording in its folder."]
    wrong = broken(folder)
    found = [*_deleted(folder, files), *_foreign(folder), *wrong]
    return found if wrong else [*found, *(f"There is {one}." for one in alone(folder))]


def broken(folder: Path) -> list[str]:
    """Return the recordings of `<host>/<version>/` that are none, or of another place, in a sentence each."""
    return [fault for path in held(folder) if (fault := _broken(folder, path)) is not None]


def _broken(folder: Path, path: Path) -> str | None:
    """Return what is wrong with one recording by itself, or None."""
    name = path.relative_to(folder).as_posix()
    try:
        run = load(path)
    except (OSError, msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        why = str(error) if path.is_file() and path.stat().st_size else "it is empty"
        return f"{name} is no recording: {why}."
    place = (folder.parent.name, folder.name, path.stem)
    if (run.host, run.version, run.scenario) != place:
        return f"{name} is a recording of {run.host} {run.version} {run.scenario}, not of {' '.join(place)}."
    if not run.events and not run.requests:
        return f"{name} has no event and no request."
    return None


def _deleted(folder: Path, files: list[Path]) -> Iterator[str]:
    verdict = kept(folder)
    there = {named(folder, path) for path in files}
    for name in () if verdict is None else sorted({*verdict.recordings, *_shown(verdict)} - there):
        yield f"{name}.json is not there, and its {VERDICT} rests on it."


def _shown(verdict: Verdict) -> Iterator[str]:
    for gate in verdict.gates.values():
        yield from gate.scenarios


def _foreign(folder: Path) -> Iterator[str]:
    """Yield what a version's folder holds that is none of the things that stand there."""
    for path in sorted(folder.iterdir()):
        if path.is_dir() and path.name not in BESIDE:
            yield f"{path.name}/ is no folder of recordings."

"""Says what stands alone: a recording of which nothing is stated, or a statement without a recording."""

from pathlib import Path

from adapters.evidence.expected import TABLE, rows
from adapters.evidence.replay import FIRST, load, recordings
from adapters.evidence.scenario import where


def alone(folder: Path) -> list[str]:
    """Return, for `<host>/<version>/`, what has no counterpart, each as the end of "there is …"."""
    host = folder.parent.name
    paths = [path for path in recordings(folder.parent.parent, host) if path.is_relative_to(folder)]
    scenes = [
        f"no scenario for {path.name}"
        for path in paths
        if path.parent == folder and where(host, path.stem) is None
    ]
    first = {path.stem: path for path in paths if path.parent == folder / FIRST}
    table = folder / FIRST / TABLE
    stated = {row.scenario for row in rows(table)} if table.exists() else set()
    lacking = [
        f"no rows for {FIRST}/{path.name}"
        for name, path in first.items()
        # A run that called no hook has nothing to state.
        if name not in stated and any(event.stdin is not None for event in load(path).events)
    ]
    return [
        *scenes,
        *(f"no recording for the rows of {FIRST}/{name}" for name in sorted(stated - first.keys())),
        *lacking,
    ]

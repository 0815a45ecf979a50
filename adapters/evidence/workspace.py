"""The files of a recorded run, laid again where a replay stands in for the machine of then."""

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from adapters.evidence import paths
from adapters.evidence.scenario import Scenario, ScenarioError, named
from contracts.evidence import Recording

BEGAN = {"claude-code": "CLAUDE_PROJECT_DIR", "codex": "PWD"}
"""By host, the variable of a hook that tells where the host began."""


def folders(recording: Recording, folder: Path) -> dict[str, str]:
    """Return where the run's workspace and home, by the names that scrubbing gave them, stand in a replay."""
    own = (paths.project(recording.scenario), paths.home(recording.scenario))
    return {scrubbed: str(placed(scrubbed, folder)) for scrubbed in own}


def placed(recorded: str, folder: Path) -> Path:
    """Return where a recorded path stands in a replay: the same folders, below `folder`."""
    parts = PurePosixPath(recorded).parts
    if ".." in parts:
        raise ValueError("A recorded path leads out of its folder.")
    return folder.joinpath(*(part for part in parts if part != "/"))


def environment(recording: Recording, folder: Path) -> dict[str, str]:
    """Return the variables of the run by which a host and readmark find files.

    Where the host began is the folder of its first event; hooks get it as one of `BEGAN`.
    """
    project, home = folders(recording, folder).values()
    scenario = _scenario(recording)
    own = scenario.environment if scenario else {}
    found: dict[str, str] = paths.filled(own, project, home)
    return {"HOME": home, **_began(recording, folder), **found}


def _began(recording: Recording, folder: Path) -> dict[str, str]:
    for event in recording.events:
        if event.stdin is not None and isinstance(event.stdin.get("cwd"), str):
            began = paths.replaced(event.stdin["cwd"], folders(recording, folder))
            return {BEGAN[recording.host]: began} if recording.host in BEGAN else {}
    return {}


def lay(recording: Recording, folder: Path) -> None:
    """Put the files and links of the recording's scenario where its hosts found them."""
    scenario = _scenario(recording)
    for base in folders(recording, folder).values():
        Path(base).mkdir(parents=True, exist_ok=True)
    if scenario is not None:
        change(recording, laid(scenario), folder)
        project, home = folders(recording, folder).values()
        for name, target in scenario.links.items():
            link = Path(paths.filled(name, project, home))
            link.parent.mkdir(parents=True, exist_ok=True)
            link.unlink(missing_ok=True)
            link.symlink_to(paths.filled(target, project, home))


def laid(scenario: Scenario) -> dict[str, str]:
    """Return the files that a scenario lays before its first run, by their scrubbed paths."""
    bases = ((paths.project(scenario.name), scenario.files), (paths.home(scenario.name), scenario.home))
    return {f"{base}/{name}": text for base, files in bases for name, text in files.items()}


def change(recording: Recording, files: Mapping[str, str | None], folder: Path) -> None:
    """Bring files to what they were at an event; None is one that was gone."""
    moved = folders(recording, folder)
    for name, text in files.items():
        place = placed(name, folder)
        if text is None:
            place.unlink(missing_ok=True)
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(paths.replaced(text, moved).encode())


def _scenario(recording: Recording) -> Scenario | None:
    """Return what was played; the first recordings, which hold no requests, were played from other texts."""
    if not recording.requests:
        return None
    try:
        return named(recording.host, recording.scenario)
    except ScenarioError:
        return None

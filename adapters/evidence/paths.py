"""How a scenario names the folders of its run, and how a recording does."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any


def project(scenario: str) -> str:
    """Return what a recording calls the workspace."""
    return f"/project/{scenario}"


def home(scenario: str) -> str:
    """Return what a recording calls the private home."""
    return f"/home/dev/{scenario}"


def filled(value: Any, project: str | Path, home: str | Path) -> Any:
    """Return a JSON value of a scenario with the two folders in place of `$project` and `$home`."""
    return replaced(value, {"$project": str(project), "$home": str(home)})


def replaced(value: Any, texts: Mapping[str, str]) -> Any:
    """Return a JSON value with each text replaced, in keys too; the first of the `texts` goes first."""
    match value:
        case str():
            for found, other in texts.items():
                value = value.replace(found, other)
            return value
        case dict():
            return {replaced(key, texts): replaced(item, texts) for key, item in value.items()}
        case list():
            return [replaced(item, texts) for item in value]
        case _:
            return value

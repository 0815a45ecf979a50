"""A real browser for the page, and a place for its pictures."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
QUIET = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""What keeps Chromium itself off the network."""

ARTEFACTS = Path(__file__).parents[4] / "artefacts" / "show"
"""Where pictures are kept for a person to look at; git ignores the folder."""

MISSING = "there is no Chromium here: install your system's package `chromium`"

Picture = Callable[[str], Path]


def _program() -> str:
    found = next((path for name in PROGRAMS if (path := shutil.which(name))), None)
    if found is not None:
        return found
    if os.environ.get("CI"):
        pytest.fail(MISSING)
    pytest.skip(MISSING)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Start the system's Chromium, headless, with a home of its own."""
    program = _program()
    home = tmp_path_factory.mktemp("browser")
    environ: dict[str, str | float | bool] = {"PATH": os.environ["PATH"], "HOME": str(home), "TZ": "UTC"}
    with sync_playwright() as started:
        launched = started.chromium.launch(executable_path=program, args=[*QUIET], env=environ)
        yield launched
        launched.close()


@pytest.fixture
def picture() -> Picture:
    """Name a picture that is kept after the tests."""
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    return lambda name: ARTEFACTS / f"{name}.png"

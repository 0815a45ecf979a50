"""Fixtures that hold for every test: above all, no test can reach the real home directory."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# How long an example takes says how busy the machine is, not whether the rule holds.
settings.register_profile("readmark", deadline=None)
settings.load_profile("readmark")


@pytest.fixture(autouse=True)
def private_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give every test, and every process that it starts, a home of its own."""
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(("READMARK_", "XDG_", "CLAUDE", "CODEX")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    return home

"""What the tests of readers share: one good result document to change."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

Document = dict[str, Any]

GOOD: Document = {
    "protocolVersion": 2,
    "toolVersion": "1.4.0",
    "command": "get",
    "diagnostics": {"warnings": []},
    "ok": True,
    "data": {
        "practice": {
            "id": "a.b.c",
            "title": "Give retries a budget",
            "stage": "implement",
            "tech_stack": ["python"],
            "applies_when": "a client can be slow",
            "severity": "warn",
            "body": 'Say "no" early: {"id": "other"}\n',
            "anti_patterns": [],
        },
        "contentDigest": "sha256:" + "0a" * 32,
        "sources": [{"packName": "web", "sourcePath": "http/retry.md", "packRoot": "/srv/packs/web"}],
    },
}


@pytest.fixture(scope="session")
def good() -> Callable[[], Document]:
    """Give fresh copies of a good result of `lore get a.b.c --json`, protocol 2."""
    return lambda: copy.deepcopy(GOOD)

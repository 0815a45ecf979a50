"""A host's version is what the host itself states, and unknown otherwise."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from adapters.hosts import claude_code, codex


@pytest.mark.parametrize(
    ("manifest", "version"),
    [
        ('{"name": "@openai/codex", "version": "0.171.0"}', "0.171.0"),
        ('{"version": "0.172.0-alpha.1"}', "0.172.0-alpha.1"),
        ('{"version": "latest"}', None),
        ('{"version": "0.171.0 $(id)"}', None),
        ('{"version": 5}', None),
        ("{}", None),
        ("{", None),
    ],
)
def test_codex_states_its_version_in_the_manifest_of_its_package(
    manifest: str, version: str | None, tmp_path: Path
) -> None:
    """The environment of its hooks names the package."""
    (tmp_path / "package.json").write_text(manifest)
    assert codex.version({"CODEX_MANAGED_PACKAGE_ROOT": str(tmp_path)}) == version


def test_a_manifest_that_is_no_file_states_nothing(tmp_path: Path) -> None:
    """A pipe without a writer is not waited for."""
    os.mkfifo(tmp_path / "package.json")
    assert codex.version({"CODEX_MANAGED_PACKAGE_ROOT": str(tmp_path)}) is None


def test_a_package_in_the_folder_of_the_agent_states_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without an absolute place, any project's own manifest would be taken for the host's."""
    (tmp_path / "package.json").write_text('{"version": "0.171.0"}')
    monkeypatch.chdir(tmp_path)
    for environ in ({}, {"CODEX_MANAGED_PACKAGE_ROOT": ""}, {"CODEX_MANAGED_PACKAGE_ROOT": "."}):
        assert codex.version(environ) is None


@pytest.mark.parametrize(
    ("stated", "version"),
    [
        ("claude-code_2-1-332_harness", "2.1.332"),
        ("claude-code_2-1_harness", None),
        ("other-agent_2-1-332_harness", None),
        ("", None),
    ],
)
def test_claude_code_states_its_version_in_a_variable(stated: str, version: str | None) -> None:
    """Its hooks get it; another agent's word in that variable is none."""
    assert claude_code.version({"AI_AGENT": stated}) == version
    assert claude_code.version({}) is None

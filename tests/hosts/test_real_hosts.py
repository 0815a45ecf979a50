"""The installed readmark as the hook of real hosts, with a scripted model: what comes of it.

The hosts come from their packages, in the pinned versions. Where one cannot be installed the tests fail in
CI, and are skipped with the reason elsewhere.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path

import pytest

from adapters.evidence import packages, quiet, several
from adapters.evidence.runner import Options
from adapters.evidence.scenario import named

ROOT = Path(__file__).parents[2]
INSTALLED = ROOT / ".hosts"
READMARK = (str(Path(sys.executable).with_name("readmark")),)
JOBS = 2
"""Scenarios side by side, beside the other tests of hosts: each waits more than it works."""

LIVES = ("resume", "fork", "autocompact")
READINGS = ("read_windows", "read_numbered", "read_many", "read_cut", "read_search", "skill_window")
LINKS = ("skill_link_home", "skill_link_project", "skill_link_folder", "skill_link_out")
CODEX = (
    *("direct", "parallel", "read_and_spawn", "sub_v1", "sub_v2", "sub_v2_fork", "review", "ephemeral"),
    *("fail", "pipe", "forged", "wrapped", "large", "background", "background_split", "interrupted"),
    *("cm_direct", "cm_discard", "cm_lost", "hook_block", "shadowed", "tui_clear", "tui_fork_rewind", *LIVES),
    *("background_whole", "legacy_history", "file_subagent", "file_code", "skill_plugin", "skill_depths"),
    *("read_polled", "read_code", *READINGS, *LINKS),
)
CLAUDE = (
    *("direct", "parallel", "same_batch", "sub_foreground", "sub_parallel", "sub_background", "tui_clear"),
    *("failing", "pipe", "forged", "wrapped", "large", "background", "timeout", "interrupted", "denied"),
    *("replaced", "rewritten", "shadowed", "tui_interrupt", "tui_clear_resume", *LIVES),
    *("registered_twice", "file_told", "file_again", "skill_twins", "skill_crossed", "skill_deleted"),
    *("read_offsets", "read_grep", "read_grep_plain", *READINGS, *LINKS),
)
NEWER = (
    *("direct", "sub_foreground", "sub_parallel", "failing", "large", "background", "replaced", "tui_clear"),
    *("tui_interrupt", "resume", "fork", "file_told", "file_resumed", "skill_installed", "skill_deleted"),
    *("read_offsets", "read_grep", "read_grep_plain", *READINGS, *LINKS),
)
PLAYED = {
    ("codex", "0.171.0"): CODEX,
    ("claude-code", "2.1.197"): CLAUDE,
    ("claude-code", "2.1.332"): NEWER,
}
SUBAGENTS = {"codex": "sub_v1", "claude-code": "sub_foreground"}


def binary(host: str, version: str) -> Path:
    """Return the program of a pinned host; a host that cannot be had is a failure in CI."""
    found = packages.binary(host, version, INSTALLED)
    if isinstance(found, packages.Missing):
        told = f"{host} {version} cannot be installed: {found.reason}"
        if os.environ.get("CI"):
            pytest.fail(told)
        pytest.skip(told)
    return found


@cache
def results(host: str, version: str) -> dict[str, several.Result]:
    """Play all scenarios of a host version once, side by side."""
    scenes = [named(host, name) for name in PLAYED[host, version]]
    options = Options(jobs=JOBS, readmark=READMARK)
    played = several.play_all(scenes, binary(host, version), None, lambda _: None, options)
    return {result.scenario.name: result for result in played}


def test_every_pinned_version_is_played() -> None:
    """The pinned versions and the played ones are the same."""
    pinned = {(host, version) for host, package in packages.pinned().items() for version in package.versions}

    assert set(PLAYED) == pinned


@pytest.mark.parametrize(
    ("host", "version", "name"),
    [(*which, name) for which, names in PLAYED.items() for name in names],
    ids=lambda value: value,
)
def test_what_readmark_makes_of_a_scenario_is_what_must_hold(host: str, version: str, name: str) -> None:
    """The ledger has what was proven and no more; only subagents are told, in their own first request."""
    holds = named(host, name).holds

    assert holds.records is not None
    assert results(host, version)[name].failures == ()


@pytest.mark.parametrize("state", ["empty", "unavailable", "over-budget"])
@pytest.mark.parametrize(("host", "version"), [("codex", "0.171.0"), ("claude-code", "2.1.197")])
def test_with_nothing_to_say_the_subagents_request_is_as_without_readmark(
    host: str, version: str, state: str
) -> None:
    """Word for word, but for ids, folders and ports."""
    scene = named(host, SUBAGENTS[host])

    assert quiet.deviations(scene, binary(host, version), READMARK, quiet.STATES[state]) == []

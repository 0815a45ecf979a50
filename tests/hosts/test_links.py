"""A linked skill counts only where its end is a file of the user's own; the real hosts load any."""

from __future__ import annotations

import os

import pytest
from msgspec.structs import replace

from adapters.evidence.proof import prove
from adapters.evidence.scenario import named
from tests.hosts.test_real_hosts import PLAYED, READMARK, binary

NOBODY = 65534
GIVE_AWAY = f'find "$HOME/.agents" "$HOME/dotfiles" -type f -name SKILL.md -exec chown {NOBODY} {{}} +'


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser can give a file to another user")
@pytest.mark.parametrize(("host", "version"), PLAYED, ids=lambda value: value)
def test_a_linked_skill_of_another_user_is_not_recorded(host: str, version: str) -> None:
    """The model gets it all the same, as the scenario says that it must."""
    scene = named(host, "skill_link_home")
    (run,) = scene.runs
    holds = replace(scene.holds, records=[], told=0, told_of=[])
    given_away = replace(scene, runs=[replace(run, setup=[*run.setup, GIVE_AWAY])], holds=holds)

    assert prove(given_away, binary(host, version), READMARK).failures == ()

from __future__ import annotations

from pathlib import Path

import pytest

from adapters.evidence import scenario as scenes
from adapters.evidence.drivers import DRIVERS
from adapters.evidence.scenario import Scenario, ScenarioError, load, named, scenarios
from adapters.evidence.script import MARK

ALL = [scene for host in DRIVERS for scene in scenarios(host)]


def ids(scene: Scenario) -> str:
    """Name a scenario in a test's id."""
    return f"{scene.host}-{scene.name}"


def test_every_folder_of_scenarios_is_a_host_that_can_be_driven() -> None:
    """A scenario of a host without a driver could never be played."""
    assert {path.name for path in scenes.FOLDER.iterdir()} == set(DRIVERS)


@pytest.mark.parametrize("scene", ALL, ids=ids)
def test_a_scenario_says_in_one_line_what_it_is_for(scene: Scenario) -> None:
    """`readmark evidence scenarios` prints the line."""
    assert scene.purpose.endswith(".")
    assert "\n" not in scene.purpose


@pytest.mark.parametrize("scene", ALL, ids=ids)
def test_every_prompt_names_a_play_and_every_play_is_named(scene: Scenario) -> None:
    """A misspelt name would only be answered with a few words."""
    told = [run.prompt for run in scene.runs]
    told += [key.type or "" for run in scene.runs for key in run.keys]
    told += [word for run in scene.runs for word in run.client]
    told += [str(line.send) for run in scene.runs for line in run.input]
    told += scene.files.values()
    told += [str(turn.calls) for turns in scene.play.values() for turn in turns]
    assert set(MARK.findall(" ".join(told))) == set(scene.play)


@pytest.mark.parametrize("scene", ALL, ids=ids)
def test_a_scenario_says_what_must_hold(scene: Scenario) -> None:
    """A run without a check would only record."""
    assert scene.holds.events or scene.holds.absent


@pytest.mark.parametrize("scene", ALL, ids=ids)
def test_a_run_goes_on_only_with_an_earlier_one(scene: Scenario) -> None:
    """`of` counts the conversations that were there before."""
    for number, run in enumerate(scene.runs):
        assert run.begin == "new" or run.of < number


def test_a_fault_in_a_scenario_names_the_file_and_the_place(tmp_path: Path) -> None:
    """A maintainer edits these files by hand."""
    path = tmp_path / "codex" / "bad.toml"
    path.parent.mkdir()
    path.write_text('purpose = "x."\nruns = [{ promt = "x" }]\n[play]\n')
    with pytest.raises(ScenarioError, match=r"bad\.toml: .*promt.*runs"):
        load(path)


def test_a_scenario_has_its_name_and_its_host_from_its_path() -> None:
    """The file need not repeat them."""
    scene = named("codex", "direct")
    assert (scene.host, scene.name) == ("codex", "direct")


def test_an_unknown_scenario_is_an_error() -> None:
    """Whatever the name holds, nothing outside the folder is read."""
    with pytest.raises(ScenarioError, match="no scenario"):
        named("codex", "../claude-code/direct")

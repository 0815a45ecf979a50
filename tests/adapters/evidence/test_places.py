"""Where a scenario's hooks stand, what is set up before a run, and who starts the host."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from adapters.evidence.drivers import DRIVERS
from adapters.evidence.lab import lab
from adapters.evidence.runner import Options, play
from adapters.evidence.scenario import Place, Run, Scenario, ScenarioError, scenarios
from tests.adapters.evidence.scenes import scene

Fake = Callable[[str], Path]

WHERE: dict[tuple[str, Place], str] = {
    ("codex", "user"): "home/.codex/hooks.json",
    ("codex", "config"): "home/.codex/config.toml",
    ("codex", "project"): "project/.codex/hooks.json",
    ("codex", "plugin"): "home/market/plugins/recorder/hooks/hooks.json",
    ("claude-code", "user"): "home/.claude/settings.json",
    ("claude-code", "plugin"): "home/recorder-plugin/hooks/hooks.json",
}
"""The file in which the hooks stand, by host and place."""


def holding(scenario: Scenario) -> set[str]:
    """Return the files of a lab, set up but not started, that name the recorder."""
    with lab(scenario) as made:
        DRIVERS[scenario.host].prepare(made, "http://127.0.0.1:1")
        files = [path for folder in (made.home, made.project) for path in folder.rglob("*") if path.is_file()]
        return {str(path.relative_to(made.root)) for path in files if "recorder.py" in path.read_text()}


@pytest.mark.parametrize(("host", "place"), WHERE, ids=lambda value: value)
def test_the_hooks_stand_in_the_place_that_the_scenario_names(host: str, place: Place) -> None:
    """There, and in no other file."""
    assert holding(scene(host=host, place=place)) == {WHERE[host, place]}


@pytest.mark.parametrize(
    ("host", "places"), [("codex", ["user", "project"]), ("claude-code", ["user", "plugin"])]
)
def test_the_hooks_can_stand_in_several_places(host: str, places: list[Place]) -> None:
    """A person may have installed readmark twice."""
    assert holding(scene(host=host, place=places)) == {WHERE[host, place] for place in places}


def test_every_place_that_a_host_has_is_known_here() -> None:
    """A place that is new must be shown to work."""
    assert {(host, place) for host, driver in DRIVERS.items() for place in driver.PLACES} == set(WHERE)


def test_a_plugin_is_offered_by_a_marketplace_whose_paths_lead_to_it() -> None:
    """Codex installs it from there with its own commands."""
    scenario = scene(place="plugin")
    with lab(scenario) as made:
        DRIVERS["codex"].prepare(made, "http://127.0.0.1:1")
        market = made.home / "market"
        (offered,) = json.loads((market / ".agents" / "plugins" / "marketplace.json").read_text())["plugins"]
        plugin = market / offered["source"]["path"]
        about = json.loads((plugin / ".codex-plugin" / "plugin.json").read_text())

        assert about["name"] == offered["name"] == "recorder"
        assert (plugin / "hooks" / "hooks.json").is_file()


def test_claude_code_is_started_with_the_plugin_only_where_one_is_wanted() -> None:
    """It takes a plugin's folder on the command line."""
    driver = DRIVERS["claude-code"]

    def words(place: Place) -> list[str]:
        with lab(scene(host="claude-code", place=place)) as made:
            return driver.command(Path("/claude"), made, Run(prompt="x"), "")

    assert "--plugin-dir" in words("plugin")
    assert "--plugin-dir" not in words("user")


@pytest.mark.parametrize("place", ["project", "config"])
def test_a_place_that_the_host_does_not_have_is_refused_by_name(place: Place, tmp_path: Path) -> None:
    """Nothing is started: the recording would be one of another place."""
    with pytest.raises(
        ScenarioError,
        match=f"test: claude-code takes no hooks from the place '{place}', but from user, plugin",
    ):
        play(scene(host="claude-code", place=place), tmp_path / "no-such-program")


def test_every_scenario_names_places_that_its_host_has() -> None:
    """It would be refused when it is played."""
    for host, driver in DRIVERS.items():
        for one in scenarios(host):
            assert set(one.places) <= set(driver.PLACES), one.name


def test_commands_come_before_the_run_and_can_name_the_host(fake_codex: Fake) -> None:
    """In their order, in the workspace, with the private home; the host itself does not get the variable."""
    host = fake_codex("""
        lines = open("before").read().splitlines()
        hook("Stop", lines=lines, given=os.environ.get("HOST"))
    """)
    setup = ['echo "$HOST" > before', 'echo "$HOME" >> before']
    played = play(scene(runs=[Run(prompt="x", setup=setup)]), host)
    seen = played.recording.events[0].stdin or {}
    assert played.faults == ()
    assert seen["lines"] == [str(host), "/home/dev/test"]
    assert seen["given"] is None


def test_each_run_has_commands_of_its_own(fake_codex: Fake) -> None:
    """What stands between two runs is the set-up of the second."""
    host = fake_codex("""
        hook("Stop", changed=os.path.exists("changed"))
    """)
    runs = [Run(prompt="one"), Run(prompt="two", setup=["touch changed"])]
    recording = play(scene(runs=runs), host).recording
    assert [(event.stdin or {})["changed"] for event in recording.events] == [False, True]


def test_a_command_that_fails_ends_the_scenario_with_its_words(fake_codex: Fake, tmp_path: Path) -> None:
    """The host is not started, and what the command said is kept."""
    host = fake_codex("""
        hook("Stop")
    """)
    run = Run(prompt="x", setup=["echo no such thing >&2; exit 7"])
    played = play(scene(runs=[run]), host, Options(keep=tmp_path / "kept"))
    assert played.faults == ("'echo no such thing >&2; exit 7' ended with 7",)
    assert played.recording.events == []
    assert (tmp_path / "kept" / "setup-0.err").read_text() == "no such thing\n"


def test_a_client_stands_in_the_place_of_the_host_and_starts_it(fake_codex: Fake) -> None:
    """An editor starts the host itself, and speaks for the person."""
    host = fake_codex("""
        hook("Stop", words=sys.argv[1:])
    """)
    run = Run(client=["/bin/sh", "-c", 'exec "$HOST" server'])
    played = play(scene(runs=[run]), host)
    assert (played.faults, played.codes) == ((), (0,))
    assert (played.recording.events[0].stdin or {})["words"] == ["server"]

"""A replay stands among the files that the recorded run had, as they were at each event."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from adapters import hosts
from adapters.evidence.lab import lab
from adapters.evidence.recorder import watched
from adapters.evidence.replay import replay
from adapters.evidence.scenario import named
from adapters.evidence.workspace import change, environment, placed
from contracts.evidence import RecordedEvent, RecordedRequest, Recording
from contracts.library import PROJECT
from ledger.library import look

HOST = "claude-code"
SCENE = "skill_twins"
REQUEST = RecordedRequest(at=0, asker="root", conversation="c")
IN_PROJECT = f"/project/{SCENE}/.claude/skills/reading/SKILL.md"
IN_HOME = f"/home/dev/{SCENE}/.claude/skills/reading/SKILL.md"


def recorded(*events: RecordedEvent, scenario: str = SCENE, requests: bool = True) -> Recording:
    """Return a recording of a scenario that lays one skill in the project and one in the home."""
    return Recording(HOST, "1", scenario, list(events), {}, [REQUEST] if requests else [])


def event(text: str = "", files: dict[str, str | None] | None = None) -> RecordedEvent:
    """Return a hook's event whose payload names a path."""
    return RecordedEvent(event="Stop", stdin={"session_id": "s", "cwd": text}, at=0.0, files=files or {})


def test_a_scenarios_files_are_laid_and_its_payloads_name_them_there(tmp_path: Path) -> None:
    """Both those of the workspace and those of the home, byte for byte."""
    [step] = replay(recorded(event(f"in {IN_PROJECT} and {IN_HOME}")), tmp_path)

    scene = named(HOST, SCENE)
    project, home = Path(f"{tmp_path}{IN_PROJECT}"), Path(f"{tmp_path}{IN_HOME}")
    assert json.loads(step.payload)["cwd"] == f"in {project} and {home}"
    assert project.read_text(encoding="utf-8") == scene.files[".claude/skills/reading/SKILL.md"]
    assert home.read_text(encoding="utf-8") == scene.home[".claude/skills/reading/SKILL.md"]


@pytest.mark.parametrize(("scenario", "requests"), [("of_nobody", True), (SCENE, False)])
def test_nothing_is_laid_for_what_no_scenario_played(
    scenario: str, *, requests: bool, tmp_path: Path
) -> None:
    """The first recordings have the names of later scenarios, and were played from other texts."""
    assert list(replay(recorded(event(), scenario=scenario, requests=requests), tmp_path))
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_file_is_at_each_event_what_it_was(tmp_path: Path) -> None:
    """Changed, made and gone; a path in a text is the replay's own."""
    new = f"/project/{SCENE}/new.md"
    recording = recorded(
        event(),
        event(files={IN_PROJECT: "other\r\n", new: f"see {IN_HOME}"}),
        event(files={IN_PROJECT: None}),
    )
    found = []
    for _ in replay(recording, tmp_path):
        place = Path(f"{tmp_path}{IN_PROJECT}")
        found.append(place.read_bytes().decode() if place.exists() else None)

    assert found == [named(HOST, SCENE).files[".claude/skills/reading/SKILL.md"], "other\r\n", None]
    assert Path(f"{tmp_path}{new}").read_text(encoding="utf-8") == f"see {tmp_path}{IN_HOME}"


def test_readmark_finds_its_files_by_the_variables_of_the_run(tmp_path: Path) -> None:
    """The home is the replay's, never the one of whoever replays."""
    recording = recorded(event())
    list(replay(recording, tmp_path))
    library = look(environment(recording, tmp_path))(hosts.load(HOST), f"{tmp_path}/project/{SCENE}")

    assert {root.name: root.path for root in library.roots} == {
        "~/.claude/skills": f"{tmp_path}/home/dev/{SCENE}/.claude/skills",
        PROJECT: f"{tmp_path}/project/{SCENE}",
    }


@pytest.mark.parametrize(("host", "variable"), [("claude-code", "CLAUDE_PROJECT_DIR"), ("codex", "PWD")])
def test_where_the_host_began_is_the_folder_of_its_first_event(
    host: str, variable: str, tmp_path: Path
) -> None:
    """Its hooks get it in a variable, wherever the agent goes later."""
    events = [RecordedEvent(event=None, tool_process={}), event(f"/project/{SCENE}"), event("/elsewhere")]
    found = environment(Recording(host, "1", SCENE, events, {}, [REQUEST]), tmp_path)
    assert found[variable] == f"{tmp_path}/project/{SCENE}"
    assert variable not in environment(Recording(host, "1", SCENE, [], {}, [REQUEST]), tmp_path)


@pytest.mark.parametrize(
    ("place", "text", "kept"),
    [
        (
            "home/.claude/settings.json",
            '{"hooks": {"x": "secret"}, "enabledPlugins": {"a@b": true}}',
            '"a@b": true',
        ),
        ("project/.claude/settings.local.json", '{"enabledPlugins": {"a@b": false}}', '"a@b": false'),
        ("home/.codex/config.toml", 'key = "secret"\n[plugins."a@b"]\nenabled = true\n', "enabled = true"),
        ("home/.claude/settings.json", '{"hooks": {"x": "secret"}}', None),
        ("home/.codex/config.toml", 'key = "secret"\n', None),
        ("home/.codex/config.toml", "[plugins", None),
        ("home/.claude/settings.json", "\xff", None),
    ],
)
def test_of_settings_only_that_is_kept_which_switches_plugins(
    place: str, text: str, kept: str | None, tmp_path: Path
) -> None:
    """The rest says how the lab was made."""
    file = tmp_path / place
    file.parent.mkdir(parents=True)
    file.write_bytes(text.encode("latin-1"))
    found = watched(tmp_path).get(str(file))
    assert (found is None) is (kept is None)
    assert kept is None or (kept in str(found) and "secret" not in str(found))


def test_no_recorded_path_leads_out_of_a_replay(tmp_path: Path) -> None:
    """A recording may come from anybody."""
    with pytest.raises(ValueError, match="leads out"):
        placed("/project/../../etc/passwd", tmp_path)
    with pytest.raises(ValueError, match="leads out"):
        change(recorded(), {"../x": "y"}, tmp_path)


def test_a_scenarios_links_stand_in_the_lab_and_in_a_replay(tmp_path: Path) -> None:
    """Each leads where it led, and what is written at it later goes there too."""
    scene = named("codex", "skill_linked")
    with lab(scene) as made:
        link = made.home / ".agents" / "skills" / "away"
        assert link.readlink() == made.home / "dotfiles" / "away"
        assert (link / "SKILL.md").is_file()
    run = Recording("codex", "1", "skill_linked", [event()], {}, [REQUEST])
    for _ in range(2):
        list(replay(run, tmp_path))
        home = tmp_path / "home" / "dev" / "skill_linked"
        assert (home / ".agents" / "skills" / "away").readlink() == home / "dotfiles" / "away"

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from adapters.evidence import machine
from adapters.evidence.replay import recordings
from adapters.evidence.runner import Options, play
from adapters.evidence.scrub import slug
from adapters.verdicts import FOLDER as EVIDENCE
from tests.adapters.evidence.scenes import scene

Fake = Callable[[str], Path]


@pytest.fixture
def moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that has runs be made below a folder of this name."""

    def move(name: str) -> None:
        (tmp_path / name).mkdir(parents=True)
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path / name))

    return move


def test_a_slug_counts_as_claude_code_does() -> None:
    """One sign for each UTF-16 unit; after 200 of them a number stands for the whole path."""
    assert slug("/var/a_b c") == "-var-a-b-c"
    assert slug("/ü😀x") == "----x"
    assert slug("/" + "x" * 199) == "-" + "x" * 199
    assert slug("/" + "x" * 200) == "-" + "x" * 199 + "-d0i18x"


@pytest.mark.parametrize("name", ["plain", "em😀ji", 'quo"te', "x" * 120 + "/" + "y" * 120])
def test_paths_are_neutral_in_every_form(fake_codex: Fake, moved: Callable[[str], None], name: str) -> None:
    """As they are, within JSON that is a text, in an address, and in the name of a folder of Claude Code."""
    moved(name)
    host = fake_codex("""
        from urllib.parse import quote
        from adapters.evidence.scrub import slug
        here = os.getcwd()
        plain = json.dumps({"a": here}, ensure_ascii=False)
        below = slug(here + "/below") if len(slug(here)) < 200 else ""
        hook("Stop", forms=[here, json.dumps({"a": here}), plain, "file://" + quote(here), slug(here), below])
    """)
    played = play(scene(), host)
    assert played.faults == ()
    assert played.private == ()
    seen = (played.recording.events[0].stdin or {})["forms"]
    inner = '{"a": "/project/test"}'
    assert seen[:5] == ["/project/test", inner, inner, "file:///project/test", "-project-test"]
    assert seen[5] in {"-project-test-below", ""}


def test_a_slug_of_an_unknown_folder_below_a_long_root_tells_nothing(
    fake_codex: Fake, moved: Callable[[str], None]
) -> None:
    """What is left of it is a number; it stands for the run's folder."""
    moved("x" * 120 + "/" + "y" * 120)
    host = fake_codex("""
        from adapters.evidence.scrub import slug
        hook("Stop", slug="/p/" + slug(os.getcwd() + "/below") + "/q")
    """)
    played = play(scene(), host)
    assert (played.recording.events[0].stdin or {})["slug"] == "/p/-lab/q"
    assert played.private == ()


def test_a_prompt_of_a_shell_names_nobody(fake_codex: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name of the person and of the machine, the whole of it or up to the first dot."""
    monkeypatch.setattr(machine, "users", lambda: ["ada"])
    monkeypatch.setattr(machine, "names", lambda: ["box.lan", "box"])
    host = fake_codex("""
        hook("Stop", prompts=["ada@box:" + os.getcwd() + "$ ", "ada@box.lan: ~"])
    """)
    played = play(scene(), host)
    assert (played.recording.events[0].stdin or {})["prompts"] == ["dev@lab:/project/test$ ", "dev@lab: ~"]
    assert played.private == ()


def test_the_command_of_the_hook_is_neutral(fake_codex: Fake) -> None:
    """A host that says which hook failed would tell where readmark is installed."""
    host = fake_codex("""
        hook("Stop", failed=hooks["Stop"][0]["hooks"][0]["command"])
    """)
    played = play(scene(), host)
    assert "exec /python -I -S /readmark/recorder.py /lab" in str(played.recording.events[0].stdin)


def test_the_number_of_the_user_is_neutral(fake_codex: Fake) -> None:
    """Claude Code names its folder for tasks by it."""
    host = fake_codex("""
        hook("Stop", file=os.environ["TMPDIR"] + "/claude-" + str(os.getuid()) + "/x.output")
    """)
    played = play(scene(), host)
    assert (played.recording.events[0].stdin or {})["file"] == "/lab/tmp/claude-1000/x.output"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("by ada on Monday", "the user's name"),
        ("/home/ada/x", "the user's name"),
        ("/Users/ada", "the user's name"),
        ("on box.lan", "the machine's name"),
        ("x@box.", "the machine's name"),
        ("/srv/people/x/.cache", "the home"),
        ("-srv-people-x-notes", "the home"),
        ("/run/user/4711/bus", "the user's number"),
        ("/var/claude-4711", "the user's number"),
    ],
)
def test_a_recording_that_tells_of_the_machine_is_named(
    fake_codex: Fake, monkeypatch: pytest.MonkeyPatch, text: str, what: str
) -> None:
    """The net below the scrubber: whatever slipped through keeps the recording here."""
    monkeypatch.setattr(machine, "users", lambda: ["ada"])
    monkeypatch.setattr(machine, "names", lambda: ["box.lan", "box"])
    monkeypatch.setattr(machine, "homes", lambda: ["/srv/people/x"])
    monkeypatch.setattr("os.getuid", lambda: 4711)
    host = fake_codex(f"""
        hook("Stop", deep=[{{"a": {text!r}}}])
    """)
    (told,) = play(scene(), host, Options(version="1.0")).private
    assert told == f"It still holds {what} of this machine, at events[0].stdin.deep[0].a."


@pytest.mark.parametrize("text", ["adamant", "max_ada", "boxes", "/home/dev/x", "/root/child", "claude-10"])
def test_what_only_looks_like_a_name_is_let_through(
    fake_codex: Fake, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """A name counts as a whole word; `/root` is what Codex calls the agent on top."""
    monkeypatch.setattr(machine, "users", lambda: ["ada"])
    monkeypatch.setattr(machine, "names", lambda: ["box"])
    monkeypatch.setattr(machine, "homes", lambda: ["/root"])
    host = fake_codex(f"""
        hook("Stop", text={text!r}, **{{"a root": "root"}})
    """)
    assert play(scene(), host).private == ()


def test_names_that_the_scenario_has_itself_are_let_through(
    fake_codex: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person called Read could record nothing otherwise; as a part of an address it still counts."""
    monkeypatch.setattr(machine, "users", lambda: ["read"])
    host = fake_codex("""
        hook("Stop", one="please read", two="read@elsewhere")
    """)
    (told,) = play(scene(), host).private
    assert told.endswith("events[0].stdin.two.")


def test_a_name_in_a_key_is_found_too(fake_codex: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of payloads can be paths."""
    monkeypatch.setattr(machine, "users", lambda: ["ada"])
    host = fake_codex("""
        hook("Stop", projects={"ada": 1})
    """)
    (told,) = play(scene(), host).private
    assert told == "It still holds the user's name of this machine, at a key of events[0].stdin.projects."


@pytest.mark.parametrize(
    "payload",
    [b"no json", b"[1]", b'{"a": 1, "a": 2}', b'{"a": 1e400}', b'{"a": "\xff"}', b"", b'{"a": NaN}'],
)
def test_a_payload_that_a_recording_cannot_hold_is_named(fake_codex: Fake, payload: bytes) -> None:
    """It never becomes an empty object without a word."""
    host = fake_codex(f"""
        command = hooks["Stop"][0]["hooks"][0]["command"]
        hook("SessionStart")
        subprocess.run(["/bin/sh", "-c", command], input={payload!r})
    """)
    (fault,) = play(scene(), host).faults
    assert fault == "Payload 2 (Stop) is not one JSON object that a recording can hold as it came."


@pytest.mark.parametrize(
    "payload",
    [
        b'{"a": 1.50, "b":\t[1E2, -0.0, 123456789012345678901234567890]}\n\n',
        json.dumps({"b": "\x00\u2028😀", "a": None}).encode(),
        b"{}",
    ],
)
def test_a_payload_that_only_looks_otherwise_is_none_of_these(fake_codex: Fake, payload: bytes) -> None:
    """Spaces, escapes and the way a number is written are no content."""
    host = fake_codex(f"""
        command = hooks["Stop"][0]["hooks"][0]["command"]
        subprocess.run(["/bin/sh", "-c", command], input={payload!r})
    """)
    assert play(scene(), host).faults == ()


def test_nothing_of_this_machine_is_told_by_the_name_of_a_user_of_the_tests() -> None:
    """The facts themselves: a name, a number, a home."""
    assert machine.users()
    assert machine.names()
    assert machine.homes()[-1] == os.environ["HOME"]


def test_no_recording_of_the_tree_names_who_made_it() -> None:
    """No other prompt of a shell than the neutral one, and no other number of a user."""
    told = re.compile(r"(?<!dev)@[\w-]+:[~/]|@(?!lab\b)[\w-]+:[~/]|/claude-(?!1000/)\d+/")
    found = [path.name for path in recordings(EVIDENCE) if told.search(path.read_text(encoding="utf-8"))]
    assert found == []

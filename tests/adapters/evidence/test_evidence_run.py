"""`readmark evidence run` and `scenarios`, with a host that is none."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from adapters.evidence import form, packages
from adapters.evidence.unusable import UnusableError
from contracts.evidence import Recording
from tests.adapters.evidence.scenes import scene
from tests.ledger.cli.running import Ran, assert_valid, run

Fake = Callable[[str], Path]

SCENE = """
purpose = "A test."
[[runs]]
prompt = "[[play a]]"
[[play.a]]
say = "done"
"""
STARTS = 'hook("SessionStart")'


@pytest.fixture
def own(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that lays scenarios, by name, what each has beside the least."""

    def lay(**more: str) -> Path:
        folder = tmp_path / "mine" / "codex"
        folder.mkdir(parents=True)
        for name, text in more.items():
            (folder / f"{name}.toml").write_text(SCENE + text)
        return folder.parent

    return lay


Own = Callable[..., Path]


def play(host: Path, scenarios: Path, out: Path, *more: str) -> Ran:
    """Run the command with scenarios of one's own."""
    words = ["--binary", str(host), "--scenarios", str(scenarios), "--out", str(out), *more]
    return run("evidence", "run", "codex", *words)


def test_a_run_of_ones_own_scenarios_ends_with_a_summary(fake_codex: Fake, own: Own, tmp_path: Path) -> None:
    """Recordings are judged by the very scenarios that were played."""
    done = play(fake_codex(STARTS), own(a="", b=""), tmp_path / "out")
    assert done.code == 0
    assert "codex 0.0.1, recorded: 2 of 2 scenarios hold.\n" in done.text
    assert sorted(path.name for path in (tmp_path / "out" / "codex" / "0.0.1").iterdir()) == [
        "a.json",
        "b.json",
    ]


def test_one_that_does_not_hold_is_red_everywhere(fake_codex: Fake, own: Own, tmp_path: Path) -> None:
    """By its line, the summary, the exit code, the state in JSON, and by where its recording stands."""
    host = fake_codex("""
        hook("SessionStart")
        sys.stderr.write("no such model\\n")
        sys.exit(9)
    """)
    folder = own(a='[holds]\nrecords = ["zzz"]', b="")
    done = play(host, folder, tmp_path / "out")
    assert done.code == 3
    assert "a" + " " * 22 in done.text
    assert "Today's adapter records nothing of it, not zzz. The host ended with 9." in done.text
    assert "Its last words: no such model." in done.text
    assert "does not hold: a. --keep DIR leaves the raw runs to look at." in done.err
    done = play(host, folder, tmp_path / "out", "--json")
    assert_valid("evidence-run", done.json)
    assert (done.code, done.json["state"]) == (3, "failed")
    played = {one["scenario"]: one for one in done.json["played"]}
    assert (played["a"]["codes"], played["a"]["said"]) == ([9], ["no such model"])
    assert played["b"]["said"] == []
    assert sorted(str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.json")) == [
        "codex/0.0.1/b.json",
        "codex/0.0.1/failed/a.json",
    ]


def test_a_host_that_does_nothing_shows_nothing(fake_codex: Fake, own: Own, tmp_path: Path) -> None:
    """Though nothing is stated of it: what it left is no recording."""
    done = play(fake_codex("sys.exit(1)"), own(a=""), tmp_path / "out")
    assert done.code == 3
    assert "The host called no hook and asked no model. The host ended with 1." in done.text


def test_what_keeps_the_gates_from_being_computed_is_named_beside_the_rest(
    fake_codex: Fake, own: Own, tmp_path: Path
) -> None:
    """The summary, or the JSON, is there all the same."""
    place = tmp_path / "out" / "codex" / "0.0.1"
    place.mkdir(parents=True)
    (place / "unheard.json").write_text("{}")
    done = play(fake_codex(STARTS), own(a=""), tmp_path / "out", "--json")
    assert (done.code, done.json["state"], done.json["gates"]) == (3, "failed", {})
    assert "unheard.json" in done.err


def test_a_gate_that_failed_is_named_and_red(fake_codex: Fake, own: Own, tmp_path: Path) -> None:
    """By what was recorded before, though all that was played now holds."""
    host, out = fake_codex(STARTS), tmp_path / "out"
    folder = own(a="", b="")
    assert play(host, folder, out).code == 0
    (folder / "codex" / "b.toml").write_text(SCENE + '[holds]\nrecords = ["zzz"]')
    done = play(host, folder, out, "--scenario", "a")
    assert done.code == 3
    assert "failed gates: " in done.err


def test_with_json_a_good_run_is_ready(fake_codex: Fake, own: Own, tmp_path: Path) -> None:
    """One document on standard output; all that is for people goes elsewhere."""
    done = play(fake_codex(STARTS), own(a=""), tmp_path / "out", "--json")
    assert_valid("evidence-run", done.json)
    assert (done.code, done.json["state"], done.json["version"]) == (0, "ready", "0.0.1")


def test_a_library_that_is_not_there_is_named_with_how_to_get_it(tmp_path: Path) -> None:
    """Most people have no need of it, so it is not installed with the rest."""
    script = "import sys; sys.modules['pyte'] = None; from ledger.entry import main; sys.exit(main())"
    words = [sys.executable, "-c", script, "evidence", "run", "codex", "--scenario", "direct"]
    done = subprocess.run(words, capture_output=True, check=False, cwd=tmp_path, env={**os.environ})
    assert (done.returncode, done.stdout) == (4, b"")
    assert b"A run needs readmark[evidence]" in done.stderr
    assert b"uv tool install --force '.[evidence]'" in done.stderr
    script = script.replace("main()", "main()")
    listed = [sys.executable, "-c", script, "evidence", "scenarios", "codex"]
    assert subprocess.run(listed, capture_output=True, check=False, cwd=tmp_path).returncode == 0


def test_with_readmark_as_the_hook_nothing_is_recorded_and_that_is_said(
    fake_codex: Fake, tmp_path: Path
) -> None:
    """A folder that is named and then not used would be looked for in vain."""
    host = fake_codex("")
    words = ["--binary", str(host), "--readmark", str(host), "--out", str(tmp_path / "out")]
    done = run("evidence", "run", "codex", *words)
    assert done.code == 2
    assert "--out has nothing to name" in done.err


def test_what_is_no_readmark_is_named_before_anything_is_played(fake_codex: Fake) -> None:
    """It says a version, and not that it is readmark."""
    host = fake_codex("")
    done = run("evidence", "run", "codex", "--binary", str(host), "--readmark", str(host))
    assert (done.code, done.out) == (4, b"")
    assert "prints no version. Is it the program of readmark?" in done.err


def test_scenarios_of_ones_own_are_not_recorded_among_readmarks(fake_codex: Fake, own: Own) -> None:
    """Nobody who checks that folder has them."""
    words = ["--binary", str(fake_codex("")), "--scenarios", str(own(a=""))]
    done = run("evidence", "run", "codex", *words)
    assert done.code == 2
    assert "name a folder by --out" in done.err


@pytest.mark.parametrize("option", ["--out", "--keep"])
def test_a_folder_that_cannot_be_written_is_named_before_the_first_scenario(
    fake_codex: Fake, own: Own, tmp_path: Path, option: str
) -> None:
    """Below a file: nobody waits for all scenarios to hear that."""
    (tmp_path / "file").write_text("")
    mark = tmp_path / "played"
    host = fake_codex(f"open({str(mark)!r}, 'w')")
    more = [] if option == "--out" else ["--keep", str(tmp_path / "file" / "x")]
    out = tmp_path / "file" / "x" if option == "--out" else tmp_path / "out"
    done = play(host, own(a=""), out, *more)
    assert (done.code, done.out) == (4, b"")
    assert f"Not a directory. Name another folder with {option}." in done.err
    assert not mark.exists()


def test_a_disk_that_is_full_leaves_no_half_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The draft goes too."""

    def full(path: Path, data: bytes) -> int:
        del data
        path.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(UnusableError, match="No space left on device"):
        form.write(Recording("codex", "1.0", scene().name, []), tmp_path)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_broken_list_of_packages_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says which program a host has."""
    broken = tmp_path / "hosts.toml"
    broken.write_text("[codex")
    monkeypatch.setattr(packages, "PINNED", broken)
    done = run("evidence", "run", "codex", "--scenario", "direct")
    assert (done.code, done.out) == (4, b"")
    assert str(broken) in done.err


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("= 1", "Invalid"),
        ('[holds]\nrefuses = ["actor-subagnt"]', "holds.refuses: 'actor-subagnt' is no known reason"),
        ('[holds]\nevents = ["SesionStart"]', "holds.events: 'SesionStart' is no known event of codex"),
        ('[holds]\nabsent = ["Stopp agent=yes"]', "holds.absent: 'Stopp' is no known event of codex"),
        ('[answers.Ende]\nout = ""', "answers: 'Ende' is no known event of codex"),
        ('[[runs]]\nkeys = [{ press = "entr" }]', "runs[1].keys[0].press: 'entr' is no known key"),
        ('[[runs]]\nkeys = [{ signal = "TREM" }]', "runs[1].keys[0].signal: 'TREM' is no known signal"),
        ('[[runs]]\nsignal = "SIGTERM"', "runs[1].signal: 'SIGTERM' is no known signal"),
        ('[[runs]]\nkeys = [{ screen = "(" }]', "runs[1].keys[0].screen: '(' is no regular expression"),
        ('[[runs]]\nkeys = [{ event = "Stopp" }]', "runs[1].keys: 'Stopp' is no known event"),
        ('[[runs]]\ninput = [{ send = {}, event = "Stopp" }]', "runs[1].input: 'Stopp' is no known event"),
        ('[files]\n"../../x" = ""', "files: '../../x' is no path below the folder"),
        ('[files]\n"/x" = ""', "files: '/x' is no path below the folder"),
        ('[home]\n"a/../../x" = ""', "home: 'a/../../x' is no path below the folder"),
        ('[links]\n"/etc/x" = "y"', "links: '/etc/x' is no path below $project or $home"),
        ('[links]\n"$home/../x" = "y"', "links: '$home/../x' is no path below $project or $home"),
    ],
)
def test_a_scenario_with_a_fault_is_named_with_its_place_and_the_rest_are_listed(
    fake_codex: Fake, own: Own, tmp_path: Path, more: str, told: str
) -> None:
    """Neither is it played, nor does it hide the others."""
    folder = own(good="", bad=more)
    where = str(folder / "codex" / "bad.toml")
    done = run("evidence", "scenarios", "codex", "--scenarios", str(folder))
    assert done.code == 3
    assert done.text == "Scenario  Purpose\ngood      A test.\n"
    assert f"{where}: {told}" in done.err
    done = run("evidence", "scenarios", "codex", "--scenarios", str(folder), "--json")
    assert_valid("evidence-scenarios", done.json)
    assert (done.code, done.json["state"], len(done.json["faults"])) == (3, "faulty", 1)
    done = play(fake_codex(""), folder, tmp_path / "out", "--scenario", "bad")
    assert (done.code, done.out) == (3, b"")
    assert f"{where}: {told}" in done.err
    assert not (tmp_path / "x").exists()


def test_a_recording_that_tells_of_the_machine_is_not_written(
    fake_codex: Fake, own: Own, tmp_path: Path
) -> None:
    """Not apart either: it must not leave the machine by oversight."""
    host = fake_codex('hook("SessionStart", file="/run/user/" + str(os.getuid()) + "/x", w="root@x")')
    done = play(host, own(a=""), tmp_path / "out")
    assert done.code == 3
    assert "It still holds" in done.text
    assert [path for path in (tmp_path / "out").rglob("*") if path.is_file()] == []

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from adapters.evidence.runner import Options
from adapters.evidence.scenario import Holds
from adapters.evidence.several import Result, line, play_all
from contracts.evidence import Recording
from tests.adapters.evidence.scenes import alive, scene

ROOT = Path(__file__).parents[3]
Fake = Callable[[str], Path]


def test_results_are_reported_one_by_one_and_come_back_in_order(fake_codex: Fake, tmp_path: Path) -> None:
    """A good run is written in the form of the checked-in recordings."""
    host = fake_codex("""
        hook("SessionStart", source="startup")
    """)
    scenes = [scene(name=name, holds=Holds(events=["SessionStart"])) for name in ("one", "two", "three")]
    seen: list[Result] = []
    results = play_all(scenes, host, tmp_path / "out", seen.append)
    assert [result.scenario.name for result in results] == ["one", "two", "three"]
    assert sorted(result.scenario.name for result in seen) == ["one", "three", "two"]
    assert all(result.good for result in results)
    path = tmp_path / "out" / "codex" / "0.0.1" / "two.json"
    assert results[1].path == path
    assert msgspec.json.decode(path.read_bytes(), type=Recording) == results[1].played.recording
    assert line(results[1]).split()[0] == "two"


def test_a_run_that_does_not_hold_is_reported_and_stands_apart(fake_codex: Fake, tmp_path: Path) -> None:
    """It must not become evidence, yet an adapter is mended from it; once it holds, it is taken away."""
    host = fake_codex("""
        hook("SessionStart", source="startup")
        sys.stderr.write("one\\n\\n" + os.getcwd() + " is odd\\n")
        sys.exit(7)
    """)
    (result,) = play_all([scene(holds=Holds(events=["Stop"]))], host, tmp_path / "out", lambda _: None)
    folder = tmp_path / "out" / "codex" / "0.0.1"
    assert not result.good
    assert result.path == folder / "failed" / "test.json"
    assert sorted(folder.glob("*")) == [folder / "failed"]
    assert (
        "FAILED  After what came before it, there is no 'Stop'. The host ended with 7."
        " Its last words: one / /project/test is odd." in line(result)
    )
    (result,) = play_all([scene()], host, tmp_path / "out", lambda _: None)
    assert sorted(folder.glob("*")) == [folder / "test.json"]


@pytest.mark.parametrize(
    ("holds", "told"),
    [
        (Holds(records=["zzz"]), "Today's adapter records nothing of it, not zzz."),
        (Holds(refuses=["actor-subagent"]), "It refuses foreign-payload, not actor-subagent."),
        (Holds(told_of=["zzz"]), "It tells subagents of nothing at all, not of zzz."),
    ],
    ids=["records", "refuses", "told_of"],
)
def test_a_recording_is_held_against_what_is_stated_of_its_replay(
    fake_codex: Fake, tmp_path: Path, holds: Holds, told: str
) -> None:
    """A host that breaks a gate looks red at once, not only when the verdicts are computed."""
    host = fake_codex("""
        hook("SessionStart", source="startup")
    """)
    (result,) = play_all([scene(holds=holds)], host, tmp_path / "out", lambda _: None)
    assert result.failures == (told,)
    assert result.path is not None
    assert result.path.parent.name == "failed"


def test_a_scenario_that_plays_for_long_is_said_to_have_started(fake_codex: Fake) -> None:
    """Once, and only where there would be silence."""
    host = fake_codex("""
        time.sleep(0 if "quick" in os.getcwd() or "--version" in sys.argv else 2.5)
    """)
    told: list[str] = []
    play_all([scene(name="slow")], host, None, lambda _: None, long=lambda one: told.append(one.name))
    assert told == ["slow"]


def test_scenarios_run_side_by_side(fake_codex: Fake, tmp_path: Path) -> None:
    """Each host waits for the other; alone, neither would end well."""
    host = fake_codex(f"""
        hook("SessionStart", source="startup")
        place = {str(tmp_path)!r} + "/here-"
        open(place + str(os.getpid()), "w").close()
        import glob
        while len(glob.glob(place + "*")) < 2:
            time.sleep(0.02)
    """)
    scenes = [scene(name=name, deadline=20) for name in ("one", "two")]
    results = play_all(scenes, host, None, lambda _: None, Options(jobs=2))
    assert [result.failures for result in results] == [(), ()]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_run_that_is_stopped_leaves_nothing(
    fake_codex: Fake, tmp_path: Path, number: signal.Signals
) -> None:
    """No host, no tool however far it went, no folder; whoever stops it twice changes nothing."""
    host = fake_codex(f"""
        tool = start("exec sleep 600")
        mark = {str(tmp_path)!r} + f"/pids-{{os.getpid()}}"
        lost = mark + ".lost"
        # Another session, without the environment and the folder of the run, and without a parent.
        far = f"cd / && (env -i setsid sh -c 'echo $$ > {{lost}}; exec sleep 600' &)"
        subprocess.run(["/bin/sh", "-c", far])
        while not (os.path.exists(lost) and open(lost).read().endswith("\\n")):
            time.sleep(0.02)
        open(mark + ".tmp", "w").write(f"{{os.getpid()}} {{tool.pid}} {{open(lost).read()}}")
        os.rename(mark + ".tmp", mark + ".pids")
        time.sleep(600)
    """)
    readmark = str(Path(sys.executable).with_name("readmark"))
    words = [readmark, "evidence", "run", "codex", "--binary", str(host), "--out", str(tmp_path / "out")]
    words += ["--scenario", "direct", "--scenario", "fail", "--jobs", "2"]
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    running = subprocess.Popen(words, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    limit = time.monotonic() + 60
    while len(found := list(tmp_path.glob("*.pids"))) < 2:
        assert time.monotonic() < limit
        assert running.poll() is None
        time.sleep(0.02)
    running.send_signal(number)
    time.sleep(0.05)
    running.send_signal(number)
    out, _ = running.communicate(timeout=60)
    pids = [int(pid) for path in found for pid in path.read_text().split()]
    assert running.returncode == 3
    assert out.endswith(b"readmark: stopped; nothing of the run goes on.\n")
    assert len(pids) == 6
    assert [pid for pid in pids if alive(pid)] == []
    assert list(tmp_path.glob("evidence-*")) == []
    assert list((tmp_path / "out").rglob("*.*")) == []


def test_a_tool_that_left_its_environment_behind_ends_with_its_scenario(fake_codex: Fake) -> None:
    """It still works in a folder of the run."""
    host = fake_codex("""
        far = "(env -i setsid sh -c 'echo $$ > ../far; exec sleep 600' &)"
        subprocess.run(["/bin/sh", "-c", far])
        while not os.path.exists("../far"):
            time.sleep(0.02)
        time.sleep(0.2)
        hook("Stop", far=int(open("../far").read()))
    """)
    (result,) = play_all([scene()], host, None, lambda _: None)
    assert not alive((result.played.recording.events[0].stdin or {})["far"])


def test_a_signal_that_is_ignored_from_the_start_stays_ignored(fake_codex: Fake, tmp_path: Path) -> None:
    """What `nohup` is for: the window may be closed."""
    mark = tmp_path / "mark"
    host = fake_codex(f"""
        open({str(mark)!r}, "w").close()
        while os.path.exists({str(mark)!r}):
            time.sleep(0.02)
        hook("SessionStart", source="startup")
    """)
    readmark = str(Path(sys.executable).with_name("readmark"))
    words = ["nohup", readmark, "evidence", "run", "codex", "--binary", str(host), "--scenario", "direct"]
    words += ["--out", str(tmp_path / "out"), "--json"]
    running = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    limit = time.monotonic() + 60
    while not mark.exists():
        assert time.monotonic() < limit
        time.sleep(0.02)
    running.send_signal(signal.SIGHUP)
    mark.unlink()
    out, _ = running.communicate(timeout=60)
    assert b'"scenario":"direct"' in out

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

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


def test_a_run_that_does_not_hold_is_reported_and_not_written(fake_codex: Fake, tmp_path: Path) -> None:
    """A recording that shows something else than its scenario says must not become evidence."""
    host = fake_codex("""
        hook("SessionStart", source="startup")
    """)
    (result,) = play_all([scene(holds=Holds(events=["Stop"]))], host, tmp_path / "out", lambda _: None)
    assert not result.good
    assert result.path is None
    assert not (tmp_path / "out").exists()
    assert "FAILED  After what came before it, there is no 'Stop'." in line(result)


def test_scenarios_run_side_by_side(fake_codex: Fake, tmp_path: Path) -> None:
    """Each host waits for the other; alone, neither would end well."""
    host = fake_codex(f"""
        place = {str(tmp_path)!r} + "/here-"
        open(place + str(os.getpid()), "w").close()
        import glob
        while len(glob.glob(place + "*")) < 2:
            time.sleep(0.02)
    """)
    scenes = [scene(name=name, deadline=20) for name in ("one", "two")]
    results = play_all(scenes, host, None, lambda _: None, Options(jobs=2))
    assert [result.failures for result in results] == [(), ()]


def test_ctrl_c_leaves_nothing_running(fake_codex: Fake, tmp_path: Path) -> None:
    """Neither the hosts nor the tools that they started in sessions of their own."""
    host = fake_codex(f"""
        tool = start("exec sleep 600")
        place = {str(tmp_path)!r} + f"/pids-{{os.getpid()}}"
        open(place + ".tmp", "w").write(f"{{os.getpid()}} {{tool.pid}}")
        os.rename(place + ".tmp", place)
        time.sleep(600)
    """)
    readmark = str(Path(sys.executable).with_name("readmark"))
    words = [readmark, "evidence", "run", "codex", "--binary", str(host), "--out", str(tmp_path / "out")]
    words += ["--scenario", "direct", "--scenario", "fail", "--jobs", "2"]
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    running = subprocess.Popen(words, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    limit = time.monotonic() + 30
    while len(found := [path for path in tmp_path.glob("pids-*") if path.suffix != ".tmp"]) < 2:
        assert time.monotonic() < limit
        assert running.poll() is None
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=30)
    pids = [int(pid) for path in found for pid in path.read_text().split()]
    assert len(pids) == 4
    assert [pid for pid in pids if alive(pid)] == []
    assert list(tmp_path.glob("evidence-*")) == []

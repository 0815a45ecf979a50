"""`readmark plugin build`: what it puts into which folder, and what it leaves alone."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import stat
from pathlib import Path
from typing import Any

import msgspec
import pytest

from adapters import plugin as bundle
from adapters.hosts import HOSTS, load
from adapters.registration import registration
from contracts.version import __version__
from tests.ledger.cli.running import assert_valid, run

HOSTS_WITH = [name for name in HOSTS if load(name).REGISTRATION.plugin is not None]
HOOKS = {"codex": "plugins/readmark/hooks/hooks.json", "claude-code": "readmark/hooks/hooks.json"}
MANIFESTS = {
    "codex": ("plugins/readmark/.codex-plugin/plugin.json", ".agents/plugins/marketplace.json"),
    "claude-code": ("readmark/.claude-plugin/plugin.json", ".claude-plugin/marketplace.json"),
}


def everything(folder: Path) -> dict[str, bytes]:
    """Return each file below a folder with its bytes."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def commands(folder: Path, host: str) -> list[str]:
    """Return the commands of the plugin's hooks."""
    hooks: dict[str, Any] = json.loads((folder / HOOKS[host]).read_text())["hooks"]
    return [call["command"] for groups in hooks.values() for group in groups for call in group["hooks"]]


def test_a_umask_that_takes_all_takes_nothing_of_a_build(tmp_path: Path) -> None:
    """Folders on the way to it are made, and stay open to their owner."""
    folder = tmp_path / "new" / "deeper" / "plugin"
    old = os.umask(0o777)
    try:
        done = run("plugin", "build", "codex", str(folder))
        modes = [stat.S_IMODE(path.stat().st_mode) for path in (folder, folder.parent, tmp_path / "new")]
    finally:
        os.umask(old)
    assert done.code == 0
    assert modes == [0o755, 0o700, 0o700]
    assert everything(folder)


@pytest.mark.parametrize("host", HOSTS_WITH)
def test_a_built_folder_holds_the_plugin_and_says_how_to_take_it_in(host: str, tmp_path: Path) -> None:
    """Its hooks are those of the registration, its version is ours, and every file is listed."""
    folder = tmp_path / "a b"
    done = run("plugin", "build", host, str(folder), "--json")
    assert done.code == 0
    assert_valid("plugin-build", done.json)
    assert (done.json["state"], done.json["folder"]) == ("made", str(folder))
    assert sorted(everything(folder)) == done.json["files"]
    made = json.loads((folder / HOOKS[host]).read_text())
    stated = registration(load(host), None).hooks
    assert {event: len(groups) for event, groups in made["hooks"].items()} == {
        event: len(groups) for event, groups in stated.items()
    }
    manifest, marketplace = (json.loads((folder / name).read_text()) for name in MANIFESTS[host])
    assert (manifest["name"], manifest["version"]) == ("readmark", __version__)
    assert [one["name"] for one in marketplace["plugins"]] == ["readmark"]
    assert [stat.S_IMODE((folder / name).stat().st_mode) for name in done.json["files"]] == [0o644] * len(
        done.json["files"]
    )
    # What is printed can be pasted: a folder with a blank is one word.
    assert str(folder) in shlex.split(done.json["add"][0])
    text = run("plugin", "build", host, str(folder)).text
    for line in (*done.json["add"], *done.json["remove"]):
        assert f"  {line}\n" in text


@pytest.mark.parametrize("host", HOSTS_WITH)
def test_it_names_no_place_of_this_machine(host: str, tmp_path: Path, private_home: Path) -> None:
    """It is carried to other machines; and the same version is the same to the byte."""
    run("plugin", "build", host, str(tmp_path / "one"))
    run("plugin", "build", host, str(tmp_path / "two"))
    assert everything(tmp_path / "one") == everything(tmp_path / "two")
    for data in everything(tmp_path / "one").values():
        for place in (tmp_path, private_home, Path.cwd()):
            assert str(place).encode() not in data


def test_a_fixed_command_is_called_by_its_path(tmp_path: Path) -> None:
    """A relative one, or one that no JSON can hold, is wrong usage."""
    folder = tmp_path / "made"
    assert run("plugin", "build", "codex", str(folder), "--command", "bin/readmark").code == 2
    assert run("plugin", "build", "codex", str(folder), "--command", "/opt/\udcff/readmark").code == 2
    assert not folder.exists()
    assert run("plugin", "build", "codex", str(folder), "--command", "/opt/a b/readmark").code == 0
    assert all("/opt/a b/readmark" in line for line in commands(folder, "codex"))
    assert "/opt/a b/readmark" in (folder / "plugins/readmark/README.md").read_text()


def test_building_again_replaces_an_earlier_build_as_a_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that is no longer part of it goes; its mode stays; the same again changes nothing."""
    folder = tmp_path / "made"
    folder.mkdir(0o750)
    folder.chmod(0o750)
    assert run("plugin", "build", "claude-code", str(folder), "--json").json["state"] == "made"
    before = everything(folder)
    times = {name: (folder / name).stat().st_mtime_ns for name in before}
    assert run("plugin", "build", "claude-code", str(folder), "--json").json["state"] == "unchanged"
    assert {name: (folder / name).stat().st_mtime_ns for name in before} == times

    monkeypatch.setattr(bundle, "__version__", "9.9.9")
    listed = json.loads((folder / bundle.MARKER).read_bytes())
    (folder / "old" / "er").mkdir(parents=True)
    (folder / "old" / "er" / "file").write_text("of an earlier version")
    (folder / bundle.MARKER).write_text(json.dumps({**listed, "files": [*listed["files"], "old/er/file"]}))
    done = run("plugin", "build", "claude-code", str(folder), "--json")
    assert done.json["state"] == "replaced"
    assert sorted(everything(folder)) == done.json["files"]
    assert not (folder / "old").exists()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o750
    assert [path.name for path in tmp_path.iterdir()] == ["made"]


def test_a_dry_run_builds_nothing(tmp_path: Path) -> None:
    """And says what would be built."""
    done = run("plugin", "build", "codex", str(tmp_path / "x" / "y"), "--dry-run", "--json")
    assert (done.json["state"], done.json["dryRun"]) == ("made", True)
    assert "Would build" in run("plugin", "build", "codex", str(tmp_path / "x" / "y"), "--dry-run").text
    assert list(tmp_path.iterdir()) == []


def _foreign(folder: Path) -> None:
    folder.mkdir()
    (folder / "mine.txt").write_text("mine")


def _added(folder: Path) -> None:
    run("plugin", "build", "claude-code", str(folder))
    (folder / "readmark" / "mine.txt").write_text("mine")


def _empty_inside(folder: Path) -> None:
    run("plugin", "build", "claude-code", str(folder))
    (folder / "mine").mkdir()


def _linked_inside(folder: Path) -> None:
    run("plugin", "build", "claude-code", str(folder))
    (folder / "mine").symlink_to("/")


def _linked_file(folder: Path) -> None:
    run("plugin", "build", "claude-code", str(folder))
    (folder / "README.md").unlink()
    (folder / "README.md").symlink_to("/dev/null")


def _pipe(folder: Path) -> None:
    folder.mkdir()
    os.mkfifo(folder / bundle.MARKER)


def _of_another_host(folder: Path) -> None:
    run("plugin", "build", "codex", str(folder))


def _file(folder: Path) -> None:
    folder.write_text("mine")


def _marked(folder: Path) -> None:
    folder.mkdir()
    (folder / bundle.MARKER).write_text('{"files": 5}')


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (_foreign, "mine.txt"),
        (_added, "readmark/mine.txt"),
        (_empty_inside, "mine"),
        (_linked_inside, "mine"),
        (_linked_file, "README.md"),
        (_pipe, bundle.MARKER),
        (_of_another_host, "a plugin for codex. Name another one for claude-code, or remove this one first."),
        (_file, "no folder"),
        (_marked, bundle.MARKER),
    ],
)
def test_a_folder_with_anything_else_is_left_as_it_is(spoil: Any, says: str, tmp_path: Path) -> None:
    """With exit code 3, the name of what would be lost, and what to do instead."""
    folder = tmp_path / "folder"
    spoil(folder)
    before = everything(tmp_path)
    done = run("plugin", "build", "claude-code", str(folder))
    assert (done.code, done.out) == (3, b"")
    assert says in done.err
    assert "nothing was built" in done.err
    told = run("plugin", "build", "claude-code", str(folder), "--json")
    assert told.code == 3
    assert_valid("plugin-build", told.json)
    assert everything(tmp_path) == before


def test_a_build_that_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The earlier build is put back where the new one cannot take its place."""
    folder = tmp_path / "made"
    run("plugin", "build", "codex", str(folder))
    before = everything(folder)
    real = Path.rename

    def refuses(self: Path, target: Path) -> Path:
        if self.name.startswith(".made") and not self.name.endswith(".old"):
            raise OSError(28, "No space left on device")
        return real(self, target)

    monkeypatch.setattr(Path, "rename", refuses)
    done = run("plugin", "build", "codex", str(folder), "--command", "/opt/readmark")
    assert (done.code, "No space left" in done.err) == (3, True)
    assert everything(folder) == before
    assert [path.name for path in tmp_path.iterdir()] == ["made"]


def test_a_folder_that_may_not_be_looked_at_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what the system says of it."""

    def refuses(self: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "exists", refuses)
    assert "Permission denied" in run("plugin", "build", "codex", str(tmp_path / "x")).err


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give folders away")
def test_nothing_is_built_in_the_folder_of_another(tmp_path: Path) -> None:
    """Root's files there would be in its owner's way."""
    os.chown(tmp_path, 1234, 2345)
    done = run("plugin", "build", "codex", str(tmp_path / "x"))
    assert (done.code, "belongs to another user" in done.err) == (3, True)
    assert list(tmp_path.iterdir()) == []


def test_a_link_to_a_folder_stays_a_link(tmp_path: Path) -> None:
    """What it points to is what is built."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert run("plugin", "build", "codex", str(tmp_path / "link")).code == 0
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / bundle.MARKER).exists()
    shutil.rmtree(tmp_path / "real")


def test_a_host_that_takes_no_plugin_is_told_with_those_that_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is wrong usage."""
    host = load("codex")
    monkeypatch.setattr(host, "REGISTRATION", msgspec.structs.replace(host.REGISTRATION, plugin=None))
    done = run("plugin", "build", "codex", str(tmp_path / "x"))
    assert done.code == 2
    assert "codex takes no plugin" in done.err
    assert "claude-code" in done.err


@pytest.mark.parametrize("build", [None, "claude-code"])
def test_the_look_ends_at_the_first_thing_that_is_not_ours(
    build: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits while a whole disk is gone through; with a marker of ours no foreign folder is entered."""
    folder = tmp_path / "folder"
    if build is not None:
        run("plugin", "build", build, str(folder))
    for number in range(5):
        (folder / "mine" / str(number)).mkdir(parents=True)
    looked: list[str] = []
    real = os.scandir

    def counts(place: Any) -> Any:
        looked.append(str(place))
        return real(place)

    monkeypatch.setattr(os, "scandir", counts)
    done = run("plugin", "build", "claude-code", str(folder))
    assert (done.code, "mine" in done.err) == (3, True)
    assert not [place for place in looked if "mine" in place]
    assert run("plugin", "build", "claude-code", "/", "--dry-run").code == 3


def test_an_empty_path_is_wrong_usage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable that is not set shall not name the folder of work."""
    monkeypatch.chdir(tmp_path)
    assert run("plugin", "build", "codex", "").code == 2
    assert run("show", "--out", "").code == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("inside", [".", "readmark/hooks"])
def test_a_folder_that_somebody_works_in_is_built_in_its_place(
    inside: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its shell goes on in it, and the files are those of a build elsewhere."""
    folder = tmp_path / "made"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert run("plugin", "build", "claude-code", ".", "--json").json["state"] == "made"
    monkeypatch.chdir(folder / inside)
    _older(folder)
    before = Path.cwd().stat()
    assert run("plugin", "build", "claude-code", str(folder), "--json").json["state"] == "replaced"
    assert os.path.samestat(before, Path.cwd().stat())
    assert os.path.samestat(before, (folder / inside).stat())
    run("plugin", "build", "claude-code", str(tmp_path / "elsewhere"))
    assert everything(folder) == everything(tmp_path / "elsewhere")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["elsewhere", "made"]


def _older(folder: Path) -> None:
    """Make of a build one of an earlier version, with a file that is a folder now, and the other way."""
    marker = json.loads((folder / bundle.MARKER).read_bytes())
    (folder / "README.md").unlink()
    (folder / "README.md").mkdir()
    shutil.rmtree(folder / ".claude-plugin")
    names = ["README.md/x/y", ".claude-plugin"]
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("of an earlier version")
    listed = {*marker["files"], *names} - {"README.md"}
    listed -= {one for one in listed if one.startswith(".claude-plugin/")}
    (folder / bundle.MARKER).write_text(json.dumps({**marker, "files": sorted(listed)}))


@pytest.mark.parametrize("steps", range(12))
def test_a_build_in_its_place_that_breaks_off_is_ended_by_the_next(
    steps: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever that is, each file is whole, and nothing is taken for somebody else's."""
    folder = tmp_path / "made"
    run("plugin", "build", "claude-code", str(folder))
    _older(folder)
    monkeypatch.chdir(folder)
    left = steps

    def breaks(change: Any) -> Any:
        def changes(*arguments: Any, **named: Any) -> Any:
            nonlocal left
            left -= 1
            if left < 0:
                raise OSError(5, "Input/output error")
            return change(*arguments, **named)

        return changes

    with monkeypatch.context() as broken:
        broken.setattr(os, "replace", breaks(os.replace))
        broken.setattr(Path, "unlink", breaks(Path.unlink))
        done = run("plugin", "build", "claude-code", ".")
    assert (done.code, left < 0) == ((3, True) if left < 0 else (0, False))
    assert run("plugin", "build", "claude-code", ".").code == 0
    run("plugin", "build", "claude-code", str(tmp_path / "elsewhere"))
    assert everything(folder) == everything(tmp_path / "elsewhere")


def test_a_marker_cannot_name_what_lies_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what is in the folder goes with a build in its place."""
    folder = tmp_path / "made"
    run("plugin", "build", "codex", str(folder))
    (tmp_path / "mine").write_text("mine")
    marker = json.loads((folder / bundle.MARKER).read_bytes())
    marker["files"] += ["../mine", str(tmp_path / "mine"), "missing"]
    (folder / bundle.MARKER).write_text(json.dumps(marker))
    monkeypatch.chdir(folder)
    assert run("plugin", "build", "codex", ".", "--json").json["state"] == "replaced"
    assert (tmp_path / "mine").read_text() == "mine"


def test_a_build_elsewhere_needs_no_folder_of_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the shell's own folder is gone, nobody works in the one that is built."""
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert run("plugin", "build", "codex", str(tmp_path / "made")).code == 0
    assert (tmp_path / "made" / bundle.MARKER).exists()
    assert run("plugin", "build", "codex", "made", "--json").json["reason"] == "folder-gone"

"""What an install makes besides the hooks: folders and a lock, which go again, and what a file keeps."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from ledger.install import change, files, made
from tests.ledger.cli.running import command, run, state_home

FILES = {"codex": ".codex/hooks.json", "claude-code": ".claude/settings.json"}
XATTR = "user.readmark-test"


@pytest.fixture(autouse=True)
def program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Say where the command is."""
    monkeypatch.setattr("ledger.cli.install.program", lambda: "/opt/readmark")


def tree(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Return all that there is below a folder: its mode, and the bytes of a file."""
    return {
        path.relative_to(folder).as_posix(): (
            path.stat().st_mode,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in folder.rglob("*")
    }


@pytest.mark.parametrize("there", [(), (".codex",), (".claude",), (".codex", ".local", ".claude/x")])
def test_after_an_uninstall_all_is_as_it_was(there: tuple[str, ...], private_home: Path) -> None:
    """Every folder and the lock, whatever was there before, and in which order the hosts go."""
    for name in there:
        (private_home / name).mkdir(parents=True, mode=0o750)
    before = tree(private_home)
    for order in (("codex", "claude-code"), ("claude-code", "codex")):
        for host in ("codex", "claude-code", "codex"):
            assert run("install", host).code == 0
        assert not (state_home() / change.LOCK).exists()
        for host in order:
            assert run("uninstall", host).code == 0
        assert tree(private_home) == before


def test_a_project_is_as_it_was(tmp_path: Path, private_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own folder of the host, too."""
    monkeypatch.chdir(tmp_path)
    for host in FILES:
        assert run("install", host, "--scope", "project").code == 0
    assert (tmp_path / FILES["codex"]).exists()
    for host in FILES:
        assert run("uninstall", host, "--scope", "project").code == 0
    assert (tree(tmp_path), tree(private_home)) == ({}, {})


def test_a_state_folder_that_was_there_stays(private_home: Path) -> None:
    """It may hold what was recorded; nothing of the install is left in it."""
    state_home().mkdir(parents=True, mode=0o700)
    before = tree(private_home)
    run("install", "codex")
    run("uninstall", "codex")
    assert tree(private_home) == before


def test_folders_that_others_use_stay(private_home: Path) -> None:
    """The host's own, and the state folder once hooks were heard."""
    run("install", "codex")
    (private_home / ".codex" / "history").write_text("x")
    (state_home() / "diagnostics.jsonl").write_text("x")
    assert run("uninstall", "codex").code == 0
    assert sorted(path.name for path in private_home.rglob("*") if path.is_file()) == [
        "diagnostics.jsonl",
        "history",
    ]


def test_a_folder_that_was_made_anew_is_anothers(private_home: Path) -> None:
    """Of the same name, and empty, but not the one that an install made."""
    run("install", "codex")
    folder = private_home / ".codex"
    moved = folder.rename(private_home / "moved")
    folder.mkdir()
    (moved / "hooks.json").rename(folder / "hooks.json")
    assert run("uninstall", "codex").code == 0
    assert folder.is_dir()


@pytest.mark.parametrize("text", ["", "[]", '{"files": 1}', "\udcff"])
def test_a_memory_that_cannot_be_read_removes_nothing(text: str, private_home: Path) -> None:
    """What is not known to be ours stays."""
    run("install", "codex")
    (state_home() / made.NAME).write_bytes(text.encode(errors="surrogateescape"))
    assert run("uninstall", "codex").code == 0
    assert (private_home / ".codex").is_dir()
    assert list(state_home().iterdir()) == []


def test_a_folder_whose_name_is_no_text_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It cannot be remembered; all else is as for any other."""
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "\udcff"))
    assert run("install", "codex").code == 0
    assert run("uninstall", "codex").code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["\udcff"]
    assert list((tmp_path / "\udcff").iterdir()) == []
    assert not state_home().exists()


def test_a_link_to_a_file_whose_name_is_no_text_is_followed(private_home: Path) -> None:
    """The folder that is made for it cannot be remembered and stays."""
    (private_home / ".codex").mkdir()
    (private_home / FILES["codex"]).symlink_to("../new/\udcff")
    assert run("install", "codex").code == 0
    assert (private_home / "new" / "\udcff").exists()
    assert run("uninstall", "codex").code == 0
    assert list((private_home / "new").iterdir()) == []
    assert not state_home().exists()


def test_a_file_that_becomes_read_only_meanwhile_is_left(
    private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is looked at again under the lock."""
    file = private_home / FILES["codex"]
    file.parent.mkdir()
    file.write_text("{}")
    real = change.ensure_private

    def locking(folder: Path) -> None:
        real(folder)
        file.chmod(0o400)

    monkeypatch.setattr(change, "ensure_private", locking)
    done = run("install", "codex")
    assert (done.code, "read-only" in done.err) == (3, True)
    assert sorted(tree(private_home)) == [".codex", ".codex/hooks.json"]


def test_a_refused_install_leaves_nothing(private_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a folder nor a lock, where the fault shows before, and where it shows while it is written."""
    folder = private_home / ".codex"
    folder.mkdir()
    folder.chmod(0o500)
    before = tree(private_home)
    assert run("install", "codex").code == 3
    assert tree(private_home) == before
    folder.chmod(0o700)
    folder.rmdir()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    done = run("install", "codex")
    assert (done.code, "No space left" in done.err) == (3, True)
    assert tree(private_home) == {}


def test_a_memory_that_cannot_be_written_is_told(private_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As any other trouble with files."""
    real = Path.replace

    def refuses(self: Path, target: Path) -> Path:
        if Path(target).name == made.NAME:
            raise OSError(28, "No space left on device")
        return real(self, target)

    monkeypatch.setattr(Path, "replace", refuses)
    done = run("install", "codex")
    assert (done.code, "No space left" in done.err) == (3, True)
    assert not [path for path in private_home.rglob("*") if path.is_file()]


def test_who_waited_while_all_was_removed_begins_again(
    private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another's uninstall takes the lock's file and the folder with it."""
    real = change.made.remember
    left: list[int] = []

    def removing(state: Path, target: Path | None, folders: tuple[Path, ...]) -> None:
        if left:
            left.pop()
            raise FileNotFoundError(2, "No such file or directory")
        real(state, target, folders)

    for times, code in ((1, 0), (change.ATTEMPTS, 3)):
        left += [0] * times
        monkeypatch.setattr(change.made, "remember", removing)
        assert run("install", "codex").code == code
        monkeypatch.setattr(change.made, "remember", real)
        assert run("uninstall", "codex").code == 0
    assert tree(private_home) == {}


def test_installs_and_uninstalls_at_once_end_in_one_of_both(private_home: Path) -> None:
    """None fails, none leaves a lock or half a file."""
    for _ in range(2):
        running = [
            subprocess.Popen(command(verb, "codex"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            for verb in ("install", "uninstall", "install", "uninstall")
        ]
        assert [(one.communicate()[1], one.returncode) for one in running] == [(b"", 0)] * 4
        left = {path.name for path in private_home.rglob("*") if path.is_file()}
        assert left <= {"hooks.json", made.NAME}
    assert run("uninstall", "codex").code == 0
    assert not [path for path in private_home.rglob("*") if path.is_file()]


def attributed(path: Path) -> bool:
    """Give a file an extended attribute, where its file system has them."""
    try:
        os.setxattr(path, XATTR, b"kept")
    except (OSError, AttributeError):
        return False
    return True


@pytest.fixture
def file(private_home: Path) -> Path:
    """Return a user's file of Codex with an extended attribute."""
    path = private_home / FILES["codex"]
    path.parent.mkdir()
    path.write_text("{}")
    if not attributed(path):
        pytest.skip("the file system knows no extended attributes")
    return path


def test_extended_attributes_are_kept(file: Path) -> None:
    """By the file that takes the place of the old one, and by the backup."""
    assert run("install", "codex").code == 0
    for path in (file, file.with_name(file.name + files.BACKUP)):
        assert os.getxattr(path, XATTR) == b"kept"
    assert run("uninstall", "codex").code == 0
    assert os.getxattr(file, XATTR) == b"kept"


def test_an_attribute_that_a_new_file_has_by_itself_is_not_given_again(
    private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a system's own label, which only the system may set."""

    def refuses(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    (private_home / ".codex").mkdir()
    (private_home / FILES["codex"]).write_text("{}")
    monkeypatch.setattr(os, "listxattr", lambda _: ["security.label"], raising=False)
    monkeypatch.setattr(os, "getxattr", lambda *_: b"same", raising=False)
    monkeypatch.setattr(os, "setxattr", refuses, raising=False)
    assert run("install", "codex").code == 0


def test_an_attribute_that_cannot_be_kept_leaves_the_file(
    file: Path, private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its name: an access list must not get lost without a word."""

    def refuses(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "setxattr", refuses)
    before = tree(private_home)
    done = run("install", "codex")
    assert done.code == 3
    assert XATTR in done.err
    assert tree(private_home) == before
    assert file.exists()


@pytest.mark.parametrize("number", [95, 13])
def test_a_file_system_without_attributes_is_no_fault(
    number: int, private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that does not let us look is."""
    (private_home / ".codex").mkdir()
    (private_home / FILES["codex"]).write_text("{}")

    def refuses(*_: object) -> list[str]:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "listxattr", refuses, raising=False)
    assert run("install", "codex").code == (0 if number == 95 else 3)


def test_a_system_without_attributes_is_no_fault(private_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python knows them only on Linux."""
    (private_home / ".codex").mkdir()
    (private_home / FILES["codex"]).write_text("{}")
    monkeypatch.delattr(os, "listxattr", raising=False)
    assert run("install", "codex").code == 0

"""Where the state lives: one precedence, nothing under the root or the working folder, nothing shared."""

from __future__ import annotations

import os
import pwd
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from ledger.errors import HomeError
from ledger.home import StateFolder, config_file, state_folder
from ledger.private import ensure_private
from tests.ledger.crowd import NOBODY, as_nobody

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
SOMEONE = 12345


@pytest.fixture
def passwd_home(monkeypatch: pytest.MonkeyPatch) -> str:
    """Give this user a home in the password database."""
    monkeypatch.setattr(pwd, "getpwuid", lambda uid: SimpleNamespace(pw_dir=f"/people/{uid}"))
    return f"/people/{os.geteuid()}"


@pytest.fixture
def public() -> Iterator[Path]:
    """Return a folder of ours that every user can enter."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def refusal(folder: Path) -> str:
    """Return why a folder cannot be the state folder, or nothing."""
    try:
        ensure_private(folder)
    except HomeError as error:
        return f"{error.reason}: {error.detail}"
    return ""


def mode(path: Path) -> int:
    """Return a path's permissions."""
    return stat.S_IMODE(path.lstat().st_mode)


@pytest.mark.parametrize(
    ("environ", "platform", "path", "source"),
    [
        ({"READMARK_HOME": "/r", "XDG_STATE_HOME": "/x", "HOME": "/h"}, "linux", "/r", "READMARK_HOME"),
        ({"READMARK_HOME": "", "XDG_STATE_HOME": "/x"}, "linux", "/x/readmark", "XDG_STATE_HOME"),
        ({"XDG_STATE_HOME": "/x", "HOME": "/h"}, "darwin", "/x/readmark", "XDG_STATE_HOME"),
        ({"XDG_STATE_HOME": "x", "HOME": "/h"}, "linux", "/h/.local/state/readmark", "HOME"),
        ({"XDG_STATE_HOME": "", "HOME": "/h"}, "linux", "/h/.local/state/readmark", "HOME"),
        ({"HOME": "/h"}, "darwin", "/h/Library/Application Support/readmark", "HOME"),
        ({"LOCALAPPDATA": "/l", "HOME": "/h"}, "win32", "/l/readmark", "LOCALAPPDATA"),
    ],
)
def test_the_first_usable_source_decides_on_the_state_folder(
    environ: dict[str, str], platform: str, path: str, source: str
) -> None:
    """The same for whoever writes and whoever reads; an empty variable is as good as none."""
    assert state_folder(environ, platform) == StateFolder(Path(path), source)


@pytest.mark.parametrize(
    "environ",
    [{}, {"HOME": ""}, {"HOME": "h"}, {"HOME": "/"}, {"HOME": "//"}, {"HOME": "/."}, {"HOME": "/home/.."}],
)
def test_without_a_usable_home_the_password_database_decides(
    environ: dict[str, str], passwd_home: str
) -> None:
    """Nothing ever lands under the root or the working folder."""
    assert state_folder(environ, "linux") == StateFolder(Path(passwd_home, ".local/state/readmark"), "passwd")
    assert config_file(environ, "linux") == Path(passwd_home, ".config/readmark/config.toml")


@pytest.mark.parametrize("entry", ["", "/", "relative", None])
def test_without_any_home_there_is_no_state_folder(
    entry: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user without an entry, as containers have them, is told what to set."""

    def look_up(uid: int) -> SimpleNamespace:
        if entry is None:
            raise KeyError(uid)
        return SimpleNamespace(pw_dir=entry)

    monkeypatch.setattr(pwd, "getpwuid", look_up)
    for find in (state_folder, config_file):
        with pytest.raises(HomeError) as raised:
            find({}, "linux")
        assert raised.value.reason == "home-missing"


@pytest.mark.parametrize("find", [state_folder, config_file])
@pytest.mark.parametrize("value", ["relative", "./here", "~/state", "C:relative"])
def test_a_relative_readmark_home_is_an_error_and_never_a_folder_here(find: object, value: str) -> None:
    """The user chose it, so falling back in silence would surprise."""
    assert callable(find)
    with pytest.raises(HomeError) as raised:
        find({"READMARK_HOME": value, "HOME": "/h"})
    assert raised.value.reason == "home-relative"


def test_windows_has_no_second_guess() -> None:
    """There is no password database."""
    for find in (state_folder, config_file):
        with pytest.raises(HomeError) as raised:
            find({"HOME": "/h"}, "win32")
        assert raised.value.reason == "home-missing"


@pytest.mark.parametrize(
    ("environ", "platform", "expected"),
    [
        ({"READMARK_CONFIG": "/c.toml", "READMARK_HOME": "/r"}, "linux", "/c.toml"),
        ({"READMARK_CONFIG": "c.toml", "READMARK_HOME": "/r"}, "linux", "/r/config.toml"),
        ({"XDG_CONFIG_HOME": "/x", "HOME": "/h"}, "linux", "/x/readmark/config.toml"),
        ({"XDG_CONFIG_HOME": "x", "HOME": "/h"}, "darwin", "/h/.config/readmark/config.toml"),
        ({"APPDATA": "/a"}, "win32", "/a/readmark/config.toml"),
    ],
)
def test_the_first_usable_source_decides_on_the_configuration(
    environ: dict[str, str], platform: str, expected: str
) -> None:
    """A state folder that the user chose holds the configuration, too."""
    assert config_file(environ, platform) == Path(expected)


def test_a_deleted_working_folder_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hosts run hooks in worktrees that are gone."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    folder = state_folder({"HOME": str(tmp_path)}, "linux").path
    assert refusal(folder) == ""
    assert mode(folder) == 0o700


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o777])
def test_the_folder_and_its_missing_parents_are_private_whatever_the_umask(
    tmp_path: Path, umask: int
) -> None:
    """Nobody else can look in, or put a link in the way."""
    folder = tmp_path / "deep" / "state"
    if umask == 0o777:
        folder = tmp_path / "state"
    before = os.umask(umask)
    try:
        ensure_private(folder)
    finally:
        os.umask(before)
    assert mode(folder) == 0o700
    assert folder.parent == tmp_path or mode(folder.parent) == 0o700


@pytest.mark.parametrize("name", [None, "ledger.db", "diagnostics.jsonl", "config.toml"])
def test_an_older_open_folder_of_ours_is_tightened(tmp_path: Path, name: str | None) -> None:
    """It is empty, or it holds files of ours."""
    folder = tmp_path / "state"
    folder.mkdir()
    folder.chmod(0o755)
    if name:
        (folder / name).touch()
        (folder / "other").touch()
    ensure_private(folder)
    assert mode(folder) == 0o700


@pytest.mark.parametrize(("bits", "content"), [(0o755, "other"), (0o1777, None), (0o1777, "ledger.db")])
def test_a_shared_folder_is_refused_and_stays_open(tmp_path: Path, bits: int, content: str | None) -> None:
    """READMARK_HOME=/tmp must not lock everybody out of /tmp."""
    folder = tmp_path / "shared"
    folder.mkdir()
    folder.chmod(bits)
    if content:
        (folder / content).touch()
    assert refusal(folder) == "home-unusable: the folder is shared and no state folder"
    assert mode(folder) == bits


def test_what_is_no_folder_of_its_own_is_refused(tmp_path: Path) -> None:
    """A link could lead anywhere; a file is no folder."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    (tmp_path / "file").touch()
    for name in ("link", "dangling", "file"):
        assert refusal(tmp_path / name) == "home-unusable: the state folder is a symbolic link or no folder"
    assert refusal(tmp_path / "file" / "state") == "home-unusable: NotADirectoryError"
    assert refusal(tmp_path / "dangling" / "state") == "home-unusable: FileNotFoundError"
    assert refusal(tmp_path / ("x" * 300)) == "home-unusable: OSError"
    assert refusal(Path("relative")) == "home-unusable: the path is not absolute"
    assert not (tmp_path / "nowhere").exists()


def test_a_home_behind_a_link_is_the_users_choice(tmp_path: Path) -> None:
    """Only the state folder itself may be none."""
    (tmp_path / "real").mkdir()
    (tmp_path / "home").symlink_to(tmp_path / "real")
    assert refusal(tmp_path / "home" / "state") == ""
    assert mode(tmp_path / "real" / "state") == 0o700


@needs_root
def test_a_folder_of_another_user_is_refused_with_the_owner_named(tmp_path: Path) -> None:
    """One shell as root must not leave files that lock the user out."""
    home = tmp_path / "home"
    home.mkdir()
    os.chown(home, SOMEONE, SOMEONE)
    assert refusal(home) == f"home-foreign: owner {SOMEONE}"
    assert refusal(home / "deep" / "state") == f"home-foreign: owner {SOMEONE}"
    assert list(home.iterdir()) == []


@needs_root
def test_another_user_builds_below_folders_of_root_but_of_nobody_else(public: Path) -> None:
    """An open folder of a third user could be swapped under our feet."""
    for name, owner in (("roots", 0), ("own", NOBODY), ("third", SOMEONE)):
        (public / name).mkdir()
        (public / name).chmod(0o777)
        os.chown(public / name, owner, owner)
    expected = {"roots": "", "own": "", "third": f"home-foreign: owner {SOMEONE}"}
    found = as_nobody(lambda: {name: refusal(public / name / "state") for name in expected})
    assert found == expected


@needs_root
def test_a_folder_that_may_not_be_made_is_unusable(public: Path) -> None:
    """The reason is the kind of failure, not a path."""
    assert as_nobody(lambda: refusal(public / "state")) == "home-unusable: PermissionError"


def test_what_its_owner_took_from_itself_stays_taken(tmp_path: Path) -> None:
    """A folder that is closed to writing is closed to others too, and no more."""
    folder = tmp_path / "readmark"
    folder.mkdir()
    folder.chmod(0o555)
    ensure_private(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o500

"""Homes, owners and permissions as machines really have them: what each verb does there, in one table.

Every row runs the command as a process of its own. Whatever the row, there is no trace of Python, a hook
exits 0 without a word, and what is refused leaves everything as it was.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from ledger.install.handlers import is_ours
from tests.ledger.cli.running import Ran, process, run

ROOT = os.geteuid() == 0
ANOTHER = 4321
FILE = ".codex/hooks.json"
HOOK = (
    b'{"session_id": "019a", "transcript_path": null, "cwd": "/", "hook_event_name": "SessionStart",'
    b' "model": "m", "permission_mode": "default", "source": "startup"}'
)


class Row(msgspec.Struct, frozen=True):
    """One situation: how it comes about in a home, the environment, and what each verb makes of it.

    `install` and `uninstall` are exit code and a piece of what is said; a refused one changes nothing.
    """

    name: str
    prepare: Callable[[Path], dict[str, str]]
    install: tuple[int, str]
    uninstall: tuple[int, str]
    status: int
    as_root: bool = False


def give(folder: Path) -> None:
    """Give a folder and all that is in it to another user."""
    for path in (folder, *folder.rglob("*")):
        os.chown(path, ANOTHER, ANOTHER)


def plain(home: Path) -> dict[str, str]:
    """Leave a home as most are."""
    return {"HOME": str(home)}


def not_there(home: Path) -> dict[str, str]:
    """Name a home that is not there, as before a disk is mounted."""
    return {"HOME": str(home / "later")}


def odd_letters(home: Path) -> dict[str, str]:
    """Put blanks, quotes and letters beyond ASCII into every folder's name."""
    odd = home / "Zoë's  道 home"
    odd.mkdir()
    return {"HOME": str(odd), "XDG_STATE_HOME": str(odd / "st ate ü"), "CODEX_HOME": str(odd / "co dex é")}


def ascii_locale(home: Path) -> dict[str, str]:
    """Do the same where the locale knows no such letters."""
    return {**odd_letters(home), "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def relative_variable(home: Path) -> dict[str, str]:
    """Set the host's variable to what would be another folder in each project."""
    return {"HOME": str(home), "CODEX_HOME": "codex"}


def host_folder_is_a_file(home: Path) -> dict[str, str]:
    """Give the name of the host's folder to a file."""
    (home / ".codex").write_text("x")
    return plain(home)


def config_read_only(home: Path) -> dict[str, str]:
    """Close the host's file."""
    (home / ".codex").mkdir()
    (home / FILE).write_text("{}")
    (home / FILE).chmod(0o400)
    return plain(home)


def home_read_only(home: Path) -> dict[str, str]:
    """Close the home; the state folder lies elsewhere."""
    state = home.with_name(home.name + "-state")
    home.chmod(0o500)
    return {"HOME": str(home), "READMARK_HOME": str(state)}


def no_host(home: Path) -> dict[str, str]:
    """Hide every host, and all else."""
    return {"HOME": str(home), "PATH": str(home / "nothing")}


def sudo_with_the_users_home(home: Path) -> dict[str, str]:
    """Be root in the home of the one who called: a `sudo` that keeps HOME."""
    (home / ".codex").mkdir()
    give(home)
    return {"HOME": str(home), "SUDO_USER": "dev", "SUDO_UID": str(ANOTHER)}


def sudo_with_the_users_file(home: Path) -> dict[str, str]:
    """Do the same where the host's file is there."""
    (home / ".codex").mkdir()
    (home / FILE).write_text("{}")
    give(home)
    return {"HOME": str(home), "SUDO_USER": "dev", "SUDO_UID": str(ANOTHER)}


def sudo_with_roots_home(home: Path) -> dict[str, str]:
    """Be root in its own home: `sudo -H`."""
    return {"HOME": str(home), "SUDO_USER": "dev", "SUDO_UID": str(ANOTHER)}


def state_of_another(home: Path) -> dict[str, str]:
    """Give the state folder to somebody else."""
    state = home / "state"
    state.mkdir(mode=0o700)
    give(state)
    return {"HOME": str(home), "READMARK_HOME": str(state)}


DONE, GONE = (0, "Made"), (0, "Removed")
NOTHING = (0, "Nothing to change")

ROWS = [
    Row("plain", plain, DONE, GONE, 0),
    Row("not there", not_there, (3, "readmark makes no home"), NOTHING, 3),
    Row("odd letters", odd_letters, DONE, GONE, 0),
    Row("odd letters in an ASCII locale", ascii_locale, DONE, GONE, 0),
    Row("relative variable", relative_variable, (4, "(CODEX_HOME) Set it to"), (4, "CODEX_HOME"), 3),
    Row("the folder is a file", host_folder_is_a_file, (3, "Move it away"), NOTHING, 3),
    Row("read-only file", config_read_only, (3, "Make it writable"), NOTHING, 3),
    Row("read-only home", home_read_only, (3, "Make it writable"), NOTHING, 3),
    Row("no host", no_host, (0, "was not found on this machine"), GONE, 0),
    Row("sudo keeps HOME", sudo_with_the_users_home, (3, "Run this as that user"), NOTHING, 3, as_root=True),
    Row("sudo keeps HOME and file", sudo_with_the_users_file, (4, "home-foreign"), NOTHING, 3, as_root=True),
    Row("sudo with root's home", sudo_with_roots_home, (0, "without sudo"), GONE, 0, as_root=True),
    Row("state of another", state_of_another, (4, "home-foreign"), NOTHING, 4, as_root=True),
]


def tree(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Return all that there is below a folder: its mode, its owner, and the bytes of a file."""
    return {
        path.relative_to(folder).as_posix(): (
            path.lstat().st_mode,
            path.lstat().st_uid,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in folder.rglob("*")
    }


def words(done: Ran) -> str:
    """Return all that was said, as one line; never a trace."""
    said = done.out.decode(errors="replace") + done.err
    assert "Traceback" not in said
    return " ".join(said.split())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_verb_does_right_in_every_home(row: Row, tmp_path: Path) -> None:
    """Done whole, or refused with the remedy and nothing changed; a hook is silent and never in the way."""
    if row.as_root and not ROOT:
        pytest.skip("only root can give files away")
    home = tmp_path / "home"
    home.mkdir()
    environ = {"PATH": "/usr/bin:/bin", **row.prepare(home)}
    before = tree(tmp_path)

    installed = process("install", "codex", environ=environ)
    assert (installed.code, row.install[1] in words(installed)) == (row.install[0], True), words(installed)
    if installed.code:
        assert installed.out == b""
        assert tree(tmp_path) == before

    if not installed.code:
        # No host is on the PATH, so nobody knows yet whether one runs the hooks.
        assert "host-unheard" in words(process("status", environ=environ))
    heard = process("hook", "codex", stdin=HOOK, environ=environ)
    assert (heard.code, heard.out, heard.err) == (0, b"", "")
    shown = process("status", "--json", environ=environ)
    assert shown.code == row.status, words(shown)

    gone = process("uninstall", "codex", environ=environ)
    assert (gone.code, row.uninstall[1] in words(gone)) == (row.uninstall[0], True), words(gone)
    after = tree(tmp_path)
    assert {path: after.get(path) for path in before} == before
    made = {path for path in after if path not in before and Path(tmp_path, path).is_file()}
    # A hook that may write leaves its line, and nothing else.
    assert {Path(path).name.partition(".")[0] for path in made} <= {"diagnostics", "ledger"}
    owners = {uid for path, (_, uid, _) in after.items() if path not in before}
    assert owners <= {os.geteuid()}
    if row.as_root and row.install[0] and "state" not in row.name:
        assert after == before
    home.chmod(0o700)


@pytest.mark.parametrize("verb", ["install", "uninstall"])
def test_windows_is_refused_with_the_way_out(
    verb: str, private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Owners and modes are not what they are elsewhere; half an installation would be worse than none."""
    monkeypatch.setattr("ledger.cli.install.program", lambda: "/opt/readmark")
    monkeypatch.setenv("USERPROFILE", str(private_home))
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr("ledger.cli.install.sys.platform", "win32")
        done = run(verb, "codex")
    assert (done.code, "WSL" in done.err) == (3, True)
    assert list(private_home.iterdir()) == []


def test_a_renamed_home_is_a_home(tmp_path: Path) -> None:
    """Its hooks stay ours, and go; what was remembered of folders by their old names removes nothing."""
    old, new = tmp_path / "old", tmp_path / "neu ü"
    old.mkdir()
    assert process("install", "codex", environ={"HOME": str(old)}).code == 0
    old.rename(new)
    environ = {"HOME": str(new)}
    assert "Nothing to change" in words(process("install", "codex", environ=environ))
    hooks = msgspec.json.decode((new / FILE).read_bytes())["hooks"]
    assert all(
        is_ours(group["hooks"][0]["command"], "codex") for groups in hooks.values() for group in groups
    )
    assert process("uninstall", "codex", environ=environ).code == 0
    assert [path for path in new.rglob("*") if path.is_file()] == []
    assert not old.exists()

"""`readmark install` and `uninstall`: a host's own file before and after, on every kind of machine."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from adapters.hosts import HOSTS, load
from adapters.registration import registration
from ledger.cli import install
from ledger.install import change, files, likeness
from ledger.install.files import BACKUP, FILE_BYTES
from ledger.install.handlers import is_ours
from tests.ledger.cli.running import assert_valid, command, run, state_home

FOREIGN = """{
\t"description": "dark",
\t"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}
}
"""
PROGRAM = "/opt/a b/道/it's/readmark"
FILES = {"codex": ".codex/hooks.json", "claude-code": ".claude/settings.json"}


@pytest.fixture(autouse=True)
def program(monkeypatch: pytest.MonkeyPatch) -> str:
    """Say where the command is: with blanks, a quote and letters beyond ASCII in its path."""
    monkeypatch.setattr(install, "program", lambda: PROGRAM)
    return PROGRAM


@pytest.fixture
def file(private_home: Path) -> Path:
    """Return the user's file of Codex, which is not there yet, in a folder that is."""
    path = private_home / FILES["codex"]
    path.parent.mkdir()
    return path


def installed(path: Path, host: str = "codex") -> bool:
    """Whether each hook of ours is in a file that is plain JSON, and nothing else is there."""
    hooks = json.loads(path.read_text())["hooks"]
    made = json.loads(json.dumps(registered(host)))
    return bool(hooks == made)


def registered(host: str) -> dict[str, Any]:
    """Return what must be registered."""
    hooks = registration(load(host), PROGRAM).hooks
    return {
        event: [
            {
                "hooks": [
                    {"type": one.type, "command": one.command, "timeout": one.timeout} for one in group.hooks
                ]
            }
            | ({} if group.matcher is None else {"matcher": group.matcher})
            for group in groups
        ]
        for event, groups in hooks.items()
    }


def mode(path: Path) -> int:
    """Return the permissions of a file."""
    return stat.S_IMODE(path.stat().st_mode)


def everything(folder: Path) -> dict[str, bytes]:
    """Return each file below a folder with its bytes."""
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("host", HOSTS)
def test_a_missing_file_is_made_and_goes_again(host: str, private_home: Path) -> None:
    """Closed to others, with its folder; afterwards there is no such file."""
    done = run("install", host, "--json")
    path = private_home / FILES[host]
    assert done.code == 0
    assert_valid("install", done.json)
    assert (done.json["state"], done.json["fileIs"], done.json["file"]) == ("changed", "made", str(path))
    assert {one["change"] for one in done.json["hooks"]} == {"added"}
    assert "backup" not in done.json
    assert installed(path, host)
    assert (mode(path), mode(path.parent)) == (0o600, 0o700)

    gone = run("uninstall", host, "--json")
    assert_valid("uninstall", gone.json)
    assert (gone.json["state"], gone.json["fileIs"]) == ("changed", "removed")
    assert not path.parent.exists()


@pytest.mark.parametrize("scope", ["user", "project"])
@pytest.mark.parametrize("host", HOSTS)
def test_each_scope_has_its_file(
    host: str, scope: str, private_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A project's is that of the folder where the command runs."""
    monkeypatch.chdir(tmp_path)
    done = run("install", host, "--scope", scope)
    assert done.code == 0
    assert installed((private_home if scope == "user" else tmp_path) / FILES[host], host)
    assert ("commit" in done.text) == (scope == "project")


@pytest.mark.parametrize(
    ("host", "variable", "name"),
    [("codex", "CODEX_HOME", "hooks.json"), ("claude-code", "CLAUDE_CONFIG_DIR", "settings.json")],
)
def test_the_hosts_own_variable_moves_its_folder(
    host: str, variable: str, name: str, private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Empty is as good as none; a relative one would be another folder in each project."""
    monkeypatch.setenv(variable, str(private_home / "moved"))
    assert run("install", host).code == 0
    assert installed(private_home / "moved" / name, host)
    monkeypatch.setenv(variable, "relative")
    done = run("install", host)
    assert done.code == 4
    assert f"({variable}) Set it to an absolute path" in " ".join(done.err.split())
    assert "READMARK_HOME" not in done.err
    monkeypatch.setenv(variable, "")
    assert run("install", host).code == 0
    assert installed(private_home / FILES[host], host)


def test_what_was_there_stays_and_comes_back(file: Path) -> None:
    """With its mode, and a backup beside it as long as it says more than the file."""
    file.write_text(FOREIGN)
    file.chmod(0o644)
    done = run("install", "codex", "--json")
    assert done.json["backup"] == str(file) + BACKUP
    assert Path(done.json["backup"]).read_text() == FOREIGN
    assert mode(file) == mode(Path(done.json["backup"])) == 0o644
    assert file.read_text().startswith(FOREIGN.partition("}]}]")[0])
    after = file.read_bytes()

    again = run("install", "codex", "--json")
    assert (again.json["state"], {one["change"] for one in again.json["hooks"]}) == (
        "unchanged",
        {"unchanged"},
    )
    assert file.read_bytes() == after

    assert run("uninstall", "codex").code == 0
    assert file.read_text() == FOREIGN
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    assert run("uninstall", "codex", "--json").json["state"] == "unchanged"


def test_an_uninstall_leaves_a_backup_only_where_it_says_something_else(file: Path) -> None:
    """Where the file was changed since, its user may want what there was; our hooks would be a trace."""
    file.write_text(FOREIGN)
    run("install", "codex")
    file.write_text(file.read_text().replace("dark", "light"))
    done = run("uninstall", "codex", "--json")
    assert file.read_text() == FOREIGN.replace("dark", "light")
    assert Path(done.json["backup"]).read_text() == FOREIGN
    Path(done.json["backup"]).unlink()
    run("install", "codex")
    Path(str(file) + BACKUP).unlink()
    run("uninstall", "codex")
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_an_older_registration_is_brought_up_to_date(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command has moved."""
    run("install", "codex")
    monkeypatch.setattr(install, "program", lambda: "/moved/readmark")
    done = run("install", "codex", "--json")
    assert {one["change"] for one in done.json["hooks"]} == {"updated"}
    assert PROGRAM not in file.read_text()
    assert run("uninstall", "codex").code == 0
    assert list(file.parent.iterdir()) == []


@pytest.mark.parametrize("verb", ["install", "uninstall"])
def test_a_dry_run_shows_a_diff_and_changes_nothing(verb: str, file: Path, private_home: Path) -> None:
    """Not even a state folder is made; what would change comes before how."""
    file.write_text(FOREIGN)
    if verb == "uninstall":
        run("install", "codex")
    before = everything(private_home)
    done = run(verb, "codex", "--dry-run")
    assert done.code == 0
    summary, diff = done.text.split(f"--- {file}\n+++ {file}\n")
    assert "Nothing was changed" in summary
    assert all(event in summary for event in registered("codex"))
    assert {"install": "Add the hooks of", "uninstall": "Remove the hooks of"}[verb] in summary
    assert ("one line of shell" in summary) == (verb == "install")
    assert len(summary.splitlines()) <= 7
    assert diff
    sign = {"install": "+", "uninstall": "-"}[verb]
    assert any(line.startswith(sign) and "hook codex" in line for line in done.text.splitlines())
    told = run(verb, "codex", "--dry-run", "--json").json
    assert_valid(verb, told)
    assert told["state"] == "planned"
    assert everything(private_home) == before
    assert state_home().exists() == (verb == "uninstall")


def test_a_diff_tells_of_a_file_that_comes_or_goes(private_home: Path, file: Path) -> None:
    """Line ends and what cannot be seen do not confuse a terminal."""
    assert f"\n--- /dev/null\n+++ {file}\n" in run("install", "codex", "--dry-run").text
    file.write_bytes(b'\xef\xbb\xbf{"a": "\xc2\x9b"}')
    # The host whose file may begin with a mark.
    other = private_home / FILES["claude-code"]
    other.parent.mkdir()
    file.rename(other)
    told = run("install", "claude-code", "--dry-run").text
    assert '-\\ufeff{"a": "\\u009b"}\n\\ No newline at end of file\n' in told
    run("install", "codex")
    assert f"\n--- {file}\n+++ /dev/null\n" in run("uninstall", "codex", "--dry-run").text
    assert "Would remove" in run("uninstall", "codex", "--dry-run").text
    assert private_home in file.parents


def test_codex_users_learn_that_they_must_trust(private_home: Path) -> None:
    """Until then nothing runs, and nobody says so."""
    text = " ".join(run("install", "codex").text.split())
    assert "only after you trust them" in text
    assert "`codex exec` skips them silently" in text
    assert "trust" not in run("install", "claude-code").text
    assert private_home.exists()


def test_a_host_that_is_not_there_gets_its_hooks_all_the_same(
    tmp_path: Path, private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is said, since a slip in the host's name looks the same."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "`claude` was not found" in run("install", "claude-code").text
    assert installed(private_home / FILES["claude-code"], "claude-code")
    (tmp_path / "claude").write_text("#!/bin/sh\n")
    (tmp_path / "claude").chmod(0o755)
    assert "not found" not in run("install", "claude-code").text


FORMS: list[tuple[str, bytes]] = [
    ("empty-object", b"{}"),
    ("bom", b'\xef\xbb\xbf{"a": 1}\n'),
    ("crlf", b'{\r\n    "a": 1\r\n}\r\n'),
    ("bom-crlf-tabs", b'\xef\xbb\xbf\r\n{\r\n\t"a": 1, "a": 2\r\n}'),
    ("carriage-returns", b'{\r"a": 1\r}\r'),
    ("long-number", b'{"a": ' + b"9" * 5_000 + b"}"),
    ("no-newline-at-end", b'{\n  "a": 1\n}'),
    ("empty", b""),
    ("blanks", b" \n\t\n"),
    ("a-line-end", b"\n"),
    ("crlf-only", b"\r\n"),
    ("bom-only", b"\xef\xbb\xbf"),
    ("bom-and-blanks", b"\xef\xbb\xbf \n"),
    ("letters", '{"道": "ü\\u0041\\ud800"}'.encode()),
]


@pytest.mark.parametrize("before", [pytest.param(data, id=name) for name, data in FORMS])
def test_every_form_of_a_file_comes_back_to_the_byte(before: bytes, private_home: Path) -> None:
    """Marks, line ends, comments and letters are its owner's."""
    file = private_home / FILES["claude-code"]
    file.parent.mkdir()
    file.write_bytes(before)
    assert run("install", "claude-code").code == 0
    assert (file.read_bytes()[:3] == files.BOM) == (before[:3] == files.BOM)
    assert (b"\r\n" in before) == (b"\r\n" in file.read_bytes())
    assert not file.read_bytes().replace(b"\r\n", b"").count(b"\n") or b"\r\n" not in before
    assert run("uninstall", "claude-code").code == 0
    assert file.read_bytes() == before


UNREAD: list[tuple[str, bytes, int, int]] = [
    ("codex", b'\xef\xbb\xbf{"description": "x"}\n', 1, 1),
    ("codex", b'{\n  "description": "x"\n// mine\n}\n', 3, 1),
    ("codex", b'{"hooks": {"Stop": [],}}\n', 1, 22),
    ("codex", b'{"a": 1}', 1, 2),
    ("codex", b'{"a": 1}// end', 1, 9),
    (
        "codex",
        b'{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "timeout": 1e3}]}]}}',
        1,
        79,
    ),
    ("codex", b'{\n "description": "\\ud800"}', 2, 18),
    ("codex", b'{"description": ' + b"9" * 5_000 + b"}", 1, 17),
    ("claude-code", b'{\r\n  "a": 1 // mine\r\n}', 2, 10),
    ("claude-code", b'\xef\xbb\xbf{"a": 1}// end', 1, 9),
    ("claude-code", b'{"a": [1,]}', 1, 9),
    ("claude-code", b'{"disableAllHooks": 1}', 1, 21),
]


@pytest.mark.parametrize(("host", "before", "line", "column"), UNREAD)
def test_what_the_host_itself_does_not_take_gets_no_hooks(
    host: str, before: bytes, line: int, column: int, private_home: Path
) -> None:
    """Its hooks would never run, and no agent would be told; the place is that of the user's own text."""
    file = private_home / FILES[host]
    file.parent.mkdir()
    file.write_bytes(before)
    for arguments in (["--dry-run"], []):
        done = run("install", host, *arguments)
        assert (done.code, done.out, everything(private_home)) == (3, b"", {str(file): before})
        said = " ".join(done.err.split())
        assert f"{file}, line {line}, column {column}: " in said
        assert "no hook of such a file" in said
        assert "Put it right." in said
    assert run("uninstall", host).code == 0


REFUSED: list[tuple[str, bytes, int, int]] = [
    ("comments", b"// a\n", 1, 1),
    ("no-json", b'{\n  "a": 1\n  "b": 2\n}\n', 3, 3),
    ("no-utf8", b'\xef\xbb\xbf{\n "a": "\xe9"}', 2, 8),
    ("utf16", '{"a": 1}'.encode("utf-16"), 1, 1),
    ("array", b"[]", 1, 1),
    ("hooks-array", b'{"hooks": []}', 1, 11),
    ("hooks-null", b'{"hooks": null}', 1, 11),
    ("event-object", b'{"hooks": {"SessionStart": {}}}', 1, 28),
    ("twice", b'{"hooks": {}, "hooks": {}}', 1, 15),
]


@pytest.mark.parametrize(("before", "line", "column"), [pytest.param(*row[1:], id=row[0]) for row in REFUSED])
def test_a_file_that_is_not_understood_is_left_with_the_place_of_the_fault(
    before: bytes, line: int, column: int, file: Path, private_home: Path
) -> None:
    """Exit code 3; nothing is made beside it."""
    file.write_bytes(before)
    there = everything(private_home)
    told = run("install", "codex", "--json")
    assert told.code == 3
    assert_valid("install", told.json)
    assert (told.json["state"], told.json["line"], told.json["column"]) == ("fault", line, column)
    done = run("install", "codex")
    assert (done.code, done.out) == (3, b"")
    assert f"{file}, line {line}, column {column}: " in done.err
    assert "left as it is" in done.err or "left as it was" in done.err
    assert everything(private_home) == there


def _folder(file: Path) -> None:
    file.mkdir()


def _huge(file: Path) -> None:
    file.write_bytes(b"{}" + b" " * FILE_BYTES)


def _read_only(file: Path) -> None:
    file.write_text("{}")
    file.chmod(0o400)


def _folder_read_only(file: Path) -> None:
    file.write_text("{}")
    file.parent.chmod(0o500)


def _no_folder(file: Path) -> None:
    file.parent.rmdir()
    file.parent.write_text("no folder")


def _hard_link(file: Path) -> None:
    file.write_text("{}")
    os.link(file, file.with_name("other"))


def _loop(file: Path) -> None:
    file.symlink_to(file)


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (_folder, "no regular file"),
        (_huge, "more than"),
        (_read_only, "read-only"),
        (_folder_read_only, "read-only"),
        (_no_folder, "no folder"),
        (_hard_link, "hard link"),
        (_loop, "symbolic links"),
    ],
)
def test_a_file_that_cannot_be_changed_safely_is_refused(
    spoil: Callable[[Path], None], says: str, file: Path, private_home: Path
) -> None:
    """Also for root, whom nothing would stop: who made it read-only meant it."""
    spoil(file)
    before = everything(file.parent)
    done = run("install", "codex")
    assert (done.code, done.out) == (3, b"")
    assert says in done.err
    assert "line" not in done.err
    assert everything(file.parent) == before
    assert private_home.exists()


@pytest.mark.parametrize("dangling", [False, True])
def test_a_link_stays_a_link(dangling: bool, file: Path, tmp_path: Path) -> None:  # noqa: FBT001 - a row
    """What a keeper of dotfiles points to is what changes; where it points to nothing yet, that is made."""
    target = tmp_path / "dotfiles" / "hooks.json"
    target.parent.mkdir()
    if not dangling:
        target.write_text(FOREIGN)
    file.symlink_to(os.path.relpath(target, file.parent))
    done = run("install", "codex", "--json")
    assert done.json["target"] == str(target)
    assert file.is_symlink()
    assert "hook codex" in target.read_text()
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    assert run("uninstall", "codex").code == 0
    assert file.is_symlink()
    assert target.exists() != dangling
    assert dangling or target.read_text() == FOREIGN
    assert "a link to" in run("uninstall", "codex").text


def test_without_a_home_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not below the folder of work either."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "relative")
    monkeypatch.setattr("ledger.home._passwd_home", lambda: None)
    done = run("install", "codex")
    assert done.code == 4
    assert "home-missing" in done.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("home", ["gone", "gone/deeper", "dangling"])
def test_no_home_is_made(home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is not there is a slip in HOME, or a disk that is not mounted; it is said, and that is all."""
    monkeypatch.setenv("HOME", str(tmp_path / home))
    if home == "dangling":
        (tmp_path / home).symlink_to("nowhere")
    for arguments in (["codex"], ["claude-code", "--dry-run"]):
        done = run("install", *arguments)
        assert (done.code, done.out) == (3, b"")
        assert f"The home folder {tmp_path / home} is not there" in done.err
    assert run("uninstall", "codex").code == 0
    assert not (tmp_path / "gone").exists()
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    assert run("install", "codex").code == 3
    monkeypatch.setenv("READMARK_HOME", str(tmp_path / "state"))
    assert run("install", "codex").code == 0
    assert not (tmp_path / "gone").exists()


@pytest.mark.parametrize("kept", [False, True])
def test_an_install_that_fails_leaves_no_trace(
    kept: bool,  # noqa: FBT001 - a row
    file: Path,
    private_home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also where the backup could still be written, and where one of before was there."""
    file.write_text(FOREIGN)
    if kept:
        Path(str(file) + BACKUP).write_text("of before")
    before = everything(private_home)
    real, error = files._put, OSError(28, "No space left on device", str(file))  # noqa: SLF001 - fails in it

    def full(target: Path, data: bytes, like: files.Found, found: files.Found | None) -> None:
        if target == file:
            raise error
        real(target, data, like, found)

    monkeypatch.setattr(files, "_put", full)
    done = run("install", "codex")
    assert (done.code, "No space left on device" in done.err) == (3, True)
    assert everything(private_home) == before


def test_a_umask_that_takes_all_takes_nothing_of_ours(private_home: Path) -> None:
    """What is made has the permissions that are meant, or the next step could not go on."""
    old = os.umask(0o777)
    try:
        done = run("install", "codex")
        state = state_home()
        modes = [mode(path) for path in (private_home / FILES["codex"], state / "ledger.install-made")]
        folders = [mode(path) for path in (private_home / ".codex", state, state.parent)]
    finally:
        os.umask(old)
    assert done.code == 0
    assert (modes, folders) == ([0o600] * 2, [0o700] * 3)
    assert run("uninstall", "codex").code == 0
    assert everything(private_home) == {}


NEAR = [
    "time /bin/sh -c 'exec \"$0\" hook claude-code' /opt/readmark",
    "/opt/x/readmark hook claude-code 2>/dev/null",
]


@pytest.mark.parametrize("command", NEAR)
def test_what_a_person_wrote_around_readmark_is_said_and_left(command: str, private_home: Path) -> None:
    """By both verbs, on one line each, however long it is."""
    file = private_home / FILES["claude-code"]
    file.parent.mkdir()
    long = command + "\n#" + "x" * 5_000
    hooks = {"Stop": [{"hooks": [{"type": "command", "command": one} for one in (command, long)]}]}
    file.write_text(json.dumps({"hooks": hooks}))
    before = file.read_bytes()
    for verb in ("install", "uninstall"):
        notes = [note for note in run(verb, "claude-code", "--json").json["notes"] if "Left alone" in note]
        assert len(notes) == 2
        assert f"Stop runs `{command}`" in notes[0]
        assert notes[1].isprintable()
        assert len(notes[1]) < 200
        assert json.loads(file.read_text())["hooks"]["Stop"] == hooks["Stop"]
    assert file.read_bytes() == before


def test_a_users_own_call_of_readmark_is_said_to_be_moved(private_home: Path) -> None:
    """It is ours by its words; what an uninstall cannot bring back is in the backup."""
    file = private_home / FILES["claude-code"]
    file.parent.mkdir()
    own = {"type": "command", "command": "/usr/bin/readmark hook claude-code"}
    other = {"type": "command", "command": "x"}
    file.write_text(
        json.dumps(
            {
                "hooks": {
                    event: [{"matcher": "x", "hooks": [own, other]}] for event in ("SessionStart", "Stop")
                }
            }
        )
    )
    before = file.read_bytes()
    assert "move those of SessionStart" in " ".join(run("install", "claude-code", "--dry-run").text.split())
    told = run("install", "claude-code", "--json").json
    assert_valid("install", told)
    fates = {one["event"]: one["change"] for one in told["hooks"]}
    assert (fates["SessionStart"], fates["Stop"], fates["SessionEnd"]) == ("moved", "removed", "added")
    [note] = [note for note in told["notes"] if "taken over" in note]
    assert "SessionStart, Stop" in note
    assert Path(told["backup"]).read_bytes() == before


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
def test_hooks_that_are_switched_off_are_said(
    name: str, private_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the user's own file, or in one of the project; Claude Code says nothing of it."""
    monkeypatch.chdir(tmp_path)
    folder = (private_home if name == "settings.json" else tmp_path) / ".claude"
    folder.mkdir()
    (folder / name).write_text('{"disableAllHooks": true}')
    done = run("install", "claude-code", "--json")
    assert done.code == 0
    said = f"claude-code runs no hook now: `disableAllHooks` in {folder / name} switches all of them off."
    assert said in done.json["notes"]


def test_an_install_that_changes_nothing_asks_nothing_again(file: Path) -> None:
    """Whether Codex trusts the hooks is known to Codex, which a status asks."""
    run("install", "codex")
    before = file.read_bytes()
    for arguments in ([], ["--dry-run"]):
        text = " ".join(run("install", "codex", *arguments).text.split())
        assert "SessionStart: unchanged" in text
        assert "`readmark status` shows whether codex runs the hooks" in text
        assert "only after you trust them" not in text
    assert file.read_bytes() == before


def test_a_folder_of_work_that_has_gone_has_no_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sentence instead of a trace; the user's own file needs no such folder."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    told = run("install", "codex", "--scope", "project", "--json")
    assert (told.code, told.json["reason"]) == (4, "folder-gone")
    assert run("install", "codex").code == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_file_of_another_stays_anothers(file: Path) -> None:
    """Root mends it for its owner, who can still write it afterwards."""
    file.write_text(FOREIGN)
    os.chown(file, 1234, 2345)
    assert run("install", "codex").code == 0
    for path in (file, Path(str(file) + BACKUP)):
        assert (path.stat().st_uid, path.stat().st_gid) == (1234, 2345)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give folders away")
def test_nothing_is_made_in_the_folder_of_another(file: Path) -> None:
    """As under sudo with the home of the caller: a file of root's would lock its owner out."""
    os.chown(file.parent, 1234, 2345)
    done = run("install", "codex")
    assert done.code == 3
    assert "belongs to another user" in done.err
    assert not file.exists()


def test_an_owner_that_cannot_be_kept_leaves_the_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One may write a file of another's through its group, and not give a new one to that owner."""

    def refuses(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    file.write_text(FOREIGN)
    monkeypatch.setattr(likeness, "_owner", lambda _: (-2, -2))
    monkeypatch.setattr(os, "fchown", refuses)
    assert run("install", "codex").code == 3
    assert file.read_text() == FOREIGN
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_a_file_that_may_not_be_read_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what the system says of it."""
    file.write_text(FOREIGN)

    def refuses(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "read_bytes", refuses)
    done = run("install", "codex")
    assert (done.code, "Permission denied" in done.err) == (3, True)


def test_installs_at_once_are_as_one(file: Path) -> None:
    """Each is a process of its own, for two hosts and one file each."""
    file.write_text(FOREIGN)
    running = [
        subprocess.Popen(command("install", "codex"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for _ in range(4)
    ]
    assert [(one.communicate()[1], one.returncode) for one in running] == [(b"", 0)] * 4
    handlers = [
        handler["command"]
        for groups in json.loads(file.read_text())["hooks"].values()
        for group in groups
        for handler in group["hooks"]
    ]
    assert sum(is_ours(one, "codex") for one in handlers) == len(registered("codex"))
    assert Path(str(file) + BACKUP).read_text() == FOREIGN


def test_who_waits_too_long_for_another_is_told(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the name of the lock, should it be a leftover."""
    monkeypatch.setattr(change, "LOCK_SECONDS", 0)
    state_home().mkdir(parents=True, mode=0o700)
    lock = state_home() / change.LOCK
    with FileLock(lock):
        done = run("install", "codex")
    assert done.code == 3
    assert "Another readmark" in done.err
    assert str(lock) in done.err
    assert not file.exists()


@pytest.mark.parametrize("writes", [1, 9])
def test_what_a_host_writes_meanwhile_is_not_lost(
    writes: int, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is looked at again; a program that never stops writing wins."""
    file.write_text("{}")
    real, count = files.back_up, 0

    def writing(found: files.Found) -> Path:
        nonlocal count
        kept = real(found)
        if count < writes:
            count += 1
            file.write_text(f'{{"description": "{count}"}}')
        return kept

    monkeypatch.setattr(files, "back_up", writing)
    done = run("install", "codex")
    if writes == 1:
        assert done.code == 0
        assert json.loads(file.read_text())["description"] == "1"
        assert "hook codex" in file.read_text()
    else:
        assert "keeps changing" in done.err
        assert json.loads(file.read_text()) == {"description": str(change.ATTEMPTS)}
        assert [path.name for path in file.parent.iterdir()] == [file.name]
    assert not [path for path in file.parent.iterdir() if path.name.startswith(".")]


def test_a_file_that_goes_meanwhile_is_no_fault(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is as if it had never been there."""
    file.write_text("{}")
    real = files.back_up

    def removing(found: files.Found) -> Path:
        kept = real(found)
        file.unlink()
        return kept

    monkeypatch.setattr(files, "back_up", removing)
    assert run("install", "codex", "--json").json["fileIs"] == "made"
    assert installed(file)


def test_a_file_that_cannot_be_understood_any_more_under_the_lock_is_left(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is read again there; what was planned before holds no longer."""
    real = change.ensure_private

    def spoiling(folder: Path, content: str) -> None:
        real(folder)
        file.write_text(content)

    for content, code in (("{", 3), (" " * (FILE_BYTES + 1), 3)):
        file.write_text("{}")
        monkeypatch.setattr(
            change, "ensure_private", lambda folder, content=content: spoiling(folder, content)
        )
        assert run("install", "codex").code == code
        assert file.read_text() == content


@pytest.mark.parametrize("path", [None, "/opt/\udcff/readmark"])
def test_a_command_that_cannot_be_registered_is_told(
    path: str | None, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not found, or in a folder whose name no JSON can hold."""
    monkeypatch.setattr(install, "program", lambda: path)
    done = run("install", "codex")
    assert (done.code, done.out) == (4 if path is None else 3, b"")
    assert not file.exists()


def test_what_is_installed_calls_the_command(
    tmp_path: Path, private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through the shell, with another PATH, whatever the command's path looks like."""
    script = tmp_path / "a b" / "道 it's" / "readmark"
    script.parent.mkdir(parents=True)
    script.write_text(f"#!{sys.executable}\nimport sys\nprint(sys.argv[1:])\n")
    script.chmod(0o755)
    monkeypatch.setattr(install, "program", lambda: str(script))
    run("install", "claude-code")
    hooks = json.loads((private_home / FILES["claude-code"]).read_text())["hooks"]
    line = hooks["SessionStart"][0]["hooks"][0]["command"]
    done = subprocess.run(
        ["/bin/sh", "-c", line], input=b"{}", capture_output=True, check=False, env={"PATH": "/bin"}
    )
    assert (done.returncode, done.stdout) == (0, b"['hook', 'claude-code']\n")


@pytest.mark.parametrize("room", range(-2, 3))
@pytest.mark.parametrize("host", HOSTS)
def test_what_an_install_writes_an_uninstall_and_an_install_read(
    host: str, room: int, private_home: Path
) -> None:
    """On both sides of the bound: a file that would grow over it is refused, and stays as it is."""
    path = private_home / FILES[host]
    path.parent.mkdir()
    path.write_bytes(b"{}")
    run("install", host)
    grown = path.stat().st_size - 2
    run("uninstall", host)
    before = b"{}" + b" " * (FILE_BYTES - grown - 2 + room)
    path.write_bytes(before)
    for arguments in (["--dry-run"], []):
        done = run("install", host, *arguments)
        assert (done.code, "With the hooks it would have more than" in done.err) == (
            (3, True) if room > 0 else (0, False)
        )
    if room > 0:
        assert path.read_bytes() == before
        return
    assert path.stat().st_size == FILE_BYTES + room
    assert run("install", host, "--json").json["state"] == "unchanged"
    assert run("uninstall", host).code == 0
    assert path.read_bytes() == before


@pytest.mark.parametrize("verb", ["install", "uninstall"])
def test_what_stands_in_the_place_of_the_backup_is_named(verb: str, file: Path) -> None:
    """Not the host's file, which is as it should be; nothing is changed. An uninstall needs no such place."""
    file.write_text(FOREIGN)
    if verb == "uninstall":
        run("install", "codex")
        Path(str(file) + BACKUP).unlink()
    Path(str(file) + BACKUP).mkdir()
    before = everything(file.parent)
    done = run(verb, "codex")
    if verb == "uninstall":
        assert (done.code, file.read_text()) == (0, FOREIGN)
        return
    assert (done.code, done.out) == (3, b"")
    assert f"{file}{BACKUP}, is taken" in done.err
    assert "Move that away" in done.err
    assert everything(file.parent) == before


def test_a_failure_elsewhere_names_the_other_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the system says of a file beside the host's is not said of the host's own."""
    file.write_text(FOREIGN)
    other = Path(str(file) + BACKUP)

    def fails(_: files.Found) -> Path:
        raise PermissionError(13, "Permission denied", str(other))

    monkeypatch.setattr(files, "back_up", fails)
    assert f"Permission denied: {other}." in run("install", "codex").err


def test_an_uninstall_that_is_refused_says_how_to_do_it_by_hand(file: Path) -> None:
    """To take out, not to add; with the backup where there is one."""
    file.write_text(FOREIGN)
    run("install", "codex")
    file.write_text(file.read_text() + "}")
    done = run("uninstall", "codex")
    assert done.code == 3
    assert "add the hooks" not in done.err
    assert "take the hooks out by hand" in done.err
    assert "`hook codex`" in done.err
    assert f"{file}{BACKUP}" in done.err
    Path(str(file) + BACKUP).unlink()
    assert BACKUP not in run("uninstall", "codex").err
    assert "add the hooks by hand: `readmark hosts codex --registration`" in run("install", "codex").err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [(["--dry-run"], "would hold a path"), ([], "now holds a path"), ([], "holds a path")],
)
def test_a_project_is_told_of_the_path_as_things_are(
    arguments: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What would be is not said to be."""
    monkeypatch.chdir(tmp_path)
    if says == "holds a path":
        run("install", "claude-code", "--scope", "project")
    text = " ".join(run("install", "claude-code", "--scope", "project", *arguments).text.split())
    assert f"The project's file {says} of this machine" in text
    assert ("a new one" in text) == (says == "now holds a path")


@pytest.mark.parametrize("home", ["", "relative", "/", None])
@pytest.mark.parametrize("verb", ["install", "uninstall"])
def test_a_home_that_home_does_not_name_is_said(
    verb: str, home: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The password database decides then, and nobody shall wonder where the hooks went."""
    monkeypatch.setattr("ledger.home._passwd_home", lambda: tmp_path)
    assert "password database" not in run(verb, "codex", "--dry-run").text
    if home is None:
        monkeypatch.delenv("HOME")
    else:
        monkeypatch.setenv("HOME", home)
    done = run(verb, "codex", "--json")
    assert done.json["file"] == str(tmp_path / FILES["codex"])
    assert [note for note in done.json["notes"] if f"password database: {tmp_path}" in note]
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "moved"))
    monkeypatch.setattr("ledger.home._passwd_home", lambda: None)
    monkeypatch.setenv("READMARK_HOME", str(tmp_path / "state"))
    assert "password database" not in run(verb, "codex").text

"""`readmark show`: where the page goes, who may read it, and what happens when something is wrong."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
import webbrowser
from collections.abc import Callable
from pathlib import Path

import pytest

from contracts.read import File
from ledger.cli import show
from tests.ledger.cli.running import assert_valid, keep, process, run, state_home


@pytest.fixture(autouse=True)
def no_browser(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let no test open a browser; return what would have been opened."""
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda url: opened.append(url) or True)
    return opened


def _mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def test_the_page_goes_into_the_state_folder_for_its_owner_alone(no_browser: list[str]) -> None:
    """Its path and its address are printed, a line each; away from a terminal nothing opens."""
    keep("codex", "r1", title="A very special title")
    done = run("show")
    file = state_home() / "show.html"

    assert done.code == 0
    assert done.text.splitlines()[:2] == [str(file), file.as_uri()]
    assert done.text.splitlines()[2].startswith("1 conversation, 1 read, ")
    assert b"A very special title" in file.read_bytes()
    assert _mode(file) == 0o600
    assert _mode(file.parent) == 0o700
    assert no_browser == []


def test_a_new_page_takes_the_place_of_the_old_one() -> None:
    """Also where somebody opened the old one to others, or put a link in its place."""
    keep("codex", "r1")
    file = state_home() / "show.html"
    elsewhere = state_home() / "elsewhere"
    elsewhere.write_text("not to be touched")
    file.symlink_to(elsewhere)
    run("show")
    assert not file.is_symlink()
    file.chmod(0o644)
    keep("codex", "r2", title="Another title")
    run("show")

    assert _mode(file) == 0o600
    assert b"Another title" in file.read_bytes()
    assert elsewhere.read_text() == "not to be touched"
    assert not [one for one in file.parent.iterdir() if one.name.startswith(".")]


def test_the_page_can_go_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To a file relative to where the user is; then the state folder is not touched."""
    monkeypatch.chdir(tmp_path)
    done = run("show", "--out", "my page.html")

    assert done.text.splitlines()[:2] == [
        str(tmp_path / "my page.html"),
        (tmp_path / "my page.html").as_uri(),
    ]
    assert _mode(tmp_path / "my page.html") == 0o600
    assert not state_home().exists()


def test_the_page_can_go_to_standard_output() -> None:
    """Nothing but the page, and no file."""
    keep("codex", "r1")
    done = process("show", "--out", "-")

    assert done.code == 0
    assert done.out.startswith(b"<!DOCTYPE html>")
    assert done.out.endswith(b"</html>")
    assert not (state_home() / "show.html").exists()


@pytest.mark.parametrize("with_", ["--json", "--open"])
def test_standard_output_holds_the_page_or_something_else(with_: str) -> None:
    """Not both."""
    assert run("show", "--out", "-", with_).code == 2


def test_programs_learn_what_was_written() -> None:
    """As JSON, valid against its schema."""
    keep("codex", "r1")
    done = run("show", "--json")
    file = state_home() / "show.html"

    assert_valid("show", done.json)
    assert done.json == {
        "state": "ready",
        "file": str(file),
        "url": file.as_uri(),
        "bytes": file.stat().st_size,
        "opened": False,
        "conversations": 1,
        "candidates": 1,
    }


def test_an_unavailable_ledger_exits_4_and_the_page_says_so() -> None:
    """It is written all the same, and nobody takes it for empty."""
    keep("codex", "r1")
    (state_home() / "ledger.db").write_bytes(b"no ledger" * 1000)
    done = run("show")
    told = run("show", "--json")

    assert done.code == 4
    assert "store-corrupt" in done.err
    assert b"The ledger is unavailable" in (state_home() / "show.html").read_bytes()
    assert told.code == 4
    assert told.json["state"] == "unavailable"
    assert told.json["reason"] == "store-corrupt"
    assert_valid("show", told.json)


def test_without_a_state_folder_there_is_still_a_page_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The usual place does not exist then, and the command says what to do."""
    monkeypatch.setenv("READMARK_HOME", "not/absolute")
    nowhere = run("show")
    told = run("show", "--json")
    elsewhere = run("show", "--out", str(tmp_path / "page.html"))

    assert (nowhere.code, nowhere.out) == (4, b"")
    assert "home-relative" in nowhere.err
    assert "--out FILE" in nowhere.err
    assert_valid("show", told.json)
    assert told.json == {"state": "unavailable", "reason": "home-relative"}
    assert elsewhere.code == 4
    assert b"home-relative" in (tmp_path / "page.html").read_bytes()


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """With what to do; nothing half-written stays behind."""
    (tmp_path / "folder").mkdir()
    for out, why in ((tmp_path / "none" / "page.html", "ENOENT"), (tmp_path / "folder", "it is a folder")):
        done = run("show", "--out", str(out))
        assert (done.code, done.out) == (4, b"")
        assert f"page-unwritable: The page cannot be written there. ({why})" in done.err
    assert [one.name for one in tmp_path.rglob("*")] == ["folder"]


def _pipe(file: Path) -> None:
    os.mkfifo(file)


def _device(file: Path) -> None:
    file.symlink_to("/dev/null")


def _socket(file: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(file))


def _read_only(file: Path) -> None:
    file.write_text("mine")
    file.chmod(0o400)


def _link_to_read_only(file: Path) -> None:
    _read_only(file.with_name("target"))
    file.symlink_to("target")


def _of_another(file: Path) -> None:
    file.write_text("mine")
    os.chown(file, 1234, 2345)


def _link_of_another(file: Path) -> None:
    file.with_name("target").write_text("mine")
    file.symlink_to("target")
    os.chown(file, 1234, 2345, follow_symlinks=False)


def _dangling_link_of_another(file: Path) -> None:
    _link_of_another(file)
    file.with_name("target").unlink()


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (_pipe, "it is no regular file; - is standard output"),
        (_device, "it is no regular file; - is standard output"),
        (_socket, "it is no regular file; - is standard output"),
        (_read_only, "it is read-only"),
        (_link_to_read_only, "it is read-only"),
        (_of_another, "it belongs to another user"),
        (_link_of_another, "it is a link of another user"),
        (_dangling_link_of_another, "it is a link of another user"),
    ],
)
def test_what_is_no_file_to_be_written_is_refused_at_once(
    spoil: Callable[[Path], None], says: str, tmp_path: Path
) -> None:
    """Nobody waits for the reader of a pipe; for root too; and nothing is changed."""
    if "another" in says and os.geteuid() != 0:
        pytest.skip("only root can give files away")
    file = tmp_path / "page.html"
    spoil(file)
    before = {path.name: (path.lstat(), path.is_file() and path.read_bytes()) for path in tmp_path.iterdir()}
    done = run("show", "--out", str(file))
    assert (done.code, done.out) == (4, b"")
    assert f"page-unwritable: The page cannot be written there. ({says})" in done.err
    assert {
        path.name: (path.lstat(), path.is_file() and path.read_bytes()) for path in tmp_path.iterdir()
    } == before


@pytest.mark.parametrize("there", [True, False])
def test_a_link_that_is_named_is_followed(there: bool, tmp_path: Path) -> None:  # noqa: FBT001 - a row
    """As by an install: it stays a link, and what it leads to is the page."""
    target = tmp_path / "folder" / "target.html"
    target.parent.mkdir()
    if there:
        target.write_text("an older page")
    (tmp_path / "page.html").symlink_to("folder/target.html")
    done = run("show", "--out", str(tmp_path / "page.html"))
    assert (done.code, done.text.splitlines()[0]) == (0, str(tmp_path / "page.html"))
    assert (tmp_path / "page.html").is_symlink()
    assert target.read_bytes().startswith(b"<!DOCTYPE html>")
    assert _mode(target) == 0o600
    assert [one.name for one in target.parent.iterdir()] == ["target.html"]


def test_a_pipe_in_the_state_folder_is_replaced() -> None:
    """It was not put there by us, and must not stop us."""
    keep("codex", "r1")
    os.mkfifo(state_home() / "show.html")
    assert run("show").code == 0
    assert (state_home() / "show.html").is_file()


def test_a_fault_of_the_configuration_is_shown_on_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page is made by the default limits then."""
    keep("codex", "r1")
    monkeypatch.setenv("READMARK_HOME", str(state_home()))
    (state_home() / "config.toml").write_text("nonsense = 1\n")
    done = run("show")

    assert done.code == 0
    assert b"config-invalid" in (state_home() / "show.html").read_bytes()


def test_a_browser_opens_when_asked(no_browser: list[str]) -> None:
    """With the page's address."""
    done = run("show", "--open", "--json")

    assert no_browser == [(state_home() / "show.html").as_uri()]
    assert done.json["opened"] is True


def test_a_browser_that_cannot_be_opened_is_said_and_exits_3(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page is there all the same."""
    monkeypatch.setattr(webbrowser, "open", lambda _: False)
    done = run("show", "--open")

    assert done.code == 3
    assert "no browser could be opened" in done.err
    assert (state_home() / "show.html").exists()


@pytest.mark.parametrize(
    ("terminal", "environ", "opens"),
    [
        (True, {"DISPLAY": ":0"}, True),
        (True, {"WAYLAND_DISPLAY": "wayland-0"}, True),
        (True, {}, False),
        (False, {"DISPLAY": ":0"}, False),
        (True, {"DISPLAY": ":0", "CI": "true"}, False),
    ],
)
def test_a_browser_opens_by_itself_only_on_a_desktop(
    monkeypatch: pytest.MonkeyPatch,
    terminal: bool,  # noqa: FBT001 - a row of the table
    environ: dict[str, str],
    opens: bool,  # noqa: FBT001 - a row of the table
) -> None:
    """In a plain terminal Python would start a text browser over what the person is doing."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "CI"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal, raising=False)

    assert show.on_a_desktop() is opens


def test_a_clear_removes_the_page() -> None:
    """What is cleared is gone, and no picture of it stays."""
    keep("codex", "r1")
    run("show")
    run("clear", "--host", "codex", "--conversation", "r1")

    assert not (state_home() / "show.html").exists()


def test_only_this_command_loads_the_library_for_pages() -> None:
    """Every other one starts without it."""
    script = (
        "import sys; from ledger import cli; cli.run(['list']); "
        "print({'jinja2', 'markupsafe', 'webbrowser'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)

    assert done.stdout.splitlines()[-1] == "set()"


def test_the_page_shows_files_as_they_are_now(tmp_path: Path) -> None:
    """What changed is marked, what has gone is counted, and no absolute path is on it."""
    (tmp_path / "changed.md").write_text("now")
    for name in ("changed.md", "gone.md"):
        file = File(str(tmp_path), name, 1, 1)
        keep("codex", "one", name, title="", reader="document", file=file)
    done = run("show", "--out", "-", "--no-open")
    assert "changed since" in done.text
    assert "1 document that has gone is not shown." in done.text
    assert "gone.md" not in done.text
    assert str(tmp_path) not in done.text

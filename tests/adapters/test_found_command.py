"""A plugin's hook finds the command on the machine where it runs, and is silent where there is none."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from adapters.registration import command_line
from contracts.host import Hook
from tests.adapters.test_registration import (
    FOLDERS,
    LORE,
    PLAIN_HOOK,
    READER_HOOK,
    SHELLS,
    program_in,
)

BASE = "/usr/bin:/bin"
COMMON = any(Path(folder, "readmark").exists() for folder in ("/opt/homebrew/bin", "/usr/local/bin"))
HOOKS = pytest.mark.parametrize("hook", [PLAIN_HOOK, READER_HOOK], ids=["plain", "filtered"])


def call(
    hook: Hook, cwd: Path, payload: bytes = LORE, shell: str = "sh", **environ: str
) -> subprocess.CompletedProcess[bytes]:
    """Run the hook of a plugin as a host does, in a folder and with nothing else in the environment."""
    return subprocess.run(
        [shutil.which(shell) or shell, "-c", command_line("codex", hook, None)],
        input=payload,
        cwd=cwd,
        capture_output=True,
        check=False,
        timeout=60,
        env=environ,
    )


def called(program: Path) -> bool:
    """Whether a command was called as a hook of Codex, and got the payload whole."""
    argv = program.with_name("argv")
    return (
        argv.exists()
        and argv.read_text() == "hook\ncodex\n"
        and program.with_name("stdin").read_bytes() == LORE
    )


@HOOKS
@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("folder", [*FOLDERS, "*", "[a-z]"])
def test_any_folder_of_path_is_looked_into(hook: Hook, shell: str, folder: str, tmp_path: Path) -> None:
    """Blanks, quotes, letters of any script and what a shell would expand are part of its name."""
    program = program_in(tmp_path / folder)
    done = call(hook, tmp_path, shell=shell, PATH=f"/nowhere::{tmp_path / folder}:{BASE}")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"answer", b"")
    assert called(program)


@HOOKS
def test_the_first_folder_of_path_comes_first_and_the_users_own_last(hook: Hook, tmp_path: Path) -> None:
    """As in a shell; ~/.local/bin counts where PATH has nothing, as for a host that a desktop started."""
    first, second = (program_in(tmp_path / name) for name in ("first", "second"))
    own = program_in(tmp_path / "home" / ".local" / "bin")
    environ = {"HOME": str(tmp_path / "home")}
    call(hook, tmp_path, PATH=f"{first.parent}:{second.parent}:{BASE}", **environ)
    assert [called(one) for one in (first, second, own)] == [True, False, False]
    call(hook, tmp_path, PATH=BASE, **environ)
    assert called(own)


@HOOKS
@pytest.mark.skipif(COMMON, reason="the command is installed for all users of this machine")
@pytest.mark.parametrize("environ", [{}, {"HOME": ""}, {"PATH": ""}, {"PATH": BASE, "HOME": "/nowhere"}])
def test_where_there_is_no_command_nothing_happens(
    hook: Hook, environ: dict[str, str], tmp_path: Path
) -> None:
    """No word to the host and exit code 0; a folder of that name is no command."""
    (tmp_path / "folder" / "readmark").mkdir(parents=True)
    path = ":".join(filter(None, [environ.get("PATH"), str(tmp_path / "folder")]))
    done = call(hook, tmp_path, **{**environ, "PATH": path})
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert call(hook, tmp_path, **environ).returncode == 0


@HOOKS
@pytest.mark.parametrize("path", [".", "", "bin", "::", "./bin:../bin"])
def test_the_folder_of_the_agent_lends_no_command(hook: Hook, path: str, tmp_path: Path) -> None:
    """A relative or empty part of PATH would be another program in each project."""
    programs = [program_in(tmp_path / "bin"), program_in(tmp_path / "here")]
    call(hook, tmp_path / "here", PATH=path)
    call(hook, tmp_path, PATH=path)
    assert not any(one.with_name("argv").exists() for one in programs)


def test_a_payload_that_names_no_reader_starts_nothing(tmp_path: Path) -> None:
    """As with a command that is known by its path; it is read to its end all the same."""
    program = program_in(tmp_path / "bin")
    done = call(READER_HOOK, tmp_path, b"x" * (1 << 20), PATH=f"{program.parent}:{BASE}")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not program.with_name("argv").exists()
    assert not program.with_name("stdin").exists()

from __future__ import annotations

import sys
from pathlib import Path
from subprocess import PIPE, Popen

import pytest
from filelock import FileLock

from adapters.evidence import packages
from adapters.evidence.drivers import DRIVERS
from adapters.evidence.packages import Missing, binary, pinned


@pytest.fixture
def npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put an npm first on the PATH that writes down how it was called and installs one program."""
    program = tmp_path / "bin" / "npm"
    program.parent.mkdir()
    program.write_text(
        '#!/bin/sh\necho "$@" >> "$(dirname "$0")/calls"\n'
        'while [ "$1" != --prefix ]; do shift; done\n'
        'case "$3" in *@9.9.9) echo "no such version" >&2; exit 1;; esac\n'
        'mkdir -p "$2/node_modules/.bin" && touch "$2/node_modules/.bin/codex"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    return program.parent / "calls"


def test_every_driven_host_is_pinned_with_a_version() -> None:
    """One file says what is recorded and what CI plays."""
    assert set(pinned()) == set(DRIVERS)
    assert all(package.versions for package in pinned().values())


def test_a_host_is_installed_once(npm: Path, tmp_path: Path) -> None:
    """The second time its program is just there."""
    folder = tmp_path / "hosts"
    program = binary("codex", "1.2.3", folder)
    assert program == folder / "codex-1.2.3" / "node_modules" / ".bin" / "codex"
    assert binary("codex", "1.2.3", folder) == program
    (call,) = npm.read_text().splitlines()
    assert call.endswith(" @openai/codex@1.2.3")


def test_a_host_that_cannot_be_installed_says_why(npm: Path, tmp_path: Path) -> None:
    """The last line of npm's own words, and no half of an installation."""
    folder = tmp_path / "hosts"
    assert binary("codex", "9.9.9", folder) == Missing("codex", "9.9.9", "npm: no such version")
    assert not (folder / "codex-9.9.9").exists()
    assert npm.exists()


def test_without_npm_the_host_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A developer's machine need not have it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert binary("codex", "1.2.3", tmp_path) == Missing("codex", "1.2.3", "npm is not on the PATH")


def test_npm_that_hangs_is_given_up(npm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A registry that does not answer must not hold up CI."""
    (npm.parent / "npm").write_text("#!/bin/sh\nexec sleep 60\n")
    monkeypatch.setattr(packages, "INSTALL_SECONDS", 0.2)
    assert binary("codex", "1.2.3", tmp_path) == Missing("codex", "1.2.3", "npm: TimeoutExpired")


def test_processes_that_ask_at_once_install_a_host_once(npm: Path, tmp_path: Path) -> None:
    """Two halves of a test run start on a machine without hosts; neither may take the other's draft away."""
    source = (
        "import sys; from pathlib import Path; from adapters.evidence.packages import binary\n"
        "sys.stdin.readline(); print(binary('codex', '1.2.3', Path(sys.argv[1])))"
    )
    words = [sys.executable, "-c", source, str(tmp_path / "hosts")]
    asking = [Popen(words, stdin=PIPE, stdout=PIPE, text=True) for _ in range(6)]
    for one in asking:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    told = [one.communicate()[0].strip() for one in asking]

    assert set(told) == {str(tmp_path / "hosts" / "codex-1.2.3" / "node_modules" / ".bin" / "codex")}
    assert len(npm.read_text().splitlines()) == 1


def test_an_installation_of_another_process_that_does_not_end_is_given_up(
    npm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for ever, and npm is not called beside it."""
    monkeypatch.setattr(packages, "INSTALL_SECONDS", 0.1)
    with FileLock(tmp_path / ".codex-1.2.3.lock"):
        found = binary("codex", "1.2.3", tmp_path)

    assert found == Missing("codex", "1.2.3", "another installation of it does not end")
    assert not npm.exists()

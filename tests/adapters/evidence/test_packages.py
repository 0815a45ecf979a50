from __future__ import annotations

from pathlib import Path

import pytest

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

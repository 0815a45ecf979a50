"""Paths of every kind at every verb: a folder of work that is gone, and names that no terminal may obey."""

from __future__ import annotations

import os
import subprocess
import unicodedata
from pathlib import Path

import pytest

from tests.ledger.cli.running import Ran, command, keep, run

BAD = "a\x1b[31mb\nINJECTED \u202ec\x9bd\te"
VERBS = [
    ("show", "--out", "page.html"),
    ("show", "--no-open"),
    ("status", "--no-ask"),
    ("config",),
    ("list",),
    ("install", "codex", "--dry-run"),
    ("install", "codex"),
    ("uninstall", "codex"),
    ("install", "codex", "--scope", "project"),
    ("uninstall", "codex", "--scope", "project"),
    ("plugin", "build", "codex", "made"),
    ("plugin", "build", "codex", "made", "--dry-run"),
    ("pause", "--project"),
    ("resume", "--project"),
    ("pause",),
    ("resume",),
    ("prune",),
    ("hosts", "codex", "--registration"),
    ("record", "codex", "payload.json"),
    ("brief", "--host", "codex", "--conversation", "r1"),
    ("clear", "--host", "codex", "--conversation", "r1"),
    ("completion", "bash"),
]


def hidden(text: str) -> str:
    """Return what of a text is no character that a terminal shows; a tab obeys nobody."""
    return "".join(
        c for c in text if c not in "\n\t" and unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
    )


@pytest.fixture
def gone(tmp_path: Path) -> Path:
    """Return a folder that a shell can stand in, and that is then no more."""
    made = tmp_path / "gone"
    made.mkdir()
    return made


def from_gone(folder: Path, *arguments: str) -> Ran:
    """Run the command in a folder that goes before the command starts."""
    script = 'cd "$1" && rmdir "$1" && shift && exec "$@"'
    done = subprocess.run(
        ["/bin/sh", "-c", script, "sh", str(folder), *command(*arguments)],
        capture_output=True,
        check=False,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
    )
    return Ran(done.returncode, done.stdout, done.stderr.decode(errors="replace"))


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_a_folder_of_work_that_is_gone_is_said(verb: tuple[str, ...], gone: Path) -> None:
    """Where it matters; it is no fault of ours, and nobody is asked to report it."""
    done = from_gone(gone, *verb)
    said = done.err + done.out.decode()
    assert "internal-error" not in said
    assert "itself failed" not in said
    assert "Traceback" not in said
    if "made" in verb or "page.html" in verb or "project" in " ".join(verb):
        assert (done.code, done.out) == (4, b"")
        assert "folder-gone: " in done.err


@pytest.mark.parametrize("verb", ["show", "plugin"])
def test_an_absolute_path_needs_no_folder_of_work(verb: str, gone: Path, tmp_path: Path) -> None:
    """What can be done is done."""
    place = str(tmp_path / "here")
    arguments = {"show": ("show", "--out", place), "plugin": ("plugin", "build", "codex", place)}[verb]
    assert from_gone(gone, *arguments).code == 0
    assert Path(place).exists()


@pytest.fixture
def odd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder, and have a home, whose names turn a terminal red and begin a line of their own."""
    folder = tmp_path / BAD
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(folder))
    return folder


@pytest.mark.usefixtures("odd")
@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_no_path_reaches_a_terminal_as_it_is(verb: tuple[str, ...]) -> None:
    """Each character that is not shown comes as an escape, and no path begins a line."""
    keep("codex", "r1")
    if "--registration" in verb:  # JSON, which has escapes of its own
        return
    done = run(*verb)
    for said in (done.text, done.err):
        assert not [line for line in said.splitlines() if line.startswith("INJECTED")]
        assert hidden(said if verb[0] != "completion" else "") == ""


@pytest.mark.usefixtures("odd")
@pytest.mark.parametrize(
    "spoil",
    ["hooks", "project", "config", "plugin", "show", "uninstall"],
    ids=lambda name: f"a fault of {name}",
)
def test_no_path_in_a_fault_reaches_a_terminal_as_it_is(spoil: str, odd: Path) -> None:
    """Refusals name paths, too."""
    (odd / ".codex").mkdir()
    (odd / ".codex" / "hooks.json").write_text("{")
    (odd / ".readmark.toml").write_text("nonsense = 1")
    (odd / ".config" / "readmark").mkdir(parents=True)
    (odd / ".config" / "readmark" / "config.toml").write_text("nonsense = 1")
    (odd / "folder" / BAD.replace("/", "")).mkdir(parents=True)
    verbs = {
        "hooks": ("status", "--no-ask"),
        "project": ("pause", "--project"),
        "config": ("config",),
        "plugin": ("plugin", "build", "codex", "folder"),
        "show": ("show", "--out", "folder"),
        "uninstall": ("uninstall", "codex"),
    }
    done = run(*verbs[spoil])
    assert done.code in {3, 4}
    for said in (done.text, done.err):
        assert not [line for line in said.splitlines() if line.startswith("INJECTED")]
        assert hidden(said) == ""


@pytest.mark.parametrize(
    "arguments",
    [
        (f"--{BAD}",),
        (BAD,),
        ("list", f"--{BAD}"),
        ("list", BAD),
        ("install", BAD),
        ("install", "codex", "--scope", BAD),
        ("evidence", "run", BAD),
        ("plugin", "build", "codex", "x", "--command", BAD),
        ("completion", BAD),
    ],
)
def test_wrong_usage_gives_no_word_back_as_it_is(arguments: tuple[str, ...]) -> None:
    """A word that was pasted may hold what a terminal obeys."""
    done = run(*arguments)
    assert done.code == 2
    assert hidden(done.err) == ""

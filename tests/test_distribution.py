"""What a user installs: one command, three packages, the verdicts, and no recordings."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel as an installer would."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)
    [built] = folder.glob("*.whl")
    return built


def test_a_wheel_has_the_three_packages_and_one_command(wheel: Path) -> None:
    """Nothing else becomes importable, and nothing else lands on the PATH."""
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    [scripts] = [name for name in names if name.endswith("entry_points.txt")]

    assert {top for top in tops if not top.endswith(".dist-info")} == {"adapters", "contracts", "ledger"}
    assert zipfile.ZipFile(wheel).read(scripts).decode().split("\n")[:2] == [
        "[console_scripts]",
        "readmark = ledger.entry:main",
    ]


def test_a_wheel_has_the_verdicts_and_no_recordings(wheel: Path) -> None:
    """A hook needs the verdicts; payloads of other people's runs are for the repository."""
    names = zipfile.ZipFile(wheel).namelist()
    evidence = [name for name in names if "contracts/evidence/" in name and name.endswith((".json", ".tsv"))]

    assert {Path(name).name for name in evidence} == {"verdict.json", "shapes.json"}
    assert len(evidence) >= 5


def test_an_installed_copy_is_switched_on(wheel: Path, tmp_path: Path) -> None:
    """From the files of the wheel alone, both hosts are proven."""
    zipfile.ZipFile(wheel).extractall(tmp_path)
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); import adapters.verdicts as v;"
        "assert v.__file__.startswith(sys.argv[1]); print(v.proven('codex'), v.proven('claude-code'))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", script, str(tmp_path)], capture_output=True, text=True, check=True
    )

    assert done.stdout == "True True\n"


def test_an_installed_copy_makes_its_page(wheel: Path, tmp_path: Path) -> None:
    """The page's parts are in the wheel, and are read from there."""
    zipfile.ZipFile(wheel).extractall(tmp_path)
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); import ledger.cli as c;"
        "assert c.__file__.startswith(sys.argv[1]); sys.exit(c.run(['show', '--out', '-']))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", script, str(tmp_path)], capture_output=True, check=True
    )

    assert done.stdout.startswith(b"<!DOCTYPE html>")
    assert {"page.html", "conversation.html", "page.css", "page.js"} <= {
        Path(name).name for name in zipfile.ZipFile(wheel).namelist()
    }


def test_an_installed_copy_never_writes_a_verdict(wheel: Path, tmp_path: Path) -> None:
    """It has no recordings to compute one from; computed from none, it would switch readmark off."""
    zipfile.ZipFile(wheel).extractall(tmp_path)
    evidence = tmp_path / "contracts" / "evidence"
    before = {path: path.read_bytes() for path in evidence.rglob("*.json")}
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); import ledger.cli as c;"
        "assert c.__file__.startswith(sys.argv[1]); sys.exit(c.run(['evidence', 'check', '--update']))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", script, str(tmp_path)], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout) == (3, "")
    assert "there are no recordings" in done.stderr
    assert {path: path.read_bytes() for path in evidence.rglob("*.json")} == before

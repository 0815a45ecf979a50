"""What is broken, misplaced or missing in a folder of recordings is named, never passed over."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from adapters.evidence import tree
from adapters.evidence.verdict import FILE
from adapters.hosts import HOSTS
from adapters.verdicts import FOLDER
from contracts.verdict import GateVerdict, Verdict

SOURCE = FOLDER / "codex" / "0.171.0"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Copy two recordings and one of the first with its rows, under a verdict that names them."""
    made = tmp_path / "evidence" / "codex" / "0.171.0"
    (made / "first").mkdir(parents=True)
    for name in ("direct", "fail", "first/pipe"):
        shutil.copy(SOURCE / f"{name}.json", made / f"{name}.json")
    rows = (SOURCE / "first" / "expected.tsv").read_text().splitlines(keepends=True)
    kept = [row for row in rows if row.split("\t")[0] in {"scenario", "pipe"}]
    (made / "first" / "expected.tsv").write_text("".join(kept))
    verdict = Verdict("codex", "0.171.0", {}, ("direct", "fail", "first/pipe"))
    (made / FILE).write_bytes(msgspec.json.encode(verdict))
    return made


def test_nothing_is_wrong_with_a_whole_folder(folder: Path) -> None:
    """Nor with what was recorded beside it and did not hold."""
    (folder / "failed").mkdir()
    (folder / "failed" / "wrapped.json").write_bytes(b"{")

    assert tree.faults(folder) == []


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "is no recording: it is empty."),
        (b"{", "is no recording: Input data was truncated."),
        (b'{"host":"codex"}', "is no recording: Object missing required field `version`."),
        (b"\xff\xfe", "is no recording: "),
        (
            b'{"host":"codex","version":"0.171.0","scenario":"fail","events":[]}',
            "has no event and no request.",
        ),
    ],
    ids=["empty", "cut", "another object", "no text", "nothing recorded"],
)
@pytest.mark.parametrize("name", ["fail.json", "first/pipe.json"])
def test_a_broken_recording_is_named(content: bytes, why: str, name: str, folder: Path) -> None:
    """Passed over, it would leave a gate with less to show it, and nobody would know."""
    scenario = Path(name).stem.encode()
    (folder / name).write_bytes(content.replace(b'"fail"', b'"' + scenario + b'"'))

    [fault] = tree.faults(folder)
    assert fault.startswith(f"{name} {why}")


def test_a_cut_recording_is_named(folder: Path) -> None:
    """As a full disk leaves it."""
    whole = (folder / "direct.json").read_bytes()
    (folder / "direct.json").write_bytes(whole[: len(whole) // 2])

    [fault] = tree.faults(folder)
    assert fault.startswith("direct.json is no recording: ")


@pytest.mark.parametrize("name", ["fail", "first/pipe"])
def test_a_deleted_recording_is_missed(name: str, folder: Path) -> None:
    """The verdict names all that it rests on, those that show no gate too."""
    (folder / f"{name}.json").unlink()

    assert f"{name}.json is not there, and its verdict.json rests on it." in tree.faults(folder)


def test_a_scenario_that_a_gate_names_is_missed_too(folder: Path) -> None:
    """Where a verdict lists no recordings, its gates still name some."""
    verdict = Verdict("codex", "0.171.0", {"actor": GateVerdict("passed", ("review",))})
    (folder / FILE).write_bytes(msgspec.json.encode(verdict))

    assert tree.faults(folder) == ["review.json is not there, and its verdict.json rests on it."]


@pytest.mark.parametrize(
    ("field", "other", "said"),
    [
        ("version", "9.9.9", "codex 9.9.9 direct"),
        ("host", "claude-code", "claude-code 0.171.0 direct"),
        ("scenario", "wrapped", "codex 0.171.0 wrapped"),
    ],
)
def test_a_recording_of_another_place_is_named(field: str, other: str, said: str, folder: Path) -> None:
    """A copied version is no proof of another one."""
    path = folder / "direct.json"
    path.write_bytes(msgspec.json.encode(msgspec.json.decode(path.read_bytes()) | {field: other}))

    assert tree.faults(folder) == [f"direct.json is a recording of {said}, not of codex 0.171.0 direct."]


def test_a_folder_of_a_version_without_recordings_is_named(tmp_path: Path) -> None:
    """A verdict alone rests on nothing."""
    place = tmp_path / "codex" / "9.9.9"
    place.mkdir(parents=True)
    (place / FILE).write_bytes(b"{}")

    assert tree.faults(place) == ["There is no recording in its folder."]


def test_stray_folders_are_named(folder: Path) -> None:
    """In a version's folder and beside those of hosts; a hidden one is nobody's business."""
    root = folder.parents[1]
    for name in (folder / "old", root / "notes", root / ".git"):
        name.mkdir()

    assert tree.faults(folder) == ["old/ is no folder of recordings."]
    assert list(tree.strays(root)) == [
        f"notes is the folder of no host that readmark knows ({', '.join(HOSTS)})."
    ]


@pytest.mark.parametrize(
    "place", [lambda root: root / "codex", lambda root: root / "codex" / "0.171.0", lambda root: root.parent]
)
def test_a_folder_of_another_level_is_told_from_one_of_evidence(
    place: Callable[[Path], Path], folder: Path
) -> None:
    """And the right one is named, where it is near."""
    root = folder.parents[1]

    said = tree.misplaced(place(root))
    assert said is not None
    assert said.endswith(f"Name {root} instead.")
    assert tree.misplaced(root) is None


def test_a_folder_far_from_any_evidence_is_told_so(tmp_path: Path) -> None:
    """There is nothing to name instead."""
    said = tree.misplaced(tmp_path)
    assert said is not None
    assert said.endswith("so it is no folder of recordings.")

"""Where limits come from, and how a fault is named."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from contracts.limits import Limits
from ledger.patterns import Patterns
from ledger.settings import FILE_BYTES, Fault, Settings, load, unknown_variables, variable

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Name a configuration file that does not exist yet."""
    return tmp_path / "config.toml"


def settings(file: Path, environ: dict[str, str] | None = None) -> Settings:
    """Load settings that have no fault."""
    loaded = load(file, environ or {})
    assert isinstance(loaded, Settings)
    return loaded


def fault(file: Path, environ: dict[str, str] | None = None) -> Fault:
    """Load settings that have a fault."""
    loaded = load(file, environ or {})
    assert isinstance(loaded, Fault)
    return loaded


def test_without_a_file_the_defaults_hold(file: Path) -> None:
    """A missing file is the usual case."""
    loaded = settings(file)

    assert loaded.limits == Limits()
    assert set(loaded.origins.values()) == {"default"}


def test_the_environment_overrides_the_file_and_the_file_the_defaults(file: Path) -> None:
    """Each key remembers where it came from."""
    file.write_text("[limits]\ncandidates = 5\nconversations = 6\n")
    loaded = settings(file, {variable("candidates"): "7"})

    assert (loaded.limits.candidates, loaded.limits.conversations) == (7, 6)
    assert loaded.origins["candidates"] == "environment"
    assert loaded.origins["conversations"] == "file"
    assert loaded.origins["idle_seconds"] == "default"


def test_a_byte_order_mark_is_no_fault(file: Path) -> None:
    """Editors of Windows write one before everything; a second one is text of somebody."""
    file.write_bytes(b"\xef\xbb\xbf[limits]\ncandidates = 5\n")
    assert settings(file).limits.candidates == 5
    file.write_bytes(b"\xef\xbb\xbf")
    assert settings(file).limits == Limits()
    file.write_bytes(b"\xef\xbb\xbf\xef\xbb\xbf[limits]\n")
    assert "no valid TOML" in fault(file).message


def test_an_empty_variable_counts_as_not_set(file: Path) -> None:
    """Shells export empty variables by mistake."""
    assert settings(file, {variable("candidates"): ""}).limits == Limits()


def test_a_wrong_key_is_named_with_the_known_ones(file: Path) -> None:
    """The message says what to write instead."""
    file.write_text("[limits]\ncandidate = 5\n")
    found = fault(file)

    assert found.place == "limits.candidate"
    assert "candidate_bytes, candidates, conversations" in found.message


@pytest.mark.parametrize("value", ["0", "-1", "1.5", '"5"', "true", "[]", "99999999999", "{}"])
def test_a_wrong_value_is_named_by_its_key(file: Path, value: str) -> None:
    """No value is bent until it fits."""
    file.write_text(f"[limits]\nidle_seconds = {value}\n")

    found = fault(file)
    assert (found.place, found.origin) == ("limits.idle_seconds", "file")
    assert found.message == "must be a whole number from 1 to 2147483647"


@pytest.mark.parametrize("value", ["0", "many", "-3", "1e3", " 5", "٣", "9" * 30, "9" * 5000])
def test_a_wrong_variable_is_named(file: Path, value: str) -> None:
    """The place is the variable, as the user wrote it."""
    found = fault(file, {variable("candidates"): value})
    assert (found.place, found.origin) == ("READMARK_CANDIDATES", "environment")
    assert found.message == "must be a whole number from 1 to 2147483647"


@pytest.mark.parametrize(
    "content",
    [
        b"limits = ",
        b"\xff\xfe",
        b"[limits]\ncandidates=1\ncandidates=2\n",
        b"[" * 9000,
        b"a=" + b"[" * 9000,
        b"[limits]\ncandidates = " + b"9" * 5000,
    ],
    ids=["cut", "no text", "twice", "deep", "deep list", "endless number"],
)
def test_a_file_that_is_no_valid_configuration_is_a_fault(file: Path, content: bytes) -> None:
    """It never raises, whatever the file holds."""
    file.write_bytes(content)

    assert fault(file).place == "config.toml"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[limit]\n", "has the unknown section [limit]; the known one is [limits]"),
        (
            "candidates = 5\n",
            (
                "has the key candidates outside of a section; "
                "every key but documents and ignore stands below [limits]"
            ),
        ),
        ("limits = 5\n", "limits must be a section: [limits]"),
        ("[[limits]]\n", "limits must be a section: [limits]"),
    ],
)
def test_whoever_misses_the_section_is_told_its_name(file: Path, content: str, message: str) -> None:
    """There is only one."""
    file.write_text(content)

    assert fault(file) == Fault("config.toml", message)


def test_a_variable_that_is_none_of_ours_is_found() -> None:
    """Those of other programs, and ours, are not."""
    ours = {variable(key): "1" for key in Limits.__struct_fields__}
    ours |= dict.fromkeys(("READMARK_HOME", "READMARK_CONFIG", "READMARK_DISABLED", "READMARK_DEBUG"), "1")

    assert unknown_variables(ours | {"HOME": "/", "readmark_home": "/", "_READMARK_COMPLETE": "x"}) == []
    assert unknown_variables(ours | {"READMARK_X": "", "READMARK_CANDIDATE": "5"}) == [
        "READMARK_CANDIDATE",
        "READMARK_X",
    ]


def test_a_huge_file_is_not_read(file: Path) -> None:
    """The hook reads it too."""
    file.write_bytes(b"#" * (FILE_BYTES + 1))

    assert "larger" in fault(file).message


def test_a_file_that_cannot_be_read_is_a_fault(tmp_path: Path) -> None:
    """A folder in its place is no missing file."""
    assert "cannot be read" in fault(tmp_path).message


def test_the_briefing_budget_stays_under_the_hosts_cut(file: Path) -> None:
    """Above it, hosts replace the text by a preview."""
    file.write_text("[limits]\nbriefing_units = 9001\n")

    assert fault(file) == Fault("limits.briefing_units", "must be a whole number from 1 to 9000")


def test_the_two_lists_stand_above_the_section(file: Path) -> None:
    """As they were written; without them both are empty."""
    assert settings(file).patterns == Patterns()
    file.write_text('documents = ["docs/*.md"]\nignore = ["b", "a"]\n[limits]\ncandidates = 5\n')
    loaded = settings(file)
    assert loaded.patterns == Patterns(("docs/*.md",), ("b", "a"))
    assert loaded.limits.candidates == 5


@pytest.mark.parametrize(
    ("content", "place"),
    [('documents = "x"', "documents"), ("ignore = [1]", "ignore[0]"), ("documents = {a = 1}", "documents")],
)
def test_a_list_with_a_fault_is_named_by_its_place(file: Path, content: str, place: str) -> None:
    """As in a project's file."""
    file.write_text(content)
    assert fault(file).place == place


def test_what_is_no_regular_file_holds_nobody_up(tmp_path: Path) -> None:
    """A pipe that nobody writes into would be waited for without end."""
    os.mkfifo(tmp_path / "config.toml")
    (tmp_path / "folder").mkdir()
    assert load(tmp_path / "config.toml", {}) == Fault("config.toml", "is no regular file")
    assert isinstance(load(tmp_path / "folder", {}), Fault)

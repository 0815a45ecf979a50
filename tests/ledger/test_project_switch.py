"""A project's switch in its own file: put in and taken out, and not a byte more."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger import project_switch
from ledger.install.files import BOM, Changed, Refusal
from ledger.install.likeness import Unkept
from ledger.project import FILE, Contents, Project, find, understood
from ledger.project_switch import LINE, MADE, Switched, off, on
from ledger.settings import Fault


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return the root of a repository."""
    made = Path(os.path.realpath(tmp_path))
    (made / ".git").mkdir()
    (made / "sub").mkdir()
    return made


def test_without_a_file_one_is_made_at_the_root_and_goes_again(root: Path) -> None:
    """From a subfolder, and each step but once."""
    file = root / FILE
    assert off(root / "sub") == Switched(file, "made")
    assert not find(root).contents.enabled
    assert off(root) == Switched(file, "unchanged")
    assert on(root / "sub") == Switched(file, "removed")
    assert not file.exists()
    assert on(root) == Switched(file, "unchanged")


@pytest.mark.parametrize(
    "before",
    [
        b"",
        b"# only a word\n",
        b'documents = ["a.md"]',
        b'scope = "product"\n',
        b'# a\r\ndocuments = ["a.md"]\r\n',
        b'\n\n# x\nignore = [ # k\n "a",\n]\n\n# end',
        "# Größe\n".encode(),
    ],
)
def test_a_file_of_a_person_is_the_same_byte_for_byte_after_both(root: Path, before: bytes) -> None:
    """Comments, order, line endings, and the end without one."""
    file = root / FILE
    file.write_bytes(before)
    assert off(root) == Switched(file, "changed")
    assert not find(root).contents.enabled
    assert file.read_bytes().endswith(before)
    assert on(root) == Switched(file, "changed")
    assert file.read_bytes() == before


def test_what_a_person_adds_to_a_file_of_ours_stays(root: Path) -> None:
    """Only our own lines go."""
    off(root)
    (root / FILE).write_bytes(MADE + b'ignore = ["x"]\n')
    assert on(root).fate == "changed"  # type: ignore[union-attr] # the test fails else
    assert (root / FILE).read_bytes() == b'ignore = ["x"]\n'


WRITTEN = [
    b"enabled = true # why\nignore = []\n",
    b"ignore = []\nenabled = true\n",
    b'"enabled"   =   true',
    b"   enabled = true",
    b"enabled = true   \n\n\n",
    b"\t'enabled'\t=\ttrue\t# why\r\n\r\n",
    b'"\\u0065nabled" = true\n',
    b"enabled=true#\n",
    b"enabled = true # by readmark pause\n",
    b"enabled = true   # by readmark pause\r\nignore = []\r\n",
    MADE.replace(b"false", b"true"),
    MADE.replace(b"false", b"true") + b"ignore = []\n",
    b'ignore = ["""\nenabled = true \\\n#"""]\nenabled = true\n',
    b'scope = "enabled = true"\n"enabled" = true\n',
]


@pytest.mark.parametrize("mark", [b"", BOM])
@pytest.mark.parametrize("before", WRITTEN)
def test_a_key_that_a_person_wrote_is_changed_in_its_place_and_back(
    root: Path, before: bytes, mark: bytes
) -> None:
    """However it is written, and where it looks like our own line; nothing but its value changes."""
    file = root / FILE
    file.write_bytes(mark + before)
    assert off(root) == Switched(file, "changed")
    assert not find(root).contents.enabled
    assert file.read_bytes().startswith(mark)
    assert file.read_bytes().count(b"\n") == before.count(b"\n")
    assert on(root) == Switched(file, "changed")
    assert file.read_bytes() == mark + before


BLANKS = st.text(" \t", max_size=3)
KEYS = st.sampled_from(["enabled", '"enabled"', "'enabled'", '"enable\\u0064"'])
NOTES = st.sampled_from(["", "# why", "# by readmark pause", "# enabled = false"])
SWITCHES = st.builds("{}{}{}={}true{}{}".format, BLANKS, KEYS, BLANKS, BLANKS, BLANKS, NOTES)
OTHERS = st.lists(
    st.sampled_from(
        [
            "",
            "  ",
            "# enabled = true",
            MADE.decode().split("\n", maxsplit=1)[0],
            'documents = ["enabled = true/*.md"]',
            'ignore = ["""\nenabled = false # by readmark pause"""]',
            'scope = "x" # enabled = true',
        ]
    ),
    max_size=4,
    unique=True,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    above=OTHERS,
    switch=st.none() | SWITCHES,
    below=OTHERS,
    ending=st.sampled_from(["\n", "\r\n"]),
    mark=st.sampled_from([b"", BOM]),
    closed=st.booleans(),
)
def test_whatever_a_person_wrote_is_the_same_after_a_pause_and_a_resume(  # noqa: PLR0913, PLR0917 - what a file is made of
    root: Path,
    above: list[str],
    switch: str | None,
    below: list[str],
    ending: str,
    mark: bytes,
    closed: bool,  # noqa: FBT001 - drawn
) -> None:
    """To the byte, wherever the key stands and whatever looks like it."""
    lines = [*above, *([] if switch is None else [switch]), *(one for one in below if one not in above)]
    text = "\n".join(lines) + ("\n" if closed else "")
    before = mark + text.replace("\n", ending).encode()
    file = root / FILE
    file.write_bytes(before)
    assert off(root) == Switched(file, "changed")
    assert not find(root).contents.enabled
    assert on(root) == Switched(file, "changed")
    assert file.read_bytes() == before


def test_a_switch_that_a_person_wrote_is_turned_and_ours_goes_wherever_it_stands(root: Path) -> None:
    """Their key stays theirs; our line is ours below other lines, too."""
    file = root / FILE
    file.write_bytes(b"ignore = []\n'enabled' = false\n")
    on(root)
    assert file.read_bytes() == b"ignore = []\n'enabled' = true\n"
    file.write_bytes(b"# mine\n" + LINE)
    on(root)
    assert file.read_bytes() == b"# mine\n"


@pytest.mark.parametrize("change", [off, on])
def test_a_file_with_a_fault_is_left_as_it_is(root: Path, change: object) -> None:
    """It keeps readmark out already."""
    (root / FILE).write_text("enabled = 3")
    assert callable(change)
    assert change(root) == Fault(f"{FILE}: enabled", "must be true or false")
    assert (root / FILE).read_text() == "enabled = 3"


def test_a_link_is_not_written_through(root: Path, tmp_path: Path) -> None:
    """What it leads to is another's."""
    target = tmp_path / "sub" / "target"
    target.write_text("")
    (root / FILE).symlink_to(target)
    assert off(root) == Fault(FILE, "is no regular file")
    assert target.read_text() == ""


def test_a_read_only_file_and_folder_are_refused(root: Path) -> None:
    """Root could, and does not either."""
    (root / FILE).write_text("")
    (root / FILE).chmod(0o444)
    assert isinstance(off(root), Refusal)
    (root / FILE).unlink()
    root.chmod(0o555)
    try:
        assert isinstance(off(root), Refusal)
    finally:
        root.chmod(0o755)
    assert not (root / FILE).exists()


@pytest.mark.parametrize(
    "error", [Changed(), OSError(28, "No space left on device"), Unkept("user.x", "not here")]
)
def test_a_write_that_fails_is_said(root: Path, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """Also where another program was faster."""

    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr(project_switch, "write", fails)
    assert isinstance(off(root), Refusal)


def test_a_file_that_changes_between_two_looks_is_refused(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is read again for the change, and judged again."""
    file = root / FILE
    file.write_text("enabled = 3")
    monkeypatch.setattr(project_switch, "find", lambda _: Project(root, file))
    assert isinstance(off(root), Fault)
    file.unlink()
    file.mkdir()
    assert isinstance(off(root), Refusal)


def test_an_edit_that_says_something_else_is_never_written(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the library makes of a file."""
    (root / FILE).write_text('ignore = ["a"]\n')
    monkeypatch.setattr(project_switch, "LINE", b"enabled = false\nignore = []\n#")
    assert isinstance(off(root), Refusal)
    assert understood((root / FILE).read_bytes()).enabled == Contents().enabled  # type: ignore[union-attr] # as above

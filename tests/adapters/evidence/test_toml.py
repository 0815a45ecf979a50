from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.evidence.drivers.toml import quoted, value
from adapters.evidence.lab import lab
from adapters.evidence.unusable import UnusableError
from tests.adapters.evidence.scenes import scene

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    TEXTS
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
)


@given(TEXTS, VALUES)
def test_a_host_reads_what_was_written(key: str, held: Any) -> None:
    """Whatever a path has in it: quotes, DEL, signs beyond the first 65,536."""
    assert tomllib.loads(f"{quoted(key)} = {value(held)}\n") == {key: held}


def test_a_folder_that_cannot_stand_on_a_path_is_named(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reader would not be found, and each scenario would fail for a reason that nobody guesses."""
    odd = tmp_path_factory.mktemp("x") / "a:b"
    odd.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(odd))
    with pytest.raises(UnusableError, match="without a colon"), lab(scene()):
        pass
    assert list(odd.iterdir()) == []


def test_a_folder_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable that moves it is named too."""
    monkeypatch.setattr("tempfile.tempdir", "/no/such/folder")
    with pytest.raises(UnusableError, match=r"No such file or directory\. Set TMPDIR"), lab(scene()):
        pass

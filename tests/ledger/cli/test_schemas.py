"""The JSON Schemas in the tree are those of the types."""

from __future__ import annotations

import pytest
from jsonschema import Draft202012Validator

from contracts.report import REPORTS
from ledger.cli import schemas


@pytest.mark.parametrize("verb", REPORTS)
def test_a_schema_in_the_tree_is_made_from_the_types(verb: str) -> None:
    """`python -m ledger.cli.schemas` writes them again after a change."""
    assert (schemas.FOLDER / f"{verb}.json").read_bytes() == schemas.text(verb)


def test_there_is_no_schema_without_a_verb() -> None:
    """A verb that went takes its schema along."""
    assert {file.stem for file in schemas.FOLDER.glob("*.json")} == set(REPORTS)


@pytest.mark.parametrize("verb", REPORTS)
def test_a_schema_is_valid_and_strict(verb: str) -> None:
    """An output with a field that nobody wrote down does not pass."""
    made = schemas.schema(verb)
    Draft202012Validator.check_schema(made)
    for definition in made["$defs"].values():
        assert definition["additionalProperties"] is False


def test_writing_them_fills_a_folder(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The generator writes every file, into a folder that it makes."""
    folder = tmp_path_factory.mktemp("contracts") / "schemas"
    monkeypatch.setattr(schemas, "FOLDER", folder)
    assert schemas.main() == 0
    assert {file.stem for file in folder.iterdir()} == set(REPORTS)

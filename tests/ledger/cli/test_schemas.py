"""The JSON Schemas in the tree are those of the types."""

from __future__ import annotations

import msgspec
import pytest
from jsonschema import Draft202012Validator

from contracts.report import REPORTS
from contracts.verdict import GateVerdict
from ledger.cli import schemas
from ledger.outcomes import GateState


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


def test_states_of_gates_are_the_ones_that_the_outcomes_use() -> None:
    """The report spells out types that `contracts` cannot import or does not share."""
    made = schemas.schema("record")["$defs"]["RecordReport"]["properties"]["gates"]
    assert set(made["anyOf"][0]["additionalProperties"]["enum"]) == set(GateState.__args__)
    shown = schemas.schema("hosts")["$defs"]["GateReport"]["properties"]["state"]["enum"]
    stated = msgspec.json.schema(GateVerdict)["$defs"]["GateVerdict"]["properties"]["state"]["enum"]
    assert shown == stated


def test_writing_them_fills_a_folder(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The generator writes every file, into a folder that it makes."""
    folder = tmp_path_factory.mktemp("contracts") / "schemas"
    monkeypatch.setattr(schemas, "FOLDER", folder)
    assert schemas.main() == 0
    assert {file.stem for file in folder.iterdir()} == set(REPORTS)

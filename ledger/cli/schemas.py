"""Writes the JSON Schemas of everything that `--json` prints: `python -m ledger.cli.schemas`."""

import sys
from pathlib import Path
from typing import Any

import msgspec

import contracts
from contracts.report import REPORTS

FOLDER = Path(contracts.__file__).parent / "schemas"
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema(verb: str) -> dict[str, Any]:
    """Return the JSON Schema of what a verb prints: any one of its forms."""
    forms, components = msgspec.json.schema_components(REPORTS[verb], ref_template="#/$defs/{name}")
    return {
        "$schema": DIALECT,
        "title": f"readmark {verb} --json",
        "anyOf": list(forms),
        "$defs": components,
    }


def text(verb: str) -> bytes:
    """Return the schema as its file holds it."""
    return msgspec.json.format(msgspec.json.encode(schema(verb)), indent=2) + b"\n"


def main() -> int:
    """Write every schema to its file."""
    FOLDER.mkdir(exist_ok=True)
    for verb in REPORTS:
        (FOLDER / f"{verb}.json").write_bytes(text(verb))
    return 0


if __name__ == "__main__":
    sys.exit(main())

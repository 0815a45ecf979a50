"""Scenarios of a maintainer's own, for the verbs that read scenarios."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

scenarios_option = click.option(
    "--scenarios",
    "own",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder of scenarios of your own, HOST/NAME.toml.",
)


@contextmanager
def looking_in(own: Path | None) -> Iterator[None]:
    """Have scenarios be looked for in a person's own folder first, if there is one."""
    from adapters.evidence.scenario import look_in  # noqa: PLC0415 - only these verbs need the harness

    look_in(own)
    try:
        yield
    finally:
        look_in(None)

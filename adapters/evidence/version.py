"""Asks a program for its version, as far from the home and the environment of a person as a scenario is."""

import re
import threading
import time
from collections.abc import Callable
from pathlib import Path

from adapters.evidence import process
from adapters.evidence.lab import Lab, lab
from adapters.evidence.process import Ended, Watch
from adapters.evidence.scenario import Scenario
from adapters.evidence.unusable import UnusableError

VERSION_SECONDS = 20
"""How long a program may take to say its version."""

OUTPUT_BYTES = 1 << 16
"""How much it may say before it is ended."""

READMARK = re.compile(r"\Areadmark \S+$", re.MULTILINE)
"""What readmark itself says."""

NO_MODEL = "http://127.0.0.1:9"
"""Stands where the address of a model must stand; nothing listens there."""

VERSION = re.compile(
    r"(?<!\S)[0-9]{1,9}(?:\.[0-9]{1,9}){1,3}(?:[-+][0-9A-Za-z]{1,32}(?:[.-][0-9A-Za-z]{1,32}){0,3})?(?!\S)"
)
"""What counts as a version: it becomes the name of a folder."""


def version(
    binary: Path,
    host: str,
    environment: Callable[[Lab, str], dict[str, str]] = lambda _lab, _url: {},
    stop: threading.Event | None = None,
    form: re.Pattern[str] = VERSION,
) -> str:
    """Return the version that a program prints with `--version`: the first word of that form.

    `environment` gives what the host needs besides the lab's own variables, as `Driver.environment` does.
    Raises UnusableError where the program cannot be run, fails, hangs, or prints no version, and Ended where
    `stop` is set meanwhile; nothing that it has started goes on.
    """
    scene = Scenario(purpose="Say the version.", runs=[], play={}, name="version", host=host)
    with lab(scene) as made:
        log = made.root / "version"
        out = log.with_suffix(".out")
        variables = made.environment(environment(made, NO_MODEL))
        try:
            with process.started([str(binary), "--version"], made.project, variables, log) as running:
                watch = Watch(time.monotonic() + VERSION_SECONDS, stop or threading.Event())
                watch.wait(
                    lambda: running.poll() is not None or out.stat().st_size > OUTPUT_BYTES,
                    "the end of --version",
                )
                code = running.poll()
        except Ended:
            if stop is not None and stop.is_set():
                raise
            raise UnusableError(
                f"{binary} --version did not end within {VERSION_SECONDS} s. Check that it runs by itself."
            ) from None
        finally:
            process.sweep(made.root, "")
        with out.open("rb") as opened:
            said = opened.read(OUTPUT_BYTES).decode("utf-8", "replace")
    if code is None:
        raise UnusableError(f"{binary} --version does not stop printing. Is it the program of {host}?")
    if code:
        ended = f"was ended by signal {-code}" if code < 0 else f"ended with {code}"
        raise UnusableError(f"{binary} --version {ended}. Is it the program of {host}, and whole?")
    found = form.search(said)
    if found is None:
        raise UnusableError(f"{binary} --version prints no version. Is it the program of {host}?")
    return found[0]

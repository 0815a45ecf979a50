"""Does at a host's terminal what a scenario says a person does."""

import os
import re
from collections.abc import Sequence

from adapters.evidence.keys import KEYS, SIGNALS
from adapters.evidence.process import Watch
from adapters.evidence.progress import Progress
from adapters.evidence.scenario import Key
from adapters.evidence.terminal import Terminal

ECHO = 0.25
"""How long the screen must stay the same between typing and a key, in seconds.

The hosts take characters that come at once for pasted text, and then a line's end too.
"""

RESTLESS = 3.0
"""How much longer a screen is waited for that never rests (a spinner, a blinking mark), in seconds."""


def drive(terminal: Terminal, keys: Sequence[Key], watch: Watch, progress: Progress) -> None:
    """Wait and type, key by key; raises Ended when what is waited for does not come."""
    for key in keys:
        progress.wait(key, watch)
        if (screen := key.screen) is not None:
            _see(terminal, screen, watch)
        if key.still:
            _settle(terminal, watch, key.still)
        if key.only is not None and not re.search(key.only, terminal.text):
            continue
        if key.type is not None:
            terminal.send(key.type)
        if key.press is not None:
            if key.type is not None:
                _settle(terminal, watch, ECHO)
            terminal.send(KEYS[key.press])
        if key.signal is not None:
            os.kill(terminal.process.pid, SIGNALS[key.signal])


def _see(terminal: Terminal, screen: str, watch: Watch) -> None:
    watch.wait(lambda: re.search(screen, terminal.text) is not None, f"{screen!r} on the screen")


def _settle(terminal: Terminal, watch: Watch, seconds: float) -> None:
    since = terminal.now()

    def settled() -> bool:
        waited = terminal.now() - since
        return min(terminal.still, waited) >= seconds or waited >= seconds + RESTLESS

    watch.wait(settled, "a screen that stays")

"""Does at a host's terminal what a scenario says a person does."""

import os
import re
import signal
from collections.abc import Callable, Sequence

from adapters.evidence.process import Watch
from adapters.evidence.scenario import Key
from adapters.evidence.terminal import KEYS, Terminal

ECHO = 0.25
"""How long the screen must stay the same between typing and a key, in seconds.

The hosts take characters that come at once for pasted text, and then a line's end too.
"""

RESTLESS = 3.0
"""How much longer a screen is waited for that never rests (a spinner, a blinking mark), in seconds."""


def drive(
    terminal: Terminal,
    keys: Sequence[Key],
    watch: Watch,
    hooks: Callable[[str], int],
    tools: Callable[[], int],
) -> None:
    """Wait and type, key by key; raises Ended when what is waited for does not come.

    `hooks` counts the events of a name in this run so far, `tools` the starts of the reader.
    """
    for key in keys:
        _wait(terminal, key, watch, hooks, tools)
        if key.only is not None and not re.search(key.only, terminal.text):
            continue
        if key.type is not None:
            terminal.send(key.type)
        if key.press is not None:
            if key.type is not None:
                _settle(terminal, watch, ECHO)
            terminal.send(KEYS[key.press])
        if key.signal is not None:
            os.kill(terminal.process.pid, getattr(signal, f"SIG{key.signal}"))


def _wait(
    terminal: Terminal, key: Key, watch: Watch, hooks: Callable[[str], int], tools: Callable[[], int]
) -> None:
    if (event := key.event) is not None:
        watch.wait(lambda: hooks(event) >= key.times, f"{event} for the {key.times}. time")
    if (screen := key.screen) is not None:
        watch.wait(lambda: re.search(screen, terminal.text) is not None, f"{screen!r} on the screen")
    if key.tools:
        watch.wait(lambda: tools() >= key.tools, f"start {key.tools} of the reader")
    if key.still:
        _settle(terminal, watch, key.still)


def _settle(terminal: Terminal, watch: Watch, seconds: float) -> None:
    since = terminal.now()

    def settled() -> bool:
        waited = terminal.now() - since
        return min(terminal.still, waited) >= seconds or waited >= seconds + RESTLESS

    watch.wait(settled, "a screen that stays")

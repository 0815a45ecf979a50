"""The keys and signals that a scenario can name."""

import signal

KEYS = {
    "enter": "\r",
    "esc": "\x1b",
    "tab": "\t",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "left": "\x1b[D",
    "ctrl-b": "\x02",
    "ctrl-c": "\x03",
    "ctrl-d": "\x04",
    "ctrl-u": "\x15",
}
"""What a key sends, by the name that a scenario uses."""

SIGNALS = {
    number.name.removeprefix("SIG"): number
    for number in signal.Signals
    if number.name.startswith("SIG") and not number.name.startswith("SIG_")
}
"""The signals of this system, by the name that a scenario uses (`TERM`)."""

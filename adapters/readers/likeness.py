"""Whether an output looks like a part of a file, or like more than it.

It proves nothing. It tells a read that failed the proof, which is worth a word, from a search, a count or a
commit that names the file, which is none.
"""

import re
from itertools import islice

SHORT = 4
"""From how many characters on a line that stands inside another one says something."""
STRETCH = 16
"""How many characters two lines have at least that are looked for anywhere in the file."""
LINES = 64
"""How many lines are looked at to find two with words in them."""
LINE_CHARACTERS = 1000
"""How much of a line is compared."""
TRIES = 8
"""How many places in the file are tried at most."""

_COLOUR = re.compile(r"\x1b\[[0-9;]*+m")


def resembles(output: str, text: str) -> bool:
    """Whether an output begins or ends as a text does, or begins with two lines that follow each other in it.

    Lines without a word, and what stands around a line, its number or a colour, make no difference. One line
    alone is compared with the first and the last one.
    """
    first = _first(output)
    return _match(first, _first(text)) or _match(_last(output), _last(text)) or _follow(first, text)


def _first(text: str) -> list[str]:
    """Return the first two lines with a word in them, fewer where there are fewer."""
    lines = (_bare(line[:LINE_CHARACTERS]) for line in text.lstrip().split("\n", LINES)[:LINES])
    return list(islice(filter(_speaks, lines), 2))


def _last(text: str) -> list[str]:
    """Return the last two lines with a word in them, the last one first."""
    lines = (_bare(line[-LINE_CHARACTERS:]) for line in text.rstrip().rsplit("\n", LINES)[: -LINES - 1 : -1])
    return list(islice(filter(_speaks, lines), 2))


def _bare(line: str) -> str:
    return _COLOUR.sub("", line).strip()


def _speaks(line: str) -> bool:
    return any(map(str.isalpha, line))


def _match(shown: list[str], held: list[str]) -> bool:
    return bool(shown and held) and all(map(_alike, shown, held))


def _alike(shown: str, held: str) -> bool:
    return shown == held or (min(len(shown), len(held)) >= SHORT and (shown in held or held in shown))


def _follow(lines: list[str], text: str) -> bool:
    """Whether two lines stand in a text, one after the other."""
    at = -1
    for _ in range(TRIES if len(lines) > 1 and sum(map(len, lines)) >= STRETCH else 0):
        at = text.find(lines[0], at + 1)
        if at < 0:
            return False
        below = at + len(lines[0])
        following = _first(text[below : below + LINE_CHARACTERS])
        if following and following[0].startswith(lines[1][: len(following[0])]):
            return True
    return False

r"""What the words of a command may stand for: quoted and escaped parts, variables, loops and braces.

It is no shell. It takes what people type most often, and what it takes too much is only a name that leads to
no file.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice, product

VALUES = 64
"""How many values a variable has at most, and how many words one word becomes."""
EXPANDED = 256
"""How many words are expanded at most in one command."""
WORDS = 1024
"""How many words are looked at for folders and patterns."""
LONGEST_WORD = 1024
"""Longest word that is expanded, in characters."""

_NAME = re.compile(r"""(?:[^\s'"`\\;|&<>()$=,:*?\[\]{}]|\\.)+""")
_QUOTED = re.compile(r"""\\.|'([^']*)'|"((?:[^"\\$`]|\\.)*)\"""")
_WORD = re.compile(r"""(?:[^\s'"`\\;|&<>()$]|\\.|'[^']*+'|"(?:[^"\\$`]|\\.)*+")++""")
_PIECE = re.compile(r"""\\(.)|'([^']*+)'|"((?:[^"\\$`]|\\.)*+)\"""")
_BREAK = re.compile(r"[\s;|&<>()'\"`$\\]+")
_PATTERN = re.compile(r"[*?\[]")
_ESCAPED = re.compile(r"\\(.)")

_ASSIGNED = re.compile(
    r"""(?:^|[;&|(\n{]|\b(?:export|local|declare|do|then)\b)[ \t]*+([A-Za-z_]\w*+)="""
    r"""('[^'\n]*+'|"[^"\n$`\\]*+"|[^\s'"`\\;|&<>()$]*+)""",
    re.MULTILINE,
)
_LOOP = re.compile(r"""\bfor[ \t]+([A-Za-z_]\w*+)[ \t]+in[ \t]+([^;\n]*+)""")
_RAW = re.compile(r"""(?:[^\s;|&<>()`'"\\]|\\.|"(?:[^"\\`\n]|\\.)*+"|'[^'\n]*+')++""")
"""A word with its quotes, variables and braces."""
_USED = re.compile(r"""\$(?:([A-Za-z_]\w*+)|\{([A-Za-z_]\w*+)\})""")
_BRACES = re.compile(r"""\{([^{}\s]*)\}""")
_RANGE = re.compile(r"""(\d{1,6})\.\.(\d{1,6})""")


def with_expansions(command: str) -> str:
    """Return a command and behind it, a line each, what its words with variables and braces become."""
    if "$" not in command and "{" not in command:
        return command
    variables = _variables(command)
    found: list[str] = []
    for word in _RAW.findall(command):
        if len(found) >= EXPANDED:
            break
        if len(word) <= LONGEST_WORD and ("$" in word or "{" in word):
            for spoken in _filled(word, variables):
                found += islice(_unbraced(spoken), VALUES)
    return "\n".join([command, *found[:EXPANDED]])


def names(command: str, ending: str) -> Iterator[str]:
    """Yield what may name a file: whole words as a shell takes them, then parts of them."""
    words = (_PIECE.sub(_bare, word) for word in _WORD.findall(command))
    quoted = (found[1] or _ESCAPED.sub(r"\1", found[2] or "") for found in _QUOTED.finditer(command))
    parts = (_ESCAPED.sub(r"\1", name) for name in _NAME.findall(command))
    return (name for name in chain(words, quoted, parts) if name.endswith(ending))


def words(command: str) -> Iterator[str]:
    """Yield the words of a command that may be folders."""
    found = (_PIECE.sub(_bare, word) for word in islice(_WORD.findall(command), WORDS))
    return (word for word in dict.fromkeys(found) if word and not word.startswith("-"))


def patterns(command: str, ending: str) -> Iterator[str]:
    """Yield the patterns of names that the shell itself resolves: those outside quotes."""
    # A quoted pattern is the command's own, as in a search.
    plain = _QUOTED.sub("'", command)
    return _with_patterns(islice(dict.fromkeys(_BREAK.split(plain)), WORDS), ending)


def quoted_patterns(command: str, ending: str) -> Iterator[str]:
    """Yield the patterns of names in quotes, which a command resolves by itself."""
    quoted = (found[1] or found[2] or "" for found in _QUOTED.finditer(command))
    return _with_patterns(islice(dict.fromkeys(quoted), WORDS), ending)


def _with_patterns(found: Iterable[str], ending: str) -> Iterator[str]:
    return (
        word
        for word in found
        if len(word) <= LONGEST_WORD and word.endswith(ending) and _PATTERN.search(word)
    )


def _bare(piece: re.Match[str]) -> str:
    return piece[1] or piece[2] or _ESCAPED.sub(r"\1", piece[3] or "")


def _variables(command: str) -> dict[str, list[str]]:
    """Return what the command itself puts into its variables."""
    found: dict[str, list[str]] = {}
    for name, value in _ASSIGNED.findall(command):
        found.setdefault(name, []).append(value.strip("'\""))
    for name, listed in _LOOP.findall(command):
        values = (_PIECE.sub(_bare, word) for word in _RAW.findall(listed))
        found.setdefault(name, []).extend(chain.from_iterable(map(_unbraced, values)))
    return {name: list(dict.fromkeys(values))[:VALUES] for name, values in found.items()}


def _filled(word: str, variables: dict[str, list[str]]) -> list[str]:
    """Return what a word becomes with each value of its variables; nothing where one is not known."""
    used = list(dict.fromkeys(one or other for one, other in _USED.findall(word)))
    if not all(name in variables for name in used):
        return []
    filled: list[str] = []
    for values in islice(product(*(variables[name] for name in used)), VALUES):
        given = dict(zip(used, values, strict=True))
        filled.append(_USED.sub(lambda found, given=given: given[found[1] or found[2]], word))  # type: ignore[misc]
    return filled


def _unbraced(word: str) -> list[str]:
    """Return what a word with braces becomes: `{a,b}` and `{1..3}`, the innermost first."""
    todo, done = [word], list[str]()
    while todo and len(done) + len(todo) <= VALUES:
        one = todo.pop(0)
        choice = next((found for found in _BRACES.finditer(one) if _choices(found[1])), None)
        if choice is None:
            done.append(one)
        else:
            todo += [one[: choice.start()] + each + one[choice.end() :] for each in _choices(choice[1])]
    return list(dict.fromkeys(done + todo))[:VALUES]


def _choices(inner: str) -> list[str]:
    if bounds := _RANGE.fullmatch(inner):
        first, last = int(bounds[1]), int(bounds[2])
        width = len(bounds[1]) if bounds[1].startswith("0") else 0
        return [str(number).zfill(width) for number in range(first, min(last, first + VALUES - 1) + 1)]
    return inner.split(",")[:VALUES] if "," in inner else []

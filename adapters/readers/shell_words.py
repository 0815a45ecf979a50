r"""What the words of a command may stand for: quoted and escaped parts, variables, loops and braces.

It is no shell. It takes what people type most often, and what it takes too much is only a name that leads to
no file. What only the running shell knows stands as `*`.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice, product

VALUES = 64
"""How many values a variable has at most, and how many words one word becomes."""
EXPANDED = 256
"""How many words are expanded at most in one command."""
WORDS = 1024
"""How many words are looked at for folders and patterns."""
LONGEST_WORD = 1024
"""Longest word that is expanded, in characters."""
UNKNOWN = "*"
"""What stands for a part of a word that only the running shell knows."""

_NAME = re.compile(r"""(?:[^\s'"`\\;|&<>()$=,:*?\[\]{}]|\\.)+""")
_QUOTED = re.compile(r"""\\.|'([^']*)'|"((?:[^"\\$`]|\\.)*)\"""")
_WORD = re.compile(r"""(?:[^\s'"`\\;|&<>()$]|\\.|'[^']*+'|"(?:[^"\\$`]|\\.)*+")++""")
_PIECE = re.compile(r"""\\(.)|'([^']*+)'|"((?:[^"\\$`]|\\.)*+)\"""")
_BREAK = re.compile(r"[\s;|&<>()'\"`$\\]+")
_PATTERN = re.compile(r"[*?\[]")
_ESCAPED = re.compile(r"\\(.)")
_JOINED = re.compile(
    r"""(?:(?:'[^'"\n]{1,200}'|"[^'"\n]{1,200}")\)?[ \t]*+[,/][ \t]*+)+"""
    r"""(?:'[^'"\n]{1,200}'|"[^'"\n]{1,200}")"""
)
"""The parts of a path as programs join them."""

_ASSIGNED = re.compile(
    r"""(?:^|[;&|\n{]|(?<!\()\(|\b(?:export|local|declare|do|then)\b)[ \t]*+([A-Za-z_]\w*+)="""
    r"""('[^'\n]*+'|"[^"\n`\\]*+"|[^\s'"`\\;|&<>()]++)""",
    re.MULTILINE,
)
_ARRAY = re.compile(r"""\b([A-Za-z_]\w*+)\+?=\(([^()]*+)\)""")
_LOOP = re.compile(r"""\bfor[ \t]+([A-Za-z_]\w*+)[ \t]+in[ \t]+([^;\n]*+)""")
_RAW = re.compile(r"""(?:[^\s;|&<>()`'"\\]|\\.|"(?:[^"\\`\n]|\\.)*+"|'[^'\n]*+')++""")
"""A word with its quotes, variables and braces."""
_USED = re.compile(
    r"""\$(?:([A-Za-z_]\w*+)|\{([A-Za-z_]\w*+)(?:\[[^\]{}]*+\]|:?[-=]([^{}]*+)|[^{}]*+)?\}|[@*\d])"""
)
_BRACES = re.compile(r"""\{([^{}\s]*)\}""")
_FILLED = re.compile(r"\{[\w.]*+\}")
"""What a program fills in its own text, such as `{name}`."""
_RANGE = re.compile(r"""(\d{1,6})\.\.(\d{1,6})""")
_PLACE = re.compile(r"""(?<!\S)-I[ \t]*+['"]?([^\s'"{}$*]{1,8})""")
"""The word that `xargs` fills."""


class Script:
    """A command and what its words become; `known` gives a variable that it does not set itself, or ""."""

    def __init__(self, command: str, known: Callable[[str], str]) -> None:
        """Expand the words of a command; of one without variables and braces there are none."""
        self._command = command
        self._known = known
        self._place = found[1] if "xargs" in command and (found := _PLACE.search(command)) else ""
        self._variables: dict[str, list[str]] = {}
        self._texts = [command]
        if "$" in command or "{" in command or self._place:
            self._set()
            marks = [mark for mark in ("$", "{", self._place) if mark]
            for word in _RAW.findall(command):
                if len(self._texts) > EXPANDED:
                    break
                if len(word) <= LONGEST_WORD and any(mark in word for mark in marks):
                    self._texts += self.becomes(word)
            del self._texts[EXPANDED + 1 :]

    def becomes(self, word: str) -> list[str]:
        """Return what a word with its quotes becomes; its quotes stay."""
        if self._place and "/" in word:
            word = word.replace(self._place, UNKNOWN)
        return list(islice(chain.from_iterable(map(_unbraced, self._filled(word))), VALUES))

    def names(self, ending: str) -> Iterator[str]:
        """Yield what may name a file: whole words as a shell takes them, then parts of them."""
        found = chain.from_iterable(map(_names, self._texts))
        hidden = "/" + ending
        return (
            name
            for name in found
            if name.endswith(ending) and UNKNOWN not in name and not f"/{name}".endswith(hidden)
        )

    def folders(self) -> Iterator[str]:
        """Yield the words that may be folders."""
        found = chain.from_iterable(map(_words, self._texts))
        return (word for word in dict.fromkeys(islice(found, WORDS)) if word and not word.startswith("-"))

    def patterns(self, ending: str) -> Iterator[str]:
        """Yield the patterns of names that the shell itself resolves: those outside quotes."""
        # A quoted pattern is the command's own, as in a search.
        plain = _BREAK.split(_QUOTED.sub("'", self._command))
        expanded = (_BREAK.split(_PIECE.sub(_bare, text)) for text in self._texts[1:])
        return _patterns(chain(plain, *expanded), ending)

    def quoted_patterns(self, ending: str) -> Iterator[str]:
        """Yield the patterns of names in quotes, which a command resolves by itself."""
        return _patterns((found[1] or found[2] or "" for found in _QUOTED.finditer(self._command)), ending)

    def _set(self) -> None:
        """Take what the command itself puts into its variables, in the order of the forms."""
        for found in islice(_ASSIGNED.finditer(self._command), VALUES):
            self._put(found[1], [found[2]])
        for form in (_ARRAY, _LOOP):
            for name, listed in islice(map(re.Match.groups, form.finditer(self._command)), VALUES):
                # What another command prints is not known.
                printed = listed.startswith(("$(", "`"))
                self._put(name, [UNKNOWN] if printed else _RAW.findall(listed))

    def _put(self, name: str, words: Iterable[str]) -> None:
        found = self._variables.setdefault(name, [])
        for word in islice(words, VALUES):
            values = (_PIECE.sub(_bare, one) for one in self.becomes(word.strip('"')))
            found += (value for value in values if len(value) <= LONGEST_WORD)
        self._variables[name] = list(dict.fromkeys(found))[:VALUES]

    def _filled(self, word: str) -> Iterator[str]:
        """Yield what a word becomes with each value of its variables."""
        used = {found[0]: self._values(found) for found in _USED.finditer(word)}
        for values in islice(product(*used.values()), VALUES):
            given = dict(zip(used, values, strict=True))
            yield _USED.sub(lambda found, given=given: given[found[0]], word)  # type: ignore[misc]

    def _values(self, found: re.Match[str]) -> list[str]:
        name = found[1] or found[2] or ""
        return self._variables.get(name) or [(name and self._known(name)) or found[3] or UNKNOWN]


def _names(text: str) -> Iterator[str]:
    yield from (_PIECE.sub(_bare, word) for word in _WORD.findall(text))
    yield from (found[1] or _ESCAPED.sub(r"\1", found[2] or "") for found in _QUOTED.finditer(text))
    yield from (_ESCAPED.sub(r"\1", name) for name in _NAME.findall(text))
    for joined in _JOINED.findall(text):
        yield "/".join(found[1] or found[2] or "" for found in _QUOTED.finditer(joined))


def _words(text: str) -> Iterator[str]:
    return (_PIECE.sub(_bare, word) for word in islice(_WORD.findall(text), WORDS))


def _patterns(found: Iterable[str], ending: str) -> Iterator[str]:
    for word in islice(dict.fromkeys(found), WORDS):
        wild = _PATTERN.search(word) and len(word) <= LONGEST_WORD
        if wild and (word.endswith(ending) or (word.endswith(UNKNOWN) and "/" in word)):
            yield word.replace("[^", "[!")


def _bare(piece: re.Match[str]) -> str:
    return piece[1] or piece[2] or _ESCAPED.sub(r"\1", piece[3] or "")


def _unbraced(word: str) -> list[str]:
    """Return what a word with braces becomes: `{a,b}` and `{1..3}`, the innermost first."""
    todo, done = [word], list[str]()
    while todo and len(done) + len(todo) <= VALUES:
        one = todo.pop(0)
        choice = next((found for found in _BRACES.finditer(one) if _choices(found[1])), None)
        if choice is None:
            done.append(_FILLED.sub(UNKNOWN, one) if "'" in one or '"' in one else one.replace("{}", UNKNOWN))
        else:
            todo += [one[: choice.start()] + each + one[choice.end() :] for each in _choices(choice[1])]
    return list(dict.fromkeys(done + todo))[:VALUES]


def _choices(inner: str) -> list[str]:
    if bounds := _RANGE.fullmatch(inner):
        first, last = int(bounds[1]), int(bounds[2])
        width = len(bounds[1]) if bounds[1].startswith("0") else 0
        return [str(number).zfill(width) for number in range(first, min(last, first + VALUES - 1) + 1)]
    return inner.split(",")[:VALUES] if "," in inner else []

"""The first heading of a Markdown text, in plain words.

Lines are told apart as CommonMark does, as far as it takes to know a heading from what only looks like one;
the tests compare it with markdown-it-py. That library itself takes 35 to 60 ms to import, and 0.1 s for 8 KiB
of a list or a second for 64: a hook has less.
"""

import re

CHARACTERS = 16_384
"""In how much of a text the first heading is looked for."""
RAW = 1000
"""Longest heading that is looked at, with its marks, in characters."""

_CODE = 4
"""How far a line of code is indented."""

_MARKS = re.compile(r" {0,3}#{1,6}(?: |\Z)")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+) *")
_RULE = re.compile(r" {0,3}(?:(?:- *){3,}|(?:_ *){3,}|(?:\* *){3,})")
_FENCE = re.compile(r" {0,3}(?:(`{3,})[^`]*|(~{3,}).*)")
_ITEM = re.compile(r" {0,3}(?:[-+*]|(\d{1,9})[.)])(?: +|\Z)")
_MARKED = re.compile(r"(?: {0,3}>| {0,3}(?:[-+*]|\d{1,9}[.)])(?= |\Z))*+ ?")
_DEFINITION = re.compile(r" {0,3}\[(?:[^\[\]\\]|\\.)++\]: *\S")
_CELLS = re.compile(r"\|.*|[ :|-]*-[ :|-]*\|[ :|-]*")
_FIELD = re.compile(r"[^\W\d][\w -]{0,40}:(?: |\Z)")

_UNTIL = (
    (re.compile(r" {0,3}<!--"), re.compile("-->")),
    (re.compile(r" {0,3}<\?"), re.compile(r"\?>")),
    (re.compile(r" {0,3}<!\[CDATA\["), re.compile(r"\]\]>")),
    (re.compile(r" {0,3}<![A-Za-z]"), re.compile(">")),
    (
        re.compile(r" {0,3}<(?:script|pre|style|textarea)(?:[ >]|\Z)", re.IGNORECASE),
        re.compile("</(?:script|pre|style|textarea)>", re.IGNORECASE),
    ),
)
"""How blocks of HTML begin that go on to a certain text, and that text."""
_OPENING = re.compile(r" {0,3}</?([A-Za-z][A-Za-z0-9]*)(?: |/?>|\Z)")
_BLOCKS = (
    " address article aside base basefont blockquote body caption center col colgroup dd details dialog dir"
    " div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html"
    " iframe legend li link main menu menuitem nav noframes ol optgroup option p param search section source"
    " summary table tbody td tfoot th thead title tr track ul "
)
"""The tags of a block of HTML that goes on to a blank line."""
_ATTRIBUTE = r" +[a-z_:][\w.:-]*(?: *= *(?:[^\s\"'=<>`]+|'[^']*'|\"[^\"]*\"))?"
_TAG = re.compile(rf" {{0,3}}<(?:/[a-z][a-z0-9-]* *|[a-z][a-z0-9-]*(?:{_ATTRIBUTE})* */?)> *", re.IGNORECASE)
_BLANK = re.compile(r"\A *\Z")

_LITERAL = re.compile(
    r"\\([!-/:-@\[-`{-~])|(?<!`)(`++) ?(.+?) ?(?<!`)\2(?!`)"
    r"|<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*+|[\w.+-]+@[\w.-]+)>"
)
_KEPT = range(0xFDD0, 0xFDF0)
"""Characters that stand in no text: each stands for one literal while marks are taken off."""
_NAMED = re.compile(r" *\{#[^{}\s]*\}\Z")
_LINK = re.compile(r"!?\[([^\[\]]*+)\](?:\((?:[^()]|\([^()]*+\))*+\)|\[[^\[\]]*+\])")
_SHORT = re.compile(r"!?\[([^\[\]]++)\]")
_BREAK = re.compile(r" *<br(?: [^<>]*)?/?> *", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_INLINE = "a|b|code|em|i|img|kbd|s|small|span|strong|sub|sup"
_AROUND_WORDS = (
    re.compile(rf"<!--.*?-->|</?(?:{_INLINE})(?: [^<>]*)?/?>", re.IGNORECASE),
    re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*"),
    re.compile(r"(?<!\w)__(?=\S)(.+?)(?<=\S)__(?!\w)"),
    re.compile(r"\*(?=\S)([^*]+)(?<=\S)\*"),
    re.compile(r"(?<!\w)_(?=\S)([^_]+)(?<=\S)_(?!\w)"),
    re.compile(r"~~(?=\S)(.+?)(?<=\S)~~"),
)


def first(text: str) -> str:
    """Return the first heading that says something, of either form; none in code, HTML, a list or a quote."""
    text = text[:CHARACTERS].replace("\r\n", "\n").replace("\r", "\n").expandtabs(4)
    scan = _Scan()
    for line in text.split("\n"):
        if (heading := scan.take(line)) and (words := plain(heading, text)):
            return words
    return ""


class _Scan:
    """What the lines so far have opened."""

    def __init__(self) -> None:
        self._until: re.Pattern[str] | None = None
        self._paragraph: list[str] = []
        self._inside = 0
        """How far what belongs to the list item is indented; a quote counts as one that has only its line."""
        self._lazy = False
        """Whether a line of text would go on with the last one of a list item or a quote."""
        self._started = False
        self._fields = False
        """Whether the paragraph is the first thing in the text."""

    def take(self, line: str) -> str:
        """Return the heading that ends with this line, with its marks, if one does."""
        bare = line.strip(" ")
        if self._until is not None:
            if self._until.search(line):
                self._until = None
        elif not bare:
            self._paragraph, self._lazy = [], False
        elif self._inside and len(line) - len(line.lstrip(" ")) >= self._inside:
            self._lazy = _goes_on(bare)
        else:
            return self._outside(line, bare)
        return ""

    def _outside(self, line: str, bare: str) -> str:
        if bare[0] not in "#=-_*+`~<>[0123456789" or line.startswith("    "):
            self._text(line, bare)
        elif found := _MARKS.match(line):
            self._end()
            return _without_marks(line[found.end() :].strip(" "))
        elif self._paragraph and _UNDERLINE.fullmatch(line):
            heading = "" if self._no_heading(bare) else " ".join(self._paragraph)
            self._end()
            return heading
        elif not self._opens(line, bare):
            self._text(line, bare)
        return ""

    def _opens(self, line: str, bare: str) -> bool:
        """Whether a line begins something that is neither a heading nor text, or is all of it."""
        if fence := _FENCE.fullmatch(line):
            mark = fence[1] or fence[2]
            self._end()
            self._until = re.compile(rf"\A {{0,3}}{mark[0]}{{{len(mark)},}} *\Z")
        elif _RULE.fullmatch(line):
            self._end()
        elif bare[0] == ">":
            self._end()
            self._lazy = _goes_on(bare)
        elif (item := _ITEM.match(line)) and not (
            self._paragraph and (line == item[0] or item[1] not in {None, "1"})
        ):
            self._end()
            blanks = len(item[0]) - len(item[0].rstrip(" "))
            self._inside = len(item[0]) - (blanks - 1 if blanks > _CODE else 0) + (blanks == 0)
            self._lazy = _goes_on(bare)
        elif bare[0] == "<":
            return self._html(line)
        elif bare[0] == "[" and not self._paragraph and not self._lazy and _DEFINITION.match(line):
            self._end()
        else:
            return False
        return True

    def _html(self, line: str) -> bool:
        for begins, ends in _UNTIL:
            if begin := begins.match(line):
                self._end()
                self._until = None if ends.search(line, begin.end() - 2) else ends
                return True
        tag = _OPENING.match(line)
        block = tag is not None and f" {tag[1].lower()} " in _BLOCKS
        if block or (not self._paragraph and not self._lazy and _TAG.fullmatch(line)):
            self._end()
            self._until = _BLANK
            return True
        return False

    def _text(self, line: str, bare: str) -> None:
        if self._lazy:
            return
        if not self._paragraph:
            if line.startswith("    "):
                self._end()
                return
            self._fields = not self._started
        self._inside, self._started = 0, True
        self._paragraph.append(bare)

    def _end(self) -> None:
        self._paragraph, self._inside, self._lazy, self._started = [], 0, False, True

    def _no_heading(self, underline: str) -> bool:
        """Whether a paragraph over a line is a table, or fields at the start of a text without a mark."""
        if any(_CELLS.fullmatch(line) for line in self._paragraph):
            return True
        fields = self._fields and len(self._paragraph) > 1 and underline[0] == "-"
        return fields and all(map(_FIELD.match, self._paragraph))


def _goes_on(line: str) -> bool:
    """Whether a line of a list item or a quote ends in text, which the next line may go on with."""
    inner = line[_MARKED.match(line).end() :]  # type: ignore[union-attr] # it matches nothing, too
    return bool(inner.strip(" ")) and not (
        inner.startswith("    ") or _MARKS.match(inner) or _FENCE.fullmatch(inner) or _RULE.fullmatch(inner)
    )


def plain(heading: str, text: str = "") -> str:
    """Return a heading in plain words, without marks of code, links and emphasis, and a closing `{#id}`.

    Breaks are blanks and character references what they stand for. `text` is the whole one: it defines what
    a link of one word means.
    """
    if not heading or len(heading) > RAW:
        return heading
    kept: list[str] = []

    def keep(found: re.Match[str]) -> str:
        if len(kept) == len(_KEPT):
            return found[0]
        kept.append(found[1] or found[3] or found[4])
        return chr(_KEPT[len(kept) - 1])

    words = _LITERAL.sub(keep, _NAMED.sub("", heading))
    # A picture may stand in a link.
    words = _LINK.sub(r"\1", _LINK.sub(r"\1", words))
    if "[" in words and "]:" in text:
        words = _SHORT.sub(lambda found: found[1] if _defined(found[1], text) else found[0], words)
    words = _BREAK.sub(" ", words)
    for mark in _AROUND_WORDS:
        words = mark.sub(r"\1" if mark.groups else "", words)
    if "&" in words:
        words = _ENTITY.sub(_character, words)
    for code, literal in zip(_KEPT, kept, strict=False):
        words = words.replace(chr(code), literal)
    return words.strip(" ")


def _defined(label: str, text: str) -> bool:
    """Whether a text says what a link's label leads to; neither case nor blanks make a difference."""
    words = r"\s+".join(map(re.escape, label.split()))
    definition = rf"^ {{0,3}}\[\s*{words}\s*\]: *\S"
    return bool(words) and re.search(definition, text, re.IGNORECASE | re.MULTILINE) is not None


def _character(found: re.Match[str]) -> str:
    from html import unescape  # noqa: PLC0415 - hardly any heading needs its list of names

    return unescape(found[0])


def _without_marks(heading: str) -> str:
    """Return a heading's text without the `#` that may close it."""
    bare = heading.rstrip("#")
    return bare.rstrip(" ") if not bare or bare[-1] == " " else heading

"""What a Markdown file says of itself: its front matter and its first heading."""

import re

import msgspec

FRONT_CHARACTERS = 8192
"""Longest front matter that is parsed: a skill's has some hundred characters, and at this length even
brackets all the way take less than a tenth of a second."""

HEADING_CHARACTERS = 65_536
"""In how much of the text after it the first heading is looked for."""

_FRONT = re.compile(r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_MARKS = re.compile(r" {0,3}#{1,6}(?![^ \t])")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-{2,})[ \t]*")
_BLANKS = re.compile(r"\s+")


class About(msgspec.Struct, frozen=True):
    """The front matter's `name`, `title` and `description`, and the first heading; empty where absent."""

    name: str = ""
    title: str = ""
    description: str = ""
    heading: str = ""


def about(text: str) -> About:
    """Return what a Markdown text says of itself; each value is one line.

    A front matter that is no YAML mapping says nothing, as in hosts that pass over it.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    found = _FRONT.match(text)
    front = {} if found is None else _mapping(found[1])
    body = (text if found is None else text[found.end() :])[:HEADING_CHARACTERS]
    name, title, description = (_line(front.get(key)) for key in ("name", "title", "description"))
    return About(name, title, description, _line(_heading(body)))


def _mapping(source: str) -> dict[object, object]:
    if len(source) > FRONT_CHARACTERS:
        return {}
    import yaml  # noqa: PLC0415 - 10 ms that only a proven read of a Markdown file pays

    try:
        # Plain texts only: no date, no number, and no tag is built.
        loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
        found = yaml.load(source, Loader=loader)  # noqa: S506 - it builds nothing but texts
    except (yaml.YAMLError, RecursionError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _heading(body: str) -> str:
    """Return the text of the first heading outside a fenced block, of either form."""
    fence = ""
    before = ""
    for line in body.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            closes = mark is not None and mark[1].startswith(fence) and not line.strip(" \t`~")
            fence = "" if closes else fence
            before = ""
        elif mark is not None:
            fence, before = mark[1], ""
        elif opening := _MARKS.match(line):
            if heading := _without_marks(line[opening.end() :].strip(" \t")):
                return heading
            before = ""
        elif before and _UNDERLINE.fullmatch(line):
            return before
        else:
            before = line.strip()
    return ""


def _without_marks(heading: str) -> str:
    """Return a heading's text without the `#` that may close it."""
    bare = heading.rstrip("#")
    return bare.rstrip(" \t") if not bare or bare[-1] in " \t" else heading


def _line(value: object) -> str:
    return _BLANKS.sub(" ", value).strip() if isinstance(value, str) else ""

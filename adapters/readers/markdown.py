"""What a Markdown file says of itself: its front matter and its first heading.

The front matter is what hosts take for one: it begins with the first line of the file.
"""

import re

import msgspec

FRONT_CHARACTERS = 8192
"""Longest front matter that is parsed: a skill's has some hundred characters, and at this length even
brackets all the way take less than a tenth of a second."""

CHARACTERS = 65_536
"""How much of a text is looked at."""

TITLE_CHARACTERS = 200
"""Longest name, title or heading; a longer one is none, and it is not cut: a part may say something else."""

DESCRIPTION_CHARACTERS = 1024
"""Longest description, the bound of the format of skills (agentskills.io); a longer one says nothing."""

_FRONT = re.compile(r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_FIELDS = re.compile(r"(?:[ \t]*(?:#.*)?\n)*+[\w-]+[ \t]*:(?:\s|\Z)")
_LINE = re.compile(r"^(name|title|description)[ \t]*:[ \t]+(\S.*+)(?!\n(?:[ \t]*\n)*+[ \t]+\S)", re.MULTILINE)
_PLAIN = re.compile(r"[^\s\"'\[\]{}>|*&!%#`@,?:-].*|[?:-]\S.*")
_COMMENT = re.compile(r"\s#.*")
_NOTHING = frozenset({"", "~", "null", "Null", "NULL"})
_BLANKS = re.compile(r"\s+")


class About(msgspec.Struct, frozen=True):
    """The front matter's `name`, `title` and `description`, empty where absent, and the text below it."""

    name: str = ""
    title: str = ""
    description: str = ""
    body: str = ""

    @property
    def heading(self) -> str:
        """The first heading, empty where there is none; it is looked for when it is asked for."""
        from adapters.readers import headings  # noqa: PLC0415 - 10 ms that a file with a title need not pay

        return _line(headings.first(self.body), TITLE_CHARACTERS)


def about(text: str) -> About:
    """Return what a Markdown text says of itself; each value is one line.

    A front matter that is no YAML mapping says nothing, as in hosts that pass over it. What looks like one
    and stands below empty lines says nothing either, and is no text with a heading.
    """
    text = text[:CHARACTERS].removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    found = _FRONT.match(text)
    front = {} if found is None else _mapping(found[1])
    return About(
        _line(front.get("name"), TITLE_CHARACTERS),
        _line(front.get("title"), TITLE_CHARACTERS),
        _line(front.get("description"), DESCRIPTION_CHARACTERS),
        _below(text.lstrip()) if found is None else text[found.end() :],
    )


def _below(text: str) -> str:
    """Return a text without fields between two lines at its start."""
    found = _FRONT.match(text)
    return text if found is None or not _FIELDS.match(found[1]) else text[found.end() :]


def _mapping(source: str) -> dict[object, object]:
    if len(source) > FRONT_CHARACTERS:
        return {}
    try:
        found = _loaded(source)
    except ValueError:
        return _lines(source)
    return found if isinstance(found, dict) else {}


def _loaded(source: str) -> object:
    """Return what a text holds as YAML, or raise ValueError."""
    import yaml  # noqa: PLC0415 - 10 ms that only a proven read of a Markdown file pays

    try:
        # Plain texts only: no date, no number, and no tag is built.
        loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
        return yaml.load(source, Loader=loader)  # noqa: S506 - it builds nothing but texts
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError from error


def _lines(source: str) -> dict[object, object]:
    """Return the fields that stand on one line each, where the whole is no YAML.

    Most often a plain value with a colon and a blank in it, which hosts take as it stands.
    """
    found: dict[object, object] = {}
    for key, value in _LINE.findall(source):
        try:
            held = _loaded(value)
        except ValueError:
            held = None
        if isinstance(held, str):
            found.setdefault(key, held)
        elif _PLAIN.fullmatch(value):
            found.setdefault(key, _COMMENT.sub("", value))
    return found


def _line(value: object, longest: int) -> str:
    line = _BLANKS.sub(" ", value).strip() if isinstance(value, str) else ""
    return "" if line in _NOTHING or len(line) > longest else line

"""Which Markdown files of a project could be listed as documents, within bounds of size and of time."""

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic

import msgspec

from adapters.readers.globs import covers, matches
from adapters.readers.names import ENDING
from adapters.readers.places import LEVELS as COUNTED_LEVELS
from adapters.readers.places import PRIVATE
from adapters.readers.skill import FILE as SKILL
from ledger.errors import HomeError, ReadmarkError
from ledger.home import user_home
from ledger.project import Project
from ledger.runtime import settings

GLOBS = (
    "README.md",
    "CONTRIBUTING.md",
    "**/AGENTS.md",
    "**/CLAUDE.md",
    "**/GEMINI.md",
    "**/ARCHITECTURE.md",
    "**/DESIGN.md",
    "docs/**/*.md",
    "doc/**/*.md",
    "adr/**/*.md",
    "adrs/**/*.md",
    "design/**/*.md",
    "rfc/**/*.md",
    "rfcs/**/*.md",
    "specs/**/*.md",
    "openspec/specs/**/*.md",
    ".github/copilot-instructions.md",
    ".github/instructions/**/*.md",
    ".cursor/rules/**/*.md",
)
"""Where projects keep what an agent should read, in the order in which it is shown."""
OTHER_RULES = ".mdc"
"""How Cursor's own rules end, which are no Markdown by their name."""
LEFT_OUT = frozenset(
    {"node_modules", "vendor", "third_party", "venv", "__pycache__", "dist", "build", "target"}
)
"""Folders that hold what others wrote, or what is made anew; so do those with a dot, but for these two."""
HIDDEN = frozenset({".github", ".cursor"})
LEVELS = 8
"""How deep a project is looked through."""
FOLDERS = 2_000
"""How many folders are looked into at most."""
ENTRIES = 50_000
"""How many names are looked at at most."""
SECONDS = 1.0
"""For how long a project is looked through."""


class Offer(msgspec.Struct, frozen=True):
    """A glob that could be listed, and how many files it stands for."""

    glob: str
    files: int


class Survey(msgspec.Struct, frozen=True):
    """What a project holds: globs that it does not list yet, and how much is listed and could be.

    `listed` counts Markdown files that count already, `unlisted` those that the offers would add, `rules`
    those of Cursor that no pattern can list. `whole` is false where a bound ended the look.
    """

    offers: tuple[Offer, ...] = ()
    listed: int = 0
    unlisted: int = 0
    rules: int = 0
    whole: bool = True


def never(root: Path, environ: Mapping[str, str]) -> bool:
    """Whether a folder is never a project of anybody's: a home, `/`, or that for temporary files."""
    shared = ["/", tempfile.gettempdir()]
    with suppress(HomeError):
        shared.append(str(user_home(environ)))
    return root in {Path(os.path.realpath(one)) for one in shared}


def survey(project: Project, environ: Mapping[str, str]) -> Survey:
    """Look through a project; nothing is opened, no link is followed, and nothing raises."""
    look = _Look(project.root)
    own = project.contents.patterns
    try:
        users = settings(environ).patterns
    except ReadmarkError:
        users = own
    ignore, listed = (*own.ignore, *users.ignore), (*own.documents, *users.documents)
    found = [place for place in look.files() if not covers(ignore, place)]
    rules = sum(place.endswith(OTHER_RULES) for place in found)
    places = [place for place in found if place.endswith(ENDING)]
    left = [place for place in places if not matches(place, listed)]
    offers, new = _offers(left)
    return Survey(offers, len(places) - len(left), new, rules, look.whole)


def _offers(places: Sequence[str]) -> tuple[tuple[Offer, ...], int]:
    """Return the globs that stand for files which none before stands for, and how many these are."""
    offers: list[Offer] = []
    new: set[str] = set()
    for glob in GLOBS:
        meant = {place for place in places if matches(place, (glob,))}
        if meant - new:
            offers.append(Offer(glob, len(meant)))
            new |= meant
    return tuple(offers), len(new)


class _Look:
    """Goes through a project's folders; `whole` says whether it came to the end."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._until = monotonic() + SECONDS
        self._entries = ENTRIES
        self.whole = True

    def files(self) -> Iterator[str]:
        """Yield the paths of Markdown files, and of rules, that can count, with `/`, folder by folder."""
        todo = [""]
        for _ in range(FOLDERS):
            if not todo:
                return
            above = todo.pop(0)
            for entry in self._listed(above):
                place = above + entry.name
                if entry.is_dir(follow_symlinks=False):
                    if self._enters(entry, place):
                        todo.append(f"{place}/")
                elif entry.name.endswith((ENDING, OTHER_RULES)) and _can_count(entry, self._root / place):
                    yield place
        self.whole = not todo

    def _listed(self, above: str) -> list[os.DirEntry[str]]:
        if monotonic() > self._until or self._entries <= 0:
            self.whole = False
            return []
        try:
            with os.scandir(self._root / above) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except (OSError, ValueError):
            return []
        self._entries -= len(found)
        return found

    def _enters(self, entry: os.DirEntry[str], place: str) -> bool:
        hidden = entry.name.startswith(".") and entry.name not in HIDDEN
        if hidden or entry.name in LEFT_OUT or place.count("/") >= LEVELS:
            return False
        # A project inside has lists of its own.
        return not os.path.lexists(self._root / place / ".git")


def _can_count(entry: os.DirEntry[str], path: Path) -> bool:
    try:
        path.as_posix().encode()
    except UnicodeEncodeError:
        return False
    deep = len(path.parts) > COUNTED_LEVELS + LEVELS
    regular = entry.is_file(follow_symlinks=False) and entry.name != SKILL
    return regular and not deep and not PRIVATE.search(path.as_posix())

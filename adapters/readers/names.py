"""Where the files may be that a tool was asked for; what was typed is only a hint of where to look."""

import os
import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from adapters.readers.command import LONGEST
from contracts.event import FileResult, ShellResult
from contracts.library import PROJECT, Library

NAMES = 16
"""How many names in one command are looked up at most."""
FOLDERS = 16
"""In how many folders one name is looked up at most."""
CHANGES = 8
"""How many changes of the folder in one command are followed at most."""
PATTERNS = 4
"""How many patterns of names in one command are looked at most."""
LONGEST_NAME = 255
"""Longest pattern of a name that is looked for, as long as a name can be."""
ENTRIES = 512
"""How many entries a folder may have in which a pattern of names is looked for."""
ENDING = ".md"
"""How the name of a file ends that can count."""

_NAME = re.compile(r"""(?:[^\s'"`\\;|&<>()$=,:*?\[\]{}]|\\.)+""")
_QUOTED = re.compile(r"""\\.|'([^']*)'|"((?:[^"\\$`]|\\.)*)\"""")
_WORD = re.compile(r"""(?:[^\s'"`\\;|&<>()$]|\\.|'[^']*+'|"(?:[^"\\$`]|\\.)*+")++""")
_PIECE = re.compile(r"""\\(.)|'([^']*+)'|"((?:[^"\\$`]|\\.)*+)\"""")
_BREAK = re.compile(r"[\s;|&<>()'\"`$\\]+")
_PATTERN = re.compile(r"[*?\[]")
_VARIABLE = re.compile(r"\$(?:(HOME|PWD)|\{(HOME|PWD)\})(?=/)")
_FOLDER = re.compile(r"(?:\$\(pwd\)|`pwd`)(?=/)")
_TOP = re.compile(r"(?:\$\(git rev-parse --show-toplevel\)|`git rev-parse --show-toplevel`)(?=/)")
_ESCAPED = re.compile(r"\\(.)")
_CHANGE = re.compile(
    r"""(?:^|[;&|(\n])[ \t]*(?:cd|pushd)[ \t]+(?:--[ \t]+)?('[^']*'|"[^"]*"|[^\s;&|()'"]+)"""
)
_GOES = re.compile(r"\b(?:cd|pushd|popd|chdir|directory|cwd)\b|(?:^|\s)-C")
"""What a command may hold that works in another folder than the known one."""


class Named(NamedTuple):
    """A name and the absolute path that it may stand for, and whether the folder is but a guess."""

    text: str
    path: Path
    guessed: bool
    explicit: bool


def named(result: ShellResult | FileResult, library: Library) -> Iterator[Named]:
    """Yield what a call names."""
    folders = {Path(library.folder): False} if library.folder else {}
    names: Iterable[str] = [result.path] if isinstance(result, FileResult) else []
    stays = False
    if isinstance(result, ShellResult):
        command = _expanded(result.command, library) if len(result.command) <= LONGEST else ""
        stays = bool(library.folder) and not _GOES.search(command)
        # Some hosts tell the folder before the command ran and some after it; a root is a good guess too.
        folders |= dict.fromkeys(islice(_changed(command, library.folder), CHANGES), False)
        folders = dict.fromkeys((Path(root.path) for root in library.roots), True) | folders
    # What is known goes first.
    near = sorted(folders.items(), key=lambda one: one[1])[:FOLDERS]
    if isinstance(result, ShellResult):
        matching = _matching(command, [folder for folder, _ in near], library)
        names = _different(chain(_names(command), matching))
    seen: set[Path] = set()
    for name in names:
        known = False
        for folder, guessed in near or [(Path("/"), False)]:
            path = folder / _home(name)
            if path.is_absolute() and path not in seen and not (guessed and known):
                seen.add(path)
                yield Named(name, path, guessed, True)
                # Where the command went nowhere else, a file in the known folder is the one.
                known = known or (stays and os.path.lexists(path))


def _different(names: Iterable[str]) -> Iterator[str]:
    """Yield each name once, and only so many that no more is looked for than is looked at."""
    seen: set[str] = set()
    for name in names:
        if name not in seen:
            seen.add(name)
            yield name
        if len(seen) == NAMES:
            return


def _expanded(command: str, library: Library) -> str:
    """Return a command with the folders that people name by what a shell puts there; it is only a hint."""
    places = {"HOME": _home("~/").rstrip("/"), "PWD": library.folder}
    top = next((root.path for root in library.roots if root.name == PROJECT), ".")
    command = _TOP.sub(lambda _: top, _FOLDER.sub(".", command))
    return _VARIABLE.sub(lambda found: places[found[1] or found[2]] or found[0], command)


def _home(name: str) -> str:
    """Return a name with the user's home for its `~`, as a shell would read it."""
    try:
        return str(Path(name).expanduser()) if name.startswith("~/") else name
    except RuntimeError:
        return name


def _names(command: str) -> Iterator[str]:
    """Yield what may name a file: whole words as a shell takes them, then parts of them."""
    words = (_PIECE.sub(_bare, word) for word in _WORD.findall(command))
    quoted = (found[1] or _ESCAPED.sub(r"\1", found[2] or "") for found in _QUOTED.finditer(command))
    parts = (_ESCAPED.sub(r"\1", name) for name in _NAME.findall(command))
    return (name for name in chain(words, quoted, parts) if name.endswith(ENDING))


def _bare(piece: re.Match[str]) -> str:
    return piece[1] or piece[2] or _ESCAPED.sub(r"\1", piece[3] or "")


def _matching(command: str, folders: Iterable[Path], library: Library) -> Iterator[str]:
    """Yield the names that a pattern in a command stands for, in folders that lie in a root."""
    patterns = []
    # A quoted pattern is the command's own, as in a search.
    for word in dict.fromkeys(_BREAK.split(_QUOTED.sub("'", command))):
        above, slash, pattern = word.rpartition("/")
        one = len(pattern) <= LONGEST_NAME and pattern.endswith(ENDING) and _PATTERN.search(pattern)
        if one and not _PATTERN.search(above):
            patterns.append((above + slash, pattern))
    roots = [os.path.realpath(root.path) for root in library.roots] if patterns else []
    for above, pattern in patterns[:PATTERNS]:
        for folder in folders:
            for name in _entries(folder / _home(above), roots):
                # As in a shell, no pattern stands for a hidden name.
                if name[0] != "." and fnmatchcase(name, pattern):
                    yield above + name


def _entries(folder: Path, roots: Iterable[str]) -> list[str]:
    """Return the names in a folder of bounded size that lies in a root."""
    try:
        real = Path(os.path.realpath(folder))
        if any(real.is_relative_to(root) for root in roots):
            with os.scandir(real) as entries:
                found = [entry.name for entry in islice(entries, ENTRIES + 1)]
            return sorted(found) if len(found) <= ENTRIES else []
    except (OSError, ValueError):
        pass
    return []


def _changed(command: str, folder: str) -> Iterator[Path]:
    """Yield the folders into which a command says that it goes, one after the other."""
    at = Path(folder)
    for found in _CHANGE.finditer(command):
        at /= _home(found[1].strip("'\""))
        if at.is_absolute():
            yield at

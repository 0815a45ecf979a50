"""Where the files may be that a tool was asked for; what was typed is only a hint of where to look."""

import re
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from adapters.readers.command import LONGEST
from contracts.event import FileResult, ShellResult
from contracts.library import Library

NAMES = 16
"""How many names in one command are looked up at most."""
FOLDERS = 16
"""In how many folders one name is looked up at most."""
CHANGES = 8
"""How many changes of the folder in one command are followed at most."""
ENDING = ".md"
"""How the name of a file ends that can count."""

_NAME = re.compile(r"""(?:[^\s'"`\\;|&<>()$=,*?\[\]{}]|\\.)+""")
_QUOTED = re.compile(r"""\\.|'([^']*)'|"((?:[^"\\$`]|\\.)*)\"""")
_VARIABLE = re.compile(r"\$(?:(HOME|PWD)|\{(HOME|PWD)\})(?=/)")
_ESCAPED = re.compile(r"\\(.)")
_CHANGE = re.compile(
    r"""(?:^|[;&|(\n])[ \t]*(?:cd|pushd)[ \t]+(?:--[ \t]+)?('[^']*'|"[^"]*"|[^\s;&|()'"]+)"""
)


def named(result: ShellResult | FileResult, library: Library) -> Iterator[tuple[str, Path, bool]]:
    """Yield names and the absolute paths that they may stand for, and whether the folder is but a guess."""
    folders = {Path(library.folder): False} if library.folder else {}
    if isinstance(result, FileResult):
        names = [result.path]
    else:
        command = _expanded(result.command, library.folder) if len(result.command) <= LONGEST else ""
        names = list(islice(dict.fromkeys(_names(command)), NAMES))
        # Some hosts tell the folder before the command ran and some after it; a root is a good guess too.
        folders |= dict.fromkeys(islice(_changed(command, library.folder), CHANGES), False)
        folders = dict.fromkeys((Path(root.path) for root in library.roots), True) | folders
    seen: set[Path] = set()
    # What is known goes first.
    near = sorted(folders.items(), key=lambda one: one[1])[:FOLDERS]
    for name in names:
        for folder, guessed in near or [(Path("/"), False)]:
            path = folder / _home(name)
            if path.is_absolute() and path not in seen:
                seen.add(path)
                yield name, path, guessed


def _expanded(command: str, folder: str) -> str:
    """Return a command with the two folders that people name by a variable; what it names is only a hint."""
    places = {"HOME": _home("~/").rstrip("/"), "PWD": folder}
    return _VARIABLE.sub(lambda found: places[found[1] or found[2]] or found[0], command)


def _home(name: str) -> str:
    """Return a name with the user's home for its `~`, as a shell would read it."""
    try:
        return str(Path(name).expanduser()) if name.startswith("~/") else name
    except RuntimeError:
        return name


def _names(command: str) -> Iterator[str]:
    quoted = (found[1] or _ESCAPED.sub(r"\1", found[2] or "") for found in _QUOTED.finditer(command))
    bare = (_ESCAPED.sub(r"\1", name) for name in _NAME.findall(command))
    return (name for name in chain(quoted, bare) if name.endswith(ENDING))


def _changed(command: str, folder: str) -> Iterator[Path]:
    """Yield the folders into which a command says that it goes, one after the other."""
    at = Path(folder)
    for found in _CHANGE.finditer(command):
        at /= _home(found[1].strip("'\""))
        if at.is_absolute():
            yield at

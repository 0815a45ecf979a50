"""Where the files may be that a call showed; what was typed, and what a result says, is only a hint."""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from adapters.readers import walks
from adapters.readers.shell_words import Script
from contracts.event import FileResult, ShellResult
from contracts.library import PROJECT, Library

LONGEST = 32_768
"""Longest command that is looked at, in characters: agents write scripts into them."""
NAMES = 64
"""How many names in one call are looked up at most."""
FOLDERS = 16
"""In how many folders one name is looked up at most."""
CHANGES = 8
"""How many changes of the folder in one command are followed at most."""
HEADINGS = 32
"""How many names in the lines of a result are looked up at most."""
HEADING_CHARACTERS = 200
"""Longest line of a result that is taken for a heading."""
ENDING = ".md"
"""How the name of a file ends that can count."""

_VARIABLE = re.compile(r"\$(?:(HOME|PWD)|\{(HOME|PWD)\})(?=/)")
_FOLDER = re.compile(r"(?:\$\(pwd\)|`pwd`)(?=/)")
_TOP = re.compile(r"\$\(git rev-parse --show-toplevel\)|`git rev-parse --show-toplevel`")
_CHANGE = re.compile(
    r"""(?:(?:^|[;&|({\n'"]|\b(?:do|then)\b)[ \t]*(?:cd|pushd)[ \t]+(?:--[ \t]+)?"""
    r"""|[ \t](?:-C|--chdir|--directory|--cwd)(?:=|[ \t]+)(?!\d))"""
    r"""('[^']*'|"[^"]*"|[^\s;&|()'"]+)"""
)
_GOES = re.compile(r"\b(?:cd|pushd|popd|chdir|directory|cwd)\b|(?:^|\s)-C")
"""What a command may hold that works in another folder than the known one."""
_SEARCHES = re.compile(
    r"\b(?:find|fd|fdfind|bfs|rg|ugrep|grep|ls-files|ls-tree|glob|rglob|walk|Get-ChildItem)\b"
)
"""What a command may hold that looks for files in the folders below."""
_LISTS = re.compile(r"\b(?:ls|dir|listdir|iterdir|scandir|readdir)\b")
"""What a command may hold that lists the files of a folder."""
_HANDS_ON = re.compile(
    r"\b(?:xargs|read|mapfile|readarray|parallel|open|read_text|readFile\w*)\b|\$\(|`|(?:^|\s)-(?:-?exec\w*|[xX])\b"
)
"""What a command may hold that reads files by names which another one gives."""
_HIT = re.compile(r"([^:\n]+?\.md)[:-]\d+[:-]")
_HEADING = re.compile(
    r"[\W_]*(?:(?i:file):?[ \t]+[`'\"]?)?((?:~|\.{0,2}/)?[\w(\[].*\.md)[\W_]*"
    r"(?:lines?\b[\w\s:-]*[\W_]*)?"
)
_COLOUR = re.compile(r"\x1b\[[0-9;]*[mK]")


class Named(NamedTuple):
    """A name and an absolute path that it may stand for.

    `guessed` says that its folder is but a guess, `explicit` that the call itself gives this very name.
    """

    text: str
    path: Path
    guessed: bool
    explicit: bool


def named(result: ShellResult | FileResult, library: Library) -> Iterator[Named]:
    """Yield the files that a call may mean: those that it names, that it looks for, that its result names."""
    folders = {Path(library.folder): False} if library.folder else {}
    names: Iterable[tuple[str, bool]] = [(result.path, True)] if isinstance(result, FileResult) else []
    stays = False
    if isinstance(result, ShellResult):
        command = _expanded(result.command, library) if len(result.command) <= LONGEST else ""
        stays = bool(library.folder) and not _GOES.search(command)
        script = Script(command, _known(library.folder))
        changed = list(_changed(command, script, library.folder))
        # Some hosts tell the folder before the command ran and some after it; a root is a good guess too.
        folders |= dict.fromkeys(islice((one for one in changed if "*" not in str(one)), CHANGES), False)
        folders = dict.fromkeys((Path(root.path) for root in library.roots), True) | folders
    # What is known goes first.
    near = sorted(folders.items(), key=lambda one: one[1])[:FOLDERS]
    if isinstance(result, ShellResult):
        wild = [one for one in changed if "*" in str(one)][:CHANGES]
        called = _called(command, script, wild, [folder for folder, _ in near], library)
        headings = ((name, False) for name in islice(_headings(result.output), HEADINGS))
        names = _different(chain(called, headings))
    seen: set[Path] = set()
    for name, explicit in names:
        known = False
        for folder, guessed in near or [(Path("/"), False)]:
            path = folder / _home(name)
            if path.is_absolute() and path not in seen and not (guessed and known):
                seen.add(path)
                yield Named(name, path, guessed, explicit)
                # Where the command went nowhere else, a file in the known folder is the one.
                known = known or (stays and os.path.lexists(path))


def _called(
    command: str, script: Script, wild: list[Path], folders: list[Path], library: Library
) -> Iterator[tuple[str, bool]]:
    """Yield names, and whether the call itself gives them; `wild` are patterns of its folders."""
    explicit = list(_different((name, True) for name in script.names(ENDING)))
    yield from explicit
    walk = walks.Walk([os.path.realpath(root.path) for root in library.roots], folders)
    quoted = list(script.quoted_patterns(ENDING))
    inner = (str(folder / name) for folder in wild for name, _ in explicit)
    for pattern in chain(script.patterns(ENDING), (one for one in quoted if "/" in one), inner):
        yield from ((name, False) for name in walk.matching(_home(pattern)) if name.endswith(ENDING))
    wanted = [*quoted, *(name for name, _ in explicit if "/" not in name and name != ENDING)]
    hands_on = _HANDS_ON.search(command)
    if not _SEARCHES.search(command):
        wanted = ["*" + ENDING] if hands_on and _LISTS.search(command) else []
    elif not wanted and hands_on:
        wanted = ["*" + ENDING]
    if wanted:
        yield from ((name, False) for name in walk.below(map(_home, script.folders()), wanted))


def _headings(output: str) -> Iterator[str]:
    """Yield the names of files that stand alone in a line of a result, or before a hit of a search."""
    for line in output.split("\n") if ENDING in output else ():
        if ENDING not in line:
            continue
        line = _COLOUR.sub("", line[: 2 * HEADING_CHARACTERS])  # noqa: PLW2901 - the same line, as it is seen
        if len(line) <= HEADING_CHARACTERS and (found := _HEADING.fullmatch(line)):
            yield found[1]
        elif hit := _HIT.match(line[:HEADING_CHARACTERS]):
            yield hit[1]


def _different(names: Iterable[tuple[str, bool]]) -> Iterator[tuple[str, bool]]:
    """Yield each name once, and only so many that no more is looked for than is looked at."""
    seen: set[str] = set()
    for name, explicit in names:
        if name not in seen:
            seen.add(name)
            yield name, explicit
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


def _changed(command: str, script: Script, folder: str) -> Iterator[Path]:
    """Yield the folders into which a command says that it goes: from the last one, and from the first."""
    at = Path(folder)
    for found in islice(_CHANGE.finditer(command), 2 * CHANGES):
        for word in script.becomes(found[1])[:CHANGES]:
            name = _home(word.replace("'", "").replace('"', ""))
            at, first = at / name, Path(folder, name)
            yield from (one for one in dict.fromkeys((at, first)) if one.is_absolute())


def _known(folder: str) -> Callable[[str], str]:
    """Return what gives the folders in variables that a command does not set: those of the hook's own."""

    def known(name: str) -> str:
        value = folder if name == "PWD" else os.environ.get(name, "")
        return value if value.startswith("/") else ""

    return known

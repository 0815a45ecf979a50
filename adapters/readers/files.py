"""Whether a tool's result is the whole of one file that counts, as the file's bytes are now.

What was typed only says where to look; the bytes prove it. A file counts if it is a regular file of
bounded size below one of the library's roots, its links resolved, and nothing there says that it is private.
"""

import os
import re
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import islice
from pathlib import Path
from stat import S_ISREG

import msgspec

from adapters.readers.globs import covers
from contracts.event import FileResult, ShellResult
from contracts.library import Library, Root
from contracts.outcome import Skipped
from contracts.read import File

FILE_BYTES = 1024 * 1024
"""Largest file that is looked at; hosts cut a result long before that."""
NAMES = 16
"""How many names in one command are looked up at most."""
FOLDERS = 16
"""In how many folders one name is looked up at most."""
CHANGES = 8
"""How many changes of the folder in one command are followed at most."""
LEVELS = 64
"""How deep in its root a file that counts may lie."""
LONGEST = 8192
"""Longest command that is looked at, in characters."""
LONGEST_PATH = 1024
"""Longest path that is looked at, in characters."""
ENDING = ".md"

_NAME = re.compile(r"""(?:[^\s'"`\\;|&<>()$=,*?\[\]{}]|\\.)+""")
_QUOTED = re.compile(r"""\\.|'([^']*)'|"((?:[^"\\$`]|\\.)*)\"""")
_VARIABLE = re.compile(r"\$(?:(HOME|PWD)|\{(HOME|PWD)\})(?=/)")
_ESCAPED = re.compile(r"\\(.)")
_CHANGE = re.compile(
    r"""(?:^|[;&|(\n])[ \t]*(?:cd|pushd)[ \t]+(?:--[ \t]+)?('[^']*'|"[^"]*"|[^\s;&|()'"]+)"""
)

PRIVATE = re.compile(
    r"(?:^|/)(?:\.env(?:rc)?(?:[._-][^/]*)?|id_(?:rsa|dsa|ecdsa|ed25519)[^/]*"
    r"|[^/]*\.(?:pem|key|p12|pfx|keystore|jks)(?:\.[^/]*)?|\.(?:ssh|gnupg|aws)/.*)\Z",
    re.IGNORECASE | re.DOTALL,
)
"""Paths that look like those of keys; they never count, whatever a user lists."""

_ENTER = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC | getattr(os, "O_PATH", 0)
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC

Tops = tuple[tuple[Path, Root], ...]
"""Roots by their folders, links resolved, the deepest first."""


class Found(msgspec.Struct, frozen=True):
    """One file that counts, in its root; `path` is the place in it with `/`, links resolved."""

    root: Root
    path: str
    data: bytes
    status: os.stat_result

    @property
    def digest(self) -> str:
        """The SHA-256 of the file's bytes."""
        return f"sha256:{sha256(self.data).hexdigest()}"

    @property
    def text(self) -> str | None:
        """The file's text, None where its bytes are no UTF-8."""
        try:
            return self.data.decode()
        except UnicodeDecodeError:
            return None

    @property
    def file(self) -> File:
        """What the ledger keeps to see whether the file is still the same."""
        return File(self.root.path, self.path, self.status.st_size, self.status.st_mtime_ns)


Counts = Callable[[Root, str], bool]
"""Whether a path in a root is of the kind that is looked for."""


def proven(result: ShellResult | FileResult, library: Library, counts: Counts) -> Found | Skipped | None:
    """Return the one file that the result holds whole, why it is none, or None where no file is named.

    None too where what is named does not count, or a command gave nothing: it is nobody's business then.
    """
    text = result.output if isinstance(result, ShellResult) else result.content
    if isinstance(result, ShellResult) and not _plain(text):
        # A commit, a move or a redirect names files, too.
        return None
    above = tops(library)
    refused: Skipped | None = None
    whole: dict[tuple[str, str], Found] = {}
    meant: set[str] = set()
    outside: set[str] = set()
    for name, path, guessed in _named(result, library):
        found = look(path, above, counts)
        if isinstance(found, Skipped):
            refused = refused or found
        elif found is None:
            outside |= set() if guessed or _inside(path, above) else {name}
        elif _same(text, found):
            whole[found.root.path, found.path] = found
            meant.add(name)
        else:
            refused = Skipped("content-differs")
    # Two files of one content, or one name for a file that counts and for one that may not be read.
    if len(whole) > 1 or meant & outside:
        return Skipped("file-ambiguous")
    return next(iter(whole.values()), refused)


def tops(library: Library) -> Tops:
    """Return the folders below which files count; a root that cannot be looked at holds none."""
    found: list[tuple[Path, Root]] = []
    for root in library.roots:
        try:
            found.append((Path(root.path).resolve(), root))
        except (OSError, ValueError, RuntimeError):
            continue
    return tuple(sorted(found, key=lambda one: -len(one[0].parts)))


def look(path: Path, above: Tops, counts: Counts) -> Found | Skipped | None:
    """Return the file at an absolute path if it counts; what counts is where its links lead."""
    if len(str(path)) > LONGEST_PATH:
        return None
    try:
        if not os.path.lexists(path):
            return None
        real = path.resolve()
        placed = _placed(real, above, counts)
        if placed is None:
            # A name that counts and stands for a file that does not is worth a word.
            plain = Path(os.path.normpath(path))
            return Skipped("file-linked") if real != plain and _placed(plain, above, counts) else None
        return _opened(*placed)
    except (OSError, ValueError, RuntimeError):
        return None


def _inside(path: Path, above: Tops) -> bool:
    """Whether a path is no file at all, or lies below a root."""
    try:
        real = path.resolve()
        return not real.is_file() or any(real.is_relative_to(top) for top, _ in above)
    except (OSError, ValueError, RuntimeError):
        return True


def _placed(path: Path, above: Tops, counts: Counts) -> tuple[Path, Root, str] | None:
    """Return the nearest root in which a path counts, and the place in it; none where any root ignores it.

    Raises ValueError where the path is not UTF-8: no text can name it.
    """
    path.as_posix().encode()
    held = [(top, root, path.relative_to(top).as_posix()) for top, root in above if path.is_relative_to(top)]
    near = next((one for one in held if one[2].count("/") < LEVELS and counts(*one[1:])), None)
    if near is None or PRIVATE.search(path.as_posix()):
        return None
    return None if any(covers(root.ignore, place) for _, root, place in held) else near


def _opened(top: Path, root: Root, place: str) -> Found | Skipped | None:
    """Read the file, name by name from its root: what became a link meanwhile is not followed."""
    *folders, name = place.split("/")
    at = os.open(top, _ENTER)
    try:
        for folder in folders:
            below = os.open(folder, _ENTER, dir_fd=at)
            os.close(at)
            at = below
        # Asked before it is opened: to open a device can already do something.
        status = os.stat(name, dir_fd=at, follow_symlinks=False)
        if not S_ISREG(status.st_mode):
            return None
        if status.st_size > FILE_BYTES:
            return Skipped("file-too-large")
        data, status = _bytes(name, at)
    finally:
        os.close(at)
    return Found(root, place, data, status) if len(data) == status.st_size else Skipped("content-differs")


def _bytes(name: str, folder: int) -> tuple[bytes, os.stat_result]:
    file = os.open(name, _READ, dir_fd=folder)
    try:
        # No pipe has a place to read at, so what became one meanwhile is an error.
        return os.pread(file, FILE_BYTES + 1, 0), os.fstat(file)
    finally:
        os.close(file)


def _same(text: str, found: Found) -> bool:
    """Whether a result is the file's text; hosts trim its ends, and their tools know one line end."""
    held = found.text
    return held is not None and bool(plain := _plain(held)) and plain == _plain(text)


def _plain(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").strip()


def _named(result: ShellResult | FileResult, library: Library) -> Iterator[tuple[str, Path, bool]]:
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
    for quoted in _QUOTED.finditer(command):
        name = quoted[1] or _ESCAPED.sub(r"\1", quoted[2] or "")
        if name.endswith(ENDING):
            yield name
    for bare in _NAME.findall(command):
        name = _ESCAPED.sub(r"\1", bare)
        if name.endswith(ENDING):
            yield name


def _changed(command: str, folder: str) -> Iterator[Path]:
    """Yield the folders into which a command says that it goes, one after the other."""
    at = Path(folder)
    for found in _CHANGE.finditer(command):
        at /= _home(found[1].strip("'\""))
        if at.is_absolute():
            yield at

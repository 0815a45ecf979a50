"""Whether a tool's result is the whole of one file that counts, as the file's bytes are now.

What was typed only says where to look; the bytes prove it. A file counts if it is a regular file of
bounded size below one of the library's roots, its links resolved, and nothing there says that it is private.
"""

import os
import re
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from stat import S_ISREG

import msgspec

from contracts.event import FileResult, ShellResult
from contracts.library import Library, Root
from contracts.outcome import Skipped
from contracts.read import File

FILE_BYTES = 1024 * 1024
"""Largest file that is looked at; hosts cut a result long before that."""
NAMES = 16
"""How many names in one command are looked up at most."""
LONGEST = 8192
"""Longest command that is looked at, in characters."""
ENDING = ".md"

_NAME = re.compile(r"""(?:[^\s'"`\\;|&<>()$=,*?\[\]{}]|\\.)+""")
_QUOTED = re.compile(r"""'([^']*)'|"((?:[^"\\$`]|\\.)*)\"""")
_ESCAPED = re.compile(r"\\(.)")
_CHANGE = re.compile(r"""(?:^|[;&|(\n]|&&)\s*(?:cd|pushd)\s+(?:--\s+)?('[^']*'|"[^"]*"|[^\s;&|()'"]+)""")

PRIVATE = re.compile(
    r"(?:^|/)(?:\.env(?:\.[^/]*)?|id_(?:rsa|dsa|ecdsa|ed25519)[^/]*|[^/]*\.(?:pem|key|p12|pfx|keystore|jks)"
    r"(?:\.[^/]*)?|\.(?:ssh|gnupg|aws)/.*)\Z",
    re.IGNORECASE,
)
"""Paths that look like those of keys; they never count, whatever a user lists."""


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

    None too where what is named does not count: it is nobody's business then.
    """
    text = result.output if isinstance(result, ShellResult) else result.content
    refused: Skipped | None = None
    whole: dict[tuple[str, str], Found] = {}
    for name in _named(result, library):
        found = look(name, library, counts)
        if isinstance(found, Skipped):
            refused = refused or found
        elif found is not None:
            if _same(text, found):
                whole[found.root.path, found.path] = found
            else:
                refused = Skipped("content-differs")
    if len(whole) > 1:
        # Two files of the same content: which of them it was, nothing says.
        return Skipped("file-ambiguous")
    return next(iter(whole.values()), refused)


def look(path: Path, library: Library, counts: Counts) -> Found | Skipped | None:
    """Return the file at an absolute path if it counts; what counts is where its links lead."""
    try:
        real = path.resolve()
        placed = _placed(real, library, counts)
        if placed is None:
            # A name that counts and stands for a file that does not is worth a word.
            plain = Path(os.path.normpath(path))
            return Skipped("file-linked") if real != plain and _placed(plain, library, counts) else None
        return _opened(*placed, real)
    except (OSError, ValueError, RuntimeError):
        return None


def _placed(path: Path, library: Library, counts: Counts) -> tuple[Root, str] | None:
    """Return the nearest root in which a path counts, and the place in it."""
    for top, root in sorted(((Path(root.path).resolve(), root) for root in library.roots), key=_depth):
        if path.is_relative_to(top):
            place = path.relative_to(top).as_posix()
            if counts(root, place):
                return None if PRIVATE.search(place) else (root, place)
    return None


def _depth(one: tuple[Path, Root]) -> int:
    return -len(one[0].parts)


def _opened(root: Root, place: str, real: Path) -> Found | Skipped | None:
    file = os.open(real, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        status = os.fstat(file)
        if not S_ISREG(status.st_mode):
            return None
        if status.st_size > FILE_BYTES:
            return Skipped("file-too-large")
        data = os.pread(file, FILE_BYTES + 1, 0)
    finally:
        os.close(file)
    return Found(root, place, data, status) if len(data) == status.st_size else Skipped("content-differs")


def _same(text: str, found: Found) -> bool:
    """Whether a result is the file's text; hosts trim its ends, and their tools know one line end."""
    held = found.text
    return held is not None and bool(plain := _plain(held)) and plain == _plain(text)


def _plain(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").strip()


def _named(result: ShellResult | FileResult, library: Library) -> Iterator[Path]:
    """Yield the absolute paths that a result may be of, each once."""
    folders = [Path(library.folder)] if library.folder else []
    if isinstance(result, FileResult):
        names = [result.path]
    else:
        command = result.command if len(result.command) <= LONGEST else ""
        names = list(dict.fromkeys(_names(command)))[:NAMES]
        # Some hosts tell the folder before the command ran and some after it; a root is a good guess too.
        folders += [*_changed(command, library.folder), *(Path(root.path) for root in library.roots)]
    seen: set[Path] = set()
    for name in names:
        for folder in folders or [Path("/")]:
            path = folder / _home(name)
            if path.is_absolute() and path not in seen:
                seen.add(path)
                yield path


def _home(name: str) -> str:
    """Return a name with the user's home for its `~`, as a shell would read it."""
    try:
        return str(Path(name).expanduser()) if name.startswith("~/") else name
    except RuntimeError:
        return name


def _names(command: str) -> Iterator[str]:
    for quoted in _QUOTED.finditer(command):
        name = quoted[1] if quoted[1] is not None else _ESCAPED.sub(r"\1", quoted[2])
        if name.endswith(ENDING):
            yield name
    for bare in _NAME.findall(command):
        name = _ESCAPED.sub(r"\1", bare)
        if name.endswith(ENDING):
            yield name


def _changed(command: str, folder: str) -> Iterator[Path]:
    """Yield the folders into which a command says that it goes, one after the other."""
    at = Path(folder)
    for found in _CHANGE.findall(command):
        at /= _home(found.strip("'\""))
        if at.is_absolute():
            yield at

"""Which files count, and how one of them is opened.

A file counts if it is a regular file of bounded size below one of the library's roots, its links resolved,
and nothing there says that it is private.
"""

import os
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from stat import S_ISREG

import msgspec
from msgspec.structs import replace

from adapters.readers.globs import covers
from contracts.library import Library, Root
from contracts.outcome import Skipped
from contracts.read import File

FILE_BYTES = 1024 * 1024
"""Largest file that is looked at; hosts cut a result long before that."""
LEVELS = 64
"""How deep in its root a file that counts may lie."""
LONGEST_PATH = 1024
"""Longest path that is looked at, in characters."""
PRIVATE = re.compile(
    r"(?:^|/)(?:\.env(?:rc)?(?:[._-][^/]*)?|id_(?:rsa|dsa|ecdsa|ed25519)[^/]*"
    r"|\.(?:netrc|npmrc|pypirc|pgpass|htpasswd|git-credentials)(?:[._-][^/]*)?"
    r"|[^/]*\.(?:pem|key|p12|pfx|keystore|jks)(?:\.[^/]*)?|\.(?:ssh|gnupg|aws|azure|kube|docker|git)/.*)\Z",
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
    def shown(self) -> str:
        """The file's text as others may show it, whatever its bytes are."""
        return self.data.decode(errors="replace")

    @property
    def file(self) -> File:
        """What the ledger keeps to see whether the file is still the same."""
        return File(self.root.path, self.path, self.status.st_size, self.status.st_mtime_ns)


Counts = Callable[[Root, str], bool]
"""Whether a path in a root is of the kind that is looked for."""


def tops(library: Library) -> Tops:
    """Return the folders below which files count; a root that cannot be looked at holds none."""
    found: list[tuple[Path, Root]] = []
    for root in library.roots:
        try:
            found.append((Path(root.path).resolve(), root))
        except (OSError, ValueError, RuntimeError):
            continue
    return tuple(sorted(found, key=lambda one: -len(one[0].parts)))


class Place(msgspec.Struct, frozen=True):
    """Where a file that counts lies: its path in a root, with `/`, and its real path.

    `linked` says that the real path lies elsewhere, and that the rule of links lets it count.
    """

    top: Path
    root: Root
    path: str
    real: Path
    linked: bool = False


def look(path: Path, above: Tops, counts: Counts) -> Found | Skipped | None:
    """Return the file at an absolute path if it counts."""
    place = locate(path, above, counts)
    if not isinstance(place, Place):
        return place
    try:
        if not place.linked:
            return _opened(place.top, place.root, place.path)
        found = _opened(Path("/"), place.root, place.real.relative_to("/").as_posix())
    except (OSError, ValueError):
        return None
    if not isinstance(found, Found):
        return found
    if found.status.st_uid != os.geteuid():
        return Skipped("file-linked", "it belongs to another user")
    return replace(found, path=place.path)


def locate(path: Path, above: Tops, counts: Counts) -> Place | Skipped | None:
    """Return where the file at an absolute path lies if it counts; what counts is where its links lead.

    A skill that is a link out of its root counts too where its host finds it there: it is the host that
    follows the link. It must be a regular file of this user, and end where its root lets a link end.
    """
    if len(str(path)) > LONGEST_PATH:
        return None
    try:
        if not os.path.lexists(path):
            return None
        real = path.resolve()
        if (place := placed(real, above, counts)) is not None:
            return Place(*place, real)
        return _linked(path, real, above, counts)
    except (OSError, ValueError, RuntimeError):
        return None


def _linked(path: Path, real: Path, above: Tops, counts: Counts) -> Place | Skipped | None:
    """Return where a link lies that stands for a file, or why that does not count."""
    plain = Path(os.path.normpath(path))
    # A root may be named by another path than its real one.
    spelled = (top / plain.relative_to(root.path) for top, root in above if plain.is_relative_to(root.path))
    spellings = [plain, *spelled]
    place = next((one for each in spellings if each != real and (one := placed(each, above, counts))), None)
    if place is None:
        return None
    # A name that counts and stands for a file that does not is worth a word.
    root = place[1]
    if not root.links_to or not real.is_relative_to(root.links_to):
        return Skipped("file-linked", "it leads to where no link of this folder may lead")
    if not real.is_file():
        return Skipped("file-linked", "it leads to no file")
    held = [(one, real.relative_to(at).as_posix()) for at, one in above if real.is_relative_to(at)]
    if PRIVATE.search(real.as_posix()) or any(covers(one.ignore, at) for one, at in held):
        return Skipped("file-linked", "what it leads to never counts")
    if real.stat().st_uid != os.geteuid():
        return Skipped("file-linked", "it belongs to another user")
    return Place(*place, real, linked=True)


def placed(path: Path, above: Tops, counts: Counts) -> tuple[Path, Root, str] | None:
    """Return the nearest root in which a path counts, and the place in it; none where any root ignores it.

    The path is absolute, its links resolved; whether there is a file is not asked.
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

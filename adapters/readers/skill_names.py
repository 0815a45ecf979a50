"""Which file a host means by a skill's name, and whether it means a file by one at all.

Any file can state any name, and lie in a folder of any name: only where the host itself would come to this
very file does a name stand for it.
"""

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path, PurePosixPath

from adapters.readers import places
from adapters.readers.markdown import About, about
from adapters.readers.places import Found, Tops
from contracts.library import PROJECT, Library, Root
from contracts.outcome import Skipped

FILE = "SKILL.md"
PLACES = 256
"""In how many places a skill is looked for at most by its folder's name."""
SKILLS = 256
"""Among how many files it is told at most which of them a name means; in a library with more none has one."""
HEAD_BYTES = 65_536
"""How much of a file is looked at for its front matter; of a longer one nothing is taken."""
FOLDERS = 2048
"""How many folders are listed at most to find them."""

PLAIN = re.compile(r"(?!(?:\.{1,2}|SKILL\.md)\Z)[\w. -]{1,64}")
"""A name that a folder can have, both hosts take (`skill_depths`), and no path ends with."""


def counts(root: Root, place: str) -> bool:
    """Whether a path in a root is that of a skill: in a project any, elsewhere just where the host looks."""
    return PurePosixPath(place).name == FILE and (root.name == PROJECT or exact(root, place))


def exact(root: Root, place: str) -> bool:
    """Whether the host looks for skills at a path in a root; never in folders with a dot."""
    parts = PurePosixPath(place).parent.parts
    if parts in [PurePosixPath(folder).parts for folder in root.alone]:
        return True
    least, most = root.depths
    for folder in root.skills:
        base = PurePosixPath(folder).parts
        below = parts[len(base) :]
        if parts[: len(base)] == base and least <= len(below) <= most:
            return not any(name.startswith(".") for name in below)
    return False


def find(name: str, library: Library, above: Tops) -> tuple[Found, str | None] | Skipped:
    """Return the file that a host loads by a name, with its folder's name where it is asked for by that.

    A folder's name counts before the name that a file states; hosts take both. The host shows afterwards
    which one it loaded: if it was another, the read is withdrawn.
    """
    refused = Skipped("skill-unknown")
    for root, path in islice(_places(name, library), PLACES):
        found = places.look(path, above, counts)
        if isinstance(found, Found):
            return found, root.prefix + path.parent.name
        refused = found or refused
    for _, root, path in islice(_all(library), SKILLS):
        plain = name.removeprefix(root.prefix)
        found = places.look(path, above, counts) if _mentions(path, plain) else None
        if isinstance(found, Found) and _states(found, plain):
            return found, None
    return refused


def goes_by(found: Found, says: About, library: Library, above: Tops) -> str | None:
    """Return the name by which the host means this very file, None where it means another by it, or none.

    The host may come to it over a link, and takes one file for one skill: where it finds it first. Of two of
    one name in one folder of skills nobody knows which the host takes; of those in two folders it takes the
    one in the first.
    """
    every = list(islice(_all(library), SKILLS + 1))
    mine = [(number, root, path) for number, root, path in every if _is(found, path)]
    if not mine or len(every) > SKILLS:
        return None
    own, root, at = mine[0]
    folder = at.parent.name
    name = says.name or folder if root.named == "file" else folder
    # What states nothing of when it applies is not in the list of a host that lists what files state.
    listed = root.named == "folder" or (says.description and not _marked(found))
    if not listed or not PLAIN.fullmatch(name) or name in root.off:
        return None
    for number, other, path in every:
        if number > own:
            break
        if (path.parent.name != name and not _mentions(path, name)) or _is(found, path):
            continue
        that = places.look(path, above, counts)
        if isinstance(that, Found) and _may_be(that, other, path.parent.name, root.prefix + name):
            return None
    return root.prefix + name


def _marked(found: Found) -> bool:
    """Whether a byte order mark hides the front matter from a host that lists what files state."""
    return (found.text or "").startswith("\ufeff")


def _is(found: Found, path: Path) -> bool:
    """Whether the file at a path is this very one, over whatever links."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return False
    return (status.st_dev, status.st_ino) == (found.status.st_dev, found.status.st_ino)


def _may_be(found: Found, root: Root, folder: str, name: str) -> bool:
    """Whether a host may mean a file by a name: by its folder, or by what the file states."""
    plain = name.removeprefix(root.prefix)
    if name != root.prefix + plain or (root.named == "file" and _marked(found)):
        return False
    return folder == plain or _states(found, plain)


def _states(found: Found, name: str) -> bool:
    text = found.text
    return text is not None and about(text).name == name


def _mentions(path: Path, name: str) -> bool:
    """Whether a file's front matter may state a name: a cheap look, for most do not."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        try:
            head = os.pread(file, HEAD_BYTES, 0)
        finally:
            os.close(file)
    except (OSError, ValueError):
        return False
    front, _, _ = head.partition(b"\n---")
    # A letter may be written by its number, and words may stand on two lines.
    return b"\\" in front or all(word.encode() in front for word in name.split())


def _places(name: str, library: Library) -> Iterator[tuple[Root, Path]]:
    for root in library.roots:
        # A plugin's skill goes by its short name too.
        plain = name.removeprefix(root.prefix)
        if PLAIN.fullmatch(plain):
            for folder in root.skills:
                yield root, Path(root.path, folder, plain, FILE)
            for folder in root.alone:
                if PurePosixPath(folder).name == plain:
                    yield root, Path(root.path, folder, FILE)


def _all(library: Library) -> Iterator[tuple[int, Root, Path]]:
    """Yield each file of a skill that the host finds, and the number of its folder of skills, in order."""
    left = FOLDERS
    places = [(root, folder) for root in library.roots for folder in (*root.skills, *root.alone)]
    for number, (root, place) in enumerate(places):
        least, most = (0, 0) if place in root.alone else root.depths
        level = [Path(root.path, place)]
        for depth in range(most + 1):
            level = level[:left]
            left -= len(level)
            if depth >= least:
                held = [folder / FILE for folder in level]
                yield from ((number, root, file) for file in held if _loads(root, file))
            if depth < most:
                level = [folder / name for folder in level for name in _inside(folder)]


def _loads(root: Root, file: Path) -> bool:
    if not os.path.lexists(file) or (file.is_symlink() and not root.linked_files):
        return False
    return not root.off or not {str(file), str(file.parent), os.path.realpath(file)} & set(root.off)


def _inside(folder: Path) -> list[str]:
    """Return the names of folders in a folder, links to some among them, in their order."""
    try:
        with os.scandir(folder) as entries:
            return sorted(one.name for one in entries if not one.name.startswith(".") and one.is_dir())
    except (OSError, ValueError):
        return []

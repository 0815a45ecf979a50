"""Skills: a whole `SKILL.md` that the host's skill tool loaded, or a file tool or a shell gave back."""

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path, PurePosixPath

from adapters.readers import files, scope
from adapters.readers.files import Found, Tops
from adapters.readers.markdown import about
from contracts.event import FileResult, ShellResult, SkillResult, ToolResult
from contracts.library import Library, Root
from contracts.outcome import Skipped
from contracts.read import Read, Source

NAME = "skill"
FILE = "SKILL.md"
HINTS: tuple[str, ...] = (FILE,)
KIND = "skill"
AGAIN = 'a skill by its name with your Skill tool, or as the file at "path"'

PLACES = 256
"""In how many places a skill is looked for at most by its folder's name, and by the name that it states."""

_PLAIN = re.compile(r"(?!\.{1,2}\Z)[\w. -]{1,128}")


def concerns(asked: str) -> bool:
    """Whether what was asked for mentions a file of a skill."""
    return FILE in asked


def confirm(result: ToolResult, library: Library) -> Read | Skipped | None:
    """Prove the read of one skill, or refuse by name; see `contracts.reader.Reader.confirm`."""
    found: Found | Skipped | None
    match result:
        case SkillResult(name=name):
            found = _named(name, library)
        case ShellResult(command=asked) | FileResult(path=asked):
            found = files.proven(result, library, _counts) if concerns(asked) else None
    return _read(found) if isinstance(found, Found) else found


def _counts(_: Root, place: str) -> bool:
    return PurePosixPath(place).name == FILE


def _named(name: str, library: Library) -> Found | Skipped:
    """Return the first skill file that a host's own name stands for, in the order of its places.

    A folder's name counts before the name that a file states; hosts take both. The host shows afterwards
    which one it loaded: if it was another, the read is withdrawn.
    """
    refused = Skipped("skill-unknown")
    above = files.tops(library)
    for path in islice(_places(name, library), PLACES):
        found = files.look(path, above, _counts)
        if isinstance(found, Found):
            return found
        refused = found or refused
    return _stating(name, library, above) or refused


def _places(name: str, library: Library) -> Iterator[Path]:
    for root in library.roots:
        # A plugin's skill goes by its short name too.
        plain = name.removeprefix(root.prefix)
        if _PLAIN.fullmatch(plain):
            for folder in root.skills:
                yield Path(root.path, folder, plain, FILE)


def _stating(name: str, library: Library, above: Tops) -> Found | None:
    """Return the first skill file whose front matter states the name."""
    for root, path in islice(_all(library), PLACES):
        found = files.look(path, above, _counts)
        text = found.text if isinstance(found, Found) else None
        plain = name.removeprefix(root.prefix)
        if isinstance(found, Found) and text is not None and plain in text and about(text).name == plain:
            return found
    return None


def _all(library: Library) -> Iterator[tuple[Root, Path]]:
    for root in library.roots:
        for folder in root.skills:
            try:
                inside = sorted(os.listdir(Path(root.path, folder)))  # noqa: PTH208 - names are enough
            except (OSError, ValueError):
                continue
            yield from ((root, Path(root.path, folder, one, FILE)) for one in inside)


def _read(found: Found) -> Read | Skipped:
    folder = PurePosixPath(found.path).parent
    text = found.text
    store_scope = scope.of_root(found.root)
    if text is None:
        return Skipped("result-malformed")
    if store_scope is None:
        return Skipped("scope-unknown")
    says = about(text)
    name = found.root.prefix + (says.name or folder.name or found.root.name)
    return Read(
        reader=NAME,
        store_scope=store_scope,
        item_id=f"skill:{name}",
        content_digest=found.digest,
        title=says.title or says.name or says.heading or folder.name,
        applies_when=says.description,
        sources=(Source(pack=found.root.name, path=str(folder)),),
        file=found.file,
    )

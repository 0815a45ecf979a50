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

SHARED = (".claude/skills", ".agents/skills", ".codex/skills")
"""Where skills lie in projects, whichever host looks there: people keep one folder for all of their hosts."""

PLACES = 256
"""In how many places a skill is looked for at most by its folder's name."""
STATING = 64
"""How many files are read at most to find the one that states a name."""

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
    loaded = isinstance(result, SkillResult)
    return _read(found, by_name=loaded) if isinstance(found, Found) else found


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
    for root, path in islice(_all(library), STATING):
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


def _called(found: Found, stated: str, *, by_name: bool) -> str:
    """Return the name by which a host knows a skill, or its path where no host looks for one.

    Any file can state any name: one from elsewhere must not pass for the skill that a host would load by it.
    """
    place = PurePosixPath(found.path)
    usual = (*found.root.skills, *SHARED)
    if not by_name and not any(_holds(PurePosixPath(folder).parts[-2:], place.parts) for folder in usual):
        return found.path
    return found.root.prefix + (stated if _PLAIN.fullmatch(stated) else place.parent.name)


def _holds(folder: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    """Whether a path lies in a folder of this name, at any depth; the root itself has none."""
    return any(parts[at : at + len(folder)] == folder for at in range(len(parts) - len(folder)))


def _read(found: Found, *, by_name: bool) -> Read | Skipped:
    folder = PurePosixPath(found.path).parent
    text = found.text
    store_scope = scope.of_root(found.root)
    if text is None:
        return Skipped("result-malformed")
    if store_scope is None:
        return Skipped("scope-unknown")
    says = about(text)
    return Read(
        reader=NAME,
        store_scope=store_scope,
        item_id=f"skill:{_called(found, says.name, by_name=by_name)}",
        content_digest=found.digest,
        title=says.title or says.name or says.heading or folder.name,
        applies_when=says.description,
        sources=(Source(pack=found.root.name, path=str(folder)),),
        file=found.file,
    )

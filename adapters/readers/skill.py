"""Skills: a `SKILL.md` that the host's skill tool loaded, or that a file tool or a shell showed."""

import re
from pathlib import PurePosixPath

from adapters.readers import places, scope, skill_names
from adapters.readers.files import Proven
from adapters.readers.markdown import about
from adapters.readers.places import Found
from contracts.event import SkillResult, ToolResult
from contracts.library import Library, Root
from contracts.lines import Lines
from contracts.outcome import Skipped
from contracts.read import Read, Source

NAME = "skill"
FILE = skill_names.FILE
HINTS: tuple[str, ...] = (FILE,)
KIND = "skill"
AGAIN = 'a skill by its name with your Skill tool, or as the file at "path"'

DYNAMIC = re.compile(r"!`[^`]+`|```!|\$\{(?:user_config\.|CLAUDE_(?:EFFORT|PROJECT_DIR|PLUGIN_DATA)\})")
"""What makes a skill's text another one each time that it is loaded: commands, and values nobody tells."""


def concerns(asked: str) -> bool:
    """Whether what was asked for mentions a file of a skill."""
    return FILE in asked


def counts(root: Root, place: str) -> bool:
    """Whether a path in a root is that of a skill; see `contracts.reader.Reader.counts`."""
    return skill_names.counts(root, place)


def confirm(result: ToolResult, library: Library) -> Read | Skipped | None:
    """Prove the read of a skill that the host loaded; see `contracts.reader.Reader.confirm`."""
    return _loaded(result, library) if isinstance(result, SkillResult) else None


def read(proven: Proven, library: Library) -> Read | Skipped:
    """Return the read of a skill as a file, or of a part; see `adapters.readers.files.FileReader.read`."""
    return _read(proven.found, library, lines=proven.lines)


def _loaded(result: SkillResult, library: Library) -> Read | Skipped:
    found = skill_names.find(result.name, library, places.tops(library))
    if isinstance(found, Skipped):
        return found
    file, name = found
    if file.text is not None and DYNAMIC.search(file.text):
        return Skipped("skill-dynamic")
    return _read(file, library, name)


def _read(
    found: Found, library: Library, name: str | None = None, lines: Lines | None = None
) -> Read | Skipped:
    """Return the read of a file: by the host's own name for it, or by its path."""
    folder = PurePosixPath(found.path).parent
    text = found.text
    store_scope = scope.of_root(found.root)
    if text is None:
        return Skipped("result-malformed")
    if store_scope is None:
        return Skipped("scope-unknown")
    says = about(text)
    name = name or skill_names.goes_by(found, says, library, places.tops(library)) or found.path
    return Read(
        reader=NAME,
        store_scope=store_scope,
        item_id=f"skill:{name}",
        content_digest=found.digest,
        title=says.title or says.name or says.heading or folder.name,
        applies_when=says.description,
        sources=(Source(pack=found.root.name, path=str(folder)),),
        file=found.file,
        lines=lines,
    )

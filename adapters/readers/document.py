"""Documents: a whole Markdown file that the user has listed, from a file tool or a shell."""

from pathlib import PurePosixPath

from adapters.readers import files, scope
from adapters.readers.globs import matches
from adapters.readers.markdown import about
from adapters.readers.names import ENDING
from adapters.readers.places import Found
from adapters.readers.skill import FILE as SKILL
from contracts.event import SkillResult, ToolResult
from contracts.library import Library, Root
from contracts.outcome import Skipped
from contracts.read import Read, Source

NAME = "document"
HINTS: tuple[str, ...] = (ENDING,)
KIND = "document"
AGAIN = 'a document as the file at "path", or at its id where it has none, from your working folder'


def concerns(asked: str) -> bool:
    """Whether what was asked for mentions a Markdown file."""
    return ENDING in asked


def confirm(result: ToolResult, library: Library) -> Read | Skipped | None:
    """Prove the read of one document, or refuse by name; see `contracts.reader.Reader.confirm`."""
    if isinstance(result, SkillResult) or not any(root.documents for root in library.roots):
        return None
    found = files.proven(result, library, counts)
    return _read(found) if isinstance(found, Found) else found


def counts(root: Root, place: str) -> bool:
    """Whether the user lists a path in a root; see `contracts.reader.Reader.counts`."""
    # A skill has a reader of its own.
    return place.endswith(ENDING) and PurePosixPath(place).name != SKILL and matches(place, root.documents)


def _read(found: Found) -> Read | Skipped:
    store_scope = scope.of_root(found.root)
    if store_scope is None:
        return Skipped("scope-unknown")
    says = about(found.text or "")
    return Read(
        reader=NAME,
        store_scope=store_scope,
        item_id=found.path,
        content_digest=found.digest,
        title=says.title or says.heading or PurePosixPath(found.path).name,
        applies_when=says.description,
        sources=(Source(pack=found.root.name, path=found.path),),
        file=found.file,
    )

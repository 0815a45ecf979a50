"""Documents: Markdown files that the user has listed, shown by a file tool or a shell."""

from pathlib import PurePosixPath

from adapters.readers import scope
from adapters.readers.files import Proven
from adapters.readers.globs import matches
from adapters.readers.markdown import about
from adapters.readers.names import ENDING
from adapters.readers.skill import FILE as SKILL
from contracts.event import ToolResult
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


def confirm(result: ToolResult, library: Library) -> None:
    """Say that no command and no tool proves a document by itself; see `contracts.reader.Reader.confirm`."""


def counts(root: Root, place: str) -> bool:
    """Whether the user lists a path in a root; see `contracts.reader.Reader.counts`."""
    # A skill has a reader of its own.
    return place.endswith(ENDING) and PurePosixPath(place).name != SKILL and matches(place, root.documents)


def read(proven: Proven, library: Library) -> Read | Skipped:  # noqa: ARG001 - a document goes by its path
    """Return the read of a document, or of a part; see `adapters.readers.files.FileReader.read`."""
    found = proven.found
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
        lines=proven.lines,
    )

"""Whether a tool's result is the whole of one file that counts, as the file's bytes are now.

What was typed only says where to look; the bytes prove it.
"""

from pathlib import Path

from adapters.readers.likeness import resembles
from adapters.readers.names import named
from adapters.readers.places import FILE_BYTES, Counts, Found, Tops, look, tops
from contracts.event import FileResult, ShellResult
from contracts.library import Library
from contracts.outcome import Skipped

SHOWN = FILE_BYTES // 4
"""A command that gave no more characters than this cannot have shown a larger file whole."""


def proven(result: ShellResult | FileResult, library: Library, counts: Counts) -> Found | Skipped | None:
    """Return the one file that the result holds whole, why it is none, or None where no file is named.

    None too where what is named does not count, or a command gave nothing, or nothing that looks like the
    file, as a search, a count or a commit does: it is nobody's business then.
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
    for name, path, guessed in named(result, library):
        found = look(path, above, counts)
        if isinstance(found, Skipped):
            if isinstance(result, FileResult) or found.reason != "file-too-large" or len(text) > SHOWN:
                refused = refused or found
        elif found is None:
            outside |= set() if guessed or _inside(path, above) else {name}
        elif _same(text, found):
            whole[found.root.path, found.path] = found
            meant.add(name)
        elif isinstance(result, FileResult) or resembles(text, found.shown):
            refused = Skipped("content-differs")
    # Two files of one content, or one name for a file that counts and for one that may not be read.
    if len(whole) > 1 or meant & outside:
        return Skipped("file-ambiguous")
    return next(iter(whole.values()), refused)


def _inside(path: Path, above: Tops) -> bool:
    """Whether a path is no file at all, or lies below a root."""
    try:
        real = path.resolve()
        return not real.is_file() or any(real.is_relative_to(top) for top, _ in above)
    except (OSError, ValueError, RuntimeError):
        return True


def _same(text: str, found: Found) -> bool:
    """Whether a result is the file's text; hosts trim its ends, and their tools know one line end."""
    held = found.text
    return held is not None and bool(plain := _plain(held)) and plain == _plain(text)


def _plain(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").strip()

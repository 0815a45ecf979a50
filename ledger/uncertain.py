"""Clears that have been ordered but not yet carried out: marks in the state folder that hide what they name.

A mark is one symbolic link that leads nowhere: its name is random, its target the digest of a conversation,
or EVERYTHING. A link is whole from the moment it has its name, and so short a target takes no space of a
disk that is full. Where a file system has no links, a small file says the same. The mark is made before a
clear is tried and goes after the transaction that carried it out, so neither a failure nor a kill in between
can show again what was cleared; and as each clear has its own, none is lost while others are carried out.
"""

import contextlib
import os
from binascii import a2b_base64, b2a_base64
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import msgspec

from contracts.conversation import Conversation
from ledger.private import FILE_MODE

PREFIX = "ledger.clear-"
UNFINISHED = ".part"
EVERYTHING = "everything"
DIGEST_BYTES = 32
MARKS = 64
"""How many marks may wait; one more, and all conversations count as cleared."""


class Marks(msgspec.Struct, frozen=True):
    """What waits to be cleared: digests of conversations, or everything.

    `unclear` says that a mark cannot be read, so that nothing is known for certain.
    """

    files: tuple[Path, ...]
    digests: frozenset[bytes]
    everything: bool
    unclear: bool


def digest_of(conversation: Conversation) -> bytes:
    """Return the SHA-256 by which the ledger knows a conversation; its text must be encodable."""
    return sha256(msgspec.json.encode((conversation.host, conversation.reference))).digest()


def _new(folder: Path, content: str) -> Path:
    file = folder / f"{PREFIX}{os.urandom(8).hex()}"
    try:
        file.symlink_to(content)
    except OSError:
        _write(file, content)
    return file


def _write(file: Path, content: str) -> None:
    unfinished = file.with_name(file.name + UNFINISHED)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    opened = os.open(unfinished, flags, FILE_MODE)
    try:
        try:
            written = os.write(opened, content.encode())
        finally:
            os.close(opened)
        if written < len(content):
            raise OSError(f"{written} of {len(content)} bytes written")  # noqa: TRY301 - as a failing write
        unfinished.rename(file)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise


def _waiting(folder: Path) -> list[Path]:
    try:
        names = os.listdir(folder)  # noqa: PTH208 - on the path of every call
    except FileNotFoundError:
        return []
    return [folder / name for name in names if name.startswith(PREFIX) and not name.endswith(UNFINISHED)]


def mark(folder: Path, conversation: Conversation | None) -> Path | None:
    """Mark a conversation, or all for None, as cleared; return the mark. Raises OSError.

    Over the bound, one mark for everything takes the place of all, and None is returned: it is no longer
    the mark of one clear.
    """
    waiting = _waiting(folder)
    if len(waiting) < MARKS:
        return _new(folder, EVERYTHING if conversation is None else _spelled(digest_of(conversation)))
    _new(folder, EVERYTHING)
    remove(waiting)
    return None


def _content(file: Path) -> str | None:
    """Return a mark's content, None if it is gone by now, or nothing if it cannot be read."""
    try:
        return os.readlink(file)  # noqa: PTH115 - a target is text here, no path
    except FileNotFoundError:
        return None
    except OSError:
        pass
    try:
        opened = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            return os.read(opened, 4 * DIGEST_BYTES).decode("ascii", "replace")
        finally:
            os.close(opened)
    except FileNotFoundError:
        return None
    except OSError:
        return ""


def _digest(content: str) -> bytes | None:
    try:
        digest = a2b_base64(content, strict_mode=True)
    except ValueError:
        return None
    return digest if len(digest) == DIGEST_BYTES else None


def _spelled(digest: bytes) -> str:
    # 44 characters: file systems keep a target of up to 59 in the link itself.
    return b2a_base64(digest, newline=False).decode()


def waiting(folder: Path, besides: Path | None = None) -> Marks:
    """Return all marks but one's own. Read them before the ledger: they go only after its commit.

    Raises OSError if the folder cannot be listed.
    """
    files: list[Path] = []
    digests: set[bytes] = set()
    everything = unclear = False
    for file in _waiting(folder):
        content = None if file == besides else _content(file)
        if content is None:
            continue
        files.append(file)
        digest = _digest(content)
        if content == EVERYTHING:
            everything = True
        elif digest is not None:
            digests.add(digest)
        else:
            unclear = True
    return Marks(tuple(files), frozenset(digests), everything, unclear)


def remove(files: Iterable[Path]) -> None:
    """Remove marks that were carried out; one that stays behind hides too much, never too little."""
    for file in files:
        with contextlib.suppress(OSError):
            file.unlink()

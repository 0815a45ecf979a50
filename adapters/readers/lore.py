"""Lorelum's command line: `lore get ID --json`, and the one document that it prints.

What this cannot prove: that `lore` was the real program. A shell function or an alias of that name leaves
the same payload (`claude-code/2.1.197/first/bashrc_shadow`).
"""

import re
from typing import Annotated

import msgspec

from adapters.readers import scope
from adapters.readers.command import words
from contracts.event import ShellResult, ToolResult
from contracts.library import Library, Root
from contracts.outcome import Skipped
from contracts.read import Read, Source
from contracts.wire import Malformed, decode

NAME = "lore"
HINTS: tuple[str, ...] = ("lore ", "get ")
KIND = "practice"
AGAIN = "lore get ID"

PROTOCOLS = (1, 2)
"""Versions of the result document that are known; 1 states no pack roots."""

_MENTIONS = tuple(re.compile(rf"(?<![\w-]){word}(?![\w-])") for word in ("lore", "get"))
_FLAGS = frozenset({"--json", "--no-project"})
_VALUED = frozenset({"--store-root", "--project-root"})
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"')


class _Asked(msgspec.Struct, frozen=True):
    item_id: str
    store_root: str | None
    project_root: str | None
    no_project: bool


class _Versioned(msgspec.Struct, rename="camel"):
    protocol_version: Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]


class _Envelope(msgspec.Struct):
    command: str
    ok: bool


class _Practice(msgspec.Struct):
    id: str
    title: str
    applies_when: str
    body: str


class _Source(msgspec.Struct, rename="camel"):
    pack_name: str
    source_path: str
    pack_root: str | None = None


class _Data(msgspec.Struct, rename="camel"):
    practice: _Practice
    content_digest: Annotated[str, msgspec.Meta(pattern=r"\A[a-z][a-z0-9-]{0,31}:[0-9a-fA-F]{32,128}\Z")]
    sources: list[_Source]


class _Found(msgspec.Struct):
    data: _Data


def concerns(asked: str) -> bool:
    """Whether the text mentions both `lore` and `get` as words of their own, in whatever wrapping.

    A hyphen is a part of a word here, so `apt-get install lore` is not our business.
    """
    return all(mention.search(asked) for mention in _MENTIONS)


def counts(root: Root, place: str) -> bool:  # noqa: ARG001 - its practices lie in a store of their own
    """Say that no file is a practice; see `contracts.reader.Reader.counts`."""
    return False


def confirm(result: ToolResult, library: Library) -> Read | Skipped | None:  # noqa: ARG001 - it asks no file
    """Prove the read of one practice, or refuse by name; see `contracts.reader.Reader.confirm`."""
    if isinstance(result, ShellResult) and concerns(result.command):
        return result.part or prove(result.command, result.output)
    return None


def prove(command: str, output: str) -> Read | Skipped:
    """Prove from the command that ran and its whole output that one item was read, or refuse by name.

    Gates are asked in the order direct, result; no text makes it raise.
    """
    asked = _asked(command)
    if isinstance(asked, Skipped):
        return asked
    versioned = decode(output, _Versioned)
    if isinstance(versioned, Malformed):
        return Skipped("result-malformed")
    protocol = versioned.protocol_version
    if protocol not in PROTOCOLS:
        return Skipped("result-protocol", detail=f"protocol {protocol}")
    data = _found(asked.item_id, output)
    if isinstance(data, Skipped):
        return data
    return _read(asked, data, protocol)


def _asked(command: str) -> _Asked | Skipped:
    """Return what the command asks for: direct gate."""
    said = words(command)
    if said is None or said[0] != NAME:
        return Skipped("command-indirect")
    options: dict[str, str] = {}
    named: list[str] = []
    rest = iter(said[1:])
    for word in rest:
        if not word.startswith("-"):
            named.append(word)
            continue
        option, equals, value = word.partition("=")
        if option in _VALUED and not equals:
            value = next(rest, "")
            equals = "" if value.startswith("-") else "="
        # A flag has no value, and a root has one; the same option may come twice only if it says the same.
        fits = bool(equals and value) if option in _VALUED else option in _FLAGS and not equals
        if not fits or options.setdefault(option, value) != value:
            return Skipped("command-unknown")
    if len(named) != 2 or named[0] != "get" or not named[1]:  # noqa: PLR2004 - the verb and one item
        return Skipped("command-unknown")
    if "--no-project" in options and "--project-root" in options:
        return Skipped("command-unknown")
    if "--json" not in options:
        return Skipped("command-unstructured")
    return _Asked(
        item_id=named[1],
        store_root=options.get("--store-root"),
        project_root=options.get("--project-root"),
        no_project="--no-project" in options,
    )


def _found(item_id: str, output: str) -> _Data | Skipped:
    """Return what the document says of the item that was asked for: result gate."""
    envelope = decode(output, _Envelope)
    if isinstance(envelope, Malformed) or _contradicts_itself(output):
        return Skipped("result-malformed")
    if envelope.command != "get":
        return Skipped("result-mismatch")
    if not envelope.ok:
        return Skipped("result-failed")
    found = decode(output, _Found)
    if isinstance(found, Malformed):
        return Skipped("result-malformed")
    if found.data.practice.id != item_id:
        return Skipped("result-mismatch")
    return found.data


def _read(asked: _Asked, data: _Data, protocol: int) -> Read | Skipped:
    """Return the read with its scope, and with sources that an agent may see."""
    store_scope = _store_scope(asked, data.sources, protocol)
    sources: set[Source] = set()
    for source in data.sources:
        pack = scope.shown(source.pack_name)
        path = scope.shown(source.source_path, source.pack_root)
        if pack is None or path is None:
            return Skipped("scope-unknown")
        sources.add(Source(pack=pack, path=path))
    if store_scope is None:
        return Skipped("scope-unknown")
    return Read(
        reader=NAME,
        store_scope=store_scope,
        item_id=asked.item_id,
        content_digest=data.content_digest,
        title=data.practice.title,
        applies_when=data.practice.applies_when,
        sources=tuple(sorted(sources)),
    )


def _store_scope(asked: _Asked, sources: list[_Source], protocol: int) -> str | None:
    """Return the scope that the result states, else the one that the command gave, else None.

    Protocol 2 states a root for each source; where it does not, only an explicit store root is sure.
    """
    roots = [source.pack_root for source in sources if source.pack_root is not None]
    if roots:
        return scope.of_roots(roots) if len(roots) == len(sources) else None
    if protocol > 1 and asked.store_root is None:
        return None
    return scope.of_options(asked.store_root, asked.project_root, no_project=asked.no_project)


def _contradicts_itself(document: str) -> bool:
    """Whether an object in this valid document gives one name twice.

    A decoder keeps one of the two in silence, the model sees both. Outside strings each name has one colon.
    """
    given = _STRING.sub("", document).count(":")
    todo: list[object] = [decode(document, object)]
    kept = 0
    while todo:
        value = todo.pop()
        if isinstance(value, dict):
            kept += len(value)
            todo.extend(value.values())
        elif isinstance(value, list):
            todo.extend(value)
    return given != kept

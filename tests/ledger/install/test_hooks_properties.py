"""Whatever a host's file looks like: ours come in, nothing else changes, and ours go without a trace."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import example, given, settings

from ledger.install.hooks import added, fresh, registered, removed
from ledger.install.text import parse
from tests.ledger.install.documents import HOST_NAMES, files, wanted


def plain(text: object) -> Any:
    """Return what a text says."""
    assert isinstance(text, str)
    document = parse(text)
    return document.plain(document.root)


def merged(value: dict[str, Any], host: str) -> dict[str, Any]:
    """Return what a file must say once our hooks are in it, each group last in its event."""
    value = copy.deepcopy(value)
    hooks = value.setdefault("hooks", {})
    for event, groups in wanted(host).items():
        hooks.setdefault(event, []).extend(groups)
    return value


@settings(max_examples=100)
@given(file=files(), host=HOST_NAMES)
@example(file=("{}", {}), host="codex")
@example(file=('{"hooks":{"Stop":[]}}', {"hooks": {"Stop": []}}), host="codex")
@example(file=("{\n}\n", {}), host="codex")
@example(file=('{ "hooks": { "PostToolUse": [ ] } }', {"hooks": {"PostToolUse": []}}), host="claude-code")
def test_ours_are_added_and_taken_out_without_a_trace(file: tuple[str, Any], host: str) -> None:
    """What was there stays in its order, twice is as once, and the way back ends where it began."""
    text, value = file
    assert plain(text) == value

    after = added(text, host, wanted(host))

    assert plain(after) == merged(value, host)
    assert list(plain(after)) == list(merged(value, host))
    assert isinstance(after, str)
    assert added(after, host, wanted(host)) == after
    assert removed(after, host) == text


@settings(max_examples=100)
@given(file=files(), host=HOST_NAMES)
def test_an_older_registration_becomes_the_new_one(file: tuple[str, Any], host: str) -> None:
    """With another path of the command; then it is as if only the new one had ever come."""
    text, value = file
    older = added(text, host, wanted(host, "/old place/readmark"))
    assert isinstance(older, str)

    after = added(older, host, wanted(host))

    assert plain(after) == merged(value, host)
    assert isinstance(after, str)
    assert registered(after, host) == registered(fresh(wanted(host)), host)
    assert removed(after, host) == text


@given(file=files(), host=HOST_NAMES)
def test_a_file_without_ours_is_left_by_a_removal(file: tuple[str, Any], host: str) -> None:
    """Hooks of others are never taken for ours, however alike they are."""
    assert removed(file[0], host) == file[0]
    assert registered(file[0], host) == {}

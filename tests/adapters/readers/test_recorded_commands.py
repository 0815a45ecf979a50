from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from adapters.readers import lore
from contracts.outcome import Skipped
from contracts.read import Read

EVIDENCE = Path(__file__).parents[3] / "contracts" / "evidence"

DIRECT = {
    "  lore get a.b.c --json  \n": "a.b.c",
    "lore get 'a.b.c' --json": "a.b.c",
    "lore get a.1 --json": "a.1",
    "lore get a.2 --json": "a.2",
    "lore get a.b.c --json": "a.b.c",
    "lore get b.1 --json": "b.1",
    "lore get big.x --json": "big.x",
    "lore get child.one --json": "child.one",
    "lore get d.e.f --json": "d.e.f",
    "lore get inner.1 --json": "inner.1",
    "lore get m.2 --json": "m.2",
    "lore get mid.one --json": "mid.one",
    "lore get mid.x --json": "mid.x",
    "lore get missing.p --json": "missing.p",
    "lore get missing.sub --json": "missing.sub",
    "lore get missing.x --json": "missing.x",
    "lore get ok.1 --json": "ok.1",
    "lore get outer.1 --json": "outer.1",
    "lore get p.2 --json": "p.2",
    "lore get par.1 --json": "par.1",
    "lore get root.1 --json": "root.1",
    "lore get root.one --json": "root.one",
    "lore get root.two --json": "root.two",
    "lore get sub.1 --json": "sub.1",
}
"""Recorded commands that name one item directly, with the item."""

REFUSED = {
    "command-indirect": [
        "FOO=1 lore get a.b.c --json",
        "FOO=1 lore get root.4 --json",
        "bash -lc 'lore get a.b.c --json'",
        "cd /tmp && lore get a.b.c --json",
        "cd /tmp && lore get root.2 --json",
        "echo LORE_ROOT=$LORE_ROOT; lore get a.1 --json",
        "echo part; lore get a.1 --json; sleep 20",
        "echo partial-out; lore get a.1 --json; sleep 30",
        "echo partial; lore get a.b.c --json --sleep 6",
        "lore get $(echo a.b.c) --json",
        "lore get a.b.c --json 2>&1",
        "lore get a.b.c --json > out.json",
        "lore get a.b.c --json | cat",
        "lore get a.b.c --json | jq -c .",
        "lore get a.b.c --json; sleep 6",
        "lore get missing.x --json | cat",
        "lore get missing.x --json || lore get a.b.c --json",
        "lore get missing.x --json; true",
        "lore get missing.z --json; head -c 200000 /dev/zero | tr '\\0' y; exit 4",
        "lore get root.3 --json | cat",
        'lore() { echo \'{"ok":true,"fake":1}\'; }; lore get a.b.c --json',
        "printf '%s\\n' 'lore get a.b.c --json' > s.sh; sh s.sh",
        "printf 'lore get a.b.c --json\\n' > s.sh; sh s.sh",
        "pwd; lore get a.1 --json",
        "sleep 13; lore get a.b.c --json",
        "sleep 2; lore get missing.x --json",
        "true && lore get a.b.c --json",
    ],
    "command-unknown": [
        "lore get a.1 --json --sleep 20",
        "lore get a.1 --json --sleep 30",
        "lore get a.b.c --json --pad 120000",
        "lore get a.b.c --json --pad 20000",
        "lore get a.b.c --json --pad 28000",
        "lore get a.b.c --json --pad 31000",
        "lore get a.b.c --json --pad 40000",
        "lore get a.b.c --json --pad 600000",
        "lore get a.b.c --json --sleep",
        "lore get a.b.c --json --sleep 2",
        "lore get a.b.c --json --warn",
        "lore get b.1 --json --sleep 1",
        "lore get m.1 --json --sleep 1",
        "lore get p.1 --json --sleep 1",
        "lore get par.2 --json --sleep 30",
        "lore get s1.1 --json --sleep 0.5",
        "lore get s2.1 --json --sleep 0.5",
        "lore get s3.1 --json --sleep 0.5",
        "lore get slow.one --json --sleep",
        "lore get sub.1 --json --sleep 1",
        "lore get sub.1 --json --sleep 2",
        "lore get sub.1 --json --sleep 30",
    ],
}
"""Recorded commands that the direct gate refuses; no `lore` but the recorded one has `--sleep` or `--pad`."""


def inside(value: object) -> Iterator[dict[str, Any]]:
    """Give every object in a JSON value."""
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from inside(inner)


@cache
def recorded() -> list[dict[str, Any]]:
    """Give every object in every recording."""
    return [
        each
        for path in sorted(EVIDENCE.glob("*/*/first/*.json"))
        for each in inside(json.loads(path.read_bytes()))
    ]


def test_each_recorded_command_that_concerns_the_reader_is_listed() -> None:
    """A new recording that runs the reader in a new way needs a decision here."""
    commands = {
        value
        for each in recorded()
        for name in ("command", "cmd")
        if isinstance(value := each.get(name), str) and lore.concerns(value)
    }
    listed = [*DIRECT, *(command for many in REFUSED.values() for command in many)]
    assert len(listed) == len(set(listed))
    assert commands == set(listed)


@pytest.mark.parametrize(("command", "item_id"), DIRECT.items())
def test_a_recorded_direct_command_reads_its_item(
    command: str, item_id: str, good: Callable[[], dict[str, Any]]
) -> None:
    """With a good result of that item it is a read."""
    document = good()
    document["data"]["practice"]["id"] = item_id
    read = lore.prove(command, json.dumps(document))
    assert isinstance(read, Read)
    assert read.item_id == item_id


@pytest.mark.parametrize(
    ("reason", "command"), [(r, command) for r, many in REFUSED.items() for command in many]
)
def test_a_recorded_command_in_another_form_is_refused(
    reason: str, command: str, good: Callable[[], dict[str, Any]]
) -> None:
    """A good result does not make up for it."""
    assert lore.prove(command, json.dumps(good())) == Skipped(reason)


def test_what_the_tool_gave_back_for_direct_commands_is_a_read_or_fails_by_name() -> None:
    """Each recorded output of a direct command: its own item, or the reader's failure, or no document at all.

    No document: a shadowing shell function, a program that fell over in a read-only sandbox, and what Codex
    had cut and marked as such.
    """
    outcomes: dict[str, int] = {}
    for each in recorded():
        if each.get("hook_event_name") != "PostToolUse" or not isinstance(each.get("tool_input"), dict):
            continue
        command, response = each["tool_input"].get("command"), each["tool_response"]
        output = response.get("stdout") if isinstance(response, dict) else response
        if command in DIRECT and isinstance(output, str):
            outcome = lore.prove(command, output)
            name = outcome.reason if isinstance(outcome, Skipped) else "read"
            outcomes[name] = outcomes.get(name, 0) + 1
            if isinstance(outcome, Read):
                assert outcome.item_id == DIRECT[command]
                assert outcome.item_id.partition(".")[0] != "missing"
    assert outcomes.keys() == {"read", "result-failed", "result-malformed"}
    assert outcomes["read"] > sum(outcomes.values()) / 2

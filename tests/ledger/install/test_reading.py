"""What the real hosts take in their files and what not, as asked of them; the same is said by an install.

Codex 0.171.0 was asked with `hooks/list`; of Claude Code 2.1.197 and 2.1.332 a hook was to fire.
"""

from __future__ import annotations

import json

import pytest

from adapters.hosts import load
from ledger.install.reading import check
from ledger.install.text import Fault, place

HOOK = '"SessionStart":[{"hooks":[{"type":"command","command":"x","timeout":5}]}]'
LONG = "9" * 5_000


def stop(more: str) -> str:
    """Return a file that holds a good hook and, at the next event, something else."""
    return f'{{"hooks":{{{HOOK},"Stop":{more}}}}}'


def handler(more: str) -> str:
    """Return a file with one more hook."""
    return stop(f'[{{"hooks":[{{"type":"command","command":"x",{more}}}]}}]')


CODEX_TAKES = {
    "plain": f'{{"hooks":{{{HOOK}}}}}',
    "no hooks": "{}",
    "blank": " \n",
    "description": f'{{"description":"x","hooks":{{{HOOK}}}}}',
    "description null": '{"description":null}',
    "unknown event": f'{{"hooks":{{{HOOK},"Foo":"x","Foo":{LONG}}}}}',
    "group empty": stop("[{}]"),
    "group as array": stop("[[null,[]]]"),
    "group unknown key": stop('[{"a":1,"hooks":[]}]'),
    "matcher null": stop('[{"matcher":null,"hooks":[]}]'),
    "unknown member": handler('"zz":"\\ud83d\\ude00\\\\ud800"'),
    "timeout null": handler('"timeout":null'),
    "status null": handler('"statusMessage":null'),
    "prompt": stop('[{"hooks":[{"type":"prompt","prompt":1}]}]'),
    "type last": stop('[{"hooks":[{"command":"x","type":"command"}]}]'),
}

CODEX_REFUSES = {
    "top": ('{"a":1}', '"a"'),
    "schema": ('{"$schema":"x"}', '"$schema"'),
    "comment": ('{"hooks":{}}// end', "//"),
    "comma": ('{"hooks":{},}', ",}"),
    "description int": ('{"description":1}', "1}"),
    "hooks text": ('{"hooks":"x"}', '"x"'),
    "hooks null": ('{"hooks":null}', "null"),
    "event text": (stop('"x"'), '"x"}'),
    "event null": (stop("null"), "null"),
    "group text": (stop('["y"]'), '"y"'),
    "group hooks": (stop('[{"hooks":"y"}]'), '"y"'),
    "matcher int": (stop('[{"matcher":1}]'), "1}]"),
    "handler text": (stop('[{"hooks":["y"]}]'), '"y"'),
    "no type": (stop('[{"hooks":[{"command":"y"}]}]'), '{"command":"y"'),
    "no command": (stop('[{"hooks":[{"type":"command"}]}]'), '{"type":"command"}'),
    "command int": (stop('[{"hooks":[{"type":"command","command":1}]}]'), "1}"),
    "type unknown": (stop('[{"hooks":[{"type":"foo"}]}]'), '"foo"'),
    "timeout text": (handler('"timeout":"5"'), '"5"'),
    "timeout below": (handler('"timeout":-5'), "-5"),
    "timeout part": (handler('"timeout":1.5'), "1.5"),
    "timeout large": (handler('"timeout":18446744073709551616'), "18446744073709551616"),
    "timeout long": (handler(f'"timeout":{LONG}'), LONG),
    "async null": (handler('"async":null'), "null"),
    "half": ('{"description":"\\ud800"}', "\\ud800"),
    "half where it is not read": (handler('"zz":"\\udc00"'), "\\udc00"),
    "hooks twice": ('{"hooks":{},"hooks": {}}', '"hooks": {}'),
    "event twice": (f'{{"hooks":{{"SessionStart":[],{HOOK}}}}}', HOOK),
    "command twice": (handler('"command":"y"'), '"command":"y"'),
}

CLAUDE_TAKES = {
    "plain": f'{{"hooks":{{{HOOK}}}}}',
    "long": f'{{"zz":{LONG}}}',
    "half": '{"zz":"\\ud800"}',
    "twice": f'{{"disableAllHooks":"x","disableAllHooks":false,"hooks":{{}},"hooks":{{{HOOK}}}}}',
    "deep": '{"zz":' + "[" * 90 + "]" * 90 + "}",
    "event text": stop('"x"'),
    "event null": stop("null"),
    "unknown event": f'{{"hooks":{{{HOOK},"Foo":["x"]}}}}',
    "carriage returns": '{\r"a": 1\r}\r',
}

CLAUDE_REFUSES = {
    "comment": ('{// x\n"a":1}', "//"),
    "block": ('{"a":1}\n/* x */', "/*"),
    "comma": ('{"a":1,}', ",}"),
    "comma before a comment": ('{"a":[1, /* x */]}', ", /*"),
    "switch": ('{"disableAllHooks":1}', "1}"),
    **{
        name: (f'{{"{name}":[1]}}', "[1]")
        for name in (
            *("apiKeyHelper", "outputStyle", "language", "attribution", "statusLine", "enabledPlugins"),
            *("sandbox", "includeCoAuthoredBy", "alwaysThinkingEnabled"),
        )
    },
    "switch null": ('{"disableAllHooks":null}', "null"),
    "env": ('{"env":"x"}', '"x"'),
    "permissions": ('{"permissions":"x"}', '"x"'),
    "model": ('{"model":1}', "1}"),
    "group text": (stop('["y"]'), '"y"'),
    "group empty": (stop("[{}]"), "{}]"),
    "group null": (stop('[{"hooks":null}]'), "null"),
    "matcher int": (stop('[{"matcher":1,"hooks":[]}]'), "1,"),
    "handler text": (stop('[{"hooks":["y"]}]'), '"y"'),
    "no type": (stop('[{"hooks":[{"command":"y"}]}]'), '{"command":"y"'),
    "timeout text": (handler('"timeout":"5"'), '"5"'),
}


def fault(host: str, text: str) -> Fault | None:
    """Return what is wrong with a text in the eyes of a host, or None."""
    reading = load(host).REGISTRATION.reading
    assert reading is not None
    try:
        check(text, reading)
    except Fault as found:
        return found
    return None


@pytest.mark.parametrize(
    ("host", "text"),
    [
        pytest.param(host, text, id=f"{host}: {name}")
        for host, table in (("codex", CODEX_TAKES), ("claude-code", CLAUDE_TAKES))
        for name, text in table.items()
    ],
)
def test_what_the_host_takes_is_no_fault(host: str, text: str) -> None:
    """Nobody is told to mend what works."""
    assert fault(host, text) is None


@pytest.mark.parametrize(
    ("host", "text", "at"),
    [
        pytest.param(host, *row, id=f"{host}: {name}")
        for host, table in (("codex", CODEX_REFUSES), ("claude-code", CLAUDE_REFUSES))
        for name, row in table.items()
    ],
)
def test_what_costs_the_host_all_hooks_is_a_fault_at_its_place(host: str, text: str, at: str) -> None:
    """In the text as its user wrote it, with what must stand there."""
    found = fault(host, text)
    assert found is not None
    assert found.at == text.rindex(at)
    assert "no hook of such a file" in found.message


def test_a_name_is_shown_in_bounds_and_on_one_line() -> None:
    """It is the user's own, and may be anything."""
    found = fault("codex", json.dumps({"\u202e\n" + "x" * 10_000: 1}))
    assert found is not None
    assert found.message.isprintable()
    assert len(found.message) < 250


def test_the_place_is_counted_in_lines_of_any_kind() -> None:
    """A file of carriage returns has lines, too."""
    text = '{\r"a": 1,\r\n// x\n}'
    found = fault("claude-code", text)
    assert found is not None
    assert place(text, found.at) == (2, 7)

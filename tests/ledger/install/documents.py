"""Random files of hosts, as people and programs format them, with hooks of others in them."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from hypothesis import strategies as st

from adapters.hosts import HOSTS, load
from adapters.registration import registration
from ledger.install.hooks import Wanted

PROGRAM = "/opt/a b/naïve 道/bin/readmark"


def wanted(host: str, program: str = PROGRAM) -> Wanted:
    """Return what is to be registered with a host."""
    made: Wanted = msgspec.json.decode(msgspec.json.encode(registration(load(host), program)))["hooks"]
    return made


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8),
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
COMMANDS = st.sampled_from(
    [
        "readmark list",
        "echo readmark hook codex",
        "/opt/other hook codex",
        "/bin/sh -c 'exec \"$0\" hook claude-code' /opt/other",
        "it's not closed",
        "/opt/readmark hook other-host",
        "x | readmark hook codex",
    ]
)
HANDLERS = st.fixed_dictionaries(
    {"type": st.just("command"), "command": COMMANDS}, optional={"timeout": SCALARS}
)
GROUPS = st.fixed_dictionaries(
    {"hooks": st.lists(HANDLERS, max_size=2)}, optional={"matcher": st.text(max_size=4), "more": VALUES}
)
EVENTS = sorted({"Stop", "PreToolUse", *wanted("codex"), *wanted("claude-code")})
HOOKS = st.dictionaries(st.sampled_from(EVENTS), st.lists(GROUPS | st.just({}), max_size=3), max_size=4)
KEYS = st.text(max_size=5).filter(lambda key: key != "hooks")


@st.composite
def contents(draw: st.DrawFn) -> dict[str, Any]:
    """Draw what a host's file says."""
    made = list(draw(st.dictionaries(KEYS, VALUES, max_size=3)).items())
    if draw(st.booleans()):
        made.insert(draw(st.integers(0, len(made))), ("hooks", draw(HOOKS)))
    return dict(made)


BLANK = st.text(alphabet=" \t", max_size=3)


@st.composite
def written(draw: st.DrawFn, value: Any, plain: bool | None = None) -> str:  # noqa: FBT001 - drawn
    """Draw one way to write a value: plain JSON, or blanks, comments and commas anywhere."""
    if plain is None:
        plain = draw(st.booleans())
    if plain:
        options: dict[str, Any] = draw(
            st.sampled_from([{}, {"indent": 2}, {"indent": "\t"}, {"indent": 1}, {"separators": (",", ":")}])
        )
        text = json.dumps(value, ensure_ascii=draw(st.booleans()), **options)
        text += draw(st.sampled_from(["", "\n", "\n\n"]))
        return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))

    def gap() -> str:
        parts = st.one_of(
            BLANK,
            st.just(end),
            st.sampled_from(["/* , ] } */", "/**/", f'// a " , ]{end}', f"//{end}"]),
        )
        return "".join(draw(st.lists(parts, max_size=3)))

    def one(value: Any) -> str:
        if isinstance(value, dict):
            pairs = [f"{json.dumps(key)}{gap()}:{gap()}{one(part)}" for key, part in value.items()]
            return "{" + row(pairs) + "}"
        if isinstance(value, list):
            return "[" + row([one(part) for part in value]) + "]"
        return json.dumps(value)

    def row(parts: list[str]) -> str:
        text = ",".join(f"{gap()}{part}{gap()}" for part in parts)
        return text + ("," if parts and draw(st.booleans()) else "") + gap()

    return gap() + one(value) + gap()


@st.composite
def files(draw: st.DrawFn) -> tuple[str, Any]:
    """Draw a file of a host: its text, and what it says."""
    value = draw(contents())
    return draw(written(value)), value


HOST_NAMES = st.sampled_from(sorted(HOSTS))

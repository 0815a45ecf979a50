from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.readers import lore
from adapters.readers.command import LONGEST
from contracts.outcome import Skipped
from contracts.read import Read

WRAPPED = [
    "lore get a.b.c --json | head -1",
    "lore get a.b.c --json | cat",
    "true && lore get a.b.c --json",
    "lore get a.b.c --json && true",
    "lore get a.b.c --json || true",
    "lore get a.b.c --json; true",
    "cd /srv; lore get a.b.c --json",
    "lore get a.b.c --json &",
    "lore get a.b.c --json > out.json",
    "lore get a.b.c --json >> out.json",
    "lore get a.b.c --json 2>&1",
    "lore get a.b.c --json 2>/dev/null",
    "lore get a.b.c --json < /dev/null",
    "lore get a.b.c --json <<E\nE",
    "lore get a.b.c --json <<< x",
    "cat <(lore get a.b.c --json)",
    "echo 'lore get a.b.c --json'",
    'echo "lore get a.b.c --json"',
    "sh -c 'lore get a.b.c --json'",
    "bash -lc 'lore get a.b.c --json'",
    "eval lore get a.b.c --json",
    "eval 'lore get a.b.c --json'",
    "FOO=1 lore get a.b.c --json",
    "lore=x get a.b.c --json",
    "echo $(lore get a.b.c --json)",
    "$(lore get a.b.c --json)",
    "lore get $(echo a.b.c) --json",
    "lore get $ID --json",
    "echo `lore get a.b.c --json`",
    "lore get a.b.c --json\nrm x",
    "lore get a.b.c \\\n--json",
    "lore get a.b.c --json\r",
    "{ lore get a.b.c --json; }",
    "( lore get a.b.c --json )",
    "(lore get a.b.c --json)",
    "lore() { cat x; }; lore get a.b.c --json",
    "alias lore=cat; lore get a.b.c --json",
    "/usr/bin/lore get a.b.c --json",
    "./lore get a.b.c --json",
    "~/bin/lore get a.b.c --json",
    "lore.exe get a.b.c --json",
    "command lore get a.b.c --json",
    "builtin lore get a.b.c --json",
    "exec lore get a.b.c --json",
    "env lore get a.b.c --json",
    "time lore get a.b.c --json",
    "nice lore get a.b.c --json",
    "sudo lore get a.b.c --json",
    "xargs lore get a.b.c --json",
    "python3 lore get a.b.c --json",
    "! lore get a.b.c --json",
    "if lore get a.b.c --json; then :; fi",
    "while lore get a.b.c --json; do break; done",
    "\\lore get a.b.c --json",
    "'lore' get a.b.c --json",
    '"lore" get a.b.c --json',
    "lore get a.b.c --json # whole",
    "# lore get a.b.c --json",
    "lore get a.* --json",
    "lore get a.{b,c} --json",
    "lore get ~ --json",
    "lore get a.b.c --json --store-root ~/store",
    "lore get a.b.c --json --store-root=~/store",
    "lore get a.b.c --json --store-root $HOME/store",
    'lore get a.b.c --json --store-root "$HOME/store"',
    "lore\u00a0get a.b.c --json",
    "lore get\u2003a.b.c --json",
    "lore get a.b.c \u2013\u2013json",
    "lore get a.b.c --json\u200b",
    "lore get a.b.c --json \uff5c cat",
    "lore get \u2018a.b.c\u2019 --json",
    "lore get a.b.c --json\0",
    "lore get 'a.b.c",
    f"lore get a.b.c --json{' ' * LONGEST}",
]


@pytest.mark.parametrize("command", WRAPPED)
def test_a_wrapped_read_concerns_us_and_is_refused_as_indirect(
    command: str, good: Callable[[], dict[str, Any]]
) -> None:
    """It mentions the reader, so it is refused by name; good output does not make up for the wrapping."""
    assert lore.concerns(command)
    assert lore.prove(command, json.dumps(good())) == Skipped("command-indirect")


PIECED = [
    '"lo"re get a.b.c --json',
    "l''ore get a.b.c --json",
    "lo\\re get a.b.c --json",
    "l\u043ere get a.b.c --json",
]


@pytest.mark.parametrize("command", PIECED)
def test_a_reader_that_is_not_spelled_out_is_no_concern_and_no_read(
    command: str, good: Callable[[], dict[str, Any]]
) -> None:
    """What a plain text search for the reader's word cannot see is never confirmed either."""
    assert not lore.concerns(command)
    assert lore.prove(command, json.dumps(good())) == Skipped("command-indirect")


@pytest.mark.parametrize(
    "command",
    [
        "",
        "ls",
        "lore",
        "lore search retry --json",
        "lore --help",
        "type lore",
        "git get x",
        "explore get a",
        "folklore get a",
        "lores get a",
        "lore gets a",
        "lore_x get a",
        "apt-get install lore",
        "curl --get http://x/lore",
        "lore-hook get a",
        "Lore get a.b.c --json",
        "LORE GET a.b.c --json",
        "lore g'et' a",
        "\ud800",
    ],
)
def test_a_command_that_does_not_mention_both_words_is_no_concern(command: str) -> None:
    """Other verbs, other programs and other words that hold ours cost nothing."""
    assert not lore.concerns(command)


UNKNOWN = [
    "lore get --json",
    "lore get '' --json",
    "lore --json a.b.c",
    "lore search get --json",
    "lore search a.b.c get --json",
    "lore a.b.c get --json",
    "lore get a.b.c d.e.f --json",
    "lore get get a.b.c --json",
    "lore get a.b.c --json extra",
    "lore get a.b.c --json --pad 20000",
    "lore get a.b.c --json --sleep",
    "lore get a.b.c --json --verbose",
    "lore get a.b.c --verbose",
    "lore get a.b.c --js",
    "lore get a.b.c -j",
    "lore get a.b.c --JSON",
    "lore get a.b.c --json=true",
    "lore get a.b.c --json=",
    "lore get a.b.c --no-project=1 --json",
    "lore get a.b.c --json --",
    "lore get -- a.b.c --json",
    "lore -- get a.b.c --json",
    "lore get - --json",
    "lore get a.b.c --json --store-root",
    "lore get a.b.c --json --store-root=",
    "lore get a.b.c --json --store-root ''",
    "lore get a.b.c --json --store-root=''",
    "lore get a.b.c --store-root --json",
    "lore get a.b.c --json --project-root",
    "lore get a.b.c --store-root /a --store-root /b --json",
    "lore --store-root /a get a.b.c --store-root=/b --json",
    "lore --project-root=/a get a.b.c --project-root /a/ --json",
    "lore get a.b.c --project-root /a --no-project --json",
    "lore get a.b.c --store_root /a --json",
    "lore get a.b.c --store-root:/a --json",
    "lore get a.b.c --help --json",
]


@pytest.mark.parametrize("command", UNKNOWN)
def test_a_form_that_is_not_documented_is_refused_as_unknown(
    command: str, good: Callable[[], dict[str, Any]]
) -> None:
    """An option, a value or a place that we cannot be sure of says another thing than we would think."""
    assert lore.prove(command, json.dumps(good())) == Skipped("command-unknown")


@pytest.mark.parametrize("command", ["lore get a.b.c", "lore get a.b.c --store-root /a --no-project"])
def test_text_for_people_is_never_parsed(command: str, good: Callable[[], dict[str, Any]]) -> None:
    """Without `--json` even output that happens to be a good document is refused."""
    assert lore.prove(command, json.dumps(good())) == Skipped("command-unstructured")


@pytest.mark.parametrize(
    ("command", "item_id"),
    [
        ("lore get a.b.c --json", "a.b.c"),
        ("  lore\tget  a.b.c --json \t", "a.b.c"),
        ("lore get 'a.b.c' --json", "a.b.c"),
        ('lore get "a.b.c" --json', "a.b.c"),
        ("lore get 'a b' --json", "a b"),
        ("lore get 'a|b' --json", "a|b"),
        ("lore get 'Küche/📚' --json", "Küche/📚"),
        ("lore get get --json", "get"),
        ("lore get lore --json", "lore"),
        ("lore get a=b --json", "a=b"),
        ("lore get a.b.c --json --json", "a.b.c"),
        ("lore get a.b.c --json --no-project --no-project", "a.b.c"),
        ("lore get a.b.c --json --store-root /a --store-root=/a", "a.b.c"),
        ("lore get a.b.c --json --store-root 's t'", "a.b.c"),
        ("lore get a.b.c --json --store-root=-s", "a.b.c"),
    ],
)
def test_a_direct_command_reads_the_item_that_it_names(
    command: str, item_id: str, good: Callable[[], dict[str, Any]]
) -> None:
    """Blanks and quotes are spelling; whatever is confirmed also concerns us."""
    document = good()
    document["data"]["practice"]["id"] = item_id
    read = lore.prove(command, json.dumps(document))
    assert isinstance(read, Read)
    assert read.item_id == item_id
    assert lore.concerns(command)


def one_option(name: str, value: str) -> st.SearchStrategy[list[str]]:
    """Give one option in each form in which the shell hands it on."""
    return st.sampled_from(
        [
            [f"{name}={value}"],
            [name, value],
            [f"{name}='{value}'"],
            [name, f'"{value}"'],
            [f"'{name}'", f"'{value}'"],
        ]
    )


@st.composite
def spelled(draw: st.DrawFn, project: list[list[str]]) -> str:
    """Give `lore get a.b.c --json` with a store root and a project, in any order and form."""
    options = [["--json"], draw(one_option("--store-root", "/srv/store")), *project]
    parts = draw(st.permutations([*options, ["get"], ["a.b.c"]]))
    places = sorted([parts.index(["get"]), parts.index(["a.b.c"])])
    parts[places[0]], parts[places[1]] = ["get"], ["a.b.c"]
    blank = st.sampled_from([" ", "  ", "\t"])
    return "lore" + "".join(draw(blank) + word for part in parts for word in part)


@pytest.mark.parametrize("protocol", [1, 2])
@given(data=st.data())
def test_every_order_and_form_of_the_options_gives_the_same_read(
    data: st.DataObject, protocol: int, good: Callable[[], dict[str, Any]]
) -> None:
    """Options may stand before or after `get`, with `=` or a blank, quoted or not."""
    document = good()
    document["protocolVersion"] = protocol
    if protocol == 1:
        del document["data"]["sources"][0]["packRoot"]
    project = data.draw(one_option("--project-root", "/srv/project"))
    expected = lore.prove(
        "lore get a.b.c --json --store-root /srv/store --project-root /srv/project", json.dumps(document)
    )
    assert isinstance(expected, Read)
    assert lore.prove(data.draw(spelled([project])), json.dumps(document)) == expected


@given(command=spelled([["--no-project"]]))
def test_leaving_the_project_out_may_stand_anywhere(command: str, good: Callable[[], dict[str, Any]]) -> None:
    """A flag needs no value, so the word after it is its own."""
    expected = lore.prove("lore get a.b.c --json --no-project --store-root /srv/store", json.dumps(good()))
    assert isinstance(expected, Read)
    assert lore.prove(command, json.dumps(good())) == expected


scraps = st.sampled_from(
    ["lore", "get", "a.b.c", "--json", "--store-root", "=", " ", "'", '"', "\n", "|", "/a", "--no-project"]
)


@given(
    command=st.text(max_size=40)
    | st.lists(scraps, max_size=14).map("".join)
    | st.lists(scraps, max_size=9).map(" ".join)
)
def test_no_command_raises_and_only_what_concerns_us_is_confirmed(
    command: str, good: Callable[[], dict[str, Any]]
) -> None:
    """Any text is a read of the named item or a named refusal."""
    outcome = lore.prove(command, json.dumps(good()))
    assert isinstance(outcome, Read | Skipped)
    if isinstance(outcome, Read):
        assert lore.concerns(command)
        assert outcome.item_id == "a.b.c"

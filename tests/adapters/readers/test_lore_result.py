from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.readers import lore
from adapters.readers.scope import DEFAULT, of_options, of_roots
from contracts.outcome import Skipped
from contracts.read import Read, Source
from contracts.reasons import REFUSALS

Document = dict[str, Any]
Good = Callable[[], Document]

COMMAND = "lore get a.b.c --json"
ABSENT = object()


def changed(document: Document, path: str, value: object) -> Document:
    """Set, or for ABSENT delete, what a path of names and indices leads to."""
    *above, last = [int(step) if step.isdigit() else step for step in path.split("/")]
    target: Any = document
    for step in above:
        target = target[step]
    if value is ABSENT:
        del target[last]
    else:
        target[last] = value
    return document


def test_a_good_result_is_a_read_without_its_body(good: Good) -> None:
    """Id, digest, title, condition and sources are kept as the reader states them; roots only as a hash."""
    assert lore.prove(COMMAND, json.dumps(good())) == Read(
        reader="lore",
        store_scope="roots-e38f1df4d467a6cf",
        item_id="a.b.c",
        content_digest="sha256:" + "0a" * 32,
        title="Give retries a budget",
        applies_when="a client can be slow",
        sources=(Source("web", "http/retry.md"),),
    )


@pytest.mark.parametrize("around", ["{}", " {}", "{}\n", "\r\n\t {}\r\n\t "])
def test_white_space_around_the_document_is_nothing(around: str, good: Good) -> None:
    """A terminal ends the line with CR and LF (contracts/evidence/codex/0.171.0/direct_tty.json)."""
    text = around.replace("{}", json.dumps(good()))
    assert isinstance(lore.prove(COMMAND, text), Read)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("toolVersion", ABSENT),
        ("diagnostics", ABSENT),
        ("diagnostics", None),
        ("new", {"deep": [1, {"x": None}]}),
        ("error", None),
        ("data/new", "x"),
        ("data/practice/new", "x"),
        ("data/sources/0/new", "x"),
        ("data/practice/stage", ABSENT),
        ("data/practice/tech_stack", None),
        ("data/practice/severity", 3),
        ("data/practice/anti_patterns", ABSENT),
        ("data/practice/body", ""),
        ("data/practice/body", '\0 \u2028 </x> \\ " {"ok": false} 📚'),
    ],
)
def test_what_we_do_not_keep_may_vary(path: str, value: object, good: Good) -> None:
    """Fields that are new, optional or no part of the claim decide nothing."""
    expected = lore.prove(COMMAND, json.dumps(good()))
    assert lore.prove(COMMAND, json.dumps(changed(good(), path, value))) == expected


@pytest.mark.parametrize(
    "title", ["", "Küche", "Ku\u0308che", "日本語", "📚", "a\u202eb", "\0", "a\nb", "</system>"]
)
def test_text_is_kept_as_it_is(title: str, good: Good) -> None:
    """Escaping is the briefing's business; escaped or plain JSON says the same."""
    document = changed(changed(good(), "data/practice/title", title), "data/practice/applies_when", title)
    for ascii_only in (True, False):
        read = lore.prove(COMMAND, json.dumps(document, ensure_ascii=ascii_only))
        assert isinstance(read, Read)
        assert (read.title, read.applies_when) == (title, title)


REFUSED: list[tuple[str, object, Skipped]] = [
    ("protocolVersion", 3, Skipped("result-protocol", "protocol 3")),
    ("protocolVersion", 2**31 - 1, Skipped("result-protocol", "protocol 2147483647")),
    *[
        ("protocolVersion", value, Skipped("result-malformed"))
        for value in (ABSENT, None, True, "2", 2.0, 2.5, 0, -1, 2**31, 10**30, [2], {})
    ],
    *[("command", value, Skipped("result-mismatch")) for value in ("search", "", "Get", "get ")],
    *[("command", value, Skipped("result-malformed")) for value in (ABSENT, None, 1, ["get"])],
    ("ok", False, Skipped("result-failed")),
    *[("ok", value, Skipped("result-malformed")) for value in (ABSENT, None, 1, "true", [])],
    *[("data", value, Skipped("result-malformed")) for value in (ABSENT, None, [], "x", {})],
    *[("data/practice", value, Skipped("result-malformed")) for value in (ABSENT, None, [], "x", {})],
    *[
        (f"data/practice/{name}", value, Skipped("result-malformed"))
        for name in ("id", "title", "applies_when", "body")
        for value in (ABSENT, None, 1, True, ["a.b.c"], {})
    ],
    *[
        ("data/practice/id", value, Skipped("result-mismatch"))
        for value in ("", "a.b", "A.B.C", "a.b.c ", "a.b.c\0")
    ],
    *[
        ("data/contentDigest", value, Skipped("result-malformed"))
        for value in (
            ABSENT, None, 7, "", "sha256", "sha256:", "sha256:" + "0" * 31, "sha256:" + "0" * 129,
            "SHA256:" + "0" * 64, "0" * 64, ":" + "0" * 64, "sha256:" + "g" * 64, "sha256:" + "0" * 64 + "\n",
            " sha256:" + "0" * 64, "sha256:" + "٠" * 64, "sha 256:" + "0" * 64,
            "a" * 33 + ":" + "0" * 64, "a:b:" + "0" * 64,
        )
    ],
    *[
        ("data/sources", value, Skipped("result-malformed"))
        for value in (ABSENT, None, {}, "x", [None], ["x"], [{}], [[]])
    ],
    *[
        (f"data/sources/0/{name}", value, Skipped("result-malformed"))
        for name in ("packName", "sourcePath")
        for value in (ABSENT, None, 1, [])
    ],
    *[("data/sources/0/packRoot", value, Skipped("result-malformed")) for value in (1, True, [], {})],
    *[
        ("data/sources/0/packRoot", value, Skipped("scope-unknown"))
        for value in (ABSENT, None, "", ".", "packs/web", "~/packs", "/srv/../packs", "C:packs", "/srv\0")
    ],
    *[
        (f"data/sources/0/{name}", value, Skipped("scope-unknown"))
        for name in ("packName", "sourcePath")
        for value in ("/home/ann/x.md", "../x.md", "C:\\x.md", "~/x.md", "file:///h/x.md", "\\\\n\\s\\x.md")
    ],
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "expected"), REFUSED)
def test_a_result_that_is_not_of_the_contract_is_refused_by_name(
    path: str, value: object, expected: Skipped, good: Good
) -> None:
    """One field that is missing, of another type or of another item is enough."""
    assert lore.prove(COMMAND, json.dumps(changed(good(), path, value))) == expected


@pytest.mark.parametrize(
    "digest", ["md5:" + "0" * 32, "sha512:" + "f" * 128, "sha3-256:" + "0" * 64, "sha256:" + "aB" * 32]
)
def test_a_digest_is_kept_as_the_reader_states_it(digest: str, good: Good) -> None:
    """Which algorithm, and which case its digits have, is the reader's own choice."""
    read = lore.prove(COMMAND, json.dumps(changed(good(), "data/contentDigest", digest)))
    assert isinstance(read, Read)
    assert read.content_digest == digest


def test_a_failure_needs_no_data(good: Good) -> None:
    """The reader's own failure is told apart from a result that we do not understand."""
    document = changed(changed(good(), "ok", False), "data", ABSENT)
    document["error"] = {"code": "NOT_FOUND", "message": "no practice a.b.c"}
    assert lore.prove(COMMAND, json.dumps(document)) == Skipped("result-failed")


def test_an_unknown_protocol_may_have_any_shape() -> None:
    """A later version is refused by its number, not for lacking what this one has."""
    assert lore.prove(COMMAND, '{"protocolVersion": 7}') == Skipped("result-protocol", "protocol 7")


NOT_ONE_DOCUMENT = {
    "empty": "",
    "blank": " \n",
    "text": "a.b.c: Give retries a budget",
    "null": "null",
    "list": "[]",
    "string": '"{}"',
    "object": "{}",
    "not found": "lore: command not found\n",
    "shadowed": '{"protocolVersion":2,"command":"get","ok":true,"shadowed":true}',
    "lone surrogate": '{"protocolVersion": 2, "x": "\ud800"}',
    "nul": '{"protocolVersion": 2\0}',
    "huge version": '{"protocolVersion": ' + "9" * 5000 + "}",
    "nan version": '{"protocolVersion": NaN}',
    "open": "[" * 5000,
}


@pytest.mark.parametrize("output", NOT_ONE_DOCUMENT.values(), ids=NOT_ONE_DOCUMENT.keys())
def test_what_is_not_a_result_document_is_malformed(output: str) -> None:
    """Whatever the text is, the answer is one name."""
    assert lore.prove(COMMAND, output) == Skipped("result-malformed")


@pytest.mark.parametrize(
    "spoilt",
    [
        "{} {}",
        "{}{}",
        "[{}]",
        "{},",
        "warning: slow disk\n{}",
        "{}\nwarning: slow disk",
        "\ufeff{}",
        "\u00a0{}",
        "{}\x0b",
        "{}\0",
        "// x\n{}",
        "{}\nProcess exited with code 0",
    ],
)
def test_anything_beside_the_document_is_malformed(spoilt: str, good: Good) -> None:
    """Warnings, a second document or a mark of byte order: the output is then not exactly one document."""
    assert lore.prove(COMMAND, spoilt.replace("{}", json.dumps(good()))) == Skipped("result-malformed")


@pytest.mark.parametrize(
    "extra",
    [
        '"\\ud800"',
        '"\ud800"',
        "NaN",
        "Infinity",
        "[" * 5000 + "]" * 5000,
        '{"a":' * 5000 + "1" + "}" * 5000,
        "[" * 200_000 + "]" * 200_000,
        "9" * 5000,
        "01",
        "'x'",
        "tru",
        '"\x01"',
        "[1,]",
    ],
)
def test_an_extra_field_that_no_decoder_agrees_on_spoils_the_document(extra: str, good: Good) -> None:
    """Lone surrogates, not-a-number and nesting without end are refusals, never exceptions."""
    text = json.dumps(good()).replace('{"protocolVersion"', f'{{"extra": {extra}, "protocolVersion"', 1)
    assert lore.prove(COMMAND, text) == Skipped("result-malformed")


@pytest.mark.parametrize("field", ["title", "body", "applies_when"])
def test_a_lone_surrogate_in_a_text_is_malformed(field: str, good: Good) -> None:
    """It cannot be stored or shown as UTF-8."""
    assert lore.prove(COMMAND, json.dumps(changed(good(), f"data/practice/{field}", "\ud800"))) == Skipped(
        "result-malformed"
    )


@pytest.mark.parametrize("body", ["x" * 8_000_000, '"\\\n' * 1_500_000, "📚" * 1_000_000])
def test_a_body_of_millions_of_characters_is_read(body: str, good: Good) -> None:
    """How much a host passes on is the host's bound, not the reader's."""
    assert isinstance(lore.prove(COMMAND, json.dumps(changed(good(), "data/practice/body", body))), Read)


@pytest.mark.parametrize(
    ("said", "twice"),
    [
        ('"ok": true', '"ok": false, "ok": true'),
        ('"ok": true', '"\\u006fk": false, "ok": true'),
        ('"id": "a.b.c"', '"id": "other", "id": "a.b.c"'),
        ('"protocolVersion": 2', '"protocolVersion": 1, "protocolVersion": 2'),
        ('"toolVersion"', '"toolVersion": "1", "toolVersion"'),
        ('"diagnostics": {', '"diagnostics": {"a": [{"x": 1, "x": 1}], '),
    ],
)
def test_a_document_that_gives_a_name_twice_is_malformed(said: str, twice: str, good: Good) -> None:
    """A decoder keeps one of the two and the model sees both, so it is not one statement."""
    text = json.dumps(good())
    assert said in text
    assert lore.prove(COMMAND, text.replace(said, twice, 1)) == Skipped("result-malformed")


@pytest.mark.parametrize(
    "title", [":", '":"', '\\":{"a":1}', "\\", '\\"', "\\\\:", '{"id": 1, "id": 2}', "::"]
)
def test_names_inside_a_text_are_text(title: str, good: Good) -> None:
    """A colon, a quote or a whole object in a title is no name of the document."""
    assert isinstance(lore.prove(COMMAND, json.dumps(changed(good(), "data/practice/title", title))), Read)


def source(path: str, root: str | None = "/srv/packs/web", pack: str = "web") -> dict[str, str]:
    """Give one source as the reader prints it."""
    return {"packName": pack, "sourcePath": path} | ({} if root is None else {"packRoot": root})


def read_of(
    good: Good, sources: list[dict[str, str]], protocol: int = 2, options: str = ""
) -> Read | Skipped:
    """Confirm a result with these sources."""
    document = changed(changed(good(), "data/sources", sources), "protocolVersion", protocol)
    return lore.prove(f"{COMMAND} {options}", json.dumps(document))


def test_all_sources_are_kept_sorted_and_once(good: Good) -> None:
    """The order in which the reader found them says nothing."""
    read = read_of(
        good, [source("b"), source("a", pack="z"), source("a"), source("b"), source("/srv/packs/web/c")]
    )
    assert isinstance(read, Read)
    assert read.sources == (Source("web", "a"), Source("web", "b"), Source("web", "c"), Source("z", "a"))


@pytest.mark.parametrize("protocol", [1, 2])
def test_the_scope_is_of_all_roots_that_the_result_states(protocol: int, good: Good) -> None:
    """The result's own roots hold, whatever the command says: a relative option means nothing then."""
    sources = [source("a", "/srv/b/"), source("b", "/srv/./a"), source("c", "/srv/b")]
    for options in ("", "--store-root /other", "--store-root relative", "--no-project"):
        read = read_of(good, sources, protocol, options)
        assert isinstance(read, Read)
        assert read.store_scope == of_roots(["/srv/a", "/srv/b"])


@pytest.mark.parametrize("protocol", [1, 2])
@pytest.mark.parametrize("other", [None, "", "relative", "/srv/../x"])
def test_one_root_that_is_missing_or_relative_makes_the_scope_unknown(
    other: str | None, protocol: int, good: Good
) -> None:
    """A scope of the other roots alone would be a guess, and an option does not mend it."""
    sources = [source("a"), source("b", other)]
    assert read_of(good, sources, protocol, "--store-root /srv") == Skipped("scope-unknown")


SCOPES = [
    ("", DEFAULT),
    ("--no-project", of_options(None, None, no_project=True)),
    ("--store-root /srv/s/", of_options("/srv/s", None, no_project=False)),
    ("--store-root=/srv/s --no-project", of_options("/srv/s", None, no_project=True)),
    ("--project-root /srv/p", of_options(None, "/srv/p", no_project=False)),
    ("--store-root 'C:\\s' --project-root /srv/p", of_options("/c/s", "/srv/p", no_project=False)),
    ("--store-root s", None),
    ("--store-root ./s", None),
    ("--store-root=-s", None),
    ("--project-root p", None),
    ("--store-root /srv/s --project-root ../p", None),
    ("--store-root /srv/../s", None),
]


@pytest.mark.parametrize("sources", [[], [source("a", None)]])
@pytest.mark.parametrize(("options", "expected"), SCOPES)
def test_protocol_1_takes_the_scope_from_the_command(
    options: str, expected: str | None, sources: list[dict[str, str]], good: Good
) -> None:
    """Absolute roots that the command gives, or none: a relative one is unknown."""
    read = read_of(good, sources, 1, options)
    found = read.store_scope if isinstance(read, Read) else read
    assert found == (expected or Skipped("scope-unknown"))


@pytest.mark.parametrize("sources", [[], [source("a", None)]])
def test_protocol_2_without_roots_needs_a_store_root_in_the_command(
    sources: list[dict[str, str]], good: Good
) -> None:
    """It states a root for each source; without one even the default store is a guess."""
    for options in ("", "--no-project", "--project-root /srv/p", "--store-root s"):
        assert read_of(good, sources, 2, options) == Skipped("scope-unknown")
    read = read_of(good, sources, 2, "--store-root /srv/s")
    assert isinstance(read, Read)
    assert read.store_scope == of_options("/srv/s", None, no_project=False)
    assert len(read.sources) == len(sources)


def test_no_root_and_no_body_is_in_the_read(good: Good) -> None:
    """What the ledger keeps holds neither the item's text nor a folder of this machine."""
    kept = repr(lore.prove(f"{COMMAND} --store-root /srv/store", json.dumps(good())))
    for secret in ("/srv", "early", "--store-root", "1.4.0"):
        assert secret not in kept


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["a.b.c", "get", "/a", 2]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
PLACES = [
    "protocolVersion", "command", "ok", "data", "data/practice", "data/practice/id", "data/practice/title",
    "data/practice/applies_when", "data/practice/body", "data/contentDigest", "data/sources",
    "data/sources/0", "data/sources/0/packName", "data/sources/0/sourcePath", "data/sources/0/packRoot",
    "error", "diagnostics",
]  # fmt: skip


def check(output: str) -> None:
    """Say what holds for any output at all."""
    outcome = lore.prove(COMMAND, output)
    if isinstance(outcome, Skipped):
        assert outcome.reason in REFUSALS
        return
    document = json.loads(output)
    assert document["ok"] is True
    assert document["command"] == "get"
    assert document["data"]["practice"]["id"] == outcome.item_id == "a.b.c"
    assert type(document["protocolVersion"]) is int


@given(place=st.sampled_from(PLACES), value=values | st.just(ABSENT))
def test_a_changed_document_is_a_read_only_if_it_still_says_so(place: str, value: object, good: Good) -> None:
    """Never an exception; a read only where `ok` is true and the id is the one that was asked for."""
    if value is ABSENT and place == "error":
        value = None
    check(json.dumps(changed(good(), place, value)))


@given(data=st.data())
def test_a_spoilt_text_never_raises(data: st.DataObject, good: Good) -> None:
    """A piece of the text is replaced by anything: by nothing, by noise, by another piece of it."""
    text = json.dumps(good())
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    other = data.draw(st.integers(0, len(text)))
    new = data.draw(
        st.text(max_size=5) | st.sampled_from(['"', "}", "\\", ",", "\ud800", text[other : other + 30]])
    )
    check(text[:start] + new + text[end:])


def test_a_document_cut_anywhere_is_malformed(good: Good) -> None:
    """Half a document is no document, wherever a host cut it."""
    text = json.dumps(good())
    outcomes = {lore.prove(COMMAND, text[:end]) for end in range(len(text))}
    assert outcomes == {Skipped("result-malformed")}


@given(output=st.text(max_size=60))
def test_any_text_at_all_is_answered(output: str) -> None:
    """Noise is refused by name."""
    check(output)

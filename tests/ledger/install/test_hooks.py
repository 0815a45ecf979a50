"""What a host's file looks like afterwards, where it shows and where only a few words differ."""

from __future__ import annotations

import json

import pytest

from adapters.hosts import HOSTS, load
from adapters.registration import registration
from ledger.install.handlers import is_ours
from ledger.install.hooks import Unclear, Wanted, added, fresh, registered, removed
from tests.ledger.install.documents import wanted

READMARK = "/b/readmark"
CALL = {"type": "command", "command": f"{READMARK} hook codex", "timeout": 5}
SMALL: Wanted = {"Start": [{"hooks": [CALL]}], "Use": [{"hooks": [CALL], "matcher": "^Bash$"}]}
ONE: Wanted = {"Start": [{"hooks": [{"command": f"{READMARK} hook codex"}]}]}
WRITTEN = '{"hooks": [{"command": "/b/readmark hook codex"}]}'


def lines(*parts: str, end: str = "\n") -> str:
    """Return lines as a file holds them."""
    return end.join(parts) + end


GROUP = (
    "      {",
    '        "hooks": [',
    "          {",
    '            "command": "/b/readmark hook codex"',
    "          }",
    "        ]",
    "      }",
)

SHAPES = [
    pytest.param(
        lines("{", '  "a": 1', "}"),
        lines("{", '  "a": 1,', '  "hooks": {', '    "Start": [', *GROUP, "    ]", "  }", "}"),
        id="no hooks yet",
    ),
    pytest.param(
        lines("{", '  "hooks": {', '    "Start": [', '      {"x": 1} // mine', "    ]", "  }", "}"),
        lines("{", '  "hooks": {', '    "Start": [', '      {"x": 1}, // mine', *GROUP, "    ]", "  }", "}"),
        id="after a comment in the line",
    ),
    pytest.param(
        lines("{", '  "hooks": {', '    "Start": [', '      {"x": 1},', "    ],", "  },", "}", end="\r\n"),
        lines(
            *("{", '  "hooks": {', '    "Start": [', '      {"x": 1},', *GROUP[:-1], "      },"),
            *("    ],", "  },", "}"),
            end="\r\n",
        ),
        id="trailing commas and CRLF",
    ),
    pytest.param(
        lines("{", '  "hooks": {', '    "Start": []', "  }", "}"),
        lines(
            *("{", '  "hooks": {', '    "Start": [{', *(line for line in GROUP[1:-1]), "      }]"),
            *("  }", "}"),
        ),
        id="an array that was there and empty",
    ),
    pytest.param(
        '{"hooks":{"Start":[1]}}',
        '{"hooks":{"Start":[1, { "hooks": [ { "command": "/b/readmark hook codex" } ] }]}}',
        id="all in one line",
    ),
    pytest.param(
        '{"hooks":{"End":[1]}}',
        '{"hooks":{"End":[1], "Start": [ { "hooks": [ { "command": "/b/readmark hook codex" } ] } ]}}',
        id="another event in one line",
    ),
    pytest.param(
        "{ // none\n}",
        '{ // none\n  "hooks": {\n    "Start": [\n' + "\n".join(GROUP) + "\n    ]\n  }\n}",
        id="only a comment",
    ),
    pytest.param(
        '{"hooks": {"Start": [1 /* a */ ] } }\n',
        '{"hooks": {"Start": [1, /* a */ { "hooks": [ { "command": "/b/readmark hook codex" } ] } ] } }\n',
        id="a comment before the bracket",
    ),
    pytest.param(
        '{"hooks": {"Start": [/* a */] } }\n',
        '{"hooks": {"Start": [/* a */ { "hooks": [ { "command": "/b/readmark hook codex" } ] }] } }\n',
        id="nothing but a comment",
    ),
    pytest.param(
        '{"hooks": {"Start": [{\n}] } }\n',
        '{"hooks": {"Start": [{\n},\n  {\n    "hooks": [\n      {\n        "command": '
        '"/b/readmark hook codex"\n      }\n    ]\n  }] } }\n',
        id="brackets that hug",
    ),
]


@pytest.mark.parametrize(("before", "after"), SHAPES)
def test_ours_stand_as_the_rest_does(before: str, after: str) -> None:
    """Indentation, line ends and commas are the file's own, and the way back is exact."""
    assert added(before, "codex", ONE) == after
    assert removed(after, "codex") == before


def test_a_file_that_holds_only_ours_goes_with_them() -> None:
    """Nobody else ever wrote into it."""
    assert removed(fresh(SMALL), "codex") is None


@pytest.mark.parametrize(
    "before", ["{}", "{\n}\n", '{"hooks": {}}\n', '{ "hooks": { "Start": [ ] } }', "{/**/}"]
)
def test_brackets_that_were_there_stay(before: str) -> None:
    """An empty object is not as good as none: its owner put it there."""
    after = added(before, "codex", SMALL)
    assert isinstance(after, str)
    assert removed(after, "codex") == before


def test_comments_around_ours_stay() -> None:
    """They are not ours, wherever they came to stand."""
    assert removed("// of mine\n" + fresh(ONE), "codex") == "// of mine\n{\n}\n"
    assert removed(f'{{ "hooks": {{ "Start": [ {WRITTEN} /* b */ ] }} }}', "codex") == (
        '{ "hooks": { "Start": [ /* b */ ] } }'
    )


def test_no_comment_swallows_what_follows_ours() -> None:
    """A person may have put a bracket or another hook behind ours, on its line."""
    assert (
        removed(f'{{"hooks": {{"Start": [ // c\n {WRITTEN}]}}}}', "codex")
        == '{"hooks": {"Start": [ // c\n ]}}'
    )
    assert removed(f'{{"hooks": {{"Start": [ // c\n {WRITTEN}, 1]}}}}', "codex") == (
        '{"hooks": {"Start": [ // c\n  1]}}'
    )


OLD = '{"type": "command", "command": "/old/readmark hook codex", "timeout": 99, "async": true}'
FOREIGN = '{"type": "command", "command": "other"}'


def test_an_older_handler_is_changed_where_it_stands() -> None:
    """Its neighbours keep their places, and Codex trusts hooks by place."""
    before = f'{{"hooks": {{"Start": [{{"hooks": [{FOREIGN}, {OLD}, {FOREIGN}]}}]}}}}'
    call = '{ "type": "command", "command": "/b/readmark hook codex", "timeout": 5 }'
    after = added(before, "codex", {"Start": SMALL["Start"]})
    assert after == before.replace(OLD, call)
    assert removed(before, "codex") == before.replace(f" {OLD},", "")


def test_an_older_matcher_is_changed_where_it_stands_alone() -> None:
    """The group is ours, over several lines as before."""
    before = lines(
        "{", '  "hooks": {"Use": [', f'    {{"hooks": [{OLD}],', '     "matcher": "x"}', "  ]}", "}"
    )
    after = added(before, "codex", {"Use": SMALL["Use"]})
    assert isinstance(after, str)
    assert registered(after, "codex") == {"Use": [("^Bash$", CALL)]}
    assert after.startswith('{\n  "hooks": {"Use": [\n    {\n      "hooks": [\n        {\n')
    assert after.endswith('      "matcher": "^Bash$"\n    }\n  ]}\n}\n')


def test_ours_leaves_a_group_of_others_with_another_matcher() -> None:
    """Their matcher is theirs."""
    before = f'{{"hooks": {{"Use": [{{"matcher": "x", "hooks": [{FOREIGN}, {OLD}]}}]}}}}'
    after = added(before, "codex", {"Use": SMALL["Use"]})
    assert isinstance(after, str)
    assert after.startswith(f'{{"hooks": {{"Use": [{{"matcher": "x", "hooks": [{FOREIGN}]}}, {{ "hooks": [')
    assert registered(after, "codex") == {"Use": [("^Bash$", CALL)]}


def test_what_is_ours_twice_or_elsewhere_goes() -> None:
    """An earlier version may have registered other events."""
    twice = f'{{"hooks": {{"Gone": [{WRITTEN}], "Start": [{WRITTEN}, {WRITTEN}]}}}}'
    after = added(twice, "codex", ONE)
    assert isinstance(after, str)
    assert registered(after, "codex") == {"Start": [(None, ONE["Start"][0]["hooks"][0])]}


def test_hooks_of_another_host_are_not_ours() -> None:
    """Somebody may share one file between hosts."""
    text = fresh(wanted("codex"))
    assert registered(text, "claude-code") == {}
    assert removed(text, "claude-code") == text


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("program", ["/b/readmark", '/a b/it\'s \\ "q" 道/readmark'])
def test_every_command_that_is_registered_is_known_again(host: str, program: str) -> None:
    """Whatever the path of the command."""
    commands = [group["hooks"][0]["command"] for groups in wanted(host, program).values() for group in groups]
    assert all(is_ours(command, host) for command in commands)


@pytest.mark.parametrize(
    "command",
    [
        "",
        "readmark",
        "readmark hook",
        "readmark hook codex extra",
        "readmark hook codex-next",
        "readmark list codex",
        "my-readmark hook codex",
        "readmark hook codex || true",
        "echo readmark hook codex",
        "/bin/sh -c 'other; \"$0\" hook codex' /x/other",
        "/bin/sh -c '\"$0\" hook codex-next' /x/readmark",
        "/bin/sh -c 'echo hook codex' /x/readmark",
        "/bin/sh -x '\"$0\" hook codex' /x/readmark",
        "/bin/env -c '\"$0\" hook codex' /x/readmark",
        "it's",
    ],
)
def test_what_only_looks_like_ours_is_not(command: str) -> None:
    """A hook that a person wrote is a person's."""
    assert not is_ours(command, "codex")


@pytest.mark.parametrize("command", ["readmark hook codex", "'/a b/readmark' hook codex"])
def test_a_plain_call_is_ours(command: str) -> None:
    """The form that a person writes by hand, and replaced it would record twice."""
    assert is_ours(command, "codex")


@pytest.mark.parametrize(
    ("command", "args", "ours"),
    [
        ("/a b/readmark", ["hook", "codex"], True),
        ("/bin/sh", ["-c", '"$0" hook codex', "/a b/readmark"], True),
        ("/a/readmark hook codex", [], False),
        ("/a/readmark hook codex", None, True),
        ("/a/readmark", ["hook", "codex", "more"], False),
        ("/a/readmark", ["hook", 5], False),
        ("/a/readmark", "hook codex", False),
    ],
)
def test_a_call_without_a_shell_is_ours_by_its_words(command: str, args: object, *, ours: bool) -> None:
    """Claude Code starts a program with `args` as it is; what is installed takes its place."""
    handler = {"type": "command", "command": command} | ({} if args is None else {"args": args})
    text = json.dumps({"hooks": {"Start": [{"hooks": [handler]}]}})
    assert ("readmark" not in str(removed(text, "codex"))) is ours
    assert ('"args"' not in str(added(text, "codex", ONE))) is (ours or args is None)


@pytest.mark.parametrize("host", HOSTS)
def test_a_plugins_command_is_ours(host: str) -> None:
    """A person who copies it into the host's own file gets rid of it as of any other."""
    for groups in registration(load(host), None).hooks.values():
        assert all(is_ours(call.command, host) for group in groups for call in group.hooks)


@pytest.mark.parametrize(
    ("text", "line", "column", "says"),
    [
        ("[]", 1, 1, "must be an object"),
        ('{"hooks": []}', 1, 11, '"hooks" must be an object'),
        ('{"hooks": null}', 1, 11, '"hooks" must be an object'),
        ('{\n"hooks": {"Start": {}}}', 2, 20, '"Start" must be an array'),
        ('{"hooks": {},\n "hooks": {}}', 2, 2, "a second time"),
        ('{"hooks": {"Start": [],\n "Start": []}}', 2, 2, "a second time"),
    ],
)
def test_a_file_of_another_form_is_refused_with_the_place(
    text: str, line: int, column: int, says: str
) -> None:
    """To write into it could take effect on something else than was meant."""
    found = added(text, "codex", ONE)
    assert isinstance(found, Unclear)
    assert (found.line, found.column) == (line, column)
    assert says in found.message


@pytest.mark.parametrize(
    "text",
    [
        '{"hooks": 1}',
        '{"hooks": {"Stop": 1}}',
        '{"hooks": {"Stop": [1, {"hooks": 1}, {"hooks": [{"command": 1}, {}, 2]}]}}',
    ],
)
def test_a_removal_passes_over_what_has_another_form(text: str) -> None:
    """It is none of ours."""
    assert removed(text, "codex") == text


def test_what_is_no_document_is_refused_by_every_call() -> None:
    """The text is never half done."""
    for found in (
        added("{", "codex", ONE),
        removed("{", "codex"),
        registered("{", "codex"),
        added("// mine\n", "codex", ONE),
    ):
        assert isinstance(found, Unclear)


@pytest.mark.parametrize("before", ["", " ", "\n", "\t\n\n", "\r\n"])
def test_an_empty_file_takes_ours_and_is_empty_again(before: str) -> None:
    """With its blanks; it is no file that an install made, which goes as a whole."""
    after = added(before, "codex", SMALL)
    assert isinstance(after, str)
    assert json.loads(after) == {"hooks": SMALL}
    assert registered(after, "codex") == registered(fresh(SMALL), "codex")
    assert removed(after, "codex") == before
    assert removed(before, "codex") == before
    assert registered(before, "codex") == {}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_file_of_ours_goes_whatever_an_editor_made_of_its_line_ends(end: str) -> None:
    """They are still the only lines in it."""
    assert removed(fresh(SMALL).replace("\n", end), "codex") is None

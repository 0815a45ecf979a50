"""What every verb prints where standard output knows only cp1252, as on Windows with a pipe."""

from __future__ import annotations

import msgspec
import pytest

from tests.ledger.cli.running import Ran, keep, process, run

TITLE = "道 Zoë “quoted” 😀 \u202e done"
LEGACY = {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}
VERBS = [
    ["list"],
    ["brief", "--host", "codex", "--conversation", "c"],
    ["status"],
    ["hosts"],
    ["config"],
    ["prune"],
    ["install", "codex", "--dry-run"],
    ["uninstall", "codex", "--dry-run"],
    ["plugin", "build", "codex", "道/é", "--dry-run"],
    ["completion", "bash"],
    ["clear", "--host", "codex", "--conversation", "c"],
    ["--help"],
]


def said_in_cp1252(*words: str) -> Ran:
    """Run a verb; those that show most come to what a process of its own comes to, and that is looked at."""
    if words[0] in {"list", "brief", "--help"}:
        return process(*words, environ=LEGACY)
    return run(*words, charset="cp1252")


@pytest.mark.parametrize("words", VERBS, ids=" ".join)
def test_a_verb_says_what_the_encoding_can_and_escapes_the_rest(words: list[str]) -> None:
    """No trace, no broken byte: text in that encoding for people, UTF-8 for programs and agents."""
    keep("codex", "c", title=TITLE)
    done = said_in_cp1252(*words)
    assert done.code in {0, 3}
    assert "Traceback" not in done.err
    said = done.out.decode("cp1252")
    if words == ["list"]:
        assert "Zoë “quoted”" in said
        assert "\\u9053" in said


@pytest.mark.parametrize("words", [words for words in VERBS if words != ["--help"]], ids=" ".join)
def test_json_is_utf_8_whatever_the_encoding(words: list[str]) -> None:
    """A program that reads it need not know where it ran."""
    keep("codex", "c", title=TITLE)
    told = msgspec.json.decode(said_in_cp1252(*words, "--json").out)
    if words == ["list"]:
        [conversation] = told["conversations"]
        assert conversation["candidates"][0]["title"] == TITLE


@pytest.mark.parametrize("encoding", ["cp1252", "cp932", "ascii"])
def test_an_error_is_said_in_any_encoding(encoding: str) -> None:
    """What a person typed comes back escaped."""
    done = process("list", "--host", "道 é", environ={**LEGACY, "PYTHONIOENCODING": encoding})
    assert (done.code, done.out) == (2, b"")
    assert "is no known host" in done.err
    assert "Traceback" not in done.err

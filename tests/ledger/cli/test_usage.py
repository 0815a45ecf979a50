"""Help, versions, wrong usage and completion: what holds for every verb."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import click
import msgspec
import pytest

from adapters.hosts import HOSTS
from contracts.report import REPORTS
from contracts.version import __version__
from ledger import cli
from ledger.cli import evidence
from ledger.diagnostics import entries
from tests.ledger.cli.running import assert_valid, command, keep, process, run, state_home

VERBS = sorted(cli.cli.commands)
EVIDENCE = [f"evidence {name}" for name in sorted(evidence.evidence.commands)]
GROUPS = {"evidence", "plugin"}
SINGLE = [*(verb for verb in VERBS if verb not in GROUPS), *EVIDENCE, "plugin build"]
"""Every verb that does something; a group only holds others."""


def test_the_verbs_are_those_of_the_contract() -> None:
    """A verb more or less is a change of the contract."""
    assert VERBS == [
        "brief",
        "clear",
        "completion",
        "config",
        "evidence",
        "hook",
        "hosts",
        "init",
        "install",
        "list",
        "pause",
        "plugin",
        "prune",
        "record",
        "resume",
        "show",
        "status",
        "uninstall",
        "why",
    ]


def test_every_verb_but_the_hook_has_a_form_for_programs() -> None:
    """The hook speaks its host's own form."""
    assert sorted([*REPORTS, "hook"]) == sorted(verb.replace(" ", "-") for verb in SINGLE)


@pytest.mark.parametrize("verb", SINGLE)
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_explains_a_verb_with_examples_in_80_columns(verb: str, option: str) -> None:
    """Help says what a verb does, and shows how to call it."""
    done = run(*verb.split(), option)
    assert done.code == 0
    assert "Examples:" in done.text
    assert f"readmark {verb}" in done.text.split("Examples:")[1]
    if verb != "hook":
        assert "--json" in done.text
    assert max(len(line) for line in done.text.splitlines()) <= 80


@pytest.mark.parametrize("verb", SINGLE)
def test_the_usage_shows_what_may_be_left_out(verb: str) -> None:
    """In brackets, as everywhere: an argument without them is needed."""
    group: click.Command = cli.cli
    for word in verb.split():
        assert isinstance(group, click.Group)
        group = group.commands[word]
    usage = run(*verb.split(), "--help").text.split("\n\n")[0].split()
    for argument in group.params:
        # Nobody types a hook, and it takes all words; of a choice, click shows the words themselves.
        if isinstance(argument, click.Argument) and argument.metavar and verb != "hook":
            shown = argument.metavar
            assert shown in usage
            assert shown.startswith("[") is not argument.required


def test_the_version_is_one_line() -> None:
    """Scripts compare it."""
    assert run("--version").text == f"readmark {__version__}\n"


@pytest.mark.parametrize("arguments", [["nonsense"], ["list", "--nonsense"], ["list", "word"], ["record"]])
def test_wrong_usage_exits_2_and_prints_nothing_on_stdout(arguments: list[str]) -> None:
    """What is wrong goes to standard error."""
    done = run(*arguments)
    assert (done.code, done.out) == (2, b"")
    assert "Usage: readmark" in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["list", "--host", "codx"],
        ["brief", "--conversation", "r", "--host", "codx"],
        ["record", "--host", "codx"],
        ["clear", "--conversation", "r", "--host", "codx"],
        ["hosts", "codx"],
    ],
)
def test_an_unknown_host_is_answered_with_the_known_and_the_nearest(arguments: list[str]) -> None:
    """A slip of one letter is put right in one look."""
    done = run(*arguments)
    assert done.code == 2
    assert "Did you mean codex?" in done.err
    for host in HOSTS:
        assert host in done.err


def test_a_name_like_no_host_suggests_none() -> None:
    """A guess that is no guess helps nobody; and what was typed cannot steer the terminal."""
    done = run("list", "--host", "\x1b[31mzzz")
    assert done.code == 2
    assert "Did you mean" not in done.err
    assert "\x1b" not in done.err


@pytest.mark.parametrize("reference", ["", "x" * 257, "道" * 86])
def test_a_reference_of_no_conversation_is_wrong_usage(reference: str) -> None:
    """Empty and endless references belong to nobody."""
    done = run("list", "--host", "codex", "--conversation", reference)
    assert (done.code, done.out) == (2, b"")
    assert "256 bytes" in done.err


def test_a_reference_that_is_no_text_is_wrong_usage() -> None:
    """Bytes that are no UTF-8 arrive as lone surrogates."""
    done = subprocess.run(
        [os.fsencode(part) for part in command("list", "--conversation")] + [b"\xff\xfe"],
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"not valid UTF-8" in done.stderr


@pytest.mark.parametrize(
    "arguments", [["hook"], ["hook", "--nonsense"], ["hook", "codex", "extra"], ["hook", "nonsense"]]
)
def test_no_way_to_call_the_hook_exits_other_than_0(arguments: list[str]) -> None:
    """A host may read exit code 2 as "replace the tool's output"."""
    done = process(*arguments, stdin=b"{}")
    assert (done.code, done.out) == (0, b"")


@pytest.mark.parametrize(
    "arguments", [["hook"], ["hook", "--codex"], ["hook", "codx"], ["hook", "codx", "x"]]
)
def test_a_registration_that_names_no_host_is_in_the_diagnostics(arguments: list[str]) -> None:
    """A host shows nobody what a hook says on standard error."""
    process(*arguments, stdin=b"{}")
    assert [(one.host, one.summary.reason) for one in entries(state_home())] == [("unknown", "host-unknown")]


def completed(words: str) -> set[str]:
    """Return what completes the last of the words, in a process that says nothing else."""
    count = len(words.split()) - 1
    done = process(
        environ={"_READMARK_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(count)}
    )
    assert (done.code, done.err) == (0, "")
    return {line.partition(",")[2] for line in done.text.splitlines() if line}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_script_is_made_for_each_shell(shell: str) -> None:
    """It asks `readmark` itself what could follow."""
    done = run("completion", shell)
    assert done.code == 0
    assert f"_READMARK_COMPLETE={shell}_complete" in done.text
    told = run("completion", shell, "--json").json
    assert_valid("completion", told)
    assert told == {"state": "ready", "shell": shell, "script": done.text.removesuffix("\n")}
    found = shutil.which(shell)
    if found is not None:
        assert subprocess.run([found, "-n"], input=done.out, check=False).returncode == 0


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("readmark hosts c", {"claude-code", "codex"}),
        ("readmark list --host cl", {"claude-code"}),
        ("readmark st", {"status"}),
        ("readmark completion f", {"fish"}),
    ],
)
def test_hosts_and_verbs_complete(words: str, expected: set[str]) -> None:
    """What the script asks is answered in a process of its own."""
    assert completed(words) == expected


def test_conversations_complete_from_the_ledger() -> None:
    """Those of the host that is named already, and only what a shell can read back."""
    for host, reference in (("codex", "one"), ("codex", "other"), ("claude-code", "only"), ("codex", "o\nx")):
        keep(host, reference)
    assert completed("readmark list --conversation o") == {"one", "only", "other"}
    assert completed("readmark brief --host codex --conversation o") == {"one", "other"}
    (state_home() / "ledger.db").write_bytes(b"no ledger at all" * 400)
    assert completed("readmark list --conversation o") == set()


def test_completion_is_quiet_where_there_is_no_ledger(monkeypatch: pytest.MonkeyPatch) -> None:
    """A message would land in the line that the person types."""
    assert completed("readmark list --conversation o") == set()
    assert not state_home().exists()
    monkeypatch.setenv("READMARK_HOME", "relative")
    assert completed("readmark list --conversation o") == set()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_examples_install_a_completion_on_a_fresh_home(shell: str, private_home: Path) -> None:
    """As printed, line by line, through a shell."""
    told = run("completion", "--help").text.split("Examples:")[1].replace("\\\n", "")
    lines = [line for line in told.splitlines() if shell in line or f".{shell[0]}func" in line]
    script = f"readmark() {{ printf '%s' \"$2\"; }}\n{chr(10).join(lines)}\n"
    done = subprocess.run(["/bin/sh", "-ec", script], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert [path.read_text() for path in private_home.rglob("*") if path.is_file()] == [shell]


def test_a_reader_that_leaves_ends_quietly() -> None:
    """A closed pipe is no error of ours, in help and in output alike."""
    for arguments in (["--help"], ["hosts"], ["config", "--json"], ["completion", "fish"]):
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(
            command(*arguments), stdout=writing, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False
        )
        os.close(writing)
        assert (done.returncode, done.stderr) == (0, b""), arguments


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device here")  # noqa: PTH110 - a device
@pytest.mark.parametrize(
    ("line", "unbuffered"),
    [
        ("--help", ""),
        ("--version", "1"),
        ("list --json --help", "1"),
        ("list", "1"),
        ("status --json", ""),
        ("brief --host codex --conversation r --json", ""),
    ],
)
def test_a_full_disk_under_the_output_is_told_as_that(line: str, unbuffered: str) -> None:
    """It must not look like success, nor like a fault of readmark's; whoever printed, and what."""
    with open("/dev/full", "wb") as full:  # noqa: PTH123 - a device
        done = subprocess.run(
            command(*line.split()),
            stdout=full,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            check=False,
        )
    said = b"readmark: standard output cannot be written: No space left on device.\n"
    assert (done.returncode, done.stderr) == (4, said)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device here")  # noqa: PTH110 - a device
@pytest.mark.parametrize(("line", "code"), [("nonsense", 2), ("resume codex", 3), ("list", 4)])
def test_a_full_disk_under_the_errors_changes_no_exit_code(line: str, code: int) -> None:
    """Nobody reads what was wrong, but a script still knows that it was."""
    run("pause")
    (state_home() / "ledger.db").write_bytes(b"no ledger at all" * 400)
    with open("/dev/full", "wb") as full:  # noqa: PTH123 - a device
        done = subprocess.run(
            command(*line.split()), stdout=subprocess.PIPE, stderr=full, stdin=subprocess.DEVNULL, check=False
        )
    assert (done.returncode, done.stdout) == (code, b"")


@pytest.mark.usefixtures("proven")
@pytest.mark.parametrize(
    ("redirect", "detail"), [("<&-", "it is closed"), ("0>/dev/null", "Bad file descriptor")]
)
def test_standard_input_that_cannot_be_read_is_told_as_that(redirect: str, detail: str) -> None:
    """By the verb that reads it; a hook leaves it to the diagnostics."""
    shell = ["/bin/sh", "-c", f'exec "$@" {redirect}', "sh"]
    done = subprocess.run(
        [*shell, *command("record", "--host", "codex", "--json")], capture_output=True, check=False
    )
    told = msgspec.json.decode(done.stdout)
    assert_valid("record", told)
    assert (done.returncode, done.stderr) == (4, b"")
    assert told == {"state": "unavailable", "reason": "stream-unusable", "detail": detail}
    done = subprocess.run([*shell, *command("hook", "codex")], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    [said] = entries(state_home())
    assert (said.summary.outcome, said.summary.reason) == ("unavailable", "stream-unusable")


def test_without_any_output_the_command_still_runs() -> None:
    """A service may start it with no standard output at all."""
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" >&-', "sh", *command("config")], stderr=subprocess.PIPE, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_our_own_failure_is_a_sentence_and_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person sees what to do; READMARK_DEBUG=1 shows where it happened."""

    def fails(**_: object) -> None:
        raise ZeroDivisionError("text of a payload")

    monkeypatch.setattr("ledger.cli.status.examine", fails)
    done = run("status")
    assert (done.code, done.out) == (4, b"")
    assert "ZeroDivisionError" in done.err
    assert "report" in done.err
    assert "text of a payload" not in done.err
    assert run("status", "--json").json == {
        "state": "unavailable",
        "reason": "internal-error",
        "detail": "ZeroDivisionError",
    }
    monkeypatch.setenv("READMARK_DEBUG", "1")
    assert "Traceback" in run("status").err


def test_an_interrupt_ends_without_a_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C is an answer too."""

    def interrupted(**_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ledger.cli.status.examine", interrupted)
    done = run("status")
    assert done.code == 3
    assert "stopped" in done.err


def test_the_list_of_verbs_is_whole_sentences() -> None:
    """A line that ends in dots tells nothing."""
    lines = run("--help").text.splitlines()
    told = [line for line in lines if line.startswith("  ") and line.split()[0] in VERBS]
    assert len(told) == len(VERBS)
    assert all(line.endswith(".") and not line.endswith("...") for line in told)

"""What is registered with a host does the same in every shell that a host may use."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import contracts
from adapters.evidence.replay import load as load_recording
from adapters.evidence.replay import recordings
from adapters.hosts import HOSTS, load
from adapters.readers import CUT_BYTES, concerns, hinted
from adapters.registration import command_line, quote, registration
from contracts.host import Hook
from ledger.diagnostics import entries

EVIDENCE = Path(contracts.__file__).parent / "evidence"
SHELLS = [name for name in ("sh", "dash", "bash", "zsh", "fish") if shutil.which(name)]
READER_HOOK = Hook("PostToolUse", "^Bash$", 5, only_readers=True)
PLAIN_HOOK = Hook("SessionStart", None, 5)
FOLDERS = [
    "plain",
    "with space",
    "it's",
    'double"quote',
    "back\\slash",
    "naïve 道 $HOME `x` !1 %s",
    "a\\'b''",
]
LORE = b'{"tool_input": {"command": "lore get a.b --json"}}'


def run(shell: str, command: str, payload: bytes, **environ: str) -> subprocess.CompletedProcess[bytes]:
    """Run a registered command as a host does."""
    return subprocess.run(
        [shutil.which(shell) or shell, "-c", command],
        input=payload,
        capture_output=True,
        check=False,
        timeout=60,
        env={"PATH": os.environ["PATH"], **environ},
    )


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """Return a command that keeps its standard input, arguments and environment, and answers."""
    return program_in(tmp_path / "bin")


def program_in(folder: Path) -> Path:
    """Write such a command into a folder."""
    folder.mkdir(parents=True)
    path = folder / "readmark"
    path.write_text(
        '#!/bin/sh\ncd "$(dirname "$0")" && cat > stdin; printf "%s\\n" "$@" > argv; env > environ\n'
        "echo noise >&2; printf answer; exit 7\n"
    )
    path.chmod(0o755)
    return path


def test_there_is_a_posix_shell_to_test_with() -> None:
    """Without one, the tests below would hold for nothing."""
    assert {"sh", "bash"} <= set(SHELLS)


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("folder", FOLDERS)
def test_any_path_of_the_command_is_called(shell: str, folder: str, tmp_path: Path) -> None:
    """Spaces, quotes, backslashes and letters of any script are part of the path in every shell."""
    path = program_in(tmp_path / folder)
    for hook in (PLAIN_HOOK, READER_HOOK):
        run(shell, command_line("codex", hook, str(path)), LORE)
        assert path.with_name("argv").read_text() == "hook\ncodex\n"
        assert path.with_name("stdin").read_bytes() == LORE
        path.with_name("argv").unlink()


@settings(max_examples=40, deadline=None)
@given(text=st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1))
def test_quoted_text_is_one_word(text: str) -> None:
    """`quote` gives back the text, whatever it holds."""
    for shell in SHELLS:
        assert run(shell, f"printf %s {quote(text)}", b"").stdout == text.encode()


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    "payload",
    [
        pytest.param(LORE, id="plain"),
        pytest.param(
            rb'{"lore get ": "a\\b\n\t\u0041 %s %d %% $HOME `x` $(y) \\"}', id="syntax of shells and printf"
        ),
        pytest.param(b'{"lore get ": "' + b"\xff\xfe\xc3" + b'"}', id="invalid UTF-8"),
        pytest.param('{"title": "道 é 😀", "lore get ": 1}'.encode(), id="UTF-8"),
        pytest.param(b'{"lore get ": "' + b"x\\n" * 350_000 + b'"}', id="1 MB"),
        pytest.param(b"-n lore get -e", id="looks like options"),
    ],
)
def test_a_payload_that_names_a_reader_goes_on_as_it_is(shell: str, payload: bytes, program: Path) -> None:
    """Every byte arrives, and only by the pipe: not in an argument, not in the environment."""
    for locale in ("C", "C.UTF-8"):
        done = run(shell, command_line("codex", READER_HOOK, str(program)), payload, LC_ALL=locale)
        assert program.with_name("stdin").read_bytes() == payload
        assert (done.returncode, done.stdout, done.stderr) == (0, b"answer", b"")
        assert payload not in program.with_name("argv").read_bytes()
        assert payload not in program.with_name("environ").read_bytes()


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("ending", [b"", b"\n", b"\n\n"])
def test_line_ends_after_the_payload_do_not_matter(shell: str, ending: bytes, program: Path) -> None:
    """Claude Code ends its payload with a line end and Codex does not."""
    run(shell, command_line("codex", READER_HOOK, str(program)), LORE + ending)
    assert json.loads(program.with_name("stdin").read_bytes()) == json.loads(LORE)


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    "payload",
    [b"", b"\n", b"{}", b'{"command": "git log"}', b"\xff" * 1000, b"\\lor\\e %s", b"x" * (1 << 20)],
    ids=["empty", "line end", "object", "other command", "no UTF-8", "escapes", "1 MB"],
)
def test_a_payload_that_names_no_reader_starts_nothing(shell: str, payload: bytes, program: Path) -> None:
    """It is read to its end, and then that is all."""
    done = run(shell, command_line("codex", READER_HOOK, str(program)), payload)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not program.with_name("argv").exists()


@pytest.mark.parametrize("shell", SHELLS)
def test_a_command_that_has_gone_says_nothing(shell: str, tmp_path: Path) -> None:
    """The user of the host sees no error for a readmark that was removed."""
    for hook in (READER_HOOK, PLAIN_HOOK):
        done = run(shell, command_line("codex", hook, str(tmp_path / "gone" / "readmark")), LORE)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("path", ["", "/nowhere"])
def test_the_folder_of_the_agent_lends_no_program(
    shell: str, path: str, program: Path, tmp_path: Path
) -> None:
    """A `cat` in the current folder is not run, and a PATH without one does no harm."""
    (tmp_path / "cat").write_text("#!/bin/sh\ntouch was-run\n")
    (tmp_path / "cat").chmod(0o755)
    command = command_line("codex", READER_HOOK, str(program))
    subprocess.run(
        [shutil.which(shell) or shell, "-c", command],
        input=LORE,
        cwd=tmp_path,
        env={"PATH": path},
        check=True,
        capture_output=True,
    )
    assert not (tmp_path / "was-run").exists()


def test_variables_of_the_environment_keep_their_values(program: Path) -> None:
    """A host's variable of any name reaches the command as it was."""
    run("sh", command_line("codex", READER_HOOK, str(program)), LORE, stdin="kept", p="kept too")
    lines = program.with_name("environ").read_text().splitlines()
    assert {"stdin=kept", "p=kept too"} <= set(lines)


HOSTILE = {
    "PYTHONPATH": "shadow",
    "PYTHONHOME": "/nowhere",
    "PYTHONIOENCODING": "bogus",
    "PYTHONUTF8": "7",
    "PYTHONHASHSEED": "abc",
    "PYTHONMALLOC": "bogus",
    "PYTHONVERBOSE": "1",
    "PYTHONPROFILEIMPORTTIME": "1",
    "PYTHONINTMAXSTRDIGITS": "1",
    "PYTHONTRACEMALLOC": "x",
}


@pytest.mark.parametrize("hook", [PLAIN_HOOK, READER_HOOK], ids=["plain", "filtered"])
@pytest.mark.parametrize("module", ["ledger", "adapters", "msgspec", "re", "threading"])
def test_no_variable_for_another_python_reaches_ours(
    hook: Hook, module: str, private_home: Path, tmp_path: Path
) -> None:
    """A project's PYTHONPATH holds a module of one of our names; the hook works all the same."""
    shadow = tmp_path / "shadow"
    shadow.mkdir()
    (shadow / f"{module}.py").write_text("print('shadowed')\nraise SystemExit(1)\n")
    command = command_line("codex", hook, str(Path(sys.executable).with_name("readmark")))
    environ = {**HOSTILE, "PYTHONPATH": str(shadow), "HOME": str(private_home)}
    done = run("sh", command, LORE, **environ)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert entries(private_home / ".local" / "state" / "readmark")[-1].host == "codex"


@pytest.mark.parametrize("name", HOSTS)
def test_every_hook_of_a_host_is_registered_in_its_form(name: str) -> None:
    """Events, matchers and timeouts are those that the host's adapter states; no matcher means no key."""
    host = load(name)
    made = json.loads(msgspec.json.encode(registration(host, "/opt/readmark")))
    assert set(made) == {"hooks"}
    flat = [
        (event, group.get("matcher"), group["hooks"][0]["timeout"])
        for event, groups in made["hooks"].items()
        for group in groups
    ]
    assert sorted(flat, key=str) == sorted(
        ((hook.event, hook.matcher, hook.timeout) for hook in host.REGISTRATION.hooks), key=str
    )
    for groups in made["hooks"].values():
        for group in groups:
            assert set(group) <= {"matcher", "hooks"}
            assert set(group) == {"hooks"} or group["matcher"] is not None
            (call,) = group["hooks"]
            assert set(call) == {"type", "command", "timeout"}
            assert call["type"] == "command"
            assert "/opt/readmark" in call["command"]


@pytest.mark.parametrize("name", HOSTS)
def test_no_hook_outlives_its_deadline_in_the_hosts_own_unit(name: str) -> None:
    """A timeout written in milliseconds where seconds are read would block for minutes."""
    stated = load(name).REGISTRATION
    unit = 1 if stated.timeout_unit == "s" else 1000
    for hook in stated.hooks:
        assert 1 <= hook.timeout / unit <= 10, hook


MENTIONS = [
    (b'{"command": "lore get a.b --json"}', True),
    (rb'{"command": "lore\tget\ta.b"}', True),
    (rb'{"command": "lore \"get\" a.b"}', True),
    (b'{"command": "lore --store-root /s get a.b"}', True),
    (b'{"command": "cd x && lore get a | head"}', True),
    (b'{"command": "lore search a"}', False),
    (b'{"cwd": "/home/dev/explorer", "command": "git get-url"}', False),
    (b'{"agent_type": "Explore", "command": "cat folklore.txt; wget x"}', False),
    # In whatever order: one pattern for both words would take a shell too long.
    (b'{"command": "get lore "}', True),
    (b'{"tool_input":{"command":"cat docs/a.md"},"tool_response":"x"}', True),
    (b'{"tool_input":{"command":"ls"},"tool_response":"a.md lore get "}', False),
    (b'{"tool_response":"","tool_input":{"file_path":"/p/a.md"}}', True),
    (b'{"tool_response":"a.md"}', True),
    (b'{"tool_name":"Skill","tool_input":{"skill":"a"},"tool_response":{}}', True),
    (b'{"tool_name":"Bash","tool_input":{"command":"echo Skill"},"tool_response":{}}', False),
    (rb'{"tool_name":"Bash","tool_input":{"command":"echo \"Skill\""},"tool_response":{}}', False),
    (
        (
            b'{"tool_calls":[{"tool_input":{"command":"ls"},"tool_response":"a.md \\" b.md"},'
            b'{"tool_input":{"command":"cat a.md"},"tool_response":"a"}]}'
        ),
        True,
    ),
    (
        (
            b'{"tool_calls":[{"tool_input":{"command":"ls"},"tool_response":"a.md \\" b.md"},'
            b'{"tool_input":{"command":"ls"},"tool_response": "a.md \\\\"}]}'
        ),
        False,
    ),
    (
        b'{"tool_calls":[{"tool_input":{"command":"ls"},"tool_response":[{"type":"text","text":"a.md"}]}]}',
        True,
    ),
]


@pytest.mark.parametrize(("payload", "wanted"), MENTIONS)
def test_only_words_that_could_be_a_readers_command_start_a_process(
    payload: bytes,
    wanted: bool,  # noqa: FBT001 - a row's expectation
    program: Path,
) -> None:
    """`explore`, `folklore` and a folder's name are no mention; what the shell sees is what `hinted` says."""
    run("sh", command_line("codex", READER_HOOK, str(program)), payload)
    assert program.with_name("argv").exists() is wanted
    assert hinted(payload) is wanted


@pytest.mark.parametrize("shell", sorted({"dash", "bash"} & set(SHELLS)))
@pytest.mark.parametrize("kind", ["command", "output", "batch"])
@pytest.mark.parametrize("size", [20_000, CUT_BYTES - 1000, 300_000, 2_000_000])
@pytest.mark.parametrize("named", ["", " a.md"], ids=["nothing named", "a file named"])
def test_a_long_payload_holds_no_agent_up(
    *, shell: str, kind: str, size: int, named: str, program: Path
) -> None:
    """In a locale of many bytes a letter too: bash took thirteen seconds to cut a command of 300 kB."""
    text = ("é commit" * size)[: size // 9 * 8] + named
    call = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": "x"}
    call |= {"tool_input": {"command": text}} if kind == "command" else {"tool_response": text}
    payload = json.dumps({"tool_calls": [call]} if kind == "batch" else call, ensure_ascii=False).encode()
    line = command_line("codex", READER_HOOK, str(program)).replace("/bin/sh", str(shutil.which(shell)), 1)
    started = time.monotonic()
    run("sh", line, payload, LC_ALL="C.UTF-8")
    assert time.monotonic() - started < 2
    assert program.with_name("argv").exists() is hinted(payload)
    if named and (kind == "command" or size > CUT_BYTES):
        assert program.with_name("stdin").read_bytes() == payload


def asked(event: dict[str, Any]) -> list[tuple[str, str]]:
    """Return each tool of a hook's event and what it was asked for; of a batch, those of all its calls."""
    calls = event.get("tool_calls") or [event]
    return [
        (str(call.get("tool_name")), str(given.get(key)))
        for call in calls
        if isinstance(given := call.get("tool_input"), dict)
        for key in ("command", "file_path", "skill", "path", "glob")
        if key in given
    ]


FILTERED = {"PostToolUse", "PostToolBatch"}
PLAYED = recordings(EVIDENCE)


@pytest.mark.parametrize("path", PLAYED, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_no_recorded_call_that_concerns_a_reader_is_passed_over(path: Path) -> None:
    """Whichever tool it was, alone or in a batch: a process may be started in vain, and never left out."""
    for event in load_recording(path).events:
        if event.event in FILTERED and event.stdin is not None:
            calls = asked(event.stdin)
            if any(tool == "Skill" or concerns(what) for tool, what in calls):
                assert hinted(msgspec.json.encode(event.stdin))


def test_recorded_calls_that_concern_no_reader_are_passed_over() -> None:
    """All but a few: those whose words stand somewhere else in what was asked for."""
    passed = started = 0
    for path in PLAYED:
        for event in load_recording(path).events:
            if event.event in FILTERED and event.stdin is not None:
                calls = asked(event.stdin)
                if not any(tool == "Skill" or concerns(what) for tool, what in calls):
                    spoken = hinted(msgspec.json.encode(event.stdin))
                    passed, started = passed + (not spoken), started + spoken
    assert passed > 20 * started


def chosen() -> list[bytes]:
    """Return recorded payloads of every kind of call, as hosts sent them: a few of each."""
    found: dict[tuple[object, ...], list[bytes]] = {}
    for path in PLAYED:
        for event in load_recording(path).events:
            if event.event in FILTERED and event.stdin is not None:
                payload = msgspec.json.encode(event.stdin)
                tools = tuple(sorted({tool for tool, _ in asked(event.stdin)}))
                kind = (path.parts[-3], event.event, tools, hinted(payload))
                found.setdefault(kind, []).append(payload)
    return [payload for held in found.values() for payload in held[:2]]


@pytest.mark.parametrize("shell", sorted({"dash", "bash"} & set(SHELLS)))
def test_a_shell_passes_on_what_is_hinted_and_nothing_else(shell: str, program: Path) -> None:
    """The words of the shell's own patterns and of `hinted` are the same, on what hosts really sent.

    On many systems `/bin/sh` is one of these.
    """
    line = command_line("codex", READER_HOOK, str(program)).replace("/bin/sh", str(shutil.which(shell)), 1)
    found = chosen()
    assert len({hinted(payload) for payload in found}) == 2
    for payload in found:
        for spelled in (payload, json.dumps(json.loads(payload)).encode()):
            run("sh", line, spelled)
            arrived = program.with_name("argv")
            assert arrived.exists() is hinted(spelled), spelled[:300]
            arrived.unlink(missing_ok=True)

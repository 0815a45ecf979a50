"""What is registered with a host ends with 0 and says nothing, whatever the system refuses it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from adapters import hosts
from adapters.registration import command_line, registration
from contracts.host import Hook
from ledger.install.handlers import is_ours
from ledger.install.hooks import added
from tests.adapters.test_registration import LORE, PLAIN_HOOK, READER_HOOK, SHELLS, program_in

ANSWERED, SILENT = (0, b"answer", b""), (0, b"", b"")
NOBODY = 65534
EACH_SHELL = pytest.mark.parametrize("shell", sorted({"dash", "bash"} & set(SHELLS)))
EACH_HOOK = pytest.mark.parametrize("hook", [PLAIN_HOOK, READER_HOOK], ids=["plain", "filtered"])


def line_of(hook: Hook, program: Path, shell: str) -> str:
    """Return what is registered, as it is where `/bin/sh` is a given shell."""
    return command_line("codex", hook, str(program)).replace("/bin/sh", str(shutil.which(shell)), 1)


def call(line: str, shell: str, before: str = "", **options: Any) -> tuple[int, bytes, bytes]:
    """Run a line as a host does; a shell goes before that sets limits, or closes streams."""
    words = [shutil.which("bash") or "bash", "-c", f'{before} exec "$@"', "bash", shell, "-c", line]
    done = subprocess.run(
        words,
        capture_output=True,
        check=False,
        timeout=20,
        env={"PATH": os.environ["PATH"]},
        **{"input": LORE} | options,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """Return a command that keeps what it is given, and answers."""
    return program_in(tmp_path / "bin")


@EACH_SHELL
@EACH_HOOK
@pytest.mark.parametrize("files", [4, 5, 6, 7, 8, 9, 10, 11, 16])
def test_few_open_files_stop_nobody(shell: str, hook: Hook, files: int, program: Path) -> None:
    """Claude Code takes exit code 2 for a refusal: dash left with it where it could not keep its stderr."""
    done = call(line_of(hook, program, shell), shell, f"ulimit -n {files};")
    assert done in (ANSWERED, SILENT)
    assert done == ANSWERED or files < 16


@EACH_SHELL
@EACH_HOOK
@pytest.mark.parametrize("null", ["/nowhere/null", "/"], ids=["missing", "not to be written"])
def test_where_there_is_no_null_device_all_goes_on(shell: str, hook: Hook, null: str, program: Path) -> None:
    """A sandbox or a changed root may lack it; what the command complains of still meets nobody."""
    line = line_of(hook, program, shell).replace("/dev/null", null)
    assert call(line, shell) == ANSWERED
    assert program.with_name("stdin").read_bytes() == LORE


@EACH_SHELL
@EACH_HOOK
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"])
def test_closed_streams_hold_nobody(shell: str, hook: Hook, closed: str, program: Path) -> None:
    """With a closed stdin bash gave its number to its own pipe, and waited for itself for ever."""
    code, out, err = call(line_of(hook, program, shell), shell, f"exec {closed};")
    assert (code, err) == (0, b"")
    assert out == (b"" if ">&-" in closed.split() or (hook.only_readers and "<&-" in closed) else b"answer")


@EACH_HOOK
@pytest.mark.skipif("dash" not in SHELLS, reason="bash tries again for 15 s, longer than any host waits")
def test_where_no_process_can_be_started_nothing_happens(hook: Hook, program: Path) -> None:
    """A full table of processes is no fault of the agent.

    The host's own shell, which starts ours, would fail without our doing: here it becomes ours.
    """
    line = f"exec {line_of(hook, program, 'dash')}"
    user = None if os.geteuid() else NOBODY
    assert call(line, "dash", "ulimit -u 0;", user=user) == SILENT


@EACH_SHELL
@pytest.mark.parametrize("megabytes", [20, 40])
def test_where_memory_runs_out_nobody_is_stopped(shell: str, megabytes: int, program: Path) -> None:
    """Bash then leaves with 2 whatever is trapped, so a process of its own holds the payload.

    Dash dies of it, which no host takes for a refusal, and is spared that process.
    """
    line = line_of(READER_HOOK, program, shell)
    code, out, _ = call(line, shell, f"ulimit -v {megabytes << 10};", input=LORE + b" " * (30 << 20) + b"}")
    assert out == b""
    assert code in ({0} if shell == "bash" else {0, 139})


@EACH_SHELL
@EACH_HOOK
def test_options_of_another_shell_change_nothing(shell: str, hook: Hook, program: Path) -> None:
    """Bash takes them over from its environment; the command here fails with 7."""
    assert call(line_of(hook, program, shell), shell, "export SHELLOPTS; set -eu;") == ANSWERED


@EACH_SHELL
def test_a_command_that_reads_nothing_breaks_nothing(shell: str, tmp_path: Path) -> None:
    """Who writes to it gets a broken pipe, and says nothing of it."""
    program = tmp_path / "readmark"
    program.write_text("#!/bin/sh\nexit 2\n")
    program.chmod(0o755)
    for hook in (PLAIN_HOOK, READER_HOOK):
        payload = LORE + b" " * (4 << 20)
        assert call(line_of(hook, program, shell), shell, input=payload) == SILENT


EARLIER = (
    """/bin/sh -c 'exec 2>/dev/null; unset PYTHONHOME; [ -x "$0" ] && "$0" hook codex; exit 0' """,
    """/bin/sh -c 'exec 2>/dev/null; set -- "$0" "$(cat)"; printf %s "$2" | "$1" hook codex; exit 0' """,
)


@pytest.mark.parametrize("earlier", EARLIER, ids=["plain", "filtered"])
def test_an_earlier_registration_is_changed_in_its_place(earlier: str, program: Path) -> None:
    """An install leaves one command at each event, and it is the present one."""
    host = hosts.load("codex")
    wanted = json.loads(msgspec.json.encode(registration(host, str(program))))
    line = earlier + str(program)
    assert is_ours(line, "codex")
    before = wanted["hooks"] | {
        "SessionStart": [{"hooks": [{"type": "command", "command": line, "timeout": 5}]}]
    }
    after = added(json.dumps({"hooks": before}), "codex", wanted["hooks"])
    assert isinstance(after, str)
    assert json.loads(after) == wanted

"""`readmark status`: which hosts are here, whether they call readmark, and what they say themselves.

Stand-ins take the place of the hosts' programs; `tests/hosts/test_status.py` asks the real ones.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from adapters.asking import GRACE
from ledger.cli.findings import answers
from tests.ledger.cli.running import assert_valid, command, process, put_verdict, run, seen_by_hook

VERSIONS = {"claude": "2.1.197 (Claude Code)", "codex": "codex-cli 0.171.0"}

SERVER = """
import json, sys
from pathlib import Path
for line in sys.stdin:
    asked = json.loads(line)
    if asked.get("method") == "hooks/list":
        state = json.loads(Path(__file__).with_name("state.json").read_text())
        hooks = []
        for name in state["files"]:
            file = Path(name)
            found = json.loads(file.read_text())["hooks"] if file.exists() else {}
            hooks += [
                {"eventName": event[0].lower() + event[1:], "sourcePath": name, "enabled": state["enabled"],
                 "trustStatus": state["trust"].get(event, "trusted"), "command": handler["command"]}
                for event, groups in found.items() for group in groups for handler in group["hooks"]
            ]
        result = {"data": [{"hooks": hooks, "errors": [], "warnings": state["warnings"]}]}
        print(json.dumps({"id": asked["id"], "result": result}), flush=True)
    elif "id" in asked:
        print(json.dumps({"id": asked["id"], "result": {}}), flush=True)
"""

Programs = Callable[..., Path]


@pytest.fixture
def readmark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a readmark on the PATH, as an installer does, and work in a folder that is a project."""
    program = tmp_path / "bin" / "readmark"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    return program


@pytest.fixture
def hosts(readmark: Path) -> Programs:
    """Return what puts a host on the PATH: what it says of its version, or a script of the shell."""

    def makes(name: str, script: str = "") -> Path:
        program = readmark.with_name(name)
        text = (
            script
            or f'if [ "$1" = --version ]; then echo {shlex.quote(VERSIONS[name])}; else exec {server}; fi'
        )
        program.write_text(f"#!/bin/sh\n{text}\n")
        program.chmod(0o755)
        return program

    folder = readmark.parent.parent / "codex"
    folder.mkdir()
    (folder / "server.py").write_text(SERVER)
    server = shlex.join([sys.executable, "-I", "-S", str(folder / "server.py")])
    return makes


@pytest.fixture
def trusts(readmark: Path) -> Callable[..., None]:
    """Return what sets how Codex answers: by event, which files it reads, and what it warns of."""

    def sets(trust: dict[str, str], *files: str, enabled: bool = True, warnings: Sequence[str] = ()) -> None:
        named = files or (str(Path(os.environ["HOME"], ".codex", "hooks.json")),)
        state = {"trust": trust, "files": named, "enabled": enabled, "warnings": list(warnings)}
        (readmark.parent.parent / "codex" / "state.json").write_text(json.dumps(state))

    return sets


def status(code: int, *arguments: str) -> Any:
    """Return the report for programs, whose exit code is this."""
    done = run("status", "--json", *arguments)
    assert_valid("status", done.json)
    assert done.code == code, done.text
    return done.json


def text(*arguments: str) -> str:
    """Return what a person reads, as one line."""
    return " ".join(run("status", *arguments).text.split())


def reasons(told: Any) -> list[str]:
    """Return the names of what is wrong."""
    return [one["reason"] for one in told["problems"]]


def host(told: Any, name: str) -> Any:
    """Return what is told of one host."""
    return next(one for one in told["hosts"] if one["host"] == name)


@pytest.mark.usefixtures("readmark")
def test_a_machine_without_hosts_wants_attention() -> None:
    """That a host is not found is no fault; that none calls readmark is one, whyever."""
    told = status(3)
    assert reasons(told) == ["no-host"]
    assert "Nothing is installed in any host found here" in text()
    assert [(one["found"], one["installed"]) for one in told["hosts"]] == [(False, [])] * 2
    assert "Not on this machine: claude-code, codex." in text()


@pytest.mark.usefixtures("proven")
def test_a_host_that_nobody_installed_into_wants_attention(hosts: Programs) -> None:
    """Where none calls readmark at all, the commands that change it are named."""
    program = hosts("claude")
    told = status(3)
    assert reasons(told) == ["not-installed"]
    assert told["problems"][0]["remedy"] == "Run `readmark install claude-code`."
    found = host(told, "claude-code")
    assert (found["program"], found["version"], found["proven"]) == (str(program), "2.1.197", True)
    assert "claude-code 2.1.197: proven hooks not installed" in text()
    hosts("codex")
    told = status(3)
    assert told["problems"][0]["remedy"] == "Run `readmark install claude-code` or `readmark install codex`."


@pytest.mark.usefixtures("proven")
def test_one_host_that_calls_readmark_is_enough(hosts: Programs) -> None:
    """A person may use another one without readmark."""
    hosts("claude")
    hosts("codex")
    run("install", "claude-code")
    told = status(0)
    assert [len(one["installed"]) for one in told["hosts"]] == [1, 0]
    place = host(told, "claude-code")["installed"][0]
    assert (place["how"], place["scope"], place["state"], place.get("trust")) == (
        "settings",
        "user",
        "current",
        None,
    )
    assert "installed for the user: ~/.claude/settings.json" in text()


@pytest.mark.usefixtures("readmark")
def test_a_folder_alone_is_a_host_whose_version_nobody_knows() -> None:
    """Its program may be on another PATH."""
    Path(os.environ["HOME"], ".codex").mkdir()
    found = host(status(3), "codex")
    assert (found["found"], found["versionUnknown"]) == (True, "Its command was not found.")
    assert "codex, version unknown (its command was not found)" in text()


@pytest.mark.usefixtures("hosts")
def test_a_project_counts_beside_the_user(
    hosts: Programs, trusts: Callable[..., None], tmp_path: Path
) -> None:
    """Each place is told for itself, with the command that mends it."""
    hosts("codex")
    put_verdict_of("codex", "0.171.0")
    project = tmp_path / "project" / ".codex" / "hooks.json"
    trusts({"SessionEnd": "modified"}, str(project))
    run("install", "codex", "--scope", "project")
    told = status(3)
    (place,) = host(told, "codex")["installed"]
    assert (place["scope"], place["file"], place["trust"]) == ("project", str(project), "changed")
    assert reasons(told) == ["hooks-changed"]
    project.write_text(project.read_text().replace("SessionEnd", "SessionStop"))
    assert status(3)["problems"][0]["remedy"] == "Run `readmark install codex --scope project`."


@pytest.mark.usefixtures("readmark")
def test_a_version_whose_own_verdict_does_not_pass_is_told_to_be_off(hosts: Programs) -> None:
    """Another version that passes does not switch it on; installed hooks make it a problem."""
    put_verdict_of("claude-code", "2.1.332")
    put_verdict_of("claude-code", "2.1.197", actor="failed")
    hosts("claude")
    run("install", "claude-code")
    told = status(3)
    found = host(told, "claude-code")
    assert (found["on"], found["proven"], found["off"]["reason"]) == (False, False, "version-failed")
    assert reasons(told) == ["version-failed"]
    assert told["problems"][0]["detail"] == "claude-code actor failed"
    assert "claude-code 2.1.197: off, its own verdict does not pass (actor failed; " in text()


def put_verdict_of(host: str, version: str, **states: str) -> None:
    """Switch one host on, or one version of it off."""
    from adapters import verdicts  # noqa: PLC0415 - the folder of this test

    put_verdict(verdicts.FOLDER, host, version, **states)


@pytest.mark.usefixtures("proven")
def test_the_home_is_no_second_place(hosts: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the home itself the user's file and the project's are one."""
    hosts("claude")
    run("install", "claude-code")
    monkeypatch.chdir(os.environ["HOME"])
    assert [one["scope"] for one in host(status(0), "claude-code")["installed"]] == ["user"]


@pytest.mark.usefixtures("proven")
@pytest.mark.parametrize(
    ("trust", "enabled", "state", "reason"),
    [
        ({}, True, "trusted", None),
        (dict.fromkeys(["SessionStart", "PostToolUse"], "untrusted"), True, "untrusted", "hooks-untrusted"),
        ({"SubagentStart": "modified"}, True, "changed", "hooks-changed"),
        ({"SubagentStart": "modified", "SessionEnd": "untrusted"}, True, "untrusted", "hooks-untrusted"),
        ({}, False, "off", "hooks-off"),
    ],
)
def test_codex_says_itself_whether_its_user_trusts_our_hooks(  # noqa: PLR0913, PLR0917 - the columns of the table
    trust: dict[str, str],
    enabled: bool,  # noqa: FBT001 - a case of the table
    state: str,
    reason: str | None,
    hosts: Programs,
    trusts: Callable[..., None],
) -> None:
    """One hook that is not trusted is enough; what to do about it is told."""
    hosts("codex")
    run("install", "codex")
    trusts(trust, enabled=enabled)
    told = status(0 if reason is None else 3)
    assert host(told, "codex")["installed"][0]["trust"] == state
    assert reasons(told) == ([] if reason is None else [reason])
    if reason == "hooks-untrusted":
        assert "Start `codex` in a terminal once and choose to trust them." in text()


@pytest.mark.usefixtures("proven")
def test_hooks_that_codex_does_not_list_are_told(hosts: Programs, trusts: Callable[..., None]) -> None:
    """They are switched off as a whole, or the project is not trusted."""
    hosts("codex")
    run("install", "codex")
    trusts({}, "/nowhere/hooks.json")
    told = status(3)
    assert host(told, "codex")["installed"][0]["trust"] == "unseen"
    assert reasons(told) == ["hooks-unseen"]


@pytest.mark.usefixtures("proven")
def test_hooks_behind_a_link_are_found_by_codex_too(hosts: Programs, trusts: Callable[..., None]) -> None:
    """It names the link, or what that stands for; both are the place."""
    hosts("codex")
    run("install", "codex")
    file = Path(os.environ["HOME"], ".codex", "hooks.json")
    file.rename(file.with_name("dotfile"))
    file.symlink_to("dotfile")
    for name in (file, file.with_name("dotfile")):
        trusts({}, str(name))
        (place,) = host(status(0), "codex")["installed"]
        assert (place["trust"], place["target"]) == ("trusted", str(file.with_name("dotfile")))


@pytest.mark.usefixtures("proven")
@pytest.mark.parametrize(
    ("script", "version", "trust"),
    [
        ("exit 1", "It states its version in a form that is not known.", "It ended"),
        ("echo codex-cli 0.171.0 and more", "It states its version in a form that is not known.", "It "),
        ("sleep 60", "It did not answer in time.", "It did not answer in time."),
        ("exec yes", "It ", "It "),
    ],
)
def test_a_host_that_does_not_say_whether_it_runs_our_hooks_wants_attention(
    script: str, version: str, trust: str, hosts: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bounded in time and size, and everything else still shows: it would skip untrusted hooks silently."""
    hosts("codex", script)
    run("install", "codex")
    monkeypatch.setattr(answers, "SECONDS", 0.5)
    begin = time.monotonic()
    told = status(3)
    assert time.monotonic() - begin < 5
    assert reasons(told) == ["hooks-unconfirmed"]
    file = Path(os.environ["HOME"], ".codex", "hooks.json")
    assert told["problems"][0]["detail"].startswith(f"{file}: {trust}")
    assert "Start `codex` in a terminal once" in told["problems"][0]["remedy"]
    found = host(told, "codex")
    assert found["versionUnknown"].startswith(version)
    assert found["installed"][0]["trust"] == "unknown"
    assert found["installed"][0]["trustUnknown"].startswith(trust)
    assert "trust unknown (it " in text()


@pytest.mark.usefixtures("proven")
@pytest.mark.parametrize("name", ["codex", "claude-code"])
def test_a_host_that_is_not_found_counts_once_it_has_called(name: str, hosts: Programs) -> None:
    """Until then nobody knows whether it runs the hooks; an editor's own host stands on no PATH."""
    program = hosts({"codex": "codex", "claude-code": "claude"}[name])
    run("install", name)
    program.unlink()
    for arguments in ([], ["--no-ask"]):
        told = status(3, *arguments)
        assert reasons(told) == ["host-unheard"]
    assert f"`{program.name}` was not found and no hook of it has ever called" in text()
    seen_by_hook(name, "SessionStart", "begun", at=int(time.time() * 1000))
    told = status(0)
    if name == "codex":
        assert host(told, name)["installed"][0]["trustUnknown"] == "Its command was not found."


@pytest.mark.usefixtures("proven")
@pytest.mark.parametrize(
    ("name", "spoils", "place"),
    [
        ("codex", lambda text: text.replace("{", '{"a": 1, ', 1), "line 1, column 2"),
        ("codex", lambda text: text + "// mine", "column 1"),
        ("claude-code", lambda text: text + "// mine", "column 1"),
        ("claude-code", lambda text: text.rstrip()[:-1] + ",}", "column 1"),
    ],
)
def test_a_file_that_was_broken_after_the_install_is_told_with_its_place(
    name: str, spoils: Callable[[str], str], place: str, hosts: Programs, trusts: Callable[..., None]
) -> None:
    """The host runs none of its hooks then; a comment is enough."""
    hosts({"codex": "codex", "claude-code": "claude"}[name])
    trusts({})
    run("install", name)
    file = Path(os.environ["HOME"], {"codex": ".codex/hooks.json"}.get(name, ".claude/settings.json"))
    file.write_text(spoils(file.read_text()))
    told = status(3)
    assert reasons(told) == ["hooks-unreadable"]
    assert host(told, name)["installed"][0]["state"] == "unreadable"
    assert str(file) in told["problems"][0]["detail"]
    assert place in told["problems"][0]["detail"]


@pytest.mark.usefixtures("proven")
def test_what_codex_itself_says_of_the_file_is_told(hosts: Programs, trusts: Callable[..., None]) -> None:
    """For a fault that we do not know; on one line, in bounds, with a sign for the home."""
    hosts("codex")
    run("install", "codex")
    file = Path(os.environ["HOME"], ".codex", "hooks.json")
    trusts({}, "/no/where", warnings=["of /another/hooks.json", f"no {file}:\n  \x1b[1m" + "x" * 1_000])
    told = status(3)
    assert reasons(told) == ["hooks-refused"]
    warning = told["problems"][0]["detail"]
    assert warning == host(told, "codex")["installed"][0]["warning"]
    assert warning.startswith("no ~/.codex/hooks.json: \\u001b[1mxxx")
    assert len(warning) < 310
    trusts({}, "/no/where", warnings=["of /another/hooks.json"])
    assert reasons(status(3)) == ["hooks-unseen"]


@pytest.mark.usefixtures("proven")
def test_hooks_that_are_switched_off_in_claude_code_want_attention(hosts: Programs, tmp_path: Path) -> None:
    """It says nothing of that itself; the file is named."""
    hosts("claude")
    run("install", "claude-code")
    file = tmp_path / "project" / ".claude" / "settings.local.json"
    file.parent.mkdir()
    file.write_text('{"disableAllHooks": true}')
    for arguments in ([], ["--no-ask"]):
        told = status(3, *arguments)
        assert reasons(told) == ["hooks-disabled"]
        assert told["problems"][0]["detail"] == f"`disableAllHooks` in {file}"
    assert "switches all hooks off" in text()
    file.write_text('{"disableAllHooks": false}')
    assert status(0)["problems"] == []


@pytest.mark.usefixtures("proven")
def test_a_hook_that_only_mentions_readmark_is_told(hosts: Programs) -> None:
    """It may record twice, or nothing: its user knows. It is no fault, and no installation either."""
    hosts("claude")
    _settings().parent.mkdir()
    command = "time /opt/readmark hook claude-code"
    handlers = [{"type": "command", "command": command}]
    _settings().write_text(json.dumps({"hooks": {"Stop": [{"hooks": handlers}]}}))
    assert reasons(status(3)) == ["not-installed"]
    run("install", "claude-code")
    told = host(status(0), "claude-code")
    assert told["others"] == [{"file": str(_settings()), "event": "Stop", "command": f"`{command}`"}]
    assert f"Stop runs `{command}`, which is left alone" in text()


@pytest.mark.usefixtures("proven")
def test_a_host_that_answers_one_question_and_hangs_at_the_other_wants_attention(
    hosts: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its version is known, whether it runs our hooks is not."""
    hosts("codex", f'[ "$1" = --version ] && echo {shlex.quote(VERSIONS["codex"])} || sleep 60')
    run("install", "codex")
    monkeypatch.setattr(answers, "SECONDS", 2)
    told = status(3)
    assert host(told, "codex")["version"] == "0.171.0"
    assert reasons(told) == ["hooks-unconfirmed"]


@pytest.mark.usefixtures("proven")
def test_however_many_hosts_hang_they_share_one_time(
    hosts: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is asked by the same clock, also where there is only one thread for all of them."""
    for name in ("claude", "codex"):
        hosts(name, "sleep 60")
    run("install", "codex")
    monkeypatch.setattr(answers, "ThreadPoolExecutor", lambda max_workers: ThreadPoolExecutor(1))  # noqa: ARG005 - the name is the library's
    monkeypatch.setattr(answers, "SECONDS", 1)
    begin = time.monotonic()
    told = status(3)
    assert time.monotonic() - begin < 1 + 4 * GRACE + 3
    assert [one["versionUnknown"] for one in told["hosts"]] == ["It did not answer in time."] * 2


@pytest.mark.usefixtures("proven")
def test_no_host_is_started_where_that_is_not_wanted(hosts: Programs, tmp_path: Path) -> None:
    """What their files say is told all the same."""
    for name in ("claude", "codex"):
        hosts(name, f"echo {name} >> {shlex.quote(str(tmp_path / 'started'))}")
    run("install", "codex")
    told = status(0, "--no-ask")
    assert [one["versionUnknown"] for one in told["hosts"]] == ["It was not asked."] * 2
    assert host(told, "codex")["installed"][0]["trustUnknown"] == "It was not asked."
    assert "codex, version unknown (it was not asked)" in text("--no-ask")
    assert not (tmp_path / "started").exists()


@pytest.mark.usefixtures("proven")
def test_only_hosts_with_our_hooks_are_asked_for_trust(hosts: Programs, tmp_path: Path) -> None:
    """Codex makes files in its folder when it starts; nobody who did not install gets them from us."""
    hosts("codex", f'echo "$@" >> {shlex.quote(str(tmp_path / "started"))}')
    status(3)
    assert (tmp_path / "started").read_text() == "--version\n"


@pytest.mark.usefixtures("proven")
def test_a_slow_host_keeps_no_other_waiting(hosts: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    """All are asked at once."""
    monkeypatch.setattr(answers, "SECONDS", 20)
    for name in ("claude", "codex"):
        # Each waits for the other one to be started.
        mine, other = f'"$HOME/{name}"', '"$HOME/' + ("codex" if name == "claude" else "claude") + '"'
        wait = (
            f"touch {mine}; while [ ! -e {other} ]; do sleep 0.05; done; echo {shlex.quote(VERSIONS[name])}"
        )
        hosts(name, wait)
    assert [one["version"] for one in status(3)["hosts"]] == ["2.1.197", "0.171.0"]


@pytest.mark.usefixtures("proven")
def test_a_version_without_a_verdict_is_told(hosts: Programs) -> None:
    """It works while each payload has exactly the recorded shape, so it is no fault."""
    hosts("claude", "echo '9.9.9 (Claude Code)'")
    run("install", "claude-code")
    found = host(status(0), "claude-code")
    assert (found["version"], found["proven"], found["on"]) == ("9.9.9", False, True)
    assert "claude-code 9.9.9: unproven" in text()
    seen_by_hook("claude-code", "SessionStart", "begun", version="2.1.197")
    assert host(status(0), "claude-code")["heardVersion"] == "2.1.197"
    assert "2.1.197 spoke last, not the version that is installed" in text()


def test_hooks_in_a_host_that_is_off_want_attention(hosts: Programs) -> None:
    """They are called and record nothing."""
    hosts("claude")
    run("install", "claude-code")
    told = status(3)
    assert reasons(told) == ["host-unproven"]
    assert "off, no version of it is proven" in text()


def _settings() -> Path:
    return Path(os.environ["HOME"], ".claude", "settings.json")


def _without_an_event(readmark: Path) -> None:
    del readmark
    document = json.loads(_settings().read_text())
    del document["hooks"]["PostToolBatch"]
    _settings().write_text(json.dumps(document))


def _of_yesterday(readmark: Path) -> None:
    del readmark
    _settings().write_text(_settings().read_text().replace('"timeout": 5', '"timeout": 4'))


def _other_program(readmark: Path) -> None:
    other = readmark.parent.parent / "other" / "readmark"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    _settings().write_text(_settings().read_text().replace(str(readmark), str(other)))


def _moved_program(readmark: Path) -> None:
    _settings().write_text(_settings().read_text().replace(str(readmark), "/gone/readmark"))


def _not_executable(readmark: Path) -> None:
    _other_program(readmark)
    (readmark.parent.parent / "other" / "readmark").chmod(0o644)


def _broken(readmark: Path) -> None:
    del readmark
    _settings().write_text("{\n  ,}")


def _bare(readmark: Path) -> None:
    del readmark
    _settings().write_text(
        '{"hooks": {"SessionStart": [{"hooks": ['
        '{"type": "command", "command": "readmark hook claude-code"}]}]}}'
    )


@pytest.mark.usefixtures("proven")
@pytest.mark.parametrize(
    ("breaks", "state", "reason", "detail"),
    [
        (_without_an_event, "incomplete", "hooks-incomplete", ""),
        (_of_yesterday, "outdated", "hooks-outdated", ""),
        (_bare, "incomplete", "hooks-incomplete", ""),
        (_other_program, "elsewhere", "hooks-elsewhere", "/other/readmark"),
        (_moved_program, "program-missing", "program-missing", ": /gone/readmark"),
        (_not_executable, "program-missing", "program-missing", "/other/readmark"),
        (_broken, "unreadable", "hooks-unreadable", ", line 2, column 3: "),
    ],
)
def test_a_registration_that_is_not_whole_is_named_with_its_remedy(  # noqa: PLR0913, PLR0917 - the columns of the table
    breaks: Callable[[Path], None], state: str, reason: str, detail: str, hosts: Programs, readmark: Path
) -> None:
    """Where it stands, what is wrong with it, and the command that mends it, which does mend it."""
    hosts("claude")
    run("install", "claude-code")
    breaks(readmark)
    told = status(3)
    (place,) = host(told, "claude-code")["installed"]
    assert (place["state"], place["file"]) == (state, str(_settings()))
    (problem,) = told["problems"]
    assert problem["reason"] == reason
    assert str(_settings()) in problem["detail"]
    assert detail in problem["detail"]
    assert "run `readmark install claude-code`" in problem["remedy"].replace("Run", "run")
    assert problem["remedy"] in text()
    if state != "unreadable":
        assert run("install", "claude-code").code == 0
        assert status(0)["state"] == "healthy"


@pytest.mark.usefixtures("proven")
def test_an_outdated_plugin_is_mended_by_another_build(hosts: Programs, readmark: Path) -> None:
    """An install would leave the plugin as it is."""
    del readmark
    hosts("claude")
    run("plugin", "build", "claude-code", "built")
    copy = _settings().parent / "plugins" / "cache" / "readmark" / "readmark" / "0"
    shutil.copytree("built/readmark", copy)
    _settings().write_text('{"enabledPlugins": {"readmark@readmark": true}}')
    assert status(0)["state"] == "healthy"
    hooks = copy / "hooks" / "hooks.json"
    hooks.write_text(hooks.read_text().replace('"timeout": 5', '"timeout": 4'))
    (problem,) = status(3)["problems"]
    assert problem["reason"] == "hooks-outdated"
    assert problem["remedy"].startswith("Run `readmark plugin build claude-code DIR` again")
    assert "install" not in problem["remedy"]


@pytest.mark.usefixtures("proven")
def test_a_link_to_this_readmark_is_this_readmark(
    hosts: Programs, readmark: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Installers put links into folders of the PATH."""
    hosts("claude")
    run("install", "claude-code")
    links = tmp_path / "links"
    links.mkdir()
    (links / "readmark").symlink_to(readmark)
    monkeypatch.setenv("PATH", f"{links}{os.pathsep}{os.environ['PATH']}")
    assert host(status(0), "claude-code")["installed"][0]["state"] == "current"


@pytest.mark.usefixtures("proven")
def test_a_folder_with_a_relative_name_wants_attention(
    hosts: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host would read another folder in each project."""
    hosts("codex")
    monkeypatch.setenv("CODEX_HOME", "relative")
    told = status(3)
    assert "host-folder-unusable" in reasons(told)
    assert "CODEX_HOME is not an absolute path" in text()


@pytest.mark.usefixtures("proven")
def test_a_folder_that_has_gone_hides_nothing_else(
    hosts: Programs, trusts: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person whose project was removed under them still sees the rest: Codex is asked in its own folder."""
    hosts("codex")
    trusts({})
    run("install", "codex")
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    found = host(status(0), "codex")
    assert found["installed"][0]["trust"] == "trusted"


@pytest.mark.usefixtures("proven")
def test_a_broken_ledger_keeps_its_exit_code_beside_what_else_is_wrong(
    hosts: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worst decides; the rest is told too."""
    hosts("claude")
    monkeypatch.setenv("READMARK_HOME", "relative")
    told = status(4)
    assert told["state"] == "broken"
    assert reasons(told) == ["home-relative", "not-installed"]


@pytest.mark.usefixtures("proven")
def test_a_status_fits_one_screen(hosts: Programs, trusts: Callable[..., None]) -> None:
    """Two hosts in daily use, in 24 lines of 80 columns."""
    for name, program in (("claude-code", "claude"), ("codex", "codex")):
        hosts(program)
        run("install", name)
        seen_by_hook(name, "SubagentStart", "briefed", at=1)
        seen_by_hook(name, "PostToolUse", "skipped", "command-indirect", at=2)
    trusts({})
    lines = run("status").text.splitlines()
    assert len(lines) <= 24, "\n".join(lines)
    assert max(len(line) for line in lines) <= 80


def test_the_hosts_are_asked_by_the_installed_command_too(hosts: Programs, proven: Path) -> None:
    """A process of its own, with nothing on standard error where nobody sits at a terminal."""
    del proven
    hosts("claude")
    done = process("status", "--json")
    assert (host(done.json, "claude-code")["version"], done.err) == ("2.1.197", "")


@pytest.mark.usefixtures("proven")
def test_an_interrupt_waits_for_no_host(hosts: Programs, tmp_path: Path) -> None:
    """Ctrl-C ends the question too, and with it the host's program."""
    started = tmp_path / "started"
    os.mkfifo(started)
    hosts("codex", f"echo $$ > {shlex.quote(str(started))}; exec sleep 600")
    with subprocess.Popen(command("status"), stderr=subprocess.PIPE) as asking:
        # Opening the pipe waits for the program to have come so far.
        number = int(started.read_text())
        begin = time.monotonic()
        asking.send_signal(signal.SIGINT)
        assert asking.stderr is not None
        assert b"stopped" in asking.stderr.read()
        assert asking.wait() == 3
    assert time.monotonic() - begin < answers.SECONDS
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from adapters.evidence.runner import Options, play
from adapters.evidence.scenario import Answer, Call, Line, Registration, Run, Turn
from tests.adapters.evidence.scenes import alive, scene

Fake = Callable[[str], Path]


def test_a_run_records_hooks_tools_and_requests_in_their_order(fake_codex: Fake) -> None:
    """What the host did comes back in the order in which it happened, with times from the first event."""
    host = fake_codex("""
        hook("SessionStart", source="startup")
        call = ask("[[play read]] please")[0]
        start(json.loads(call["arguments"])["cmd"]).wait()
        hook("PostToolUse", tool_use_id=call["call_id"])
    """)
    played = play(scene(), host)
    recording = played.recording
    assert played.faults == ()
    assert played.codes == (0,)
    assert [event.event or event.tool_process for event in recording.events] == [
        "SessionStart",
        ["lore", "get", "a.b.c", "--json"],
        "PostToolUse",
    ]
    assert [event.at for event in recording.events] == sorted(event.at or 0 for event in recording.events)
    assert recording.events[0].at == 0
    assert [(request.asker, request.play) for request in recording.requests] == [("root", "read 0")]


def test_a_request_says_which_documents_it_held_whole(fake_codex: Fake) -> None:
    """A cut document is not held: only the whole line of the reader counts."""
    host = fake_codex("""
        shell = ["/bin/bash", "-lc", "lore get a.b.c --json"]
        text = subprocess.run(shell, capture_output=True).stdout.decode()
        ask("[[play read]]", text[:-20])
        ask("[[play read]]", text)
    """)
    requests = play(scene(), host).recording.requests
    assert [request.holds for request in requests] == [[], ["practice a.b.c"]]


def test_an_event_says_which_files_were_other_than_before(fake_codex: Fake) -> None:
    """Changed, made, gone and back; nothing of what a host brings along, of large files, of no text."""
    host = fake_codex("""
        from pathlib import Path
        guide, new, skills = Path("guide.md"), Path("docs/new.md"), Path(home, ".codex/skills")
        hook("SessionStart", source="startup")
        guide.write_text("in " + os.getcwd() + ", " + home)
        new.parent.mkdir()
        new.write_bytes(b"\\r\\n")
        Path("large.md").write_text("x" * 70000)
        Path("latin.md").write_bytes(b"\\xfc")
        for name in ("own", ".system/theirs"):
            (skills / name).mkdir(parents=True)
            (skills / name / "SKILL.md").write_text(name)
        hook("Stop")
        new.unlink()
        hook("Stop")
        new.write_bytes(b"again")
        hook("Stop")
        hook("Stop")
    """)
    files = {"guide.md": "one", "kept.md": "two", "script.py": "three"}
    played = play(scene(files=files, home={".claude/skills/a/SKILL.md": "four"}), host)
    assert played.faults == ()
    assert [event.files for event in played.recording.events] == [
        {},
        {
            "/project/test/guide.md": "in /project/test, /home/dev/test",
            "/project/test/docs/new.md": "\r\n",
            "/home/dev/test/.codex/skills/own/SKILL.md": "own",
        },
        {"/project/test/docs/new.md": None},
        {"/project/test/docs/new.md": "again"},
        {},
    ]


def test_a_request_says_which_looked_for_texts_it_held_and_a_call_knows_the_folders(fake_codex: Fake) -> None:
    """The folders of a run are not known before it; a scenario names them, in calls and in texts."""
    host = fake_codex("""
        call = ask("[[play read]]")[0]
        ask("[[play read]]", json.loads(call["arguments"])["path"], os.getcwd() + "/SKILL.md is read")
    """)
    read = Turn(calls=[Call(tool="view", arguments={"path": "$home/notes"})])
    looks = {"the skill": "$project/SKILL.md", "the notes": "$home/notes", "another": "$home/SKILL.md"}
    requests = play(scene(play={"read": [read]}, looks=looks), host).recording.requests
    assert [request.holds for request in requests] == [[], ["text the skill", "text the notes"]]


def test_a_request_says_who_asked_and_whether_the_handed_text_was_there(fake_codex: Fake) -> None:
    """The text that the hook handed over is found in the subagent's request and nowhere else."""
    host = fake_codex("""
        handed = json.loads(hook("SubagentStart", agent_id="t-2").stdout)
        text = handed["hookSpecificOutput"]["additionalContext"]
        ask("[[play read]]")
        ask(text, "[[play read]]", thread="t-2", **{"x-openai-subagent": "collab_spawn"})
    """)
    out = '{"hookSpecificOutput": {"hookEventName": "SubagentStart", "additionalContext": "MARK 1"}}'
    requests = play(scene(answers={"SubagentStart": Answer(out=out)}), host).recording.requests
    assert [(request.asker, request.agent, request.holds) for request in requests] == [
        ("root", None, []),
        ("subagent", "t-2", ["context SubagentStart"]),
    ]


def test_the_host_sees_nothing_of_the_person_who_records(
    fake_codex: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No variable of the person's own reaches the host, and no address but loopback is open to it."""
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.setenv("SOME_TOKEN", "secret")
    host = fake_codex("""
        secrets = [value for value in os.environ.values() if value == "secret"]
        proxy = os.environ["HTTPS_PROXY"]
        hook("SessionStart", names=sorted(os.environ), secrets=secrets, proxy=proxy, home=home)
    """)
    recording = play(scene(), host).recording
    seen = recording.events[0].stdin or {}
    assert not {"OPENAI_API_KEY", "SOME_TOKEN"} & set(seen["names"])
    assert seen["secrets"] == []
    assert seen["proxy"].startswith("http://127.0.0.1:")
    assert seen["home"] == "/home/dev/test"


def test_the_recording_names_no_place_of_this_machine(fake_codex: Fake) -> None:
    """Paths are neutral in values and in keys, also in the form in which they name a folder."""
    host = fake_codex("""
        hook("SessionStart", paths={os.getcwd(): home}, slug=re.sub("[^0-9A-Za-z]", "-", os.getcwd()))
    """)
    seen = play(scene(), host).recording.events[0].stdin or {}
    assert seen["cwd"] == "/project/test"
    assert seen["paths"] == {"/project/test": "/home/dev/test"}
    assert seen["slug"] == "-project-test"


def test_a_host_that_hangs_is_ended_and_reported(fake_codex: Fake) -> None:
    """The deadline ends the host, the tool that it started in another session, and keeps the recording."""
    host = fake_codex("""
        tool = start("lore get a.b.c --json --sleep 600")
        hook("SessionStart", host=os.getpid(), tool=tool.pid)
        time.sleep(600)
    """)
    begun = time.monotonic()
    played = play(scene(deadline=6), host)
    assert time.monotonic() - begun < 30
    assert played.faults == ("the deadline passed while waiting for the host's end",)
    seen = next(event.stdin for event in played.recording.events if event.stdin)
    assert not alive(seen["host"])
    assert not alive(seen["tool"])


def test_a_stop_ends_everything_at_once(fake_codex: Fake, tmp_path: Path) -> None:
    """What Ctrl-C does: nothing of the host or of its tools goes on."""
    mark = tmp_path / "pids"
    host = fake_codex(f"""
        tool = start("exec sleep 600")
        open({str(mark)!r} + ".tmp", "w").write(f"{{os.getpid()}} {{tool.pid}}")
        os.rename({str(mark)!r} + ".tmp", {str(mark)!r})
        time.sleep(600)
    """)
    options = Options()
    threading.Thread(target=_stop_when, args=(mark, options.stop), daemon=True).start()
    played = play(scene(deadline=60), host, options)
    assert played.faults == ("stopped",)
    assert [pid for pid in mark.read_text().split() if alive(int(pid))] == []


def _stop_when(mark: Path, stop: threading.Event) -> None:
    while not mark.exists():
        stop.wait(0.02)
    stop.set()


def test_a_host_that_speaks_otherwise_is_reported(fake_codex: Fake) -> None:
    """A request that is no JSON is answered with an error and named among the faults."""
    host = fake_codex("""
        try:
            urllib.request.urlopen(urllib.request.Request(base + "/responses", b"not json"))
        except OSError:
            pass
    """)
    (fault,) = play(scene(), host).faults
    assert fault.startswith("POST /v1/responses: DecodeError")


def test_a_hook_can_hand_on_to_another_command(fake_codex: Fake) -> None:
    """With a command behind the recorder, the host gets that command's answer, and the recording keeps it."""
    host = fake_codex("""
        result = hook("SessionStart", source="startup")
        hook("Stop", got=result.stdout.decode(), code=result.returncode)
    """)
    through = ("/bin/sh", "-c", "tr a-z A-Z | cut -c 1-12; exit 3")
    recording = play(scene(), host, Options(through=through)).recording
    assert recording.events[0].answer == '{"SESSION_ID\n'
    assert (recording.events[1].stdin or {})["got"] == '{"SESSION_ID\n'
    assert (recording.events[1].stdin or {})["code"] == 3


def test_the_lab_is_gone_afterwards_unless_it_is_kept(fake_codex: Fake, tmp_path: Path) -> None:
    """The payload's bytes are in the kept lab exactly as the host wrote them."""
    host = fake_codex("""
        command = hooks["Stop"][0]["hooks"][0]["command"]
        payload = b'{"lab": "' + home.encode() + b'", "n": 1.50}\\n\\n'
        subprocess.run(["/bin/sh", "-c", command], input=payload)
    """)
    kept = tmp_path / "kept"
    recording = play(scene(), host, Options(keep=kept)).recording
    payload = (kept / "hooks" / "000001" / "payload").read_bytes()
    assert payload.endswith(b'", "n": 1.50}\n\n')
    home = payload.split(b'"')[3].decode()
    assert (recording.events[0].stdin or {})["lab"] == "/home/dev/test"
    assert not os.path.lexists(home)


@pytest.mark.parametrize("out", ["MARK handed over", '{"hookSpecificOutput": {"x": "MARK handed over'])
def test_a_text_in_no_valid_answer_is_looked_for_too(fake_codex: Fake, out: str) -> None:
    """A host might hand on plain text or half of a document; only the request shows whether it does."""
    host = fake_codex("""
        text = hook("SubagentStart", agent_id="t-2").stdout.decode()
        ask(text, thread="t-2", **{"x-openai-subagent": "collab_spawn"})
        ask("nothing")
    """)
    requests = play(scene(answers={"SubagentStart": Answer(out=out)}), host).recording.requests
    assert [request.holds for request in requests] == [["context SubagentStart"], []]


def test_a_hook_is_registered_as_the_scenario_says(fake_codex: Fake) -> None:
    """A matcher stands beside the handlers, a further field in each of them; other events have neither."""
    host = fake_codex("""
        fields = [[sorted(group), sorted(group["hooks"][0])] for group in hooks["Stop"] + hooks["SessionEnd"]]
        hook("Stop", fields=fields, matcher=hooks["Stop"][0]["matcher"])
    """)
    more = {"Stop": Registration(matcher="^B", handler={"async": True})}
    seen = play(scene(registered=more), host).recording.events[0].stdin or {}
    assert seen["matcher"] == "^B"
    assert seen["fields"] == [
        [["hooks", "matcher"], ["async", "command", "timeout", "type"]],
        [["hooks"], ["command", "timeout", "type"]],
    ]


def test_lines_are_written_when_their_event_came_and_then_the_input_ends(fake_codex: Fake) -> None:
    """The second line waits for the event that the host sends after the first one."""
    host = fake_codex("""
        first = json.loads(sys.stdin.readline())
        time.sleep(0.3)
        early = select.select([sys.stdin], [], [], 0)[0] != []
        hook("SessionStart", first=first, early=early)
        hook("Stop", rest=sys.stdin.read())
    """)
    lines = [Line(send={"n": 1}), Line(event="SessionStart", send={"n": 2})]
    played = play(scene(runs=[Run(input=lines)]), host)
    start, stop = [event.stdin or {} for event in played.recording.events]
    assert played.faults == ()
    assert (start["first"], start["early"]) == ({"n": 1}, False)
    assert stop["rest"] == '{"n":2}\n'


def test_a_run_beside_another_starts_while_that_goes_on(fake_codex: Fake) -> None:
    """Each of the two processes ends only when it saw the other one."""
    host = fake_codex("""
        mark = os.path.join(home, sys.argv[-1])
        open(mark, "w").close()
        while len([name for name in os.listdir(home) if name.startswith("run-")]) < 2:
            time.sleep(0.02)
        hook("Stop")
    """)
    runs = [Run(prompt="run-a"), Run(prompt="run-b", beside=True)]
    played = play(scene(runs=runs, deadline=10), host)
    assert (played.faults, played.codes) == ((), (0, 0))


def test_hooks_can_stand_in_the_configuration_file(fake_codex: Fake) -> None:
    """They are the same table there, and the file of their own is not written."""
    host = fake_codex("""
        hook("Stop", own=os.path.exists(home + "/.codex/hooks.json"))
    """)
    seen = play(scene(place="config"), host).recording.events[0].stdin or {}
    assert seen["own"] is False

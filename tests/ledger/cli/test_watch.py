"""`readmark status --watch`: what hooks do shows as it happens, in another process."""

from __future__ import annotations

import os
import queue
import re
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from adapters import verdicts
from adapters.evidence.replay import Step
from contracts.outcome import Conversed
from contracts.reasons import REFUSALS
from ledger.cli.watch import News, kept
from ledger.diagnostics import FILE, OLDER, Entry, Summary
from tests.ledger.cli.running import (
    CODEX,
    EVIDENCE,
    assert_valid,
    command,
    keep,
    process,
    run,
    seen_by_hook,
    state_home,
)

PATIENCE = 60
"""Seconds after which a line that must come is missed."""

Steps = Callable[[tuple[str, str], str], Iterator[Step]]


class Watcher:
    """A running `readmark status --watch` and the lines that it prints."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        """Read its lines beside, so that none that is missing can hold the test."""
        self.process = process
        self._lines: queue.Queue[bytes] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)

    def text(self) -> str:
        """Return the next line."""
        return self._lines.get(timeout=PATIENCE).decode().rstrip("\n")

    def json(self) -> Any:
        """Return the next line as the document that it must be."""
        told = msgspec.json.decode(self.text())
        assert_valid("status", told)
        return told

    def until(self, words: str) -> str:
        """Return the next line that holds certain words."""
        while words not in (line := self.text()):
            pass
        return line


@contextmanager
def watching(*arguments: str, environ: Mapping[str, str] | None = None) -> Iterator[Watcher]:
    """Watch in a process of its own until the test is done; Ctrl-C must end it without a trace."""
    with subprocess.Popen(
        command("status", "--watch", "--no-ask", *arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **(environ or {})},
    ) as started:
        try:
            yield Watcher(started)
            started.send_signal(signal.SIGINT)
            assert started.wait(PATIENCE) == 0
            assert started.stderr is not None
            assert started.stderr.read() == b""
        finally:
            started.kill()


def test_a_read_shows_as_it_arrives_with_its_title(steps: Steps, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hooks that are processes of their own; the folder of the ledger comes only with the first of them."""
    # The payloads do not say their version, so they count by their shape.
    monkeypatch.setattr(verdicts, "FOLDER", EVIDENCE)
    assert not state_home().exists()
    with watching("--json") as watcher:
        assert [one["reason"] for one in watcher.json()["problems"]] == ["no-host"]
        seen = []
        for step in steps(CODEX, "read_and_spawn"):
            process("hook", "codex", stdin=step.payload)
            seen.append(watcher.json())
            if "items" in seen[-1]:
                break
    assert {(one["state"], one["host"]) for one in seen} == {("arrived", "codex")}
    assert [(one["event"], one["outcome"]) for one in seen if one["event"] != "other"] == [
        ("SessionStart", "begun"),
        ("PostToolUse", "pending"),
        ("PostToolUse", "recorded"),
    ]
    listed = run("list", "--json").json["conversations"][0]["candidates"]
    assert seen[-1]["items"] == [{"id": one["id"], "title": one["title"]} for one in listed] != []


@pytest.mark.usefixtures("proven")
def test_people_get_a_line_for_each_call() -> None:
    """First the screen; then the time of their clock, the host, the event, what came of it and why."""
    with watching(environ={"TZ": "UTC0"}) as watcher:
        assert watcher.text().startswith("readmark ")
        watcher.until("Ctrl-C")
        process("hook", "codex", stdin=b"{}")
        line = watcher.text()
        assert re.match(r"\d\d:\d\d:\d\d  codex  other  refused: \w", line)
        seen_by_hook("codex", "PostToolUse", "skipped", "command-indirect")
        why = REFUSALS["command-indirect"]
        expected = f"08:00:00  codex  PostToolUse  refused: command-indirect: {why.meaning} {why.remedy}"
        assert watcher.text() == expected
        seen_by_hook("codex", "PostToolUse", "skipped", "command-indirect")
        assert watcher.text() == "08:00:00  codex  PostToolUse  refused: command-indirect"
        seen_by_hook("codex", "PostToolUse", "skipped", "call-failed")
        assert REFUSALS["call-failed"].meaning in watcher.text()
        keep("codex", "one", "a.b", title="A\u202e title")
        seen_by_hook("codex", "Stop", "recorded", recorded=1, at=LATE)
        assert watcher.text().endswith('  codex  Stop  recorded: "A\\u202e title"')
        keep("codex", "one", "c.d", title="")
        seen_by_hook("codex", "SubagentStart", "briefed", recorded=1, at=LATE)
        assert watcher.text().endswith('  codex  SubagentStart  briefed; recorded: "c.d"')
        keep("codex", "one", "skill:review", title="How we review", reader="skill")
        keep("codex", "one", "docs/guide.md", title="The guide", reader="document")
        seen_by_hook("codex", "Stop", "recorded", recorded=2, at=LATE)
        assert watcher.text().endswith('  codex  Stop  recorded: "How we review", "The guide"')


LATE = 4_000_000_000_000
"""A time after every read of a test."""


@pytest.mark.usefixtures("proven")
def test_watching_goes_on_over_a_rotation_and_a_removed_folder() -> None:
    """As long as the person looks."""
    seen_by_hook("codex", "Stop", "ignored", at=1)
    with watching("--json") as watcher:
        assert watcher.json()["hosts"][1]["lastEvent"]["event"] == "Stop"
        (state_home() / FILE).replace(state_home() / OLDER)
        seen_by_hook("codex", "PostToolUse", "pending", at=2)
        assert watcher.json()["event"] == "PostToolUse"
        shutil.rmtree(state_home())
        seen_by_hook("codex", "SessionEnd", "ignored", at=3)
        assert watcher.json()["event"] == "SessionEnd"


def test_a_folder_that_cannot_be_ends_it_at_once() -> None:
    """There is nothing to wait for."""
    done = process("status", "--watch", "--json", environ={"READMARK_HOME": "relative"})
    assert (done.code, done.json["state"], done.err) == (4, "broken", "")


def test_a_reader_that_goes_away_ends_it_quietly() -> None:
    """As `| head -1` does."""
    seen_by_hook("codex", "Stop", "ignored")
    words = command("status", "--watch", "--no-ask", "--json")
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as started:
        assert started.stdout is not None
        assert started.stderr is not None
        started.stdout.readline()
        started.stdout.close()
        seen_by_hook("codex", "Stop", "ignored")
        assert started.wait(PATIENCE) == 0
        assert started.stderr.read() == b""


def test_without_a_standard_output_it_ends_at_once() -> None:
    """Nothing that it prints could ever reach anybody, so nothing would end it."""
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" >&-', "sh", *command("status", "--watch", "--no-ask")],
        stderr=subprocess.PIPE,
        check=False,
        timeout=PATIENCE,
    )
    assert (done.returncode, b"standard output cannot be written" in done.stderr) == (4, True)


def entry(host: str, recorded: int, at: int = LATE) -> Entry:
    """Return a hook call that recorded so many items."""
    return Entry(at, host, "Stop", 1, Summary("recorded", recorded=recorded))


def look() -> tuple[Conversed, ...] | None:
    """Return what this test's ledger keeps."""
    return kept(state_home())


def ids(news: News, call: Entry) -> list[str]:
    """Return the ids of what a call recorded."""
    return [item.id for item in news.of(call)]


def test_items_go_to_the_call_that_recorded_them() -> None:
    """By host, in their order; what was there before is no news, and a repeated read is one."""
    keep("codex", "one", "old")
    news = News(look)
    keep("codex", "one", "a")
    keep("claude-code", "one", "b")
    keep("codex", "two", "c")
    assert ids(news, entry("codex", 0)) == []
    assert ids(news, entry("codex", 2)) == ["a", "c"]
    assert ids(news, entry("codex", 1)) == []
    assert ids(news, entry("claude-code", 1)) == ["b"]
    keep("codex", "one", "old")
    assert ids(news, entry("codex", 1)) == ["old"]


def test_what_a_command_settled_meanwhile_is_not_given_to_a_later_call() -> None:
    """A person's own command writes no line; the newest items are the call's."""
    news = News(look)
    keep("codex", "one", "by a command")
    keep("codex", "one", "by the hook")
    assert ids(news, entry("codex", 1)) == ["by the hook"]
    keep("codex", "one", "next")
    assert ids(news, entry("codex", 1)) == ["next"]


def test_a_later_item_is_not_given_to_an_earlier_call() -> None:
    """Two calls may be read in one look."""
    news = News(look)
    keep("codex", "one", "a")
    assert ids(news, entry("codex", 1, at=1)) == []
    assert ids(news, entry("codex", 1)) == ["a"]


def test_a_ledger_that_cannot_answer_for_a_while_forgets_nothing() -> None:
    """What it kept before is no news afterwards."""
    keep("codex", "one", "old")
    answers = [look(), None, None]
    news = News(lambda: answers.pop(0) if answers else look())
    assert ids(news, entry("codex", 1)) == []
    keep("codex", "one", "new")
    assert ids(news, entry("codex", 1)) == []
    assert ids(news, entry("codex", 1)) == ["new"]


def test_a_fault_of_the_configuration_hides_no_title() -> None:
    """The ledger is looked at by the widest limits."""
    keep("codex", "one", "a")
    config = Path(run("config", "--json").json["file"])
    config.parent.mkdir(parents=True)
    config.write_text("no toml")
    found = look()
    assert found is not None
    assert [one.read.item_id for one in found[0].candidates] == ["a"]

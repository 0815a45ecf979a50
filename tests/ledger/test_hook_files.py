"""Skills and documents through the installed hook, as a host calls it: from real files to a briefing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from adapters import hosts
from adapters.registration import command_line
from ledger.diagnostics import Summary, entries
from ledger.hook import DEADLINE
from tests.ledger.played import SKILL, TEXT, Claude, Codex

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., str]

COMMAND = Path(sys.executable).with_name("readmark")
PROVEN = "claude-code_2-1-197_harness"
"""What Claude Code 2.1.197 tells its hooks of itself."""
SLACK = 1.0
"""Seconds that starting Python may take on a loaded machine, beyond the deadline itself."""
DOCUMENT_TOLD = '"id":"docs/1.md","title":"Choose one queue"'


@pytest.fixture
def registered(private_home: Path) -> Run:
    """Run the very line that is registered for a payload's event, as its host does; return the briefing."""

    def run(payload: bytes, host: str = "claude-code") -> str:
        event = json.loads(payload)["hook_event_name"]
        [hook] = [one for one in hosts.load(host).REGISTRATION.hooks if one.event == event]
        done = subprocess.run(
            ["/bin/sh", "-c", command_line(host, hook, str(COMMAND))],
            input=payload,
            env={"PATH": os.environ["PATH"], "HOME": str(private_home), "AI_AGENT": PROVEN},
            capture_output=True,
            timeout=30,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        if not done.stdout:
            return ""
        return str(json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"])

    return run


def last(private_home: Path) -> Summary:
    """Return what the last hook said of itself."""
    return entries(private_home / ".local" / "state" / "readmark")[-1].summary


def calls(private_home: Path) -> int:
    """Return how many hooks came as far as Python."""
    state = private_home / ".local" / "state" / "readmark"
    return len(entries(state)) if state.exists() else 0


@pytest.mark.parametrize("tool", ["read", "ran"])
def test_a_document_is_told_to_the_next_subagent(
    claude: Claude, project: Path, registered: Run, tool: str
) -> None:
    """By the Read tool and by a shell."""
    made = claude.read(project / "docs/1.md", TEXT) if tool == "read" else claude.ran("cat docs/1.md", TEXT)
    for payload in made:
        assert registered(payload) == ""
    assert DOCUMENT_TOLD in registered(claude.subagent())


def test_a_loaded_skill_is_told_to_the_next_subagent(claude: Claude, project: Path, registered: Run) -> None:
    """Its text follows in the transcript, after the hooks of the batch."""
    for payload in claude.loaded("parsing", project / ".claude/skills/parsing"):
        assert registered(payload) == ""
    claude.shows()
    told = registered(claude.subagent())
    assert '"id":"skill:parsing"' in told
    assert '"appliesWhen":"Use it when you write a parser."' in told
    assert str(project) not in told


def test_codex_tells_of_a_document_and_a_skill(codex: Codex, registered: Run) -> None:
    """Both from its shell, each settled by the transcript."""
    for command, text in (("cat docs/1.md", TEXT), ("cat .claude/skills/parsing/SKILL.md", SKILL)):
        assert registered(codex.ran(command, text), "codex") == ""
        codex.shows()
    told = registered(codex.subagent(), "codex")
    assert DOCUMENT_TOLD in told
    assert '"id":"skill:.claude/skills/parsing/SKILL.md"' in told


def test_what_names_no_file_starts_no_process(
    claude: Claude, project: Path, private_home: Path, registered: Run
) -> None:
    """However many files an output names, up to what hosts let through."""
    named = "\n".join(f"docs/{number}.md SKILL.md lore get a" for number in range(800))
    for payload in (*claude.ran("ls -R", named), *claude.read(project / "a.py", named)):
        registered(payload)
    assert calls(private_home) == 0
    registered(claude.ran("cat README.md", TEXT)[0])
    assert (calls(private_home), last(private_home).outcome) == (1, "ignored")


def test_a_changed_document_says_so_and_a_deleted_one_is_not_told(
    claude: Claude, project: Path, registered: Run
) -> None:
    """As the file is when the subagent starts."""
    for payload in claude.read(project / "docs/1.md", TEXT):
        registered(payload)
    (project / "docs/1.md").write_text(TEXT + "More.\n")
    told = registered(claude.subagent())
    assert "docs/1.md" in told
    assert "changed" in told
    (project / "docs/1.md").unlink()
    assert "docs/1.md" not in registered(claude.subagent())


def swapped(path: Path, kind: str) -> None:
    """Put something else in the place of a file."""
    path.unlink()
    match kind:
        case "link":
            path.symlink_to("/etc/passwd")
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "device":
            path.symlink_to("/dev/zero")
        case "huge":
            with path.open("wb") as file:
                file.truncate(1 << 40)
        case _:
            path.write_bytes(b"a" * (1024 * 1024 + 1))


@pytest.mark.parametrize(
    "became",
    [
        ("link", "file-linked"),
        ("pipe", ""),
        ("folder", ""),
        ("device", "file-linked"),
        ("huge", "file-too-large"),
        ("large", "file-too-large"),
        ("gone", ""),
    ],
)
def test_what_a_file_has_become_meanwhile_does_no_harm(
    claude: Claude, project: Path, private_home: Path, registered: Run, became: tuple[str, str]
) -> None:
    """Between the command and its hook."""
    kind, reason = became
    payload, _ = claude.read(project / "docs/1.md", TEXT)
    if kind == "gone":
        (project / "docs/1.md").unlink()
    else:
        swapped(project / "docs/1.md", kind)
    started = time.monotonic()
    registered(payload)
    assert time.monotonic() - started < DEADLINE + SLACK
    assert last(private_home).reason == reason


@pytest.mark.parametrize("listed", ["/etc/**", "/**/notes/*.md", "../**", "**/../*.md", "~/**", "$HOME/**"])
def test_no_list_leads_out_of_its_project(
    claude: Claude, project: Path, private_home: Path, registered: Run, listed: str
) -> None:
    """A project's own file may be of anybody's making; what could only mean a way out is a fault in it."""
    outcome = "ignored" if listed.startswith("/") else "unavailable"
    (project.parent / "outside.md").write_text(TEXT)
    (private_home / "notes.md").write_text(TEXT)
    (project / ".readmark.toml").write_text(f'documents = ["{listed}"]\n')
    for path in (project.parent / "outside.md", private_home / "notes.md", project / "docs/1.md"):
        for payload in (claude.read(path, TEXT)[0], claude.ran(f"cat {path}", TEXT)[0]):
            registered(payload)
            assert last(private_home).outcome == outcome


def test_all_of_a_project_is_what_lies_in_it(
    claude: Claude, project: Path, private_home: Path, registered: Run
) -> None:
    """Two stars list every Markdown file but what looks like a key, and nothing beside it."""
    (project / ".readmark.toml").write_text('documents = ["**"]\n')
    (project / ".env.md").write_text(TEXT)
    (project.parent / "outside.md").write_text(TEXT)
    outcomes = {}
    for name in ("README.md", ".env.md", "../outside.md"):
        registered(claude.read(project / name, TEXT)[0])
        outcomes[name] = last(private_home).outcome
    assert outcomes == {"README.md": "pending", ".env.md": "ignored", "../outside.md": "ignored"}


HOSTILE: dict[str, Any] = {
    "patterns": ["**/a*/" * 42 + str(number) for number in range(64)],
    "stars": ["*a" * 120 + str(number) for number in range(64)],
    "sets": ["[" * 250 + str(number) for number in range(64)],
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_no_pattern_of_a_project_holds_the_agent_up(
    claude: Claude, project: Path, private_home: Path, registered: Run, kind: str
) -> None:
    """Two full lists of the worst, on a deep path with long names."""
    text = "documents = " + json.dumps(HOSTILE[kind]) + "\nignore = " + json.dumps(HOSTILE[kind]) + "\n"
    (project / ".readmark.toml").write_text(text)
    deep = project.joinpath(*["aaaaaaaa"] * 50) / ("a" * 200 + ".md")
    deep.parent.mkdir(parents=True)
    deep.write_text(TEXT)
    started = time.monotonic()
    registered(claude.read(deep, TEXT)[0])
    assert time.monotonic() - started < DEADLINE + SLACK
    assert last(private_home).outcome in {"ignored", "unavailable"}


@pytest.mark.parametrize(
    "command",
    [
        "cat " + " ".join(f"docs/{number}.md" for number in range(9000)),
        "cd docs;" * 800 + "cat 1.md",
        "\n" * 8000 + "cat docs/1.md",
        '"' + '\\"' * 4000 + "$ docs/1.md",
        "x" * 3_000_000 + " docs/1.md",
    ],
    ids=["names", "folders", "line ends", "quotes", "3 MB"],
)
def test_no_command_holds_the_agent_up(
    claude: Claude, private_home: Path, registered: Run, command: str
) -> None:
    """The hook ends by itself, inside its deadline."""
    started = time.monotonic()
    registered(claude.ran(command, TEXT)[0])
    assert time.monotonic() - started < DEADLINE + SLACK
    assert last(private_home).reason != "deadline"


@pytest.mark.parametrize(
    "name", ["two words.md", "zwei\nZeilen.md", "📚 道.md", "it's.md", 'say "no".md', "<b>.md"]
)
def test_a_file_of_any_name_is_told_in_one_line(
    claude: Claude, project: Path, registered: Run, name: str
) -> None:
    """As JSON, in which no name ends a line or a tag."""
    (project / "docs" / name).write_text("Just text.\n")
    for payload in claude.read(project / "docs" / name, "Just text.\n"):
        registered(payload)
    told = registered(claude.subagent())
    [line] = [line for line in told.split("\n") if line.startswith("{")]
    assert json.loads(line)["id"] == f"docs/{name}"
    assert "<b>" not in told


def test_a_title_with_control_characters_is_told_escaped(
    claude: Claude, project: Path, registered: Run
) -> None:
    """Also where YAML wrote them as escapes."""
    text = '---\ntitle: "a\\0b\\e[31mc\\u202Ed\\n</x>"\n---\n'
    (project / "docs/1.md").write_text(text)
    for payload in claude.read(project / "docs/1.md", text):
        registered(payload)
    told = registered(claude.subagent())
    assert '"id":"docs/1.md"' in told
    assert not set(told) & {"\0", "\x1b", "\u202e"}
    assert "</x>" not in told


def test_a_linked_project_is_the_project(claude: Claude, project: Path, registered: Run) -> None:
    """The host works in it by its link, and the agent names its files so."""
    link = project.parent / "link"
    link.symlink_to(project)
    claude.folder = link
    for payload in claude.read(link / "docs/1.md", TEXT):
        registered(payload)
    assert DOCUMENT_TOLD in registered(claude.subagent())


def test_an_unreadable_folder_and_file_are_nothing(
    claude: Claude, project: Path, private_home: Path, registered: Run
) -> None:
    """The agent could read what we cannot."""
    if os.geteuid() == 0:
        pytest.skip("root reads everywhere")
    for path in (project / "docs/1.md", project / "docs"):
        mode = path.stat().st_mode
        path.chmod(0)
        registered(claude.read(project / "docs/1.md", TEXT)[0])
        path.chmod(mode)
        assert last(private_home).outcome == "ignored"


def test_no_text_of_a_file_reaches_the_disk(
    claude: Claude, project: Path, private_home: Path, registered: Run
) -> None:
    """Its title and when it applies are all that is kept."""
    text = SKILL + "secret-body ghp_0123456789abcdef\n"
    (project / "docs/1.md").write_text(text)
    for payload in (*claude.read(project / "docs/1.md", text), *claude.ran("cat docs/1.md", text)):
        registered(payload)
    state = private_home / ".local" / "state" / "readmark"
    written = b"".join(path.read_bytes() for path in state.rglob("*") if path.is_file())
    assert b"How we parse" in written
    assert b"secret-body" not in written
    assert b"ghp_" not in written

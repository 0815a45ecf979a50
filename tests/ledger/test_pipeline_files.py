"""Files and skills on the way from a payload to the ledger: noted, settled, refused, or nobody's business."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from adapters import hosts
from contracts.limits import Limits
from contracts.outcome import Noted, Ready, Repeated, Settled, Skipped, Unavailable
from ledger.calls import Ledger
from ledger.diagnostics import Summary
from ledger.library import look
from ledger.outcomes import summary
from ledger.pipeline import Briefed, Handled, Nothing, handle, once
from tests.ledger.played import SKILL, TEXT, Claude, Codex, numbered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Take = Callable[..., Handled]


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """Open a fresh ledger."""
    with Ledger(tmp_path / "state", Limits(), lambda: 1_000_000, patience_ms=500) as opened:
        yield opened


@pytest.fixture
def take(ledger: Ledger, private_home: Path) -> Take:
    """Take a payload of a host through the pipeline, with the files of the machine."""

    def taken(payload: bytes, host: str = "claude-code") -> Handled:
        return handle(hosts.load(host), payload, ledger, look=look({"HOME": str(private_home)}))

    return taken


def kept(ledger: Ledger) -> list[str]:
    """Return the ids that the ledger holds."""
    listed = ledger.list()
    assert isinstance(listed, Ready)
    return [one.read.item_id for held in listed.conversations for one in held.candidates]


def recorded(handled: Handled) -> list[str]:
    """Return the ids of the reads that an event settled as delivered."""
    assert isinstance(handled.settled, Settled)
    return [one.candidate.read.item_id for one in handled.settled.recorded]


def withdrawn(handled: Handled) -> list[str]:
    """Return why reads were withdrawn."""
    assert isinstance(handled.settled, Settled)
    return [one.why.reason for one in handled.settled.withdrawn]


def test_a_document_from_a_shell_waits_and_then_counts(claude: Claude, take: Take, ledger: Ledger) -> None:
    """The batch states what was sent."""
    ran, sent = claude.ran("cat docs/1.md", TEXT.strip())
    assert isinstance(take(ran).outcome, Noted)
    assert kept(ledger) == []
    assert recorded(take(sent)) == ["docs/1.md"]


def test_a_document_from_the_read_tool_waits_and_then_counts(
    claude: Claude, project: Path, take: Take
) -> None:
    """The model is sent it with numbers before its lines."""
    ran, sent = claude.read(project / "docs/1.md", TEXT)
    assert b"1\\t# Choose" in sent
    assert isinstance(take(ran).outcome, Noted)
    assert recorded(take(sent)) == ["docs/1.md"]


def test_a_skill_counts_once_its_text_is_shown(claude: Claude, project: Path, take: Take) -> None:
    """The batch holds no more than its name."""
    ran, sent = claude.loaded("parsing", project / ".claude/skills/parsing")
    assert isinstance(take(ran).outcome, Noted)
    assert recorded(take(sent)) == []
    assert take(claude.subagent()).answer == b""
    claude.shows()
    briefed = take(claude.subagent())
    assert recorded(briefed) == ["skill:parsing"]
    assert isinstance(briefed.outcome, Briefed)
    assert '"id":"skill:parsing"' in briefed.outcome.text


def test_a_skill_of_another_folder_is_withdrawn(claude: Claude, tmp_path: Path, take: Take) -> None:
    """The host loaded one of the same name from where nobody looked."""
    take(claude.loaded("parsing", tmp_path / "plugin/skills/parsing")[0])
    claude.shows()
    assert withdrawn(take(claude.event("Stop"))) == ["delivery-refuted"]


def test_a_document_that_codex_reads_settles_by_its_transcript(codex: Codex, take: Take) -> None:
    """Its hooks state no delivery."""
    ran = codex.ran("cat docs/1.md", TEXT)
    assert isinstance(take(ran, "codex").outcome, Noted)
    assert recorded(take(codex.event("Stop"), "codex")) == []
    codex.shows()
    assert recorded(take(codex.subagent(), "codex")) == ["docs/1.md"]


def test_a_document_that_codex_cut_for_its_model_is_withdrawn(codex: Codex, take: Take) -> None:
    """The hook saw all of it."""
    take(codex.ran("cat docs/1.md", TEXT), "codex")
    codex.shows(TEXT[:20] + "…3 tokens truncated…" + TEXT[-10:])
    assert withdrawn(take(codex.event("Stop"), "codex")) == ["delivery-refuted"]


def test_a_skill_that_codex_reads_is_a_skill(codex: Codex, take: Take) -> None:
    """It has no tool for them."""
    take(codex.ran("sed -n 1,200p .claude/skills/parsing/SKILL.md", SKILL), "codex")
    codex.shows()
    # Of another host, so it has no name.
    assert recorded(take(codex.event("Stop"), "codex")) == ["skill:.claude/skills/parsing/SKILL.md"]


def test_what_nobody_lists_is_nothing(claude: Claude, project: Path, take: Take) -> None:
    """A Markdown file of the project, and one outside of it."""
    (project.parent / "outside.md").write_text(TEXT)
    for path in ("README.md", "../outside.md"):
        assert take(claude.ran(f"cat {path}", TEXT)[0]).outcome == Nothing()
        assert take(claude.read(project / path, TEXT)[0]).outcome == Nothing()
    assert take(claude.loaded("a-command-of-the-host", "/x")[0]).outcome == Skipped("skill-unknown")


def test_without_files_to_look_at_nothing_is_read(claude: Claude, ledger: Ledger, project: Path) -> None:
    """As where only practices count."""
    payload = claude.read(project / "docs/1.md", TEXT)[0]
    assert handle(hosts.load("claude-code"), payload, ledger).outcome == Nothing()


def test_the_files_are_looked_at_only_where_a_tool_gave_something(
    claude: Claude, ledger: Ledger, project: Path
) -> None:
    """A subagent's start, an end and a batch ask nothing of the disk."""
    asked: list[str] = []
    real = look({"HOME": str(project)})

    def looking(host: hosts.Host, folder: str | None) -> object:
        asked.append(str(folder))
        return real(host, folder)

    ran, sent = claude.read(project / "docs/1.md", TEXT)
    for payload in (claude.subagent(), claude.event("Stop"), sent, claude.ran("ls", "")[0]):
        handle(hosts.load("claude-code"), payload, ledger, look=looking)  # type: ignore[arg-type]
    assert asked == []
    handle(hosts.load("claude-code"), ran, ledger, look=looking)  # type: ignore[arg-type]
    assert asked == [str(project)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", Noted),
        ("enabled = false", Skipped),
        ("enabled = 5", Unavailable),
        ('ignore = ["1.md"]', Nothing),
        ('ignore = ["docs"]', Noted),
    ],
)
def test_a_project_inside_another_keeps_its_files_out(
    claude: Claude, project: Path, take: Take, text: str, wanted: type
) -> None:
    """The outer one lists them, and the inner one is off, at fault, or ignores them."""
    (project / "docs" / ".readmark.toml").write_text(text)
    assert type(take(claude.read(project / "docs/1.md", TEXT)[0]).outcome) is wanted


def test_a_repository_inside_a_project_is_no_other_project(claude: Claude, project: Path, take: Take) -> None:
    """A submodule without a file of its own says nothing against it."""
    (project / "docs" / ".git").write_text("gitdir: ../.git/modules/docs")
    assert isinstance(take(claude.read(project / "docs/1.md", TEXT)[0]).outcome, Noted)


def test_a_home_that_is_off_leaves_its_users_skills(claude: Claude, private_home: Path, take: Take) -> None:
    """Nobody works in the home; its skills are read in all projects."""
    skill = private_home / ".claude/skills/mine/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text(SKILL)
    (private_home / ".readmark.toml").write_text("enabled = false")
    assert isinstance(take(claude.loaded("mine", skill.parent)[0]).outcome, Noted)


def test_the_numbers_before_the_lines_are_the_hosts(claude: Claude, project: Path, take: Take) -> None:
    """Where one is wrong, or another text was sent, the model got something else; a line more is no harm."""
    for sent, why in (
        (numbered(TEXT).replace("3\t", "4\t"), ["delivery-refuted"]),
        ("1\t# Choose one queue", ["delivery-refuted"]),
        (numbered(TEXT + "more"), []),
    ):
        ran, batch = claude.read(project / "docs/1.md", TEXT)
        take(ran)
        shown = batch.replace(numbered(TEXT).replace("\n", "\\n").replace("\t", "\\t").encode(), b"@")
        assert b"@" in shown
        told = shown.replace(b"@", sent.replace("\n", "\\n").replace("\t", "\\t").encode())
        assert withdrawn(take(told)) == why


def test_where_a_project_is_off_only_the_end_of_a_life_counts(
    claude: Claude, project: Path, take: Take, ledger: Ledger
) -> None:
    """A file is not looked at, and a new life begins empty all the same."""
    for payload in claude.read(project / "docs/1.md", TEXT):
        take(payload)
    assert kept(ledger) == ["docs/1.md"]
    (project / ".readmark.toml").write_text("enabled = false")
    assert take(claude.read(project / "docs/1.md", TEXT)[0]).outcome == Skipped("project-off")
    assert take(claude.event("SessionStart", source="startup")).outcome == Skipped("project-off")
    assert kept(ledger) == []


def test_a_document_is_told_once_for_one_start(
    claude: Claude, project: Path, take: Take, ledger: Ledger
) -> None:
    """Though the hook is registered twice; what tells nothing is let through."""
    for payload in claude.read(project / "docs/1.md", TEXT):
        take(payload)
    start = claude.subagent()
    first, again = (once(ledger, start, take(start)) for _ in range(2))
    assert b"docs/1.md" in first.answer
    assert (again.outcome, again.answer) == (Repeated(), b"")
    stopped = take(claude.event("Stop"))
    assert once(ledger, start, stopped) == stopped


def test_a_withdrawn_read_of_a_file_is_a_refusal_that_names_it(
    claude: Claude, project: Path, take: Take
) -> None:
    """So that a status tells of reads that were lost on their way to the model, one after the other."""
    ran, batch = claude.read(project / "docs/1.md", TEXT)
    take(ran)
    shown = numbered(TEXT).replace("\n", "\\n").replace("\t", "\\t").encode()
    told = summary(take(batch.replace(shown, b"Indexed 3 lines.")))
    assert told == Summary("withdrawn", "delivery-refuted", "docs/1.md", withdrawn=1)

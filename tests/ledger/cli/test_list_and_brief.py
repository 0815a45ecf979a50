"""`readmark list` and `readmark brief`: what was read, and what a subagent would be told of it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from rich.cells import cell_len

from contracts.conversation import Conversation
from contracts.lines import Lines
from contracts.outcome import Told, Unavailable
from contracts.read import File, Source
from ledger.calls import Ledger
from ledger.cli.clear import LATER
from ledger.escape import utf16_units
from ledger.rules import TOLD
from ledger.runtime import open_ledger
from ledger.settings import variable
from tests.ledger.cli.running import READ_AT, SHOWN_AT, assert_valid, held, keep, process, run, state_home

Play = Callable[[int], str]


def tell(items: list[str], left_out: int) -> None:
    """Keep that a subagent of a conversation was told, without one."""
    with open_ledger(os.environ, 1000) as ledger:
        assert isinstance(ledger.tell(Conversation("codex", "one"), 1, items, left_out), Told)


def test_an_empty_ledger_is_ready_and_says_what_to_do() -> None:
    """Nothing recorded is an answer, and no file is made for it."""
    done = run("list", "--json")
    assert (done.code, done.json) == (0, {"state": "ready", "conversations": [], "leftOut": 0})
    told = run("list")
    assert told.code == 0
    assert "readmark hosts" in told.text
    assert "readmark list" in run("list", "--host", "codex").text
    assert not state_home().exists()


def test_the_form_for_programs_is_exactly_the_contracts(codex_read: Play) -> None:
    """Every key stands in the contract and every key of the contract is there."""
    reference = codex_read(SHOWN_AT)
    done = run("list", "--json")
    assert_valid("list", done.json)
    (conversation,) = done.json["conversations"]
    assert list(conversation) == [
        "host",
        "conversation",
        "incarnation",
        "lastActiveAt",
        "candidates",
        "told",
        "gone",
    ]
    assert conversation["told"] == []
    assert (conversation["host"], conversation["conversation"]) == ("codex", reference)
    (candidate,) = conversation["candidates"]
    assert list(candidate) == [
        "id",
        "title",
        "appliesWhen",
        "contentDigest",
        "sources",
        "storeScope",
        "recordedAt",
        "readOrdinal",
        "reader",
        "changed",
    ]
    assert candidate["id"] == "root.one"
    assert candidate["readOrdinal"] == 1
    assert list(candidate["sources"][0]) == ["pack", "path"]
    for moment in (conversation["lastActiveAt"], candidate["recordedAt"]):
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", moment)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Record two documents, two skills and a practice in turn; return the folder of their files."""
    for number, item_id in enumerate(("docs/a.md", "skill:a", "a.b", "docs/b.md", "skill:b")):
        if item_id == "a.b":
            keep("codex", "one", item_id)
            continue
        reader = "skill" if item_id.startswith("skill") else "document"
        path = tmp_path / f"{number}.md"
        path.write_text("As read\n")
        found = path.stat()
        keep(
            "codex",
            "one",
            item_id,
            reader=reader,
            title=f"Title {number}",
            content_digest=f"sha256:{sha256(path.read_bytes()).hexdigest()}",
            sources=(Source("project", path.name),),
            file=File(str(tmp_path), path.name, found.st_size, found.st_mtime_ns),
        )
    return tmp_path


@pytest.mark.usefixtures("project")
def test_practices_skills_and_documents_stand_in_groups() -> None:
    """Newest first in each for people; in one order for programs, with the reader."""
    text = run("list").text
    words = ("Practice", "a.b", "Skill", "skill:b", "skill:a", "Document", "docs/b.md", "docs/a.md")
    places = [text.index(word) for word in words]
    assert places == sorted(places)
    done = run("list", "--json")
    assert_valid("list", done.json)
    (conversation,) = done.json["conversations"]
    told = [(one["id"], one["reader"], one["changed"]) for one in conversation["candidates"]]
    assert told == [
        ("skill:b", "skill", False),
        ("docs/b.md", "document", False),
        ("a.b", "lore", False),
        ("skill:a", "skill", False),
        ("docs/a.md", "document", False),
    ]
    assert conversation["gone"] == 0
    assert "changed" not in text


def test_a_changed_file_is_marked_and_one_that_has_gone_is_counted(project: Path) -> None:
    """Neither its id nor its title is shown any more, to nobody."""
    (project / "4.md").write_text("Otherwise\n")
    (project / "0.md").unlink()
    text = run("list").text
    assert [line for line in text.splitlines() if "changed since" in line] == [
        line for line in text.splitlines() if "skill:b" in line
    ]
    assert "docs/a.md" not in text
    assert "1 document that has gone is not shown." in text
    done = run("list", "--json")
    assert_valid("list", done.json)
    (conversation,) = done.json["conversations"]
    assert [one["id"] for one in conversation["candidates"] if one["changed"]] == ["skill:b"]
    assert (len(conversation["candidates"]), conversation["gone"]) == (4, 1)
    assert str(project) not in text + done.text


def test_a_conversation_whose_files_have_all_gone_says_so(project: Path) -> None:
    """It is not left out without a word, and the numbers go by kind."""
    for number in (0, 1, 3, 4):
        (project / f"{number}.md").unlink()
    assert "2 skills and 2 documents that have gone are not shown." in run("list").text


def test_of_a_part_its_lines_are_listed() -> None:
    """Pairs for programs, absent for a whole; for people as many as have room."""
    scattered = Lines(tuple((n, n) for n in range(1, 14, 4)), 2_000)
    for item_id, lines in (
        ("whole.md", None),
        ("part.md", Lines(((1, 220), (300, 310)), 480)),
        ("one.md", Lines(((7, 7),), 480)),
        ("scattered.md", scattered),
    ):
        keep("codex", "one", item_id, reader="document", lines=lines)
    done = run("list", "--json")
    assert_valid("list", done.json)
    scattered_, one, part, whole = done.json["conversations"][0]["candidates"]
    assert not {"lines", "of"} & set(whole)
    assert (part["lines"], part["of"]) == ([[1, 220], [300, 310]], 480)
    assert (one["lines"], one["of"]) == ([[7, 7]], 480)
    assert (scattered_["lines"], scattered_["of"]) == ([[n, n] for n in range(1, 14, 4)], 2_000)
    text = run("list").text
    assert "0 s ago, lines 1-220, 300-310 of 480\n" in text
    assert "0 s ago, line 7 of 480\n" in text
    assert "0 s ago, 4 of 2,000 lines in 4 places\n" in text
    assert text.count("of") == 3


def test_an_item_of_an_unknown_reader_is_still_listed() -> None:
    """As a newer readmark may have recorded one."""
    keep("codex", "one", "x", reader="telepathy")
    assert re.search(r"^No\. +Item +Title", run("list").text, re.MULTILINE)


def test_what_the_host_has_shown_by_now_settles_before_the_list(codex_read: Play) -> None:
    """A read is pending until its delivery is shown; no further hook is needed for a person to see it."""
    reference = codex_read(SHOWN_AT)
    assert held("codex", reference) == []
    assert "root.one" in run("list").text
    assert held("codex", reference) == ["root.one"]


def test_what_subagents_were_told_is_listed() -> None:
    """Each for programs; their number and the last of them for people."""
    keep("codex", "one")
    assert "told" not in run("list").text
    tell(["a.b"], 0)
    assert re.search(r"^  told 1 subagent, last \d s ago: 1 item$", run("list").text, re.MULTILINE)
    tell(["a.b", "c.d"], 3)
    text = run("list").text
    assert re.search(r"^  told 2 subagents, last \d s ago: 2 items, 3 left out$", text, re.MULTILINE)
    done = run("list", "--json")
    assert_valid("list", done.json)
    (conversation,) = done.json["conversations"]
    last, first = conversation["told"]
    assert (last["items"], last["leftOut"]) == (["a.b", "c.d"], 3)
    assert (first["items"], first["leftOut"]) == (["a.b"], 0)
    assert list(last) == ["at", "items", "leftOut"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", last["at"])


def test_a_number_that_may_be_higher_is_said_to_be() -> None:
    """Only the last ones are kept."""
    keep("codex", "one")
    for _ in range(TOLD + 1):
        tell(["a.b"], 0)
    assert f"told {TOLD} subagents or more, last " in run("list").text


@pytest.mark.usefixtures("proven")
def test_where_on_this_machine_a_read_came_from_is_shown_to_nobody(tmp_path: Path) -> None:
    """Neither in a list, for a person or a program, nor in a briefing, which names the place in the root."""
    root = tmp_path / "SECRET-root"
    root.mkdir()
    (root / "a.b.md").touch()
    (root / ".readmark.toml").write_text('documents = ["*.md"]\n')
    keep("codex", "one", "a.b.md", reader="document", file=File(str(root), "a.b.md", 123456789, 987654321))
    there = ("--host", "codex", "--conversation", "one", "--folder", str(root))
    for arguments in (("list",), ("list", "--json"), ("brief", *there), ("brief", *there, "--json")):
        done = run(*arguments)
        assert "a.b.md" in done.text
        for word in ("SECRET", "123456789", "987654321"):
            assert word not in done.text


def test_a_pending_read_is_said_to_wait(codex_read: Play) -> None:
    """Before the host shows the delivery there is no candidate, and a person sees why."""
    codex_read(READ_AT)
    text = run("list").text
    assert "1 more proven but for delivery" in " ".join(text.split())
    assert all(line.startswith("  ") for line in text.splitlines()[1:])
    (conversation,) = run("list", "--json").json["conversations"]
    assert conversation["candidates"] == []


def test_nothing_settles_for_a_host_that_is_off(codex_read: Play, proven: Path) -> None:
    """No evidence, no writes: a verdict that went takes settling along."""
    reference = codex_read(SHOWN_AT)
    (proven / "codex" / "0.171.0" / "verdict.json").unlink()
    assert run("list").code == 0
    assert held("codex", reference) == []


@pytest.mark.usefixtures("proven")
def test_a_budget_that_holds_no_item_is_said_to_be_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is something recorded, so the sentence for nothing would be wrong."""
    keep("codex", "one")
    monkeypatch.setenv(variable("briefing_units"), "5")
    done = run("brief", "--host", "codex", "--conversation", "one")
    assert (done.code, done.out) == (0, b"")
    assert "briefing_units" in done.err


def test_a_ledger_of_cleared_conversations_only_says_so() -> None:
    """The hooks work, so how to register them is not what is missing."""
    for reference in ("one", "two"):
        keep("codex", reference)
        run("clear", "--host", "codex", "--conversation", reference)
    told = " ".join(run("list").text.split())
    assert "of 2 cleared conversations only a mark is left" in told
    assert LATER in told
    assert "Nothing is recorded yet" not in told
    assert LATER in " ".join(run("list", "--host", "codex").text.split())
    assert run("list", "--json").json == {"state": "ready", "conversations": [], "leftOut": 0}


def test_a_fault_of_the_configuration_stops_no_list(
    codex_read: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The default limits hold, the fault stands beside it, and nothing is written by them."""
    reference = codex_read(SHOWN_AT)
    keep("codex", "other")
    monkeypatch.setenv(variable("candidates"), "many")
    done = run("list", "--json")
    assert done.code == 0
    assert {one["conversation"] for one in done.json["conversations"]} == {reference, "other"}
    assert "READMARK_CANDIDATES: must be a whole number from 1 to" in done.err
    monkeypatch.delenv(variable("candidates"))
    assert held("codex", reference) == []


def test_a_title_is_one_line_for_people_and_whole_for_programs() -> None:
    """No escape is cut in the middle, however wide the title is."""
    for pad in range(12):
        keep("codex", f"c{pad}", title="t" * pad + "\x1b" * 60)
    for line in run("list").text.splitlines():
        if "\\u" in line:
            assert re.fullmatch(r" *1  a\.b +t*(\\u001b)+…  .* ago", line), line
    titles = {c["title"] for one in run("list", "--json").json["conversations"] for c in one["candidates"]}
    assert titles == {"t" * pad + "\x1b" * 60 for pad in range(12)}


def test_host_and_conversation_narrow_the_list() -> None:
    """Each alone, both together, and neither."""
    for host, reference in (("codex", "one"), ("codex", "two"), ("claude-code", "one")):
        keep(host, reference)

    def listed(*options: str) -> set[tuple[str, str]]:
        found = run("list", "--json", *options).json["conversations"]
        return {(one["host"], one["conversation"]) for one in found}

    assert listed() == {("codex", "one"), ("codex", "two"), ("claude-code", "one")}
    assert listed("--host", "codex") == {("codex", "one"), ("codex", "two")}
    assert listed("--conversation", "one") == {("codex", "one"), ("claude-code", "one")}
    assert listed("--host", "codex", "--conversation", "one") == {("codex", "one")}
    assert listed("--host", "codex", "--conversation", "three") == set()


def test_newest_reads_come_first() -> None:
    """The ordinal orders, for programs and for people."""
    for item in ("first.one", "second.one"):
        keep("codex", "one", item)
    (conversation,) = run("list", "--json").json["conversations"]
    assert [one["id"] for one in conversation["candidates"]] == ["second.one", "first.one"]
    text = run("list").text
    assert text.index("second.one") < text.index("first.one")


def test_an_unavailable_ledger_is_never_an_empty_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code, state and reason say so."""
    keep("codex", "one")
    (state_home() / "ledger.db").write_bytes(b"no ledger at all" * 400)
    done = run("list", "--json")
    assert (done.code, done.json["state"], done.json["reason"]) == (4, "unavailable", "store-corrupt")
    assert_valid("list", done.json)
    told = run("list")
    assert (told.code, told.out) == (4, b"")
    assert "store-corrupt" in told.err
    monkeypatch.setenv("READMARK_HOME", "relative")
    assert run("list", "--json").json == {"state": "unavailable", "reason": "home-relative"}


def test_a_ledger_that_cannot_be_written_is_still_listed(
    codex_read: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is recorded shows; what could not settle is said beside it."""
    codex_read(SHOWN_AT)
    keep("codex", "other")
    monkeypatch.setattr(Ledger, "settle", lambda *_: Unavailable("store-read-only"))
    done = run("list", "--json")
    assert done.code == 0
    assert "other" in {one["conversation"] for one in done.json["conversations"]}
    assert "store-read-only" in done.err


@pytest.mark.usefixtures("proven")
def test_a_brief_is_the_subagents_text_byte_for_byte() -> None:
    """Nothing before it, nothing after it, in UTF-8 whatever the locale says."""
    keep("codex", "one", "a.b", title="道 <tag> 😀", applies_when="")
    done = process(
        "brief",
        "--host",
        "codex",
        "--conversation",
        "one",
        environ={"PYTHONIOENCODING": "cp1252", "LC_ALL": "C", "PYTHONUTF8": "0"},
    )
    assert (done.code, done.err) == (0, "")
    lines = done.text.split("\n")
    assert len(lines) == 2
    assert lines[1] == '{"id":"a.b","title":"道 \\u003ctag\\u003e 😀"}'


@pytest.mark.usefixtures("proven")
def test_a_brief_for_programs_counts_items_and_units(monkeypatch: pytest.MonkeyPatch) -> None:
    """`items` are those in the text, not those that were left out."""
    for number in range(40):
        keep("codex", "one", f"item.{number}", title="😀" * 20)
    monkeypatch.setenv(variable("briefing_units"), "600")
    done = run("brief", "--host", "codex", "--conversation", "one", "--json")
    assert_valid("brief", done.json)
    text, items = done.json["text"], done.json["items"]
    assert 0 < items < 40
    assert f"({40 - items} more left out.)" in text
    assert done.json["units"] == utf16_units(text) <= 600
    assert text == run("brief", "--host", "codex", "--conversation", "one").text


def test_a_brief_settles_first(codex_read: Play) -> None:
    """A subagent's start would settle too."""
    reference = codex_read(SHOWN_AT)
    assert '"root.one"' in run("brief", "--host", "codex", "--conversation", reference).text


@pytest.mark.usefixtures("proven")
def test_nothing_to_say_is_nothing_on_standard_output() -> None:
    """A reference with a slip in it is said to be unknown, wherever standard error goes."""
    done = run("brief", "--host", "codex", "--conversation", "one")
    assert (done.code, done.out) == (0, b"")
    assert "nothing is recorded of that conversation" in done.err
    told = run("brief", "--host", "codex", "--conversation", "one", "--json").json
    assert told == {"state": "ready", "text": "", "items": 0, "units": 0}


@pytest.mark.usefixtures("proven")
def test_where_no_file_can_be_told_of_a_person_is_told_why(tmp_path: Path) -> None:
    """That is not the same as a reference with a slip in it."""
    project, other = tmp_path / "project", tmp_path / "other"
    project.mkdir()
    other.mkdir()
    (project / ".readmark.toml").write_text('documents = ["docs/*.md"]\n')
    file = File(str(project), "docs/gone.md", 1, 1)
    keep("codex", "one", "docs/gone.md", reader="document", file=file)
    asked = ("brief", "--host", "codex", "--conversation", "one", "--folder")
    gone = run(*asked, str(project))
    assert (gone.code, gone.out) == (0, b"")
    assert "have gone" in gone.err
    elsewhere = run(*asked, str(other))
    assert (elsewhere.code, elsewhere.out) == (0, b"")
    assert "--folder names another folder" in " ".join(elsewhere.err.split())


@pytest.mark.usefixtures("proven")
@pytest.mark.parametrize(("text", "code"), [("enabled = false", 3), ("enabled = perhaps", 4)])
def test_in_a_project_that_is_off_there_is_no_briefing(tmp_path: Path, text: str, code: int) -> None:
    """A subagent there would receive nothing."""
    keep("codex", "one")
    (tmp_path / ".readmark.toml").write_text(text)
    done = run("brief", "--host", "codex", "--conversation", "one", "--folder", str(tmp_path))
    assert (done.code, done.out) == (code, b"")
    assert "project" in done.err


def test_no_subagent_of_a_host_that_is_off_receives_anything() -> None:
    """So there is no text to print, and the reason is named."""
    keep("codex", "one")
    done = run("brief", "--host", "codex", "--conversation", "one")
    assert (done.code, done.out) == (3, b"")
    assert "host-unproven" in done.err
    told = run("brief", "--host", "codex", "--conversation", "one", "--json")
    assert_valid("brief", told.json)
    assert (told.code, told.json["state"], told.json["reason"]) == (3, "skipped", "host-unproven")


@pytest.mark.usefixtures("proven")
def test_a_brief_of_a_broken_ledger_exits_4() -> None:
    """Unavailable is not "nothing to say"."""
    keep("codex", "one")
    (state_home() / "ledger.db").write_bytes(b"no ledger at all" * 400)
    done = run("brief", "--host", "codex", "--conversation", "one")
    assert (done.code, done.out) == (4, b"")
    told = run("brief", "--host", "codex", "--conversation", "one", "--json")
    assert_valid("brief", told.json)
    assert told.json["state"] == "unavailable"


def test_two_stores_of_one_conversation_can_be_told_apart() -> None:
    """Two projects may each have a `docs/a.md`; where there is only one store, nothing is said of it."""
    for scope in ("0123456789abcdef", "fedcba9876543210"):
        keep("codex", "two", "docs/a.md", reader="document", store_scope=scope)
    keep("codex", "one", "docs/a.md", reader="document", store_scope="0123456789abcdef")
    two = run("list", "--conversation", "two").text
    assert re.search(r"Document +Store +Title", two)
    rows = re.findall(r"docs/a\.md +(\w+)", two)
    assert rows == ["fedcba987654", "0123456789ab"]
    assert "Store" not in run("list", "--conversation", "one").text


def test_a_limit_shows_the_latest_conversations_and_says_what_it_left_out() -> None:
    """By default there is none."""
    for reference in ("one", "two", "three"):
        keep("codex", reference)
    few, all_ = run("list", "--limit", "2"), run("list", "--limit", "3")
    assert [name in few.text for name in ("codex three", "codex two", "codex one")] == [True, True, False]
    assert "1 conversation more" in few.text
    assert "more" not in all_.text
    assert all_.text == run("list").text
    told = run("list", "--limit", "1", "--json").json
    assert_valid("list", told)
    assert ([one["conversation"] for one in told["conversations"]], told["leftOut"]) == (["three"], 2)
    assert run("list", "--limit", "0").code == 2


def test_columns_count_where_they_are_stated() -> None:
    """In a pipe, too; without them it has 80, and a word that is no number is none."""
    keep("codex", "one", title="A title of many words " * 9)
    widths = {
        columns: max(map(len, process("list", environ={"COLUMNS": columns}).text.splitlines()))
        for columns in ("", "40", "60", "200", "wide")
    }
    assert widths == {"": 80, "40": 40, "60": 60, "200": 200, "wide": 80}


def test_a_title_of_any_script_is_cut_at_the_same_column() -> None:
    """Whether a letter takes one column or two, and whatever must be escaped."""
    for number, title in enumerate(("plain " * 30, "é" * 120, "道" * 120, "\u202e" * 40)):
        keep("codex", "one", f"a.{number}", title=title)
    lines = process("list", environ={"COLUMNS": "60"}).text.splitlines()[3:]
    assert len(lines) == 4
    assert {cell_len(line.partition("ago")[0]) for line in lines} == {57}
    assert all("…" in line for line in lines)

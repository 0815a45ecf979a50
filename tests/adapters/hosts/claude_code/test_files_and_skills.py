"""What the Read and the Skill tool gave, each field of it wrong in turn, and what settles it.

The good payloads are those of `file_whole` and `skill_project`; the transcript's lines have the form that
those runs left.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.hosts import claude_code
from adapters.hosts.claude_delivery import SETTLE_BYTES
from adapters.readers import sent
from contracts.conversation import Conversation
from contracts.event import Delivered, FileResult, HostEvent, Ignored, SkillResult
from contracts.outcome import Skipped
from contracts.read import File, Locator, PendingRead, Read, result_digest

Parsed = HostEvent | Skipped
Payload = Callable[..., dict[str, Any]]

EMPTY = [None, "", [], {}]
OTHER = [*EMPTY, 5, True, ["x"], {"x": 1}]
TEXT = "# Guide\n\n\tindented by a tab\nLast line.\n"
NUMBERED = "1\t# Guide\n2\t\n3\t\tindented by a tab\n4\tLast line.\n5\t"
SKILL = "---\nname: reading\n---\n# Reading\n"
SKILL_TEXT = "Base directory for this skill: {}\n\n# Reading\n"
ID = "toolu_lab000200"
HERE = Conversation("claude-code", "5cd3f2a8-35a8-4ee7-a7c2-cb50a0b0dc86")


def parse(payload: dict[str, Any]) -> Parsed:
    """Hand a payload to the adapter; Markdown concerns a reader."""
    return claude_code.parse(msgspec.json.encode(payload), lambda asked: ".md" in asked)


def file(**fields: Any) -> dict[str, Any]:
    """Return a result of the Read tool with some fields of the file changed."""
    good = {"filePath": "/p/a.md", "content": TEXT, "numLines": 5, "startLine": 1, "totalLines": 5}
    return {"type": "text", "file": good | fields}


@pytest.fixture
def read(payload: Payload) -> Payload:
    """Give a good payload of the Read tool with some fields changed."""
    return lambda **fields: (
        payload(tool_name="Read", tool_input={"file_path": "/p/a.md"}, tool_response=file()) | fields
    )


@pytest.fixture
def skill(payload: Payload) -> Payload:
    """Give a good payload of the Skill tool with some fields changed."""
    gave = {"success": True, "commandName": "reading"}
    return lambda **fields: (
        payload(tool_name="Skill", tool_input={"skill": "reading"}, tool_response=gave) | fields
    )


def without(payload: dict[str, Any], key: str) -> dict[str, Any]:
    """Return the payload less one key."""
    return {name: value for name, value in payload.items() if name != key}


def test_a_whole_file_and_a_loaded_skill_are_results(read: Payload, skill: Payload) -> None:
    """With what the model will be shown, and where."""
    found = parse(read())
    assert isinstance(found, FileResult)
    assert (found.event_id, found.path, found.content) == (ID, "/p/a.md", TEXT)
    assert found.locator == Locator(read()["transcript_path"], 0)
    loaded = parse(skill())
    assert isinstance(loaded, SkillResult)
    assert (loaded.event_id, loaded.name, loaded.shown) == (ID, "reading", "Launching skill: reading")


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"startLine": "1"}, "output-partial"),
        ({"startLine": 1.5}, "output-partial"),
        ({"content": None}, "output-partial"),
        ({"content": ["x"]}, "output-partial"),
    ],
)
def test_a_file_of_another_form_is_refused(changed: dict[str, Any], reason: str, read: Payload) -> None:
    """Nothing says what the model got of it."""
    assert parse(read(tool_response=file(**changed))) == Skipped(reason)


@pytest.mark.parametrize(("first", "total"), [(1, 5), (2, 9), (0, 5), (100, 480)])
def test_a_part_of_a_file_says_where_it_begins(first: int, total: int, read: Payload) -> None:
    """By the host's own count of lines (`file_part`)."""
    found = parse(read(tool_response=file(startLine=first, totalLines=total)))
    assert isinstance(found, FileResult)
    assert (found.first, found.content) == (first, TEXT)


def test_a_file_that_the_host_cut_has_whole_lines(read: Payload) -> None:
    """It ends between two of them (`file_long`)."""
    found = parse(read(tool_response=file(truncatedByTokenCap=True, content="one\ntwo")))
    assert isinstance(found, FileResult)
    assert found.content == "one\ntwo"


@pytest.mark.parametrize("key", ["content", "startLine"])
def test_a_file_without_a_recorded_field_is_refused(key: str, read: Payload) -> None:
    """Nothing says then what the model got of it."""
    assert parse(read(tool_response={"type": "text", "file": without(file()["file"], key)})) == Skipped(
        "output-partial"
    )


@pytest.mark.parametrize("kind", ["file_unchanged", "image", "notebook", "pdf", "parts", "Text", *OTHER])
def test_another_kind_of_result_gave_no_text(kind: object, read: Payload) -> None:
    """An unchanged file is not given again (`file_again`)."""
    assert parse(read(tool_response=file() | {"type": kind})) == Skipped("output-partial")


@pytest.mark.parametrize("response", OTHER)
def test_a_result_of_another_form_is_refused(response: object, read: Payload, skill: Payload) -> None:
    """Of neither tool."""
    assert parse(read(tool_response=response)) == Skipped("output-partial")
    assert parse(without(read(), "tool_response")) == Skipped("output-partial")
    assert parse(skill(tool_response=response)) == Skipped("contract-mismatch")
    assert parse(without(skill(), "tool_response")) == Skipped("contract-mismatch")


@pytest.mark.parametrize("empty", [*EMPTY, False])
def test_an_empty_mark_counts_as_absent(empty: object, read: Payload, skill: Payload) -> None:
    """A key that exists and holds nothing says nothing."""
    assert isinstance(parse(read(tool_response=file(truncatedByTokenCap=empty))), FileResult)
    gave = {"success": True, "status": empty}
    assert isinstance(parse(skill(tool_response=gave)), SkillResult)


@pytest.mark.parametrize(
    ("gave", "reason"),
    [
        ({"success": False, "commandName": "reading"}, "call-failed"),
        ({"success": True, "status": "forked", "agentId": "a", "result": "x"}, "call-failed"),
        ({"success": True, "status": "inline"}, "call-failed"),
        ({"success": True, "status": 5}, "call-failed"),
        ({"success": "true"}, "contract-mismatch"),
        ({"success": None}, "contract-mismatch"),
        ({"commandName": "reading"}, "contract-mismatch"),
    ],
)
def test_a_skill_that_was_not_loaded_here_is_refused(
    gave: dict[str, Any], reason: str, skill: Payload
) -> None:
    """It failed, or a subagent of its own read it (`skill_forked`)."""
    assert parse(skill(tool_response=gave)) == Skipped(reason)


@pytest.mark.parametrize("value", OTHER)
def test_what_was_asked_for_must_be_a_text(value: object, read: Payload, skill: Payload) -> None:
    """An empty one names nothing."""
    for made, key in ((read, "file_path"), (skill, "skill")):
        found = parse(made(tool_input={key: value}))
        if value == "":
            assert isinstance(found, Ignored if made is read else SkillResult)
        else:
            assert found == Skipped("contract-mismatch")
        assert parse(made(tool_input=value)) == Skipped("contract-mismatch")
        assert parse(without(made(), "tool_input")) == Skipped("contract-mismatch")


@pytest.mark.parametrize("value", [*EMPTY, "a4efb740a84f32ef8", False])
def test_a_subagents_read_is_refused_before_its_result_is_asked_for(
    value: object, read: Payload, skill: Payload
) -> None:
    """The key alone tells (`file_subagent`, `skill_subagent`)."""
    for made in (read, skill):
        assert parse(made(agent_id=value, tool_response=None)) == Skipped("actor-subagent")


def test_a_failure_is_refused_after_conversation_and_actor(read: Payload, skill: Payload) -> None:
    """It is an event of its own, without a result."""
    for made in (read, skill):
        failed = without(made(hook_event_name="PostToolUseFailure", error="x"), "tool_response")
        assert parse(failed) == Skipped("call-failed")
        assert parse(failed | {"agent_id": "a"}) == Skipped("actor-subagent")
        assert parse(failed | {"session_id": ""}) == Skipped("conversation-unproven")


@pytest.mark.parametrize("empty", EMPTY)
def test_without_an_id_it_could_never_settle(empty: object, read: Payload, skill: Payload) -> None:
    """Absent or empty, or of a form that no id has."""
    for made in (read, skill):
        assert parse(made(tool_use_id=empty)) == Skipped("delivery-unproven")
        assert parse(made(tool_use_id="x" * 257)) == Skipped("contract-mismatch")


def test_another_file_and_another_tool_concern_nobody(read: Payload) -> None:
    """Neither a file that is no Markdown, nor a tool that writes one."""
    for fields in (
        {"tool_input": {"file_path": "/p/a.py"}},
        {"tool_name": "Write"},
        {"tool_name": "Edit"},
        {"tool_name": "skill"},
    ):
        assert isinstance(parse(read(**fields)), Ignored)


def test_a_batch_gives_the_texts_of_files_and_skills(payload: Payload) -> None:
    """Of those that concern a reader; a call that the host refused has no path (`skill_missing`)."""
    calls = [
        {"tool_name": "Read", "tool_input": {"file_path": "/p/a.md"}, "tool_response": NUMBERED},
        {"tool_name": "Read", "tool_input": {"file_path": "/p/a.py"}, "tool_response": "1\tx"},
        {"tool_name": "Skill", "tool_input": {"skill": "a"}, "tool_response": "Launching skill: a"},
        {"tool_name": "Skill", "tool_input": {}, "tool_response": "<tool_use_error>"},
        {"tool_name": "Read", "tool_input": {"file_path": 5}, "tool_response": "x"},
    ]
    numbered = [call | {"tool_use_id": f"toolu_{number}"} for number, call in enumerate(calls)]
    found = parse(payload(hook_event_name="PostToolBatch", tool_calls=numbered))
    assert isinstance(found, Delivered)
    assert found.texts == {"toolu_0": NUMBERED, "toolu_2": "Launching skill: a"}


class Waiting:
    """A pending read of a file or a skill below a folder, with its transcript."""

    def __init__(self, folder: Path) -> None:
        """Make a skill and an empty transcript."""
        self.folder = folder / "project" / "skills" / "reading"
        self.folder.mkdir(parents=True)
        self.file = self.folder / "SKILL.md"
        self.file.write_text(SKILL)
        self.root = folder / "project"
        self.transcript = folder / "transcript.jsonl"
        self.transcript.touch()
        self.writes(call())
        self.began = self.transcript.stat().st_size

    def restart(self, first: dict[str, Any]) -> None:
        """Begin the transcript anew, with another line before the event."""
        self.transcript.write_bytes(b"")
        self.writes(first)
        self.began = self.transcript.stat().st_size

    def of(self, shown: str) -> PendingRead:
        """Return the read by what the model is shown of it."""
        found = File(str(self.root), "skills/reading/SKILL.md", 1, 1)
        digest = f"sha256:{sha256(SKILL.encode()).hexdigest()}"
        read = Read("skill", "scope", "skill:reading", digest, "T", "W", (), found)
        return PendingRead(ID, (read,), result_digest(shown), Locator(str(self.transcript), self.began), 0)

    def settled(self, event: HostEvent | None = None, shown: str = "Launching skill: reading") -> bool | None:
        """Return whether the read was delivered; None while it stays pending."""
        found = claude_code.settle(event, [self.of(shown)], sent)
        return bool(found[0].reads) if found else None

    def writes(self, *records: dict[str, Any] | bytes) -> None:
        """Append records to the transcript."""
        with self.transcript.open("ab") as opened:
            for record in records:
                opened.write(record if isinstance(record, bytes) else msgspec.json.encode(record) + b"\n")


@pytest.fixture
def waiting(tmp_path: Path) -> Waiting:
    """Return a read that waits."""
    return Waiting(tmp_path)


def result(text: object = "Launching skill: reading", **fields: Any) -> dict[str, Any]:
    """Return the transcript's line of the call's result."""
    block = {"type": "tool_result", "tool_use_id": ID, "content": text}
    return {"type": "user", "isSidechain": False, "message": {"role": "user", "content": [block]}} | fields


def call(**fields: Any) -> dict[str, Any]:
    """Return the transcript's line of the call, which stands before its hook's event."""
    block = {"type": "tool_use", "id": ID, "name": "Skill", "input": {"skill": "reading"}} | fields
    return {"type": "assistant", "isSidechain": False, "message": {"role": "assistant", "content": [block]}}


def text_from(folder: Path | str, **fields: Any) -> dict[str, Any]:
    """Return the transcript's line of the skill's text."""
    shown = f"Base directory for this skill: {folder}\n\n# Reading\n"
    return {
        "type": "user",
        "isSidechain": False,
        "isMeta": True,
        "sourceToolUseID": ID,
        "message": {"role": "user", "content": [{"type": "text", "text": shown}]},
    } | fields


@pytest.mark.parametrize(
    ("text", "delivered"),
    [
        (NUMBERED, True),
        (TEXT, True),
        (NUMBERED.replace("3\t", "4\t", 1), False),
        (NUMBERED.replace("1\t", "     1→", 1), False),
        (NUMBERED.removesuffix("\n5\t"), True),
        (NUMBERED.removesuffix("\n4\tLast line.\n5\t"), False),
        (NUMBERED + "\n6\tmore", False),
        ("<tool_use_error>File has not been read</tool_use_error>", False),
        ("File unchanged since last read.", False),
    ],
)
def test_a_batch_settles_a_file_by_its_numbered_lines(
    waiting: Waiting, text: str, *, delivered: bool
) -> None:
    """Each number counts, and white space around the text does not."""
    assert waiting.settled(Delivered(HERE, {ID: text}), TEXT) is delivered
    waiting.writes(result(text))
    assert waiting.settled(None, TEXT) is delivered


def test_a_batch_does_not_settle_a_skill(waiting: Waiting) -> None:
    """It holds no more than the name."""
    assert waiting.settled(Delivered(HERE, {ID: "Launching skill: reading"})) is None


def test_a_batch_that_says_something_else_of_a_skill_refutes_it(waiting: Waiting) -> None:
    """Another hook may replace a result."""
    assert waiting.settled(Delivered(HERE, {ID: "Skill reading completed"})) is False


def test_a_skill_settles_by_the_folder_that_its_model_is_told(waiting: Waiting) -> None:
    """Not before, and not by the result alone."""
    assert waiting.settled() is None
    waiting.writes(result())
    assert waiting.settled() is None
    waiting.writes(text_from(waiting.folder))
    assert waiting.settled() is True
    assert waiting.settled(Delivered(HERE, {ID: "Launching skill: reading"})) is True


@pytest.mark.parametrize(
    "fields",
    [
        {"id": "toolu_other"},
        {"name": "Task"},
        {"name": None},
        {"type": "text"},
        {"input": None},
        {"input": ["x"]},
        {"input": {"args": 5}},
    ],
)
def test_without_the_call_itself_nothing_tells_its_arguments(
    waiting: Waiting, fields: dict[str, Any]
) -> None:
    """Then nobody can say what the host made of the file."""
    waiting.restart(call(**fields))
    waiting.writes(result(), text_from(waiting.folder))
    assert waiting.settled() is None


def test_the_call_may_be_written_late(waiting: Waiting) -> None:
    """After its hook, but before what came of it."""
    waiting.restart({"type": "user", "isSidechain": False})
    waiting.writes(call(), result(), text_from(waiting.folder))
    assert waiting.settled() is True


def test_a_subagents_call_is_not_the_roots(waiting: Waiting) -> None:
    """Nor is a line of another kind."""
    for other in ({"isSidechain": True}, {"type": "user"}):
        waiting.restart(call() | other)
        waiting.writes(result(), text_from(waiting.folder))
        assert waiting.settled() is None


@pytest.mark.parametrize("arguments", [None, "", "to the moon"])
def test_the_arguments_of_that_very_call_are_in_the_text(waiting: Waiting, arguments: str | None) -> None:
    """And no others: what else stands in their place was in the file (`skill_deleted`)."""
    waiting.restart(call(input={"skill": "reading", "args": arguments}))
    text = f"{SKILL_TEXT}\n\nARGUMENTS: to the moon"
    waiting.writes(result(), text_from(waiting.folder, message={"content": text.format(waiting.folder)}))
    assert waiting.settled() is (arguments == "to the moon")


def test_a_text_before_its_result_settles_nothing(waiting: Waiting) -> None:
    """The result may still be a refusal."""
    waiting.writes(text_from(waiting.folder))
    assert waiting.settled() is None
    waiting.writes(result("The user doesn't want to proceed", message={"role": "user", "content": []}))
    assert waiting.settled() is None


def test_the_same_folder_by_a_link_is_the_same(waiting: Waiting, tmp_path: Path) -> None:
    """The project may be reached through a link, or the skill be one."""
    (tmp_path / "link").symlink_to(waiting.root)
    waiting.writes(result(), text_from(tmp_path / "link" / "skills" / "reading"))
    assert waiting.settled() is True


def test_a_file_that_is_a_link_is_what_it_leads_to(waiting: Waiting, tmp_path: Path) -> None:
    """The host follows it (`skill_link_home`)."""
    (tmp_path / "dotfiles").mkdir()
    waiting.file.rename(tmp_path / "dotfiles" / "SKILL.md")
    waiting.file.symlink_to(tmp_path / "dotfiles" / "SKILL.md")
    waiting.writes(result(), text_from(waiting.folder))
    assert waiting.settled() is True


@pytest.mark.parametrize(
    "folder",
    [
        "{}/skills",
        "{}/skills/reading/more",
        "{}/other/skills/reading",
        "skills/reading",
        "",
        "a\0b",
        "/" * 5000,
    ],
)
def test_another_folder_refutes_it(waiting: Waiting, folder: str) -> None:
    """Of two skills of one name the host loaded the other (`skill_twins`)."""
    waiting.writes(result(), text_from(folder.replace("{}", str(waiting.root))))
    assert waiting.settled() is False


def test_a_text_of_before_an_edit_refutes_it(waiting: Waiting) -> None:
    """The host sent what it knew before the file was written (`skill_edited`)."""
    content = f"Base directory for this skill: {waiting.folder}\n\n# Writing\n"
    waiting.writes(result(), text_from(waiting.folder, message={"role": "user", "content": content}))
    assert waiting.settled() is False


def test_a_file_that_changed_since_shows_nothing(waiting: Waiting) -> None:
    """Nobody can tell any more what it held, so the read waits until it expires."""
    waiting.writes(result(), text_from(waiting.folder))
    for written in (SKILL + "More.\n", "", SKILL + "x" * 2_000_000):
        waiting.file.write_text(written)
        assert waiting.settled() is None


def _gone(_: Path) -> None:
    pass


@pytest.mark.parametrize("becomes", [_gone, os.mkfifo, os.mkdir])
def test_what_is_no_file_any_more_shows_nothing(waiting: Waiting, becomes: Callable[[Path], None]) -> None:
    """A pipe without a writer does not hold the hook up."""
    waiting.writes(result(), text_from(waiting.folder))
    waiting.file.unlink()
    becomes(waiting.file)
    assert waiting.settled() is None


@pytest.mark.parametrize(
    "changed",
    [
        {"isSidechain": True},
        {"isMeta": False},
        {"isMeta": None},
        {"isMeta": "true"},
        {"type": "assistant"},
        {"sourceToolUseID": "toolu_other"},
        {"sourceToolUseID": [ID]},
        {"message": None},
        {"message": ["x", ID]},
        {"message": {"content": None}},
        {"message": {"content": "Skill already loaded above; follow its instructions."}},
        {"message": {"content": [{"type": "text", "text": "Base directory of this skill: /x"}]}},
        {"message": {"content": [{"type": "image", "source": {}}]}},
    ],
)
def test_no_other_line_shows_a_skills_text(waiting: Waiting, changed: dict[str, Any]) -> None:
    """A subagent's, the user's own, another call's, or the host says that it is there already."""
    waiting.writes(result(), text_from(waiting.folder, **changed))
    assert waiting.settled() is None


def test_a_cut_line_shows_nothing_until_it_is_whole(waiting: Waiting) -> None:
    """The host may be writing it."""
    line = msgspec.json.encode(text_from(waiting.folder))
    waiting.writes(result(), line[:-20])
    assert waiting.settled() is None
    waiting.writes(line[-20:] + b"\n")
    assert waiting.settled() is True


@pytest.mark.parametrize(
    "changed",
    [{"isSidechain": True}, {"type": "assistant"}],
)
def test_a_result_on_a_sidechain_is_not_the_roots(waiting: Waiting, changed: dict[str, Any]) -> None:
    """Nor is the model's own word a result."""
    waiting.writes(result(**changed), text_from(waiting.folder))
    assert waiting.settled() is None


def test_a_failed_call_refutes_it(waiting: Waiting) -> None:
    """The user rejected it, or an Esc came."""
    block = {
        "type": "tool_result",
        "tool_use_id": ID,
        "content": "Launching skill: reading",
        "is_error": True,
    }
    waiting.writes(result(message={"role": "user", "content": [block]}), text_from(waiting.folder))
    assert waiting.settled() is False


def test_a_document_that_begins_like_a_skills_result_is_never_claimed(waiting: Waiting) -> None:
    """Only its own transcript's line could tell, and a file has none."""
    text = "Launching skill: x\n"
    assert waiting.settled(Delivered(HERE, {ID: text}), text) is None


def test_a_window_full_of_others_is_looked_through_within_its_bound(waiting: Waiting) -> None:
    """What comes after it is not reached."""
    waiting.writes(
        b'{"type":"user","x":"' + b"x" * SETTLE_BYTES + b'"}\n', result(), text_from(waiting.folder)
    )
    assert waiting.settled() is None


QUICK = settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.just(ID) | st.just(1),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
FIELDS = ["type", "message", "isSidechain", "isMeta", "sourceToolUseID", "content"]


@QUICK
@given(text=st.text(), shown=st.text(), folder=st.text())
def test_no_text_makes_it_raise(waiting: Waiting, text: str, shown: str, folder: str) -> None:
    """Whatever a batch, a file and a transcript say."""
    waiting.transcript.write_bytes(b"")
    waiting.writes(result(text), text_from(folder))
    for event in (None, Delivered(HERE, {ID: text})):
        found = waiting.settled(event, shown)
        assert found is not True or result_digest(shown) in {
            result_digest(text),
            result_digest("\n".join(line.partition("\t")[2] for line in text.split("\n"))),
        }


@QUICK
@given(changed=st.dictionaries(st.sampled_from(FIELDS), JSON))
def test_no_line_of_a_transcript_makes_it_raise(waiting: Waiting, changed: dict[str, Any]) -> None:
    """And none but the right one settles."""
    waiting.transcript.write_bytes(b"")
    waiting.writes(call(), result(), text_from(waiting.folder, **changed))
    unharmed = all(
        msgspec.json.encode(text_from(waiting.folder).get(key)) == msgspec.json.encode(value)
        for key, value in changed.items()
        if key != "content"
    )
    assert waiting.settled() is True or not unharmed or "message" in changed


@QUICK
@given(
    changed=st.dictionaries(st.sampled_from(["type", "file"]), JSON),
    fields=st.dictionaries(
        st.sampled_from(["content", "startLine", "numLines", "totalLines", "truncatedByTokenCap"]), JSON
    ),
)
def test_no_result_makes_it_raise(read: Payload, changed: dict[str, Any], fields: dict[str, Any]) -> None:
    """A result that comes through has a text and a place."""
    found = parse(read(tool_response=file(**fields) | changed))
    assert isinstance(found, FileResult | Skipped)
    if isinstance(found, FileResult):
        assert changed.get("type", "text") == "text"

"""What a payload's shape is, how a payload departs from it, and what differs between two versions."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from adapters.evidence.diff import line, order, order_changes, shape_changes
from adapters.evidence.shapes import shapes, text
from contracts.evidence import RecordedEvent, Recording
from contracts.report.evidence import Changed
from contracts.shape import Field, Shape, departs, kind_of

STRING = Field(("string",), always=True)
NUMBER = Field(("number",), always=False)
SHAPE: Shape = {"id": STRING, "size": NUMBER, "way": Field(("null", "string"), always=True)}


def recording(*events: tuple[str, Any], scenario: str = "made") -> Recording:
    """Return a recording of these payloads, in order."""
    made = [RecordedEvent(event=name, stdin=payload) for name, payload in events]
    return Recording("codex", "1.0.0", scenario, made)


def concerns(command: str) -> bool:
    """Whether a command is a reader's, here."""
    return command.startswith("read")


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (True, "bool"),
        (0, "number"),
        (0.5, "number"),
        ("", "string"),
        ([], "array"),
        ({}, "object"),
        (None, "null"),
    ],
)
def test_the_kind_of_a_value_is_its_json_type(value: Any, kind: str) -> None:
    """A truth value is no number, though Python says so; whole and other numbers are one."""
    assert kind_of(value) == kind


@pytest.mark.parametrize(
    "value",
    [
        {"id": "a", "size": 1, "way": "/x"},
        {"id": "a", "size": 1.5, "way": None},
        {"id": "a", "way": ""},
    ],
    ids=["all", "other kinds of those recorded", "without what is not always there"],
)
def test_an_object_of_the_recorded_shape_does_not_depart(value: Any) -> None:
    """Values are free, fields and types are not."""
    assert departs(value, SHAPE) is None


@pytest.mark.parametrize(
    ("value", "departure"),
    [
        ({"size": 1, "way": None}, "id"),
        ({"id": None, "way": None}, "id"),
        ({"id": "a", "size": True, "way": None}, "size"),
        ({"id": "a", "size": "1", "way": 5}, "size"),
        ({"id": "a", "size": 1, "way": None, "ghp_secret": 1}, "a new field"),
        ({}, "id"),
        ([], "no object"),
        (None, "no object"),
        ("id", "no object"),
    ],
    ids=["missing", "null", "a truth value", "the first by name", "new", "empty", "array", "null", "text"],
)
def test_an_object_departs_by_a_missing_field_another_type_or_a_new_field(value: Any, departure: str) -> None:
    """The first one is named, by the recorded name; the name of a new field is not ours to repeat."""
    assert departs(value, SHAPE) == departure


def test_the_empty_shape_fits_only_the_empty_object() -> None:
    """Nothing recorded means that everything is new."""
    assert departs({}, {}) is None
    assert departs({"a": 1}, {}) == "a new field"


def test_shapes_are_gathered_over_all_payloads_of_all_recordings() -> None:
    """A field that one payload lacks is not always there; a process of a tool is no payload."""
    runs = [
        recording(("Stop", {"id": "a", "way": None}), ("Start", {"id": "b"})),
        recording(("Stop", {"id": "b", "way": "/x", "size": 3})),
        Recording("codex", "1.0.0", "tool", [RecordedEvent(tool_process=["read"])]),
        Recording("codex", "1.0.0", "nameless", [RecordedEvent(stdin={"id": "c"})]),
    ]

    assert shapes(runs, concerns) == {"Start": {"id": STRING}, "Stop": SHAPE}


def call(command: Any, response: Any) -> tuple[str, dict[str, Any]]:
    """Return the payload of a call."""
    return ("Used", {"tool_name": "Bash", "tool_input": {"command": command}, "tool_response": response})


def used(tool: Any, given: Any, response: Any) -> tuple[str, dict[str, Any]]:
    """Return the payload of a call of any tool."""
    return ("Used", {"tool_name": tool, "tool_input": given, "tool_response": response})


def test_each_tool_that_reads_has_shapes_of_its_own() -> None:
    """What a file's tool gives is no more like what a shell gives than the two tools are."""
    found = shapes(
        [
            recording(
                call("read x", {"out": ""}),
                used("Read", {"file_path": "read.md"}, {"file": {"lines": 1, "cut": True}}),
                used("Read", {"file_path": "read.md", "limit": 2}, {"file": {"lines": 1}}),
                used("Read", {"file_path": "other"}, {"secret": 1}),
                used("Skill", {"skill": "of any name"}, {"success": True}),
                used("Write", {"file_path": "read.md"}, {"secret": 1}),
                used(5, {"file_path": "read.md"}, {"secret": 1}),
            )
        ],
        concerns,
    )

    assert found["Used.Bash.tool_response"] == {"out": STRING}
    assert found["Used.Read.tool_input"] == {
        "file_path": Field(("string",), always=False),
        "limit": NUMBER,
    }
    assert found["Used.Read.tool_response"] == {"file": Field(("object",), always=True)}
    assert found["Used.Read.tool_response.file"] == {
        "cut": Field(("bool",), always=False),
        "lines": Field(("number",), always=True),
    }
    assert found["Used.Skill.tool_response"] == {"success": Field(("bool",), always=True)}
    assert [name for name in found if "Write" in name or "5" in name] == []


def test_only_what_a_readers_command_gave_is_looked_into() -> None:
    """What is given to others concerns nobody; a text has no fields."""
    found = shapes(
        [
            recording(
                call("read x", {"out": "1", "cut": True}),
                call("read y", {"out": "1"}),
                call("read z", "plain"),
                call("other", {"secret": 1}),
                used("Bash", "no object", {"secret": 1}),
                used("Bash", {"no": "command"}, {"secret": 1}),
            )
        ],
        concerns,
    )

    assert found["Used.Bash.tool_response"] == {"cut": Field(("bool",), always=False), "out": STRING}
    assert found["Used"]["tool_response"] == Field(("object", "string"), always=True)


def test_what_a_tool_is_given_is_the_models_choice_and_never_always_there() -> None:
    """A scripted model that always fills a field proves nothing of others."""
    found = shapes([recording(call("read x", {}), call("read y", {}))], concerns)

    assert found["Used.Bash.tool_input"] == {"command": Field(("string",), always=False)}
    assert found["Used.Bash.tool_response"] == {}


def test_shapes_are_kept_as_json_that_reads_back() -> None:
    """One field a few lines, so that a change is a small difference."""
    kept = text({"Stop": SHAPE})

    assert msgspec.json.decode(kept, type=dict[str, Shape]) == {"Stop": SHAPE}
    assert kept.endswith(b"}\n")


def test_a_change_of_shape_is_one_line_with_its_sign() -> None:
    """Sorted by event and field; what is the same is not said."""
    old: dict[str, Shape] = {"Gone": {}, "Same": SHAPE, "Stop": {"a": STRING, "b": STRING, "d": NUMBER}}
    new: dict[str, Shape] = {
        "New": {},
        "Same": SHAPE,
        "Stop": {"b": Field(("null", "string"), always=False), "c": NUMBER, "d": NUMBER},
    }

    assert list(map(line, shape_changes(old, new))) == [
        "- Gone: gone",
        "+ New: new",
        "- Stop.a: gone (was string)",
        "~ Stop.b: string -> null or string, not always",
        "+ Stop.c: new (number, not always)",
    ]
    assert list(shape_changes(old, old)) == []


def test_the_order_names_a_row_of_equal_events_once() -> None:
    """How many ran side by side is no order; processes of tools are left out."""
    run = recording(("Pre", {}), ("Pre", {}), ("Post", {}), ("Pre", {}))
    between = RecordedEvent(tool_process=["read"])
    run = msgspec.structs.replace(run, events=[run.events[0], between, *run.events[1:]])

    assert order(run) == ["Pre", "Post", "Pre"]
    assert order(recording()) == []


def test_a_change_has_its_parts_as_fields() -> None:
    """What a program needs not take apart: the event, the field in it, the types before and after."""
    old: dict[str, Shape] = {"Stop": {"a": STRING}, "Used.Bash.tool_response": {"b": STRING}}
    new: dict[str, Shape] = {"Stop": {"a": NUMBER}, "Used.Bash.tool_response": {"b": STRING, "c": NUMBER}}

    assert list(shape_changes(old, new)) == [
        Changed("other", "Stop", "a", old="string", new="number, not always"),
        Changed("new", "Used", "Bash.tool_response.c", new="number, not always"),
    ]
    assert list(shape_changes(new, {"Stop": {"a": NUMBER}})) == [
        Changed("gone", "Used", "Bash.tool_response")
    ]


def test_another_order_is_said_of_scenarios_that_both_versions_played() -> None:
    """A scenario of one version alone has nothing to compare with."""
    old = {
        "turned": recording(("A", {}), ("B", {})),
        "same": recording(("A", {})),
        "old": recording(("A", {})),
    }
    new = {
        "turned": recording(("B", {}), ("A", {})),
        "same": recording(("A", {}), ("A", {})),
        "new": recording(("A", {})),
    }

    found = list(order_changes(old, new))
    assert found == [Changed("order", scenario="turned", old="A B", new="B A")]
    assert [*map(line, found)] == ["~ order in turned: A B -> B A"]

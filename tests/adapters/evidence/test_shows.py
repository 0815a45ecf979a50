"""A recording shows a gate shut only where its scenario states what must hold for that."""

from __future__ import annotations

import pytest

from adapters.evidence.expected import Replayed, Row
from adapters.evidence.scenario import Holds, Scenario
from adapters.evidence.shows import by_rows, by_scenario
from contracts.evidence import RecordedEvent, RecordedRequest, Recording
from contracts.reasons import Gate


def came(*outcomes: str, held: tuple[str, ...] = ()) -> Replayed:
    """Return a replay with an event for each outcome, a second apart."""
    return Replayed([Row("s", place, "E", one) for place, one in enumerate(outcomes)], list(held))


def run(*asked: float, holds: tuple[str, ...] = ()) -> Recording:
    """Return a run whose root's model was asked at these seconds."""
    requests = [RecordedRequest(at, "root", "C", holds=[*holds]) for at in asked]
    return Recording("codex", "1", "s", [RecordedEvent("E", {}, at) for at in range(9)], requests=requests)


def scenario(holds: Holds, **looks: str) -> Scenario:
    """Return a scenario that states this."""
    return Scenario("p", [], {}, holds=holds, looks=looks)


def shown(recording: Recording, replay: Replayed, holds: Holds, **looks: str) -> set[Gate]:
    """Return the gates that are shown."""
    return {*by_scenario(recording, replay, scenario(holds, **looks))}


LOST = came("pending a.b", "ignored")


@pytest.mark.parametrize(
    ("outcomes", "gates"),
    [
        (["refused call-failed", "refused payload-malformed"], {"success"}),
        (["settles a.b; refused actor-subagent"], {"actor"}),
        (["resumed"], {"conversation"}),
        (["cleared"], {"conversation"}),
        (["pending a.b", "withdraws a.b; ignored"], {"delivery"}),
        (["pending a.b", "ignored"], set()),
    ],
)
def test_rows_show_what_they_state(outcomes: list[str], gates: set[str]) -> None:
    """A read that waits for ever shows nothing where no model request says that it was lost."""
    assert by_rows(came(*outcomes).rows) == gates


def test_a_refusal_that_is_not_stated_shows_nothing() -> None:
    """Another one would be as good, so the recording cannot fail."""
    refused = came("refused actor-subagent")

    assert shown(run(), refused, Holds(records=[])) == set()
    assert shown(run(), refused, Holds(refuses=["actor-subagent"])) == {"actor"}
    assert shown(run(), refused, Holds(refuses={"2": ["actor-subagent"]})) == set()


def test_a_stated_refusal_that_did_not_come_is_of_its_gate() -> None:
    """So the gate that let it through is the one that fails."""
    assert shown(run(), came("pending a.b"), Holds(refuses=["call-failed"])) == {"success"}


@pytest.mark.parametrize(
    ("holds", "gates"),
    [
        (Holds(), set()),
        (Holds(records=[]), set()),
        (Holds(refuses=[]), set()),
        (Holds(records=[], refuses=[]), {"conversation"}),
    ],
)
def test_a_life_that_goes_on_shows_something_where_records_and_refusals_are_stated(
    holds: Holds, gates: set[str]
) -> None:
    """Without them, nothing of the ledger could come out otherwise."""
    assert shown(run(), came("resumed"), holds) == gates


NOTHING = Holds(records=[], refuses=[], delivered=[])


@pytest.mark.parametrize(
    ("recording", "replay", "holds", "gates"),
    [
        (run(5), LOST, NOTHING, {"delivery"}),
        (run(), LOST, NOTHING, set()),
        (run(0), LOST, NOTHING, set()),
        (run(5), LOST, Holds(records=[], refuses=[]), set()),
        (run(5), LOST, Holds(refuses=[], delivered=[]), set()),
        (run(5, holds=("practice a.b",)), LOST, NOTHING, set()),
        (
            run(5),
            came("pending a.b", held=("a.b",)),
            Holds(records=["a.b"], refuses=[], delivered=[]),
            set(),
        ),
        (
            run(5),
            came("pending a.b:1-9, 12-20 of 90", held=("a.b:1-9 of 90",)),
            Holds(records=["a.b:1-9 of 90"], refuses=[], delivered=[]),
            set(),
        ),
        (
            run(5, holds=("practice a.b",)),
            came(
                "pending a.b:1-9, 12-20 of 90, c.d", "settles a.b:1-9 of 90; ignored", held=("a.b:1-9 of 90",)
            ),
            Holds(records=["a.b:1-9 of 90"], refuses=[], delivered=["a.b"]),
            {"delivery"},
        ),
        (run(5), came("pending a.b", "settles a.b; cleared"), NOTHING, {"conversation"}),
        (run(), came("pending a.b", "withdraws a.b; ignored"), NOTHING, {"delivery"}),
        (run(5), came("refused delivery-unproven"), Holds(records=[], refuses=["delivery-unproven"]), set()),
    ],
    ids=[
        "lost",
        "never asked again",
        "asked before",
        "not stated what came",
        "not stated what is recorded",
        "it came",
        "settled at the end",
        "a part of it settled at the end",
        "a part of one settled, another lost",
        "settled, then cleared",
        "withdrawn",
        "a call without an id",
    ],
)
def test_delivery_is_shown_shut_only_where_the_model_is_shown_not_to_have_got_it(
    recording: Recording, replay: Replayed, holds: Holds, gates: set[str]
) -> None:
    """A read that merely waits for a next event shows nothing of the kind."""
    assert shown(recording, replay, holds) == gates


def test_a_read_that_is_recorded_though_the_model_did_not_get_it_is_of_delivery() -> None:
    """So it is this gate that fails; where something is refused on the way, that gate does."""
    recorded = came("pending a.b", "settles a.b; ignored", held=("a.b",))
    refused = Holds(records=[], refuses=["call-failed"], delivered=[])

    assert shown(run(5), recorded, NOTHING) == {"delivery"}
    assert shown(run(5), recorded, refused) == {"success"}
    assert shown(run(5, holds=("practice a.b",)), recorded, NOTHING) == set()


def test_of_a_text_it_is_shown_by_what_was_looked_for_and_not_found() -> None:
    """Files and skills have no document that is known whole; the scenario names texts of theirs."""
    holds = Holds(records=[], refuses=[], found=["old"])

    assert shown(run(5), LOST, holds, old="x", new="y") == {"delivery"}
    assert shown(run(5), LOST, holds, old="x") == set()

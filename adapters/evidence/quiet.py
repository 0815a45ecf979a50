"""Checks that a readmark with nothing to say leaves a subagent's first request as it is without readmark."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from adapters.evidence.lab import Lab
from adapters.evidence.proof import prove, start
from adapters.evidence.runner import Options, play
from adapters.evidence.scenario import Holds, Scenario, Turn

STATE = Path(".local/state/readmark")
"""Where readmark keeps its ledger in a home that says nothing else."""


def _nothing(lab: Lab) -> None:
    del lab


def _unavailable(lab: Lab) -> None:
    """Put a file where the state folder should be."""
    place = lab.home / STATE
    place.parent.mkdir(parents=True)
    place.write_text("in the way")


class State(msgspec.Struct, frozen=True):
    """A state in which there is nothing to say: what is put into the lab, and the host's environment.

    `reads` says whether the root agent reads at all.
    """

    before: Callable[[Lab], None] = _nothing
    environment: Mapping[str, str] = {}
    reads: bool = True


STATES: dict[str, State] = {
    "empty": State(reads=False),
    "unavailable": State(before=_unavailable),
    "over-budget": State(environment={"READMARK_BRIEFING_UNITS": "1"}),
    "disabled": State(environment={"READMARK_DISABLED": "1"}),
}


def deviations(
    scenario: Scenario, binary: Path, readmark: Sequence[str], state: State, options: Options | None = None
) -> list[str]:
    """Play one scenario without and with readmark; return what differs, each in one sentence."""
    options = options or Options()
    silent = msgspec.structs.replace(
        scenario,
        answers={},
        holds=Holds(told=0),
        environment={**scenario.environment, **state.environment},
        play={name: _turns(turns, state) for name, turns in scenario.play.items()},
    )
    options = msgspec.structs.replace(options, before=state.before)
    plain = play(silent, binary, options)
    proof = prove(silent, binary, readmark, options)
    found = [*plain.faults, *proof.failures]
    before, after = start(plain), start(proof.played)
    if not before:
        found.append("No subagent asked its model without readmark.")
    if before != after:
        found.append("The subagent's first request is another with readmark than without.")
    return found


def _turns(turns: Sequence[Turn], state: State) -> list[Turn]:
    """Return the turns, with other commands in place of reads where the state says so."""
    if state.reads:
        return list(turns)
    return [
        msgspec.structs.replace(
            turn, calls=["true" if isinstance(call, str) else call for call in turn.calls]
        )
        for turn in turns
    ]

"""Plays several scenarios of a host side by side and says after each how it went."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from pathlib import Path

import msgspec

from adapters.evidence.form import write
from adapters.evidence.holds import failures
from adapters.evidence.proof import prove
from adapters.evidence.runner import Options, Played, play
from adapters.evidence.scenario import Scenario


class Result(msgspec.Struct, frozen=True):
    """How one scenario went: what was played, what did not hold, and where the recording was written.

    `path` is None for a run with a failure, and for one with readmark as the hook: neither is evidence.
    """

    scenario: Scenario
    played: Played
    failures: tuple[str, ...]
    path: Path | None

    @property
    def good(self) -> bool:
        """Whether the scenario was played to its end and all of it holds."""
        return not self.failures


def play_all(
    scenarios: Sequence[Scenario],
    binary: Path,
    out: Path | None,
    report: Callable[[Result], None],
    options: Options | None = None,
) -> list[Result]:
    """Play the scenarios, call `report` after each, and return all results in the scenarios' order.

    Recordings are written below `out`, or not at all. Ctrl-C ends every host before it goes on.
    """
    options = options or Options()
    with ThreadPoolExecutor(options.jobs) as pool:
        waiting: dict[Future[Result], Scenario] = {
            pool.submit(_one, scenario, binary, out, options): scenario for scenario in scenarios
        }
        found = {}
        try:
            for future in as_completed(waiting):
                result = future.result()
                found[result.scenario.name] = result
                report(result)
        except BaseException:
            options.stop.set()
            pool.shutdown(cancel_futures=True)
            raise
    return [found[scenario.name] for scenario in scenarios]


def _one(scenario: Scenario, binary: Path, out: Path | None, options: Options) -> Result:
    keep = options.keep / scenario.name if options.keep else None
    options = msgspec.structs.replace(options, keep=keep)
    if options.readmark:
        proof = prove(scenario, binary, options.readmark, options)
        return Result(scenario, proof.played, proof.failures, None)
    played = play(scenario, binary, options)
    wrong = (*played.faults, *failures(played.recording, scenario.holds))
    path = write(played.recording, out) if out is not None and not wrong else None
    return Result(scenario, played, wrong, path)


def line(result: Result) -> str:
    """Return the progress line of one scenario."""
    state = "; ".join(result.failures) or f"{len(result.played.recording.events)} events"
    mark = "ok" if result.good else "FAILED"
    return f"{result.scenario.name:22} {result.played.seconds:5.1f} s  {mark:6}  {state}"

"""Plays several scenarios of a host side by side and says after each how it went."""

import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from adapters import hosts
from adapters.evidence.expected import replayed
from adapters.evidence.form import write
from adapters.evidence.holds import failures
from adapters.evidence.process import Ended
from adapters.evidence.proof import prove
from adapters.evidence.runner import Options, Played, asked, play
from adapters.evidence.scenario import Scenario
from adapters.evidence.unmet import unmet
from contracts.evidence import Recording

LONG_SECONDS = 1.0
"""How long a scenario plays before it is said that it does."""

LOOK_SECONDS = 0.1
"""How often it is looked whether one is over, or all are to stop."""


class Result(msgspec.Struct, frozen=True):
    """How one scenario went: what was played, what did not hold, and where the recording was written.

    `path` is None for a run with readmark as the hook, which is no evidence, and for a recording that may not
    leave the machine. One with a failure stands apart (`form.FAILED`).
    """

    scenario: Scenario
    played: Played
    failures: tuple[str, ...]
    path: Path | None

    @property
    def good(self) -> bool:
        """Whether the scenario was played to its end and all of it holds."""
        return not self.failures


def _nothing(scenario: Scenario) -> None:
    del scenario


def play_all(  # noqa: PLR0913 - a caller that reports gives two functions
    scenarios: Sequence[Scenario],
    binary: Path,
    out: Path | None,
    report: Callable[[Result], None],
    options: Options | None = None,
    *,
    long: Callable[[Scenario], None] = _nothing,
) -> list[Result]:
    """Play the scenarios, call `report` after each, and return all results in the scenarios' order.

    `long` is called once for each that still plays after `LONG_SECONDS`. Recordings are written below `out`,
    or not at all. Once `options.stop` is set every host is ended, and Ended is raised. Raises UnusableError
    where the host, or a folder, cannot be used.
    """
    options = options or Options()
    if scenarios and not options.version:
        version = asked(scenarios[0].host, binary, options.stop)
        options = msgspec.structs.replace(options, version=version)
    begun: dict[str, float] = {}

    def one(scenario: Scenario) -> Result:
        begun[scenario.name] = time.monotonic()
        return _one(scenario, binary, out, options)

    found: dict[str, Result] = {}
    with ThreadPoolExecutor(options.jobs) as pool:
        waiting: dict[Future[Result], Scenario] = {
            pool.submit(one, scenario): scenario for scenario in scenarios
        }
        try:
            while waiting:
                over, _ = wait(waiting, LOOK_SECONDS, FIRST_COMPLETED)
                _go_on(options)
                for future in over:
                    scenario = waiting.pop(future)
                    begun.pop(scenario.name)
                    found[scenario.name] = future.result()
                    report(found[scenario.name])
                _tell(waiting.values(), begun, long)
        except BaseException:
            options.stop.set()
            pool.shutdown(cancel_futures=True)
            raise
    return [found[scenario.name] for scenario in scenarios]


def _go_on(options: Options) -> None:
    if options.stop.is_set():
        raise Ended("stopped")


def _tell(waiting: Collection[Scenario], begun: dict[str, float], long: Callable[[Scenario], None]) -> None:
    """Say once of each scenario that plays for long that it does."""
    for scenario in waiting:
        since = begun.get(scenario.name)
        if since is not None and time.monotonic() - since >= LONG_SECONDS:
            begun[scenario.name] = float("inf")
            long(scenario)


def _one(scenario: Scenario, binary: Path, out: Path | None, options: Options) -> Result:
    keep = options.keep / scenario.name if options.keep else None
    options = msgspec.structs.replace(options, keep=keep)
    if options.readmark:
        proof = prove(scenario, binary, options.readmark, options)
        return Result(scenario, proof.played, proof.failures, None)
    played = play(scenario, binary, options)
    wrong = (
        *played.faults,
        *_empty(played.recording),
        *failures(played.recording, scenario.holds),
        *_unmet(played.recording, scenario),
        *played.private,
    )
    writes = out is not None and not played.private and not options.stop.is_set()
    path = write(played.recording, out, holds=not wrong) if out is not None and writes else None
    return Result(scenario, played, wrong, path)


def _empty(recording: Recording) -> list[str]:
    """Return a failure where the host did nothing at all: whatever is stated, that shows nothing."""
    nothing = not recording.events and not recording.requests
    return ["The host called no hook and asked no model."] if nothing else []


def _unmet(recording: Recording, scenario: Scenario) -> list[str]:
    """Return what a replay of the recording with today's adapter does not come to."""
    if recording.host not in hosts.HOSTS:
        # Recorded first, so that an adapter can be written.
        return []
    with TemporaryDirectory(prefix="evidence-") as folder:
        try:
            came = replayed(write(recording, Path(folder)))
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            return [f"Today's adapter cannot be asked: a replay ends with {type(error).__name__} ({error})."]
    return list(unmet(came, scenario.holds, recording.version))


def line(result: Result) -> str:
    """Return the progress line of one scenario; for one that failed, with what its host told."""
    state = f"{len(result.played.recording.events)} events"
    if not result.good:
        state = " ".join(
            one if one.endswith(".") else f"{one}." for one in (*result.failures, *told(result.played))
        )
    mark = "ok" if result.good else "FAILED"
    return f"{result.scenario.name:22} {result.played.seconds:5.1f} s  {mark:6}  {state}"


def told(played: Played) -> list[str]:
    """Return how the host ended, with its last words, where it did not end well."""
    if played.codes and not any(played.codes) and not played.faults:
        return []
    codes = [f"The host ended with {', '.join(map(str, played.codes))}"] if played.codes else []
    words = [f"Its last words: {' / '.join(played.said)}"] if played.said else []
    return [*codes, *words]

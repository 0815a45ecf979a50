"""Plays one scenario with a real host and returns what was recorded."""

import os
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from adapters.evidence import collect, keyboard, private, process, recorder, scrub, terminal
from adapters.evidence.drivers import DRIVERS
from adapters.evidence.drivers.driver import Driver
from adapters.evidence.keys import SIGNALS
from adapters.evidence.lab import Lab, lab
from adapters.evidence.model.server import Logged, Model
from adapters.evidence.process import Ended, Watch
from adapters.evidence.progress import since_now
from adapters.evidence.scenario import Call, Run, Scenario, ScenarioError, Turn
from adapters.evidence.version import version
from contracts.evidence import Recording

SAID_LINES = 5
"""How many of the last lines are kept of what a host printed."""

LOGS = (".err", ".screen")
"""How the names of the files end that tell what a run had to say."""

PROGRAM = "HOST"
"""The variable that names the host's program to what starts it itself."""


class Played(msgspec.Struct, frozen=True):
    """One scenario as it was played: the recording, how long it took, and what went wrong, if anything.

    `codes` are the exit codes of the runs; a negative one is the signal that ended it. `requests` are the
    model requests as they came, unscrubbed. `said` are the last lines that the host printed as errors or left
    on its screen, scrubbed. `private` says what the recording holds of this machine: it must not leave it.
    """

    recording: Recording
    seconds: float
    codes: tuple[int, ...] = ()
    faults: tuple[str, ...] = ()
    requests: tuple[Logged, ...] = ()
    said: tuple[str, ...] = ()
    private: tuple[str, ...] = ()


class Options(msgspec.Struct, frozen=True):
    """How to play.

    `through` is a command that every hook hands its payload on to (the installed readmark); what it
    answers goes to the host. `before` gets the lab when the host is set up and before it starts, `after`
    when it has ended and before the lab is gone: to put state there, and to look at it. `marks` are
    further texts to look for in model requests, by name. `keep` is a folder that gets the raw lab,
    unscrubbed. `stop` ends the run when it is set. `jobs` is how many scenarios run at once: each of them
    is a host, its hooks and its tools. `readmark` are the words that start the readmark to prove, for
    `several.play_all`. `version` is what the host says that it is; without it, it is asked.
    """

    through: tuple[str, ...] = ()
    before: Callable[[Lab], None] | None = None
    after: Callable[[Lab], None] | None = None
    marks: Mapping[str, str] = {}
    keep: Path | None = None
    stop: threading.Event = msgspec.field(default_factory=threading.Event)
    jobs: int = 2
    readmark: tuple[str, ...] = ()
    version: str = ""


def asked(host: str, binary: Path, stop: threading.Event | None = None) -> str:
    """Return the version that a host's program states of itself; raises UnusableError and Ended."""
    return version(binary, host, DRIVERS[host].environment, stop)


def play(scenario: Scenario, binary: Path, options: Options | None = None) -> Played:
    """Play one scenario with the host's binary; a hanging host is ended and reported in `faults`.

    Raises ScenarioError where the hooks shall stand in a place that the host does not have, and UnusableError
    where the host, or a folder, cannot be used.
    """
    options = options or Options()
    driver = _driver(scenario)
    stated = options.version or asked(scenario.host, binary, options.stop)
    begun = time.monotonic()
    watch = Watch(begun + scenario.deadline, options.stop)
    codes: list[int] = []
    faults: list[str] = []
    with lab(scenario, options.through, options.keep) as made:
        with Model(driver.WIRE, _plays(scenario, driver, made)) as model:
            driver.prepare(made, model.url)
            if options.before is not None:
                options.before(made)
            try:
                for group in _groups(scenario.runs):
                    codes += _run_group(group, Host(driver, binary, made, model.url), watch)
            except Ended as error:
                faults.append(str(error))
            finally:
                process.sweep(made.root, recorder.__file__)
        faults += [*model.faults, *collect.unfaithful(made)]
        if options.after is not None:
            options.after(made)
        recording = collect.recording(made, driver, stated, model.requests, options.marks)
        return Played(
            recording,
            time.monotonic() - begun,
            tuple(codes),
            tuple(faults),
            tuple(model.requests),
            tuple(map(scrub.scrubber(made), _said(made))),
            tuple(private.found(recording, made)),
        )


def _said(made: Lab) -> list[str]:
    """Return the last lines that runs printed as errors, or that stood on their screens."""
    texts = [
        path.read_text(errors="replace") for path in sorted(made.root.glob("*-*.*")) if path.suffix in LOGS
    ]
    return [line.strip() for text in texts for line in text.splitlines() if line.strip()][-SAID_LINES:]


def _driver(scenario: Scenario) -> Driver:
    driver = DRIVERS[scenario.host]
    for place in scenario.places:
        if place not in driver.PLACES:
            known = ", ".join(driver.PLACES)
            raise ScenarioError(
                f"{scenario.name}: {scenario.host} takes no hooks from the place {place!r}, but from {known}."
            )
    return driver


class Host(msgspec.Struct, frozen=True):
    """A host that is set up in a lab and can be started."""

    driver: Driver
    binary: Path
    lab: Lab
    url: str

    def command(self, run: Run) -> list[str]:
        """Return the command line of one run."""
        if run.client:
            return run.client
        known = collect.conversations(self.lab) if run.begin != "new" else []
        conversation = known[run.of] if run.of < len(known) else ""
        return self.driver.command(self.binary, self.lab, run, conversation)

    def environment(self, run: Run | None = None) -> dict[str, str]:
        """Return the whole environment of the host, or of what starts the host in a run."""
        starts = run is None or bool(run.client)
        program = {PROGRAM: str(self.binary)} if starts else {}
        return self.lab.environment({**self.driver.environment(self.lab, self.url), **program})


def _plays(scenario: Scenario, driver: Driver, made: Lab) -> dict[str, list[Turn]]:
    """Return the plays with every shell command turned into a call of the host's own tool."""
    return {
        name: [
            msgspec.structs.replace(turn, calls=[_call(call, driver, made) for call in turn.calls])
            for turn in turns
        ]
        for name, turns in scenario.play.items()
    }


def _call(call: str | Call, driver: Driver, made: Lab) -> Call:
    if isinstance(call, str):
        return driver.shell(call, made)
    if call.shell is None:
        return msgspec.structs.replace(call, arguments=made.filled(call.arguments))
    plain = driver.shell(call.shell, made)
    return msgspec.structs.replace(plain, arguments={**plain.arguments, **call.extra})


def _groups(runs: Sequence[Run]) -> list[list[tuple[int, Run]]]:
    """Return the numbered runs, those together that go on side by side."""
    groups: list[list[tuple[int, Run]]] = []
    for number, run in enumerate(runs):
        if run.beside and groups:
            groups[-1].append((number, run))
        else:
            groups.append([(number, run)])
    return groups


def _run_group(group: Sequence[tuple[int, Run]], host: Host, watch: Watch) -> list[int]:
    """Play runs side by side; return their exit codes in the order of the scenario."""
    with ThreadPoolExecutor(len(group)) as pool:
        return list(pool.map(lambda item: _run(item[0], item[1], host, watch), group))


def _run(number: int, run: Run, host: Host, watch: Watch) -> int:
    """Start the host once and wait for its end; return its exit code."""
    _set_up(number, run, host, watch)
    if run.terminal:
        return _run_in_terminal(number, run, host, watch)
    log = host.lab.root / f"run-{number}"
    progress = since_now(host.lab)
    stdin = subprocess.PIPE if run.input else None
    with process.started(host.command(run), host.lab.project, host.environment(run), log, stdin) as running:
        near = msgspec.structs.replace(watch, ended=running.poll)
        for line in run.input:
            progress.wait(line, near)
            _send(running, line.send)
        if running.stdin is not None:
            running.stdin.close()
        if run.signal:
            near.wait(lambda: progress.tools() > 0, "the reader's start")
            os.kill(running.pid, SIGNALS[run.signal])
        watch.wait(lambda: running.poll() is not None, "the host's end")
        return int(running.returncode)


def _set_up(number: int, run: Run, host: Host, watch: Watch) -> None:
    """Run what comes before the host; raises Ended where a command fails."""
    log = host.lab.root / f"setup-{number}"
    for line in run.setup:
        words = ["/bin/sh", "-c", line]
        with process.started(words, host.lab.project, host.environment(), log) as running:
            watch.wait(lambda: running.poll() is not None, f"the end of {line!r}")
            if running.returncode:
                raise Ended(f"{line!r} ended with {running.returncode}")


def _send(running: subprocess.Popen[bytes], document: dict[str, Any]) -> None:
    """Write one line; a host that is gone shows in what does not hold."""
    if running.stdin is not None:
        with suppress(BrokenPipeError):
            running.stdin.write(msgspec.json.encode(document) + b"\n")
            running.stdin.flush()


def _run_in_terminal(number: int, run: Run, host: Host, watch: Watch) -> int:
    progress = since_now(host.lab)
    with terminal.opened(host.command(run), host.lab.project, host.environment(run)) as shown:
        try:
            near = msgspec.structs.replace(watch, ended=shown.process.poll)
            keyboard.drive(shown, run.keys, near, progress)
            watch.wait(lambda: shown.process.poll() is not None, "the host's end")
        finally:
            # What a person would look at first when a run went wrong.
            (host.lab.root / f"run-{number}.screen").write_text(shown.text)
        return int(shown.process.returncode)

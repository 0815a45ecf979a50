"""What a scenario is: one TOML file with how a host is started, what its model answers, what must hold."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

FOLDER = Path(__file__).parent / "scenarios"
"""Where the scenarios stand: `<host>/<name>.toml`."""


Place = Literal["user", "config", "project", "plugin"]
"""Where hooks can stand: in the user's own file, the host's configuration, the workspace, or a plugin."""


class ScenarioError(ValueError):
    """A scenario's file has a fault; the message names the file and the place."""


class NoScenarioError(ScenarioError):
    """There is no scenario of this name."""


class Call(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One tool call of the scripted model.

    `shell` is a command for the host's shell tool, in that tool's own form; `extra` are further
    arguments of it. Otherwise `tool` is the tool's name, in `namespace` where the host has such, with
    `arguments`, or with free `text` where the tool takes that. `$project` and `$home` in the arguments
    are the workspace and the private home.
    """

    shell: str | None = None
    extra: dict[str, Any] = {}
    tool: str | None = None
    namespace: str | None = None
    arguments: dict[str, Any] = {}
    text: str | None = None


class Turn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One answer of the scripted model: words, and calls that it makes at once.

    A call that is only a string is a shell command. `status` other than 200 is an error of the model's
    server. `delay` is in seconds. `tokens` is how full the model says its context is.
    """

    say: str = ""
    calls: list[str | Call] = []
    status: int = 200
    delay: float = 0
    tokens: int = 100


class Key(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that a person does at the terminal, in the order given here, each part optional.

    First wait: until the hook event `event` has come `times` times in this run, until the stand-in reader has
    started `tools` times in this run, until `screen` (a regular expression) shows, and until the screen
    stayed the same for `still` seconds. Then `type` characters, `press` a named key, send the `signal`;
    with `only` (a regular expression), just where that shows, since versions put the same choice elsewhere.
    """

    event: str | None = None
    times: int = 1
    screen: str | None = None
    tools: int = 0
    still: float = 0
    only: str | None = None
    type: str | None = None
    press: str | None = None
    signal: str | None = None


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the hook answers to one event: standard output, an exit code, both after `delay` seconds.

    A text in `out` that begins with MARK is looked for in every model request.
    """

    out: str = ""
    exit: int = 0
    delay: float = 0


class Registration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the hook is registered for one event, beyond its name.

    `matcher` is the host's own pattern; `handler` are further fields beside the command (`if`, `async`).
    A `timeout` of 0 leaves the host's own.
    """

    matcher: str | None = None
    handler: dict[str, Any] = {}


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One document that is written to a headless host's standard input, as a line of JSON.

    It waits as a Key does: for `event`, `times` times in this run, and for `tools` starts of the reader.
    """

    send: dict[str, Any]
    event: str | None = None
    times: int = 1
    tools: int = 0


class Run(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One process of the host.

    `prompt` starts it; a prompt names the play that answers it with `[[play NAME]]`. `begin` says which
    conversation: a new one, or one that goes on (`resume`) or is copied (`fork`): that of the run number
    `of`, counted from 0. `keys` drive the terminal interface where there are some; without keys the host
    runs headless. `signal` is sent to a headless host once the stand-in reader has started. With `input`
    it gets no prompt but these lines, then the end. `beside` starts it while the run before still goes on.
    `setup` are shell commands before it, in the workspace, with the host's variables and its program in
    `$HOST`; each must end with 0. `client` is a command that starts `$HOST` itself and stands in its place.
    """

    prompt: str = ""
    begin: Literal["new", "resume", "fork"] = "new"
    of: int = 0
    arguments: list[str] = []
    terminal: bool = False
    keys: list[Key] = []
    signal: str | None = None
    input: list[Line] = []
    beside: bool = False
    setup: list[str] = []
    client: list[str] = []


Stated = list[str] | dict[str, list[str]] | None
"""What must hold of every version, or of each that is named; of others, and with None, nothing is stated."""


def stated(what: Stated, version: str) -> list[str] | None:
    """Return what must hold of a version, None where nothing is stated."""
    return what.get(version) if isinstance(what, dict) else what


class Holds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What must hold of the recording.

    `events` are met in this order, others may come between them: an event's name, then fields as
    `name=value`; the field `agent=yes` or `agent=no` says whether a subagent's id is there. `absent` are
    events that never come. `delivered` are the items whose whole document the root's model got, in order.
    `records` are those that the ledger must have at the end: proven by every gate. An id means all of an
    item, `docs/long.md:1-40, 120-180 of 480` these lines of it, there and in `told_of`. `refuses` are the
    reasons for which reads are refused on the way. `briefed` says how many subagents' first requests held the
    text that the hook handed over, while no root's request did; or `"root"`: one of the root's did.
    `told` says the same of readmark's own briefing, in a run with readmark as the hook, and `told_of` of
    which items it tells every subagent, newest first. `found` names the `looks` that some request of the
    root held, `found_by_subagents` those that one of a subagent's did; what is not named there was in none.
    """

    events: list[str] = []
    absent: list[str] = []
    delivered: list[str] | None = None
    records: Stated = None
    refuses: Stated = None
    briefed: int | Literal["root"] | None = None
    told: int | None = None
    told_of: list[str] | None = None
    found: list[str] | None = None
    found_by_subagents: list[str] | None = None


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One scenario of one host; `name` and `host` come from its path.

    `files` are put into the workspace, `home` into the private home; `links` are symbolic links, by where
    they stand, in paths that begin with `$project` or `$home`, as may what they point at. `deadline` is in
    seconds for the whole scenario. `answers` maps events to what the recording hook answers. `hooks` are the
    events that are registered; without them, all that the host is known to accept; `registered` says more of
    some, and `place` in which of the host's places, or in which several of them. `asks` names what the host
    asks as it would ask a person, instead of being told beforehand: permissions, or trust in hooks or the
    folder. `looks` are texts to look for in every model request, by name; `$project` and `$home` are filled
    in.
    """

    purpose: str
    runs: list[Run]
    play: dict[str, list[Turn]]
    name: str = ""
    host: str = ""
    model: str | None = None
    mode: Literal["direct", "code"] = "direct"
    deadline: float = 60
    hooks: list[str] | None = None
    registered: dict[str, Registration] = {}
    place: Place | list[Place] = "user"
    asks: list[Literal["permissions", "trust"]] = []
    answers: dict[str, Answer] = {}
    files: dict[str, str] = {}
    home: dict[str, str] = {}
    links: dict[str, str] = {}
    environment: dict[str, str] = {}
    settings: dict[str, Any] = {}
    looks: dict[str, str] = {}
    holds: Holds = Holds()

    @property
    def places(self) -> list[Place]:
        """Every place in which the hooks stand."""
        return self.place if isinstance(self.place, list) else [self.place]

    @property
    def terminal(self) -> bool:
        """Whether any of the runs drives the terminal interface."""
        return any(run.terminal for run in self.runs)


def load(path: Path) -> Scenario:
    """Read one scenario; raises ScenarioError, also for what the harness could not play."""
    from adapters.evidence.sound import faults  # noqa: PLC0415 - it knows what a scenario is

    try:
        read = msgspec.toml.decode(path.read_bytes(), type=Scenario)
    except (OSError, msgspec.MsgspecError, UnicodeError) as error:
        raise ScenarioError(f"{path}: {error}") from error
    scenario = msgspec.structs.replace(read, name=path.stem, host=path.parent.name)
    for fault in faults(scenario):
        raise ScenarioError(f"{path}: {fault}")
    return scenario


class Folders:
    """Where scenarios are looked for: first in a folder of a maintainer's own, if there is one."""

    own: Path | None = None


def look_in(folder: Path | None) -> None:
    """Have scenarios be looked for in this folder, `<host>/<name>.toml`, before readmark's own."""
    Folders.own = folder


def where(host: str, name: str) -> Path | None:
    """Return the file of a scenario, or None."""
    for folder in filter(None, (Folders.own, FOLDER)):
        for path in paths(host, folder):
            if path.stem == name:
                return path
    return None


def paths(host: str, folder: Path | None = None) -> list[Path]:
    """Return the files of a host's scenarios in a folder, sorted: in the own one, else in readmark's."""
    return sorted(((folder or Folders.own or FOLDER) / host).glob("*.toml"))


def scenarios(host: str) -> Iterator[Scenario]:
    """Yield all scenarios of a host, sorted by name; raises ScenarioError."""
    for path in paths(host):
        yield load(path)


def named(host: str, name: str) -> Scenario:
    """Return one scenario by its name; raises NoScenarioError where there is none."""
    path = where(host, name)
    if path is None:
        raise NoScenarioError(f"{host} has no scenario {name!r}.")
    return load(path)

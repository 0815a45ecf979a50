"""What an adapter of a host must offer, and how its hooks are registered."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol

import msgspec

from contracts.event import HostEvent
from contracts.form import OffSwitch, Reading
from contracts.library import Root
from contracts.outcome import Skipped
from contracts.read import PendingRead, Sent, Settlement
from contracts.trust import HooksListed, TrustUnknown


class Hook(msgspec.Struct, frozen=True):
    """One registration with a host.

    `matcher` is the host's own, or None for all. `timeout` is in the host's own unit.
    `only_readers` says that payloads which name no reader need not start a process.
    """

    event: str
    matcher: str | None
    timeout: int
    only_readers: bool = False


class Plugin(msgspec.Struct, frozen=True):
    """How a host takes its hooks from a plugin instead of a file of its own.

    `marketplace` is the list that the host reads in a folder with plugins, `folder` where the plugin lies
    beside it, `manifest` what the host reads of the plugin, in that folder; all with `/`. `listing` and
    `entry` are what stands in that list besides names, of the whole and of the plugin. `add` and `remove`
    are the host's own commands in their order, with `{folder}` for the folder with the plugins.
    `switch_file`, in the host's own folder, has a table `switch_table` of the plugins that are switched on.
    """

    marketplace: str
    folder: str
    manifest: str
    listing: Mapping[str, Any]
    entry: Mapping[str, Any]
    add: tuple[str, ...]
    remove: tuple[str, ...]
    switch_file: str
    switch_table: str


class Registration(msgspec.Struct, frozen=True):
    """The host's file for hooks, relative to the user's home, and what to put there.

    `program` is the command that starts the host, `folder_variable` the variable by which a user moves the
    folder of that file. `version_line` matches whole the line that the program prints with `--version`; its
    one group is the version. `trust` says what a person must do before the host runs hooks, or nothing.
    `plugin` is None for a host that takes no plugin. `reading` says what must be so in the file for the host
    to take in any hook of it, `off` how a person switches all hooks off, where there is such a switch.
    """

    file: str
    timeout_unit: Literal["s", "ms"]
    hooks: tuple[Hook, ...]
    program: str
    folder_variable: str
    version_line: str
    trust: str = ""
    plugin: Plugin | None = None
    reading: Reading | None = None
    off: OffSwitch | None = None


class Host(Protocol):
    """A module that satisfies this is an adapter; `adapters.hosts` lists them all."""

    NAME: str
    REGISTRATION: Registration

    def parse(self, payload: bytes, concerns: Callable[[str], bool]) -> HostEvent | Skipped:
        """Check one payload, from bytes to an event or a named refusal; never raises on any bytes.

        `concerns` tells whether a command text mentions a known reader; if not, a tool event is Ignored.
        Gates are asked in the order conversation, actor, success.
        """

    def folder(self, payload: bytes) -> str | None:
        """Return the absolute folder in which the host works at this event, as its payload states it.

        None where it states none, or the payload is malformed; never raises. It follows a `cd` of the agent
        (`claude-code/2.1.197/moved`), and at a command it is where that runs (`codex/0.171.0/workdir`).
        """

    def roots(self, environ: Mapping[str, str], folder: str, project: str) -> tuple[Root, ...]:
        """Return where this host finds skills, in the order in which they count, each path absolute.

        The root of the project, `contracts.library.PROJECT`, is always among them; `folder` is where the host
        works in it. Asks at most for what the host has written down itself; never raises.
        """

    def version(self, environ: Mapping[str, str]) -> str | None:
        """Return the version of the host that started this process, as the host itself states it."""

    def settle(self, event: HostEvent | None, pending: Sequence[PendingRead], sent: Sent) -> list[Settlement]:
        """Say what of the pending reads the host shows as sent to the model, or as certainly not sent.

        `event` is what arrived, or None when a person asks; `sent` tells what a text that was sent proves.
        Reads transcripts, bounded in work; a pending read that is not in the answer stays pending.
        """

    def brief(self, text: str) -> bytes:
        """Return the answer to a subagent's start, in the host's own form, that carries `text` to it."""

    def trust(
        self, program: str, folder: str, left: Callable[[], float]
    ) -> HooksListed | TrustUnknown | None:
        """Ask the host which hooks it would run in a folder, or return None if it asks no trust of hooks.

        `program` is the path of the host's command, `left` tells how many seconds there still are: when none
        are left, the answer is TrustUnknown. Nothing of the host runs on afterwards. Starts no model call.
        """

    def decline(self, payload: bytes) -> bytes:
        """Return what the sender of a foreign payload takes for "nothing to say", where that is known."""

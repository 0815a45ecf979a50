"""Asks Codex itself which hooks it would run: `codex app-server`, one question, no model call.

Observed with 0.171.0: JSON-RPC, a message a line, without a `jsonrpc` field. `hooks/list` answers for each
folder with the hooks of the user's file, and of the project's if the project is trusted; with none at all
where hooks are switched off; with `errors` where the configuration cannot be read; and with `warnings` of a
file for hooks that it does not take in, which name the fault. Answers come between notifications, which have
no `id`. The server ends when its input does. Its first start in a new CODEX_HOME makes there what any start
of Codex makes.
"""

from typing import Annotated, Any

import msgspec

from adapters.asking import Left, Program, Silent, asking
from contracts.trust import HooksListed, HookTrust, TrustState, TrustUnknown
from contracts.version import __version__
from contracts.wire import Malformed, decode

HELLO, QUESTION = 1, 2
"""The numbers of our two requests."""

STATES: dict[str, TrustState] = {
    "managed": "trusted",
    "trusted": "trusted",
    "untrusted": "untrusted",
    "modified": "changed",
}
"""Codex's own words for its `trustStatus`; a managed hook needs nobody's trust."""


class _Hook(msgspec.Struct, rename="camel"):
    event_name: Annotated[str, msgspec.Meta(min_length=1)]
    source_path: str
    enabled: bool
    trust_status: str
    command: str = ""


class _Folder(msgspec.Struct):
    hooks: list[_Hook]
    errors: list[Any]
    warnings: list[str] = []


class _Listed(msgspec.Struct):
    data: list[_Folder]


class _Message(msgspec.Struct):
    id: int | str | None = None
    result: Any = None
    error: Any = None


def ask(program: str, folder: str, left: Left) -> HooksListed | TrustUnknown:
    """Return the hooks that Codex would run in a folder, of whomever they are, or why that is not known."""
    try:
        with asking([program, "app-server"], folder, left) as server:
            _request(
                server, HELLO, "initialize", {"clientInfo": {"name": "readmark", "version": __version__}}
            )
            server.tell({"method": "initialized"})
            listed = _request(server, QUESTION, "hooks/list", {"cwds": [folder]})
        return _hooks(msgspec.convert(listed, _Listed))
    except Silent as silence:
        return TrustUnknown(str(silence))
    except msgspec.ValidationError:
        return TrustUnknown("It answered in a form that is not known.")


def _request(server: Program, number: int, method: str, params: dict[str, Any]) -> Any:
    server.tell({"id": number, "method": method, "params": params})
    while True:
        message = decode(server.line(), _Message)
        if isinstance(message, Malformed):
            raise Silent("It answered in a form that is not known.")
        if message.id == number:
            if message.error is not None:
                raise Silent(f"It does not answer {method}.")
            return message.result


def _hooks(listed: _Listed) -> HooksListed | TrustUnknown:
    if len(listed.data) != 1:
        return TrustUnknown("It answered in a form that is not known.")
    found = listed.data[0]
    if found.errors:
        return TrustUnknown("It cannot read its own configuration.")
    made = []
    for hook in found.hooks:
        state = STATES.get(hook.trust_status)
        if state is None:
            return TrustUnknown("It states the trust of a hook in a word that is not known.")
        event = hook.event_name[0].upper() + hook.event_name[1:]
        made.append(HookTrust(event, hook.command, hook.source_path, state if hook.enabled else "off"))
    return HooksListed(tuple(made), tuple(found.warnings))

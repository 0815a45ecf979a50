"""What a folder holds from which a host takes readmark as a plugin: a marketplace with one plugin in it."""

from collections.abc import Mapping
from typing import Any

import msgspec

from adapters.registration import NAME, registration
from contracts.host import Host, Plugin
from contracts.version import __version__

MARKER = "readmark-plugin.json"
"""The file by which a folder is known as one that was built; it names every file that was put there."""

DESCRIPTION = "Tells subagents what the main agent of this conversation has provably read."
ABOUT = {
    "description": DESCRIPTION,
    "author": {"name": NAME},
    "license": "Apache-2.0",
    "keywords": ["subagents", "context", "hooks"],
}

PLUGIN_README = """\
# readmark

{description} This plugin holds nothing but hooks: each calls `readmark hook {host}`, which takes one \
payload of the host on its standard input and answers only where a subagent is to be told something.

{where} What is recorded stays on this machine: the id, the title and the digest of what was read, \
never its text, a prompt or a command.

It needs the command `readmark`, which is installed apart from it. See `readmark status` for what it did.
"""
FOUND = (
    "The command is looked for in the folders of `PATH`, then in `~/.local/bin`, `/opt/homebrew/bin` and "
    "`/usr/local/bin`. Where it is not found, the hooks say and do nothing."
)
FIXED = "The command is called as `{program}`. Where it is not there, the hooks say and do nothing."

MARKETPLACE_README = """\
# readmark for {host}

A marketplace with one plugin, built by `readmark plugin build {host}` (readmark {version}). Do not edit \
it; build it again.

Take it in:

{add}

Take it out:

{remove}

The host may read the plugin from this very folder: leave it where it is as long as the plugin is in use. \
Whoever also ran `readmark install {host}` can take that out with `readmark uninstall {host}`; until then \
nothing is recorded twice.
"""


def _json(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


def _block(commands: tuple[str, ...]) -> str:
    return "\n".join(f"    {command}" for command in commands)


def files(host: Host, form: Plugin, program: str | None) -> dict[str, bytes]:
    """Return every file of the folder by its place in it, with `/`; the same for the same version.

    `program` is the absolute path of `readmark`, or None for a plugin that finds it on each machine.
    """
    where = FOUND if program is None else FIXED.format(program=program)
    plugin = {"name": NAME, "version": __version__, **ABOUT}
    entry = {"name": NAME, **form.entry, "description": DESCRIPTION}
    add = tuple(command.format(folder="DIR") for command in form.add)
    made: dict[str, bytes] = {
        "README.md": MARKETPLACE_README.format(
            host=host.NAME, version=__version__, add=_block(add), remove=_block(form.remove)
        ).encode(),
        form.marketplace: _json({"name": NAME, **form.listing, "plugins": [entry]}),
        f"{form.folder}/{form.manifest}": _json(plugin),
        f"{form.folder}/hooks/hooks.json": _json(registration(host, program)),
        f"{form.folder}/README.md": PLUGIN_README.format(
            description=DESCRIPTION, host=host.NAME, where=where
        ).encode(),
    }
    marker: Mapping[str, Any] = {"host": host.NAME, "version": __version__, "files": sorted(made)}
    return {**made, MARKER: _json(marker)}

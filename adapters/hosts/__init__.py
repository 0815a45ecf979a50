"""Every host, in a literal table; a hook imports only the module that it needs."""

from importlib import import_module
from typing import cast

from contracts.host import Host

HOSTS: dict[str, str] = {
    "claude-code": "adapters.hosts.claude_code",
    "codex": "adapters.hosts.codex",
}


def load(name: str) -> Host:
    """Return the adapter of a host; raises KeyError for a name that is not in the table."""
    return cast("Host", import_module(HOSTS[name]))

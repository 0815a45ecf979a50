"""How a real host is set up and started: one module a host, listed here."""

from adapters.evidence.drivers import claude_code, codex
from adapters.evidence.drivers.driver import Driver

DRIVERS: dict[str, Driver] = {driver.NAME: driver for driver in (codex, claude_code)}
"""All hosts that can be driven, by name."""

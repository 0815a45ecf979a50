"""Whether a host would run the hooks that it knows of, as the host itself states it."""

from typing import Literal

import msgspec

TrustState = Literal["trusted", "untrusted", "changed", "off"]


class HookTrust(msgspec.Struct, frozen=True):
    """One hook as its host lists it, of whomever it is.

    `event` is the host's name of the event as in its file for hooks, `file` where the hook was found.
    `changed` means that its user trusted it in another form, `off` that they switched it off.
    """

    event: str
    command: str
    file: str
    state: TrustState


class HooksListed(msgspec.Struct, frozen=True):
    """The hooks that a host knows of, and what it warns of in its own words: files that it cannot read."""

    hooks: tuple[HookTrust, ...]
    warnings: tuple[str, ...] = ()


class TrustUnknown(msgspec.Struct, frozen=True):
    """The host could not be asked, or did not answer; `why` is one sentence of our own."""

    why: str

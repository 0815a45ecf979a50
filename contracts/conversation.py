"""Which conversation an event belongs to."""

import msgspec

REFERENCE_BYTES = 256
"""Longest reference of a conversation that is accepted, in bytes of UTF-8; recorded hosts use UUIDs of 36."""


class Conversation(msgspec.Struct, frozen=True, order=True):
    """The root conversation of a main agent, as its host names it.

    `reference` is opaque: never parsed, never used as a path, never guessed.
    """

    host: str
    reference: str

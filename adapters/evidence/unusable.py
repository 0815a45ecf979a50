"""What keeps a run from being made at all: a host, a folder or a file that cannot be used."""


class UnusableError(Exception):
    """A run cannot be made here; the message says what is wrong and what to do about it."""

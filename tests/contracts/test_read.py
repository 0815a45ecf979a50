"""A result is known again by its digest, without being kept."""

from __future__ import annotations

import hashlib

from contracts.read import result_digest


def test_white_space_around_a_result_does_not_count() -> None:
    """Hosts add and drop line ends; inside the text everything counts."""
    assert result_digest("\n a\tb \r\n") == result_digest("a\tb") == hashlib.sha256(b"a\tb").hexdigest()
    assert result_digest("a b") != result_digest("a\tb")

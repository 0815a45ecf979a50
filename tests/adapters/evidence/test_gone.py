"""A host that goes away in the middle of a request is nothing to report: its scenario says what must hold."""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest

from adapters.evidence.model.server import Model
from adapters.evidence.scenario import Turn
from tests.adapters.evidence.test_wires import PATHS, RESPONSES, body, post

HEAD = b"POST /v1/responses HTTP/1.1\r\nhost: x\r\ncontent-length: 400\r\n"
CUT = {"before the headers end": HEAD, "in the body": HEAD + b'\r\n{"model": "m", ', "at once": b""}
SECONDS = 10


def leave(model: Model, sent: bytes, *, reset: bool) -> None:
    """Send the beginning of a request and go away: closed, or reset as where a host was killed."""
    address = urlsplit(model.url)
    with socket.create_connection((address.hostname, address.port), SECONDS) as connection:
        connection.sendall(sent)
        if reset:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def settle(before: set[threading.Thread]) -> None:
    """Wait until every connection is done with."""
    limit = time.monotonic() + SECONDS
    for thread in set(threading.enumerate()) - before:
        thread.join(max(limit - time.monotonic(), 0))
        assert not thread.is_alive()


def until(met: Callable[[], object]) -> None:
    """Wait for what another thread does."""
    limit = time.monotonic() + SECONDS
    while not met() and time.monotonic() < limit:
        time.sleep(0.01)


@pytest.mark.parametrize("reset", [False, True], ids=["closed", "reset"])
@pytest.mark.parametrize("sent", CUT.values(), ids=CUT.keys())
def test_a_host_that_goes_away_leaves_no_trace(
    sent: bytes, *, reset: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    """No traceback on the person's screen, no fault, no request; the next one is answered as ever."""
    with Model(RESPONSES, {"p": [Turn(say="words")]}) as model:
        before = set(threading.enumerate())
        leave(model, sent, reset=reset)
        post(model, PATHS[RESPONSES], body(RESPONSES, "[[play p]] go"))
        settle(before)

        assert model.faults == []
        assert len(model.requests) == 1
    assert capfd.readouterr().err == ""


def test_an_answer_that_nobody_waits_for_leaves_no_trace(capfd: pytest.CaptureFixture[str]) -> None:
    """A host that is killed while the model thinks."""
    with Model(RESPONSES, {"p": [Turn(say="x" * 10**7, delay=0.3)]}) as model:
        before = set(threading.enumerate())
        text = b'{"model": "m", "stream": false, "input": [{"type": "message", "content": "[[play p]]"}]}'
        head = HEAD.replace(b"400", str(len(text)).encode()) + b"\r\n"
        leave(model, head + text, reset=True)
        until(lambda: model.requests)
        settle(before)

        assert model.faults == []
    assert capfd.readouterr().err == ""


def test_a_fault_of_our_own_in_a_connection_is_named_and_not_printed(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """It makes the scenario fail in words instead of going by on the screen."""
    with Model(RESPONSES, {}) as model:

        def fail(*_: object) -> None:
            raise ZeroDivisionError("of our own")

        monkeypatch.setattr(model, "answer", fail)
        leave(model, HEAD.replace(b"400", b"2") + b"\r\n{}", reset=False)
        until(lambda: model.faults)

        assert model.faults == ["ZeroDivisionError: of our own"]
    assert capfd.readouterr().err == ""

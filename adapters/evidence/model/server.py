"""The scripted model: answers a host's model requests on loopback from a script, and keeps what they held."""

import hashlib
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal, Self

import msgspec

from adapters.evidence.model.fill import filled
from adapters.evidence.model.wire import Asked, Reply, Wire
from adapters.evidence.scenario import Call, Turn
from adapters.evidence.script import Script

BODY_BYTES = 64 * 1024 * 1024
"""The longest request that is read; recorded hosts send less than one hundredth of it."""

ASIDE = Turn(say="A short summary by the scripted model.")
"""What the host gets when it asks for itself: a title, a summary."""


class Logged(msgspec.Struct, frozen=True):
    """One model request as it came: who asked, when (seconds since the epoch), and what it held.

    `prompts` and `texts` are as in `Asked`; the host's own instructions are only digests (SHA-256, hex).
    """

    number: int
    at: float
    asker: Literal["root", "subagent", "aside"]
    agent: str
    thread: str
    conversation: str
    kind: str
    play: str
    turn: int
    prompts: Sequence[str]
    texts: Sequence[str]
    system: Sequence[str]


class Model:
    """A scripted model that listens while it is entered as a context; `url` is its base address."""

    def __init__(self, wire: Wire, plays: Mapping[str, Sequence[Turn]]) -> None:
        """Take the protocol to speak and the plays; the plays' calls name tools of the host."""
        self.requests: list[Logged] = []
        self.faults: list[str] = []
        self._wire = wire
        self._script = Script(plays)
        self._lock = threading.Lock()
        self._closing = threading.Event()
        model = self

        class Handler(_Handler):
            """Answers for this model."""

            owner = model

        class Server(ThreadingHTTPServer):
            """Names what goes wrong in a connection among the faults, unless the host only went away."""

            daemon_threads = True

            def handle_error(self, request: object, client_address: object) -> None:
                del request, client_address
                error = sys.exception()
                if not isinstance(error, ConnectionError):
                    model.faults.append(f"{type(error).__name__}: {error}")

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def url(self) -> str:
        """The base address, without a path."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        """Listen."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop listening; delayed answers are given up."""
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()

    def answer(self, path: str, headers: Mapping[str, str], data: bytes) -> tuple[int, str, bytes]:
        """Answer one request: status, content type and body."""
        body = msgspec.json.decode(data, type=dict[str, Any]) if data else {}
        asked = self._wire.asked(path, headers, body)
        if asked is None:
            status, document = self._wire.other(path, body)
            return status, "application/json", msgspec.json.encode(document)
        turn, number = self._next(asked)
        if turn.delay:
            self._closing.wait(turn.delay)
        if turn.status != 200:  # noqa: PLR2004 - HTTP's own number
            return turn.status, "application/json", self._wire.error(turn.status)
        calls = [filled(call, asked.texts) for call in turn.calls if isinstance(call, Call)]
        reply = Reply(number, str(body.get("model", "")), turn.say, calls, turn.tokens)
        if asked.stream:
            return 200, "text/event-stream", self._wire.stream(reply)
        return 200, "application/json", self._wire.whole(reply)

    def _next(self, asked: Asked) -> tuple[Turn, int]:
        at = time.time()
        with self._lock:
            number = len(self.requests) + 1
            play, count, turn = (
                ("", 0, ASIDE) if asked.asker == "aside" else self._script.turn(asked.thread, asked.prompts)
            )
            self.requests.append(
                Logged(
                    number=number,
                    at=at,
                    asker=asked.asker,
                    agent=asked.agent,
                    thread=asked.thread,
                    conversation=asked.conversation,
                    kind=asked.kind,
                    play=play,
                    turn=count,
                    prompts=asked.prompts,
                    texts=asked.texts,
                    system=[hashlib.sha256(text.encode()).hexdigest() for text in asked.system],
                )
            )
        return turn, number


class _Handler(BaseHTTPRequestHandler):
    """One connection; keeps it open between requests, as the hosts expect."""

    owner: Model
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the method it replaces
        """Say nothing on standard error."""

    def _answer(self) -> None:
        length = min(int(self.headers.get("content-length") or 0), BODY_BYTES)
        data = self.rfile.read(length)
        if len(data) < length:
            # The host went away in the middle of its request.
            self.close_connection = True
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            status, kind, body = self.owner.answer(self.path, headers, data)
        except (msgspec.MsgspecError, UnicodeError, LookupError, TypeError, AttributeError) as error:
            # A host that speaks otherwise than recorded must be reported, not left waiting.
            self.owner.faults.append(f"{self.command} {self.path}: {type(error).__name__}: {error}")
            status, kind, body = 400, "application/json", b"{}"
        try:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)
        except OSError:
            self.close_connection = True

    do_GET = do_HEAD = do_POST = _answer  # noqa: N815 - the names that the base class looks for

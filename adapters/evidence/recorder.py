"""The hook of a recording run: keeps the payload byte for byte, then answers as the scenario says.

A script of its own, started by the host as `recorder.py LAB EVENT [COMMAND …]`, with nothing but the
standard library. With a COMMAND it hands the payload on, keeps what that answers, and passes it through.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

CHUNK = 1 << 20
NAMED = ("transcript_path", "agent_transcript_path")
"""The fields of a payload that name a file which grows while the host works."""


def main(arguments: list[str]) -> int:
    """Record one payload; return the exit code that the host shall see."""
    at = time.time()
    lab, event, *command = arguments
    payload = _read()
    meta: dict[str, Any] = {"event": event, "at": at, "pid": os.getppid(), "sizes": _sizes(payload)}
    folder = Path(lab) / "hooks"
    draft = folder / f".{os.getpid()}"
    draft.mkdir()
    (draft / "payload").write_bytes(payload)
    if command:
        result = subprocess.run(  # noqa: S603 - the command that the person who records asked for
            command, input=payload, stdout=subprocess.PIPE, check=False
        )
        out, code = result.stdout, result.returncode
    else:
        out, code = _scripted(Path(lab), event)
    if command:
        (draft / "answer").write_bytes(out)
    (draft / "meta.json").write_text(json.dumps({**meta, "exit": code}))
    _number(folder, draft)
    if not command:
        # Kept first: a host may end a slow hook, and its payload came all the same.
        time.sleep(_answer(Path(lab), event).get("delay", 0))
    sys.stdout.buffer.write(out)
    sys.stdout.buffer.flush()
    return code


def _read() -> bytes:
    parts = []
    while part := os.read(0, CHUNK):
        parts.append(part)
    return b"".join(parts)


def _sizes(payload: bytes) -> dict[str, int]:
    """Return how large each file that the payload names is now, in bytes."""
    try:
        document = json.loads(payload)
    except ValueError:
        return {}
    sizes = {}
    for field in NAMED:
        path = document.get(field) if isinstance(document, dict) else None
        if isinstance(path, str):
            try:
                sizes[path] = Path(path).stat().st_size
            except OSError:
                sizes[path] = 0
    return sizes


def _scripted(lab: Path, event: str) -> tuple[bytes, int]:
    answer = _answer(lab, event)
    return answer.get("out", "").encode(), answer.get("exit", 0)


def _answer(lab: Path, event: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads((lab / "answers.json").read_bytes()).get(event, {})
    except OSError:
        return {}
    return found


def _number(folder: Path, draft: Path) -> None:
    """Give the record the next free number, whole or not at all.

    The move fails where the number is taken: a folder with files in it is never replaced.
    """
    number = 1 + sum(1 for name in os.listdir(folder) if name.isdigit())  # noqa: PTH208 - the fast way, on the host's path
    while True:
        try:
            draft.rename(folder / f"{number:06}")
        except OSError:
            number += 1
            if number > 10**6:
                raise
        else:
            return


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

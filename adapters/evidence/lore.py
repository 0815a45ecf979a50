"""A stand-in for the reader `lore`: prints the documented envelope, and keeps who started it.

A script of its own, started as `lore.py LAB ARGUMENTS…`, with nothing but the standard library.
Ids that begin with `missing.` are not found, with `big.` have a body of 150,000 characters, with `late.` take
a second and a half.
`--sleep SECONDS` and `--warn` exist only here.
"""

import hashlib
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

IDENTITY = (
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDECODE",
    "CODEX_SESSION_ID",
    "CODEX_THREAD_ID",
    "CODEX_TOOL_CALL_ID",
)
"""The variables that say who started this process; no others are kept."""

BIG = 150_000

LATE = 1.5
"""How long a late document takes, in seconds."""


def main(arguments: list[str]) -> int:
    """Play `lore get ID --json`; return its exit code."""
    lab, *argv = arguments
    _record(Path(lab) / "tools", argv)
    words, pause = [], 0.0
    rest = iter(argv)
    for argument in rest:
        if argument == "--sleep":
            pause = float(next(rest, "0"))
        elif not argument.startswith("--"):
            words.append(argument)
    if "--warn" in argv:
        sys.stderr.write("lore: a warning\n")
    if words[1:] and words[1].startswith("late."):
        pause = LATE
    time.sleep(pause)
    if len(words) != 2 or words[0] != "get":  # noqa: PLR2004 - a verb and an id
        sys.stderr.write("lore: usage: lore get ID --json\n")
        return 64
    document, code = get(words[1])
    sys.stdout.write(line(document) + "\n")
    return code


def get(item: str) -> tuple[dict[str, Any], int]:
    """Return the envelope for an item, and the exit code."""
    head = {"protocolVersion": 2, "command": "get"}
    if item.startswith("missing."):
        error = {"code": "not_found", "message": f"no practice {item}"}
        return {**head, "ok": False, "error": error}, 2
    body = "x" * BIG if item.startswith("big.") else f"What {item} says is done."
    practice = {
        "id": item,
        "title": f"Title of {item}",
        "applies_when": f"When {item} applies",
        "stage": "build",
        "tech_stack": [],
        "severity": "warn",
        "body": body,
        "anti_patterns": [],
    }
    digest = hashlib.sha256(json.dumps(practice).encode()).hexdigest()
    data = {
        "practice": practice,
        "contentDigest": f"sha256:{digest}",
        "sources": [{"packName": "pack", "sourcePath": f"{item}.md", "packRoot": "/packs/pack"}],
    }
    return {**head, "ok": True, "data": data}, 0


def line(document: dict[str, Any]) -> str:
    """Return the document as it stands on standard output, without the end of its line."""
    return json.dumps(document)


def _record(folder: Path, argv: list[str]) -> None:
    env = {name: os.environ[name] for name in IDENTITY if name in os.environ}
    record = {"argv": ["lore", *argv], "env": env, "at": time.time()}
    draft = folder / f".{os.getpid()}"
    try:
        draft.write_text(json.dumps(record))
        draft.rename(folder / f"{time.time_ns()}-{os.getpid()}.json")
    except OSError:
        # A read-only sandbox keeps no record; the read itself must not fail for that.
        return


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

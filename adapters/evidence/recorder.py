"""The hook of a recording run: keeps the payload byte for byte, then answers as the scenario says.

A script of its own, started by the host as `recorder.py LAB MODE EVENT [COMMAND …]`, with nothing but the
standard library. The mode is `record`; with a COMMAND it hands the payload on, keeps what that answers, and
passes it through. In the mode `answer` it is another hook beside that: it answers as the scenario says.
"""

import json
import os
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CHUNK = 1 << 20
NAMED = ("transcript_path", "agent_transcript_path")
"""The fields of a payload that name a file which grows while the host works."""


WATCHED = (
    ("project", "**/*.md"),
    ("project", "**/.readmark.toml"),
    ("home", ".claude/skills/**/SKILL.md"),
    ("home", ".claude/plugins/installed_plugins.json"),
    ("home", ".claude/plugins/known_marketplaces.json"),
    ("home", ".claude/plugins/cache/**/SKILL.md"),
    ("home", ".agents/skills/**/SKILL.md"),
    ("home", ".codex/skills/[!.]*/**/SKILL.md"),
    ("home", ".codex/plugins/cache/**/SKILL.md"),
)
"""The files of a lab by which a replay can tell what a host read: those of the scenario, none of a host."""
SWITCHES = (
    ("home", ".claude/settings.json"),
    ("project", ".claude/settings*.json"),
    ("home", ".codex/config.toml"),
)
"""Files of which only that is kept which switches plugins and skills; the rest is the lab's own."""
FILE_BYTES = 1 << 16
"""Largest of them that is kept."""


def main(arguments: list[str]) -> int:
    """Record one payload; return the exit code that the host shall see."""
    at = time.time()
    lab, mode, event, *command = arguments
    payload = _read()
    if mode == "record":
        result = _through(command, payload) if command else None
        _keep(Path(lab) / "hooks", event, at, payload, result)
        if result is not None:
            return _say(result.stdout, result.returncode)
    # Kept first: a host may end a slow hook, and its payload came all the same.
    answer = _answer(Path(lab), event)
    time.sleep(answer.get("delay", 0))
    return _say(answer.get("out", "").encode(), answer.get("exit", 0))


def _through(command: list[str], payload: bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(  # noqa: S603 - the command that the person who records asked for
        command, input=payload, stdout=subprocess.PIPE, check=False
    )


def _keep(
    folder: Path, event: str, at: float, payload: bytes, result: subprocess.CompletedProcess[bytes] | None
) -> None:
    draft = folder / f".{os.getpid()}"
    draft.mkdir()
    (draft / "payload").write_bytes(payload)
    if result is not None:
        (draft / "answer").write_bytes(result.stdout)
    meta = {"event": event, "at": at, "sizes": _sizes(payload), "files": watched(folder.parent)}
    (draft / "meta.json").write_text(json.dumps(meta))
    _number(folder, draft)


def _say(out: bytes, code: int) -> int:
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


def watched(lab: Path) -> dict[str, str | None]:
    """Return the watched files with their texts; None is one that is too large, or no text."""
    found: dict[str, str | None] = dict(_switches(lab))
    for place, pattern in WATCHED:
        for path in (lab / place).glob(pattern):
            try:
                data = path.read_bytes()
                found[str(path)] = data.decode() if len(data) <= FILE_BYTES else None
            except ValueError:
                found[str(path)] = None
            except OSError:
                pass
    return found


def _switches(lab: Path) -> Iterator[tuple[str, str]]:
    for place, pattern in SWITCHES:
        for path in (lab / place).glob(pattern):
            try:
                text = path.read_text()
                if path.suffix == ".json" and (plugins := json.loads(text).get("enabledPlugins")):
                    yield str(path), json.dumps({"enabledPlugins": plugins}, indent=1)
                elif path.suffix == ".toml" and (switches := "".join(_tables(tomllib.loads(text)))):
                    yield str(path), switches
            except (OSError, ValueError):
                pass


def _tables(config: dict[str, Any]) -> Iterator[str]:
    """Yield the tables of Codex's configuration that switch plugins and skills on and off."""
    for name, plugin in config.get("plugins", {}).items():
        yield f"[plugins.{json.dumps(name)}]\nenabled = {json.dumps(plugin.get('enabled'))}\n"
    for skill in config.get("skills", {}).get("config", []):
        kept = [f"{key} = {json.dumps(skill[key])}\n" for key in ("path", "name", "enabled") if key in skill]
        yield f"[[skills.config]]\n{''.join(kept)}"


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

"""A host that is no host: a short script that behaves as a scenario needs, without any of the real ones."""

from __future__ import annotations

import shlex
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

HEAD = """
import json, os, re, select, subprocess, sys, time, tomllib, urllib.request
if "--version" in sys.argv:
    print("fake 0.0.1")
    sys.exit(0)
home = os.environ["HOME"]
config = tomllib.load(open(home + "/.codex/config.toml", "rb"))
hooks = config.get("hooks") or json.load(open(home + "/.codex/hooks.json"))["hooks"]
base = config["model_providers"]["scripted"]["base_url"]

def hook(event, **payload):
    command = hooks[event][0]["hooks"][0]["command"]
    payload = {"session_id": "s-1", "cwd": os.getcwd(), "hook_event_name": event, **payload}
    return subprocess.run(["/bin/sh", "-c", command], input=json.dumps(payload).encode(), capture_output=True)

def ask(*texts, thread="s-1", **headers):
    items = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
        for text in texts
    ]
    body = json.dumps({"model": "m", "stream": False, "input": items}).encode()
    headers = {"session-id": "s-1", "thread-id": thread, **headers}
    request = urllib.request.Request(base + "/responses", body, headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["output"]

def start(command):
    return subprocess.Popen(["/bin/bash", "-lc", command], start_new_session=True)
"""


@pytest.fixture
def fake_codex(tmp_path: Path) -> Callable[[str], Path]:
    """Return a function that makes a program with the given body, which is started in place of Codex."""

    def make(body: str) -> Path:
        script = tmp_path / "fake.py"
        script.write_text(HEAD + textwrap.dedent(body))
        program = tmp_path / "codex"
        program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {shlex.quote(str(script))} "$@"\n')
        program.chmod(0o755)
        return program

    return make

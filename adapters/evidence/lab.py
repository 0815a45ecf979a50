"""The private place of one scenario: a home, a workspace, a folder of programs, and what was recorded."""

import json
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from adapters.evidence import lore, paths, recorder
from adapters.evidence.scenario import Registration, Scenario
from adapters.evidence.unusable import UnusableError

PASSED_ON = ("LANG", "LC_ALL", "TZ")
"""The only variables of the person's own environment that a host gets."""

PYTHON = (sys.executable, "-I", "-S")
"""Starts a script quickly, apart from every environment of ours."""

SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"


class Lab(msgspec.Struct, frozen=True):
    """The folders of one scenario, all below `root`; `through` is a command that every hook hands on to."""

    root: Path
    scenario: Scenario
    through: tuple[str, ...] = ()

    @property
    def home(self) -> Path:
        """The home directory that the host sees."""
        return self.root / "home"

    @property
    def project(self) -> Path:
        """The workspace that the host works in."""
        return self.root / "project"

    @property
    def programs(self) -> Path:
        """The folder that comes first on the host's PATH."""
        return self.root / "bin"

    @property
    def hooks(self) -> Path:
        """Where the recorder puts payloads, one numbered folder each."""
        return self.root / "hooks"

    @property
    def tools(self) -> Path:
        """Where the stand-in reader says that it was started."""
        return self.root / "tools"

    def filled(self, value: Any) -> Any:
        """Return a JSON value of the scenario with the run's folders in it."""
        return paths.filled(value, self.project, self.home)

    def handlers(self, event: str) -> list[str]:
        """Return the command lines to register for `event`, in the form in which readmark registers itself.

        The recorder is one; where it hands on to a command, what the scenario answers is another.
        """
        modes = [["record", event, *self.through]]
        if self.through and event in self.scenario.answers:
            modes.append(["answer", event])
        words = [[*PYTHON, recorder.__file__, str(self.root), *mode] for mode in modes]
        return [shlex.join(["/bin/sh", "-c", f"exec {shlex.join(line)}"]) for line in words]

    def registrations(self, events: Iterable[str]) -> dict[str, list[dict[str, Any]]]:
        """Return the table of hooks that both hosts read: those of the scenario, or else of `events`."""
        return {event: [self._registration(event)] for event in self.scenario.hooks or events}

    def _registration(self, event: str) -> dict[str, Any]:
        more = self.scenario.registered.get(event, Registration())
        matcher = {} if more.matcher is None else {"matcher": more.matcher}
        fields = {"timeout": 10, **more.handler}
        if not fields["timeout"]:
            del fields["timeout"]
        hooks = [{"type": "command", "command": line, **fields} for line in self.handlers(event)]
        return {**matcher, "hooks": hooks}

    def environment(self, extra: dict[str, str]) -> dict[str, str]:
        """Return the whole environment of the host: nothing of the person's own but the language.

        Every address but loopback is a dead proxy: a host that would call home fails at once.
        """
        nowhere = "http://127.0.0.1:9"
        node = shutil.which("node")
        path = [str(self.programs), *([str(Path(node).parent)] if node else []), SYSTEM_PATH]
        return {
            **{name: os.environ[name] for name in PASSED_ON if name in os.environ},
            "PATH": ":".join(path),
            "HOME": str(self.home),
            "USER": "dev",
            "SHELL": "/bin/bash",
            "TERM": "xterm-256color",
            "TMPDIR": str(self.root / "tmp"),
            "HTTP_PROXY": nowhere,
            "HTTPS_PROXY": nowhere,
            "NO_PROXY": "127.0.0.1,localhost",
            **extra,
            **self.scenario.environment,
        }


@contextmanager
def lab(scenario: Scenario, through: Sequence[str] = (), keep: Path | None = None) -> Iterator[Lab]:
    """Build a lab for one scenario and remove it afterwards; `keep` names a folder to leave it in.

    Raises UnusableError where the folder for temporary files, or that for `keep`, cannot be used.
    """
    root = _made()
    found = Lab(root, scenario, tuple(through))
    try:
        _build(found)
        yield found
        if keep is not None:
            _leave(root, keep)
    finally:
        shutil.rmtree(root, ignore_errors=True)


def _made() -> Path:
    try:
        root = Path(tempfile.mkdtemp(prefix="evidence-")).resolve()
    except OSError as error:
        raise UnusableError(
            f"No folder can be made for a run: {error.strerror}. Set TMPDIR to another."
        ) from None
    if os.pathsep in str(root):
        root.rmdir()
        raise UnusableError(
            f"No folder in {root.parent} can stand on a PATH. Set TMPDIR to one without a colon."
        )
    return root


def _leave(root: Path, keep: Path) -> None:
    """Copy a lab; all that can be copied is copied before an error is raised (hosts leave sockets behind)."""
    with suppress(shutil.Error):
        try:
            shutil.copytree(root, keep, symlinks=True, dirs_exist_ok=True)
        except OSError as error:
            if isinstance(error, shutil.Error):
                raise
            raise UnusableError(f"The run cannot be kept in {keep}: {error.strerror}.") from None


def _build(made: Lab) -> None:
    for folder in (made.home, made.project, made.programs, made.hooks, made.tools, made.root / "tmp"):
        folder.mkdir(mode=0o700)
    program = made.programs / "lore"
    words = shlex.join([*PYTHON, lore.__file__, str(made.root)])
    program.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
    program.chmod(0o755)
    # A login shell takes its PATH from /etc/profile; this brings the stand-in back.
    for name in (".bash_profile", ".profile"):
        (made.home / name).write_text(f'export PATH={shlex.quote(str(made.programs))}:"$PATH"\n')
    for base, files in ((made.project, made.scenario.files), (made.home, made.scenario.home)):
        for name, text in files.items():
            place = base / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
    for name, target in made.scenario.links.items():
        link = Path(made.filled(name))
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(made.filled(target))
    answers: dict[str, Any] = msgspec.to_builtins(made.scenario.answers)
    (made.root / "answers.json").write_text(json.dumps(answers))

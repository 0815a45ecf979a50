"""What the tools of Claude Code that can read were asked for, and what they gave, whole or not."""

from shlex import quote

import msgspec

from adapters.hosts.fields import given, text_of, there
from contracts.outcome import Skipped
from contracts.wire import Malformed, decode

OUTPUT_UNITS = 30_000
"""At this length the host cuts an output (`large`); of its units only ASCII was recorded."""

MISMATCH = Skipped("contract-mismatch")

ASKED = {
    "Bash": ("command",),
    "Read": ("file_path",),
    "Skill": ("skill",),
    "Grep": ("path", "glob"),
}
"""Each tool that can read, and the fields of its input that say what it was asked for, one or all of them."""


class _Input(msgspec.Struct):
    command: msgspec.Raw = msgspec.Raw()
    file_path: msgspec.Raw = msgspec.Raw()
    skill: msgspec.Raw = msgspec.Raw()
    path: msgspec.Raw = msgspec.Raw()
    glob: msgspec.Raw = msgspec.Raw()


class _Shell(msgspec.Struct, rename="camel"):
    """The Bash tool's result object; there is no exit code in it."""

    stdout: str
    interrupted: bool
    is_image: msgspec.Raw = msgspec.Raw()
    background_task_id: msgspec.Raw = msgspec.Raw()
    backgrounded_by_user: msgspec.Raw = msgspec.Raw()
    timed_out_after_ms: msgspec.Raw = msgspec.Raw()
    persisted_output_path: msgspec.Raw = msgspec.Raw()
    persisted_output_size: msgspec.Raw = msgspec.Raw()
    return_code_interpretation: msgspec.Raw = msgspec.Raw()


class _Text(msgspec.Struct, rename="camel"):
    """A file, or a part of it, as the Read tool gives it: lines count from 1."""

    content: str
    start_line: int


class _FileRead(msgspec.Struct):
    """The Read tool's result object; for a picture, a notebook or an unchanged file it has another type."""

    type: str
    file: _Text


class _Search(msgspec.Struct):
    """The Grep tool's result object; only with the mode "content" it has lines of files."""

    mode: str
    content: msgspec.Raw = msgspec.Raw()


class _Loaded(msgspec.Struct):
    """The Skill tool's result object; a skill with a context of its own has a status."""

    success: bool
    status: msgspec.Raw = msgspec.Raw()


class Call(msgspec.Struct):
    """One call of a batch; `tool_response` is what the model is sent for it (`claude_transcript.said`)."""

    tool_name: str
    tool_input: msgspec.Raw = msgspec.Raw()
    tool_use_id: msgspec.Raw = msgspec.Raw()
    tool_response: msgspec.Raw = msgspec.Raw()


def asked(tool: str, tool_input: msgspec.Raw) -> str | None:
    """Return what a tool of `ASKED` was asked for; None where the input is of another form.

    Of several fields it is a command that would search there.
    """
    found = decode(bytes(tool_input), _Input)
    if isinstance(found, Malformed):
        return None
    first, *others = (getattr(found, name) for name in ASKED[tool])
    if not others:
        return text_of(first)
    texts = [text_of(field) for field in (first, *others) if there(field)]
    return None if None in texts else " ".join(["rg", *(quote(text) for text in texts if text)])


def output_of(response: msgspec.Raw) -> tuple[str, Skipped | None] | Skipped:
    """Return the output of a command that ended, and why that is not the whole one of one that ended well.

    A failure comes as another event; what comes here can still be on its way (`background`), cut (`large`) or
    excused by the host (`returnCodeInterpretation` in `first/bash_matrix`).
    """
    shell = decode(bytes(response), _Shell)
    if isinstance(shell, Malformed):
        return MISMATCH
    unfinished = (shell.background_task_id, shell.backgrounded_by_user, shell.timed_out_after_ms)
    if shell.interrupted or not all(map(_off, unfinished)):
        return Skipped("call-unfinished")
    if not _off(shell.is_image):
        return Skipped("result-malformed")
    cut = not _off(shell.persisted_output_path) or not _off(shell.persisted_output_size)
    if cut or len(shell.stdout.encode("utf-16-le")) >= 2 * OUTPUT_UNITS:
        return shell.stdout, Skipped("output-cut")
    return shell.stdout, None if _off(shell.return_code_interpretation) else Skipped("call-failed")


def lines_of(response: msgspec.Raw) -> str | Skipped:
    """Return the lines that a search found, and those beside them; nothing where it lists names or counts."""
    search = decode(bytes(response), _Search)
    if isinstance(search, Malformed):
        return MISMATCH
    text = text_of(search.content) if search.mode == "content" else ""
    return MISMATCH if text is None else text


def content_of(response: msgspec.Raw) -> tuple[str, int] | Skipped:
    """Return the text that the Read tool gave of a file, and the number of its first line.

    The first byte order mark is gone from it and each CRLF is one LF (`file_endings`). Of a file that is too
    long it has whole lines (`file_long`), and the first one has the number 0 where it was asked for so.
    """
    read = decode(bytes(response), _FileRead)
    if isinstance(read, Malformed) or read.type != "text":
        # An unchanged file is not given again (`2.1.197/file_again`): the model got no text.
        return Skipped("output-partial")
    if not read.file.content and read.file.start_line > 1:
        # It was asked for lines behind the last one (`file_part`).
        return Skipped("output-partial")
    return read.file.content, read.file.start_line


def unloaded(response: msgspec.Raw) -> Skipped | None:
    """Return why a skill is not proven to be loaded into the root's own conversation, or None."""
    found = decode(bytes(response), _Loaded)
    if isinstance(found, Malformed):
        return MISMATCH
    # A forked skill is read by a subagent of its own (`skill_forked`).
    return None if found.success and _off(found.status) else Skipped("call-failed")


def _off(mark: msgspec.Raw) -> bool:
    return given(mark) is None or bytes(mark) == b"false"

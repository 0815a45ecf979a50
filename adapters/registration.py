"""What to put into a host's own file for hooks so that it calls `readmark hook`.

Hosts run a command through a shell: Claude Code 2.1.197 through `/bin/sh -c`, Codex 0.171.0 through
`$SHELL -c`, which may be bash, zsh or fish. So each command is written in what all of these read alike.
"""

import re

import msgspec

from adapters.readers import READERS
from contracts.host import Hook, Host

_WORD = re.compile(r"[A-Za-z0-9._-]+")
_PIECE = re.compile(r"[^'\\]+|['\\]")
_UNQUOTED = re.compile(r"[A-Za-z0-9._/-]+")

_CALL = (
    # Where the command has gone or breaks, the host's user must see nothing of it.
    "exec 2>/dev/null; "
    # What the agent's project sets for its own Python must neither break ours nor put a module in its way.
    "unset {variables}; "
)
_VARIABLES = (
    "PYTHONHOME PYTHONPATH PYTHONSTARTUP PYTHONSAFEPATH PYTHONPLATLIBDIR PYTHONEXECUTABLE "
    "PYTHONIOENCODING PYTHONUTF8 PYTHONHASHSEED PYTHONMALLOC PYTHONTRACEMALLOC PYTHONINTMAXSTRDIGITS "
    "PYTHONVERBOSE PYTHONPROFILEIMPORTTIME PYTHONINSPECT PYTHONDEBUG PYTHONDEVMODE PYTHONWARNINGS "
    "PYTHONOPTIMIZE PYTHONFAULTHANDLER PYTHONDUMPREFS PYTHONCASEOK PYTHONWARNDEFAULTENCODING"
)

_PLAIN = _CALL + '[ -x "$0" ] && "$0" hook {host}; exit 0'

_FILTER = _CALL + (
    # Not a variable: one that the environment holds already would be exported, payload and all.
    # An empty part of PATH would mean the folder that the agent works in.
    'set -- "$(PATH=/usr/bin:/bin${{PATH:+:$PATH}}; exec cat)"; '
    'case $1 in {patterns}) [ -x "$0" ] && printf %s "$1" | "$0" hook {host};; esac; exit 0'
)


class Call(msgspec.Struct, frozen=True):
    """One command of a hook; `timeout` is in the host's own unit."""

    type: str
    command: str
    timeout: int


class Group(msgspec.Struct, frozen=True, omit_defaults=True):
    """The commands of one event that share a matcher; without one, they run for all."""

    hooks: tuple[Call, ...]
    matcher: str | None = None


class HooksFile(msgspec.Struct, frozen=True):
    """The part of the host's file that is ours: groups of commands by event."""

    hooks: dict[str, list[Group]]


def quote(text: str) -> str:
    r"""Return `text` as one word of sh, dash, bash, zsh and fish.

    fish reads a backslash between single quotes as an escape and the others do not, so quotes and
    backslashes stand outside, each behind a backslash.
    """
    if _UNQUOTED.fullmatch(text):
        return text
    return "".join(f"\\{piece}" if piece in "'\\" else f"'{piece}'" for piece in _PIECE.findall(text))


def _pattern(words: tuple[str, ...]) -> str:
    for word in words:
        if not _WORD.fullmatch(word):
            raise ValueError("A reader's word must be plain, or a shell would read more into it.")
    # Before a blank, or the backslash by which JSON writes a tab or a quote: so `explore` is no mention.
    return "*" + "*".join(rf"{word}[\ \\]" for word in words) + "*"


def command_line(host: str, hook: Hook, program: str) -> str:
    """Return the command that serves a hook; `program` is the absolute path of `readmark`.

    Where only payloads that name a reader matter, `sh` looks for its words and the rest never starts
    Python. The payload goes from pipe to pipe: as an argument or in the environment of a program it
    would meet the kernel's bound of 128 KiB.
    """
    if not hook.only_readers:
        script = _PLAIN.format(host=host, variables=_VARIABLES)
        return f"/bin/sh -c {quote(script)} {quote(program)}"
    patterns = "|".join(_pattern(reader.WORDS) for reader in READERS)
    script = _FILTER.format(patterns=patterns, host=host, variables=_VARIABLES)
    return f"/bin/sh -c {quote(script)} {quote(program)}"


def registration(host: Host, program: str) -> HooksFile:
    """Return what to merge into the host's file (`host.REGISTRATION.file`) to register all its hooks."""
    hooks: dict[str, list[Group]] = {}
    for hook in host.REGISTRATION.hooks:
        call = Call("command", command_line(host.NAME, hook, program), hook.timeout)
        hooks.setdefault(hook.event, []).append(Group((call,), hook.matcher))
    return HooksFile(hooks)

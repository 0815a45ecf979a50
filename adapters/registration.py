"""What to put into a host's own file for hooks so that it calls `readmark hook`.

Hosts run a command through a shell: Claude Code 2.1.197 through `/bin/sh -c`, Codex 0.171.0 through
`$SHELL -c`, which may be bash, zsh or fish. So each command is written in what all of these read alike.
"""

import re
from collections.abc import Sequence

import msgspec

from adapters.readers import CUT_BYTES, READERS, TOOLS
from contracts.host import Hook, Host

_HINT = re.compile(r'[A-Za-z0-9._-]+|"[A-Za-z0-9._-]+"')
_PIECE = re.compile(r"[^'\\]+|['\\]")
_UNQUOTED = re.compile(r"[A-Za-z0-9._/-]+")

_CALL = (
    # Whatever fails in this shell itself, it never leaves with 2, which Claude Code takes for a refusal.
    'trap "exit 0" EXIT; '
    # Where the command has gone or breaks, the host's user must see nothing of it. To close takes no file
    # and no descriptor; where there is no /dev/null, standard input takes the place, which nobody can write
    # to: left closed, it would become that of the next file that is opened.
    "exec 2>&-; command exec 2>/dev/null || command exec 2>&0; "
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

_FILTER = (
    # With a closed standard input, bash gives its number to the pipe of `cat`, which then waits for itself.
    "command exec 3<&0 3<&- || exit 0; "
    # Not a variable: one that the environment holds already would be exported, payload and all.
    # An empty part of PATH would mean the folder that the agent works in.
    # No bound and no deadline of its own: the host's ends it. BSD's `head -c` takes more of the pipe than it
    # hands on, `dd` ends with a short read, `timeout` is not everywhere and one more process for each call.
    'look() {{ set -- {program} "$(PATH=/usr/bin:/bin${{PATH:+:$PATH}}; exec cat)"; '
    "spoken() {{ {tests}return 1; }}; "
    # What was asked for comes before what it gave, which is no mention.
    # In a locale of many bytes a letter, bash takes time with the square of the length.
    r'asked() {{ local LC_ALL=C; set -- "$1" "${{1%%\"tool_response\"*}}"; case $2 in '
    r'*\"tool_calls\"*) spoken "$(printf %s "$1" | PATH=/usr/bin:/bin${{PATH:+:$PATH}} LC_ALL=C '
    r"""sed -E 's/"tool_response": ?"([^"\\]|\\.)*"//g')";; """
    r'*\"tool_input\"*) spoken "$2";; *) spoken "$1";; esac; }}; '
    'spoken "$2" || exit 0; '
    # Of a long payload the cut would cost more than the process that it may spare.
    'if [ "${{#2}}" -lt {bound} ]; then asked "$2" || exit 0; fi; '
    '[ -x "$1" ] && printf %s "$2" | "$1" hook {host}; }}; '
    # Where memory runs out bash leaves with 2, whatever is trapped; other shells need no process for that.
    'case ${{BASH_VERSION-}} in ?*) (look "$@");; *) look "$@";; esac; exit 0'
)

# A plugin is carried to other machines, so it names no path. Folders of PATH first, and only absolute ones;
# then where installers put commands: a host that a desktop started has a PATH without them.
_FIND = (
    'set -f; IFS=:; set -- $PATH "${{HOME:+$HOME/.local/bin}}" /opt/homebrew/bin /usr/local/bin; '
    'while [ "$#" -gt 0 ]; do '
    'case $1 in /*) [ -f "$1/$0" ] && [ -x "$1/$0" ] && break;; esac; shift; done; '
)
_FOUND = _CALL + _FIND + '[ "$#" -gt 0 ] && "$1/$0" hook {host}; exit 0'

NAME = "readmark"
"""The command, where it is looked for instead of called by its path."""


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


def _pattern(hint: str) -> str:
    """Return the pattern of a hint; one that ends in a blank is a word, so `explore` is no mention."""
    plain = hint.rstrip(" ")
    if not _HINT.fullmatch(plain):
        raise ValueError("A hint must be plain, or a shell would read more into it.")
    return "*" + plain.replace('"', r"\"") + (r"[\ \\]*" if hint != plain else "*")


def _test(hints: Sequence[str]) -> str:
    """Return a test of sh that all hints stand in the first argument of a function."""
    # In one star a pattern: with more of them, dash takes time with the square of the length.
    test = "return 0"
    for hint in reversed(hints):
        test = f"case $1 in {_pattern(hint)}) {test};; esac"
    return test


def command_line(host: str, hook: Hook, program: str | None) -> str:
    """Return the command that serves a hook; `program` is the absolute path of `readmark`, None to find it.

    Where only payloads that name a reader matter, `sh` looks for its words and the rest never starts
    Python. The payload goes from pipe to pipe: as an argument or in the environment of a program it
    would meet the kernel's bound of 128 KiB.
    """
    if hook.only_readers:
        found = _FIND if program is None else ""
        place = '"${1:+$1/$0}"' if program is None else '"$0"'
        tests = [
            _test(hints) + "; "
            for hints in (*(reader.HINTS for reader in READERS), *((one,) for one in TOOLS))
        ]
        script = _CALL + found + _FILTER
    else:
        place, tests = "", []
        script = _FOUND if program is None else _PLAIN
    given = {"program": place, "tests": "".join(tests), "bound": CUT_BYTES}
    script = script.format(host=host, variables=_VARIABLES, **given)
    return f"/bin/sh -c {quote(script)} {quote(NAME if program is None else program)}"


def registration(host: Host, program: str | None) -> HooksFile:
    """Return what to merge into the host's file (`host.REGISTRATION.file`) to register all its hooks."""
    hooks: dict[str, list[Group]] = {}
    for hook in host.REGISTRATION.hooks:
        call = Call("command", command_line(host.NAME, hook, program), hook.timeout)
        hooks.setdefault(hook.event, []).append(Group((call,), hook.matcher))
    return HooksFile(hooks)

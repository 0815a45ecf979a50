"""What `readmark status` can find wrong around the ledger: one name, one meaning, one remedy."""

import msgspec


class Finding(msgspec.Struct, frozen=True):
    """Something that keeps a host from calling readmark; `{…}` stands for what differs from case to case.

    `host` is the host's name, `program` its command, `variable` the variable that moves its folder,
    `install` the command of ours that registers the hooks.
    """

    meaning: str
    remedy: str


DIAGNOSTICS_UNREADABLE = "diagnostics-unreadable"

FINDINGS: dict[str, Finding] = {
    "not-installed": Finding("No host on this machine calls readmark.", "Run {install}."),
    "hooks-unreadable": Finding(
        "The file of {host} for hooks cannot be understood, so nobody knows what it holds.",
        "Put it right, then run {install}.",
    ),
    "hooks-incomplete": Finding("Some of readmark's hooks in {host} are missing.", "Run {install}."),
    "hooks-outdated": Finding(
        "readmark's hooks in {host} are not those that this readmark registers.", "Run {install}."
    ),
    "hooks-elsewhere": Finding(
        "The hooks in {host} call another readmark than this one.",
        "If this one shall be called, run {install}.",
    ),
    "program-missing": Finding(
        "The readmark that the hooks in {host} call is not there, or may not be run.", "Run {install}."
    ),
    "hooks-untrusted": Finding(
        "{host} skips readmark's hooks silently, because you have not trusted them.",
        "Start `{program}` in a terminal once and choose to trust them.",
    ),
    "hooks-changed": Finding(
        "{host} skips readmark's hooks silently, because they changed after you had trusted them.",
        "Start `{program}` in a terminal once and trust them again.",
    ),
    "hooks-off": Finding(
        "Hooks of readmark are switched off in {host}.",
        "Switch them on again in its configuration: `enabled` under `hooks.state`.",
    ),
    "hooks-unseen": Finding(
        "{host} does not know of readmark's hooks: hooks are switched off in it, or it does not trust the"
        " project.",
        "See its configuration for `hooks`, and start `{program}` in a terminal once to trust the project.",
    ),
    "hooks-unconfirmed": Finding(
        "{host} was asked whether it runs readmark's hooks and did not say, so nobody knows whether it does.",
        "Start `{program}` in a terminal once to see that it works and trusts them, then run"
        " `readmark status` again.",
    ),
    "host-folder-unusable": Finding(
        "{variable} is not an absolute path, so the folder of {host} is another one in each project.",
        "Set {variable} to an absolute path, or unset it.",
    ),
    DIAGNOSTICS_UNREADABLE: Finding(
        "What hooks said of their work cannot be read, or only a part of it, so nobody knows what they did.",
        "Remove what is named; the next hook makes a new file.",
    ),
}
"""Beside these, a status names the reasons of `contracts.reasons`."""

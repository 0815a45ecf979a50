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
    "no-host": Finding(
        "Nothing is installed in any host found here: no host that readmark knows was found on this machine.",
        "Put a host's command on the PATH, then run {install}.",
    ),
    "host-unheard": Finding(
        "readmark's hooks are in a file of {host}, but its command `{program}` was not found and no hook of"
        " it has ever called, so nobody knows whether it runs them.",
        "Put `{program}` on the PATH; where {host} comes with an editor, use it there once.",
    ),
    "hooks-disabled": Finding(
        "All hooks are switched off in {host}, so readmark's never run.",
        "Take out what is named, or set it to false.",
    ),
    "hooks-refused": Finding(
        "{host} itself says that it does not take in its file for hooks, so it runs no hook of it.",
        "Mend what it names; {install} names the place.",
    ),
    "hooks-unreadable": Finding(
        "The file of {host} for hooks has a fault: {host}, or a version of it, runs no hook of such a file.",
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

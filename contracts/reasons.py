"""Every reason to refuse a payload or to call the ledger unavailable: one name, one meaning, one remedy."""

from typing import Literal, get_args

import msgspec

Gate = Literal["conversation", "actor", "success", "direct", "result", "delivery", "visible"]
"""A question that must be answered by the host's own words, in the order in which they are asked."""

GATES: tuple[Gate, ...] = get_args(Gate)

GateState = Literal["passed", "failed", "not-asked", "waiting"]
"""How one read fares at one gate."""


class Reason(msgspec.Struct, frozen=True):
    """Why something did not happen, for a person: what it means and what to do about it.

    `gate` is the gate of proof that stayed shut, or None where the payload or the store was at fault.
    """

    gate: Gate | None
    meaning: str
    remedy: str


NOTHING_TO_DO = "Nothing to do: the agent's own work went on, only this read is not in the ledger."

REFUSALS: dict[str, Reason] = {
    "payload-malformed": Reason(
        None, "The payload is not one valid JSON object.", "Check what the host pipes into the hook."
    ),
    "payload-too-large": Reason(None, "The payload is larger than a hook reads.", NOTHING_TO_DO),
    "payload-late": Reason(None, "The payload did not end within the hook's deadline.", NOTHING_TO_DO),
    "contract-mismatch": Reason(
        None,
        "The payload lacks fields that the recorded host sends, or has them in another type.",
        "The host may have changed: see `readmark hosts`, and report the host's version.",
    ),
    "version-unproven": Reason(
        None,
        "This version of the host is not proven, and its payload has not exactly the recorded shape.",
        "See `readmark hosts` for the proven ones; update readmark, or report the host's version.",
    ),
    "foreign-payload": Reason(
        None,
        "The payload does not have the form of this host: another host sent it, or it has changed.",
        "Register `readmark hook` with the name of the host that sends.",
    ),
    "host-unknown": Reason(
        None,
        "A hook was called with the name of no known host.",
        "Check the name in the registration; `readmark hosts` lists the known ones.",
    ),
    "host-unproven": Reason(
        None,
        "There is no passing verdict for this host.",
        "See `readmark hosts` for the gates it does not pass.",
    ),
    "version-failed": Reason(
        None,
        "The verdict of this very version of the host does not pass every gate.",
        "See `readmark hosts` for the gates; use another version of the host, or update readmark.",
    ),
    "disabled": Reason(None, "readmark is switched off.", "Unset READMARK_DISABLED."),
    "paused": Reason(
        None, "readmark is paused.", "Run `readmark resume`; `readmark status` shows what is paused."
    ),
    "paused-all": Reason(
        None,
        "All hosts are paused, and one of them alone cannot be resumed.",
        "Run `readmark resume`, then `readmark pause HOST` for each that should stay paused.",
    ),
    "project-off": Reason(
        None,
        "readmark is switched off in this project.",
        "Run `readmark resume --project` in the folder of the `.readmark.toml` that says so.",
    ),
    "conversation-unproven": Reason(
        "conversation", "The payload does not prove which root conversation it belongs to.", NOTHING_TO_DO
    ),
    "conversation-cleared": Reason(
        "conversation",
        "The conversation was cleared; a late event of it is refused.",
        "Resume the conversation in its host to open it again, empty.",
    ),
    "actor-subagent": Reason("actor", "A subagent made the call, not the root agent.", NOTHING_TO_DO),
    "actor-unproven": Reason(
        "actor",
        "The payload does not prove that the root agent made the call (a review, a helper thread).",
        NOTHING_TO_DO,
    ),
    "call-unproven": Reason(
        "success", "The host's record of this very call could not be found.", NOTHING_TO_DO
    ),
    "call-failed": Reason("success", "The call failed.", "See why it failed, and read the item again."),
    "call-unfinished": Reason(
        "success",
        "The command went on in the background or was interrupted.",
        "Run the read in the foreground, to its end.",
    ),
    "output-cut": Reason(
        "success", "The host cut the output.", "Read one item a call; one that is larger stays out."
    ),
    "output-partial": Reason(
        "success",
        "The payload holds not the whole output of the command, or none of the file's text.",
        "Read it again; a practice needs its whole output in one call.",
    ),
    "command-indirect": Reason(
        "direct",
        "The command is not one simple command of a reader (a pipe, a list, a redirect, a wrapper, …).",
        "Run the read as a command of its own.",
    ),
    "command-unknown": Reason(
        "direct",
        "The reader's command has a form or an option that is not known.",
        "Use `lore get ID --json` with its documented options.",
    ),
    "command-unstructured": Reason("direct", "The reader was asked for text for people.", "Add `--json`."),
    "result-malformed": Reason(
        "result", "The output is not exactly one document of the reader's contract.", NOTHING_TO_DO
    ),
    "result-failed": Reason("result", "The reader itself says that the read failed.", NOTHING_TO_DO),
    "result-mismatch": Reason(
        "result", "The output is of another item or command than was asked for.", NOTHING_TO_DO
    ),
    "result-protocol": Reason(
        "result", "The reader speaks a protocol version that is not known.", "Update readmark."
    ),
    "scope-unknown": Reason(
        "result",
        "It cannot be known which store the item came from.",
        "Give `lore` an absolute store root, or none; a folder of files needs a name in UTF-8.",
    ),
    "lines-too-few": Reason(
        "result",
        "The result shows lines of the file, too few to tell that it was read.",
        "Read a larger part of it in one call.",
    ),
    "content-differs": Reason(
        "result",
        "No line of the result is one of the file as it is now: it has changed since, or its lines were not"
        " shown as they are.",
        "Read the file again, without colours and other changes of its lines.",
    ),
    "file-ambiguous": Reason(
        "result",
        "Lines of the result stand in several files that the call may mean; nothing tells whose they are.",
        "Name the file that is to be read.",
    ),
    "file-linked": Reason(
        "result",
        "The name leads over a link to a file that does not count.",
        "List the file itself, in its own project; a skill of your own may be a link in your own folder of"
        " skills.",
    ),
    "file-too-large": Reason("result", "The file is larger than is looked at (1 MiB).", NOTHING_TO_DO),
    "file-missing": Reason(None, "There is no regular file of that name.", "Check the name."),
    "file-outside": Reason(
        None,
        "The file lies neither in the project of this folder nor in one of the host's own places for skills.",
        "Run it in a folder of the file's own project.",
    ),
    "file-private": Reason(
        None,
        "Its name is like that of a key or of settings; such a file never counts.",
        "Nothing to do.",
    ),
    "file-ignored": Reason(
        None,
        "A pattern of `ignore` covers it.",
        "Run `readmark config`; it shows the patterns and where each comes from.",
    ),
    "file-kind": Reason(None, "Only Markdown counts: a name that ends in `.md`.", "Nothing to do."),
    "file-unlisted": Reason(
        None,
        "No pattern of `documents` matches it.",
        "List it in the project's `.readmark.toml`; `readmark config` shows the patterns that there are.",
    ),
    "file-no-text": Reason(None, "The file is empty, or its bytes are no UTF-8.", "Save it as UTF-8 text."),
    "skill-unknown": Reason(
        "result",
        "No file of a skill of this name lies where the host is known to look.",
        "Nothing to do for a skill that comes with the host; another counts once its SKILL.md is read.",
    ),
    "skill-dynamic": Reason(
        "result",
        "The skill's text is made anew each time (it runs commands, or holds settings): nothing to compare.",
        "Read its SKILL.md with a file tool.",
    ),
    "candidate-too-large": Reason(
        "result",
        "The item's title, conditions and sources together exceed the bound.",
        "Raise `candidate_bytes` in the configuration.",
    ),
    "delivery-unproven": Reason(
        "delivery",
        "The call has no id, so the host can never show that the model got the result.",
        NOTHING_TO_DO,
    ),
    "delivery-refuted": Reason(
        "delivery", "The host shows that the model did not get what was read.", NOTHING_TO_DO
    ),
    "delivery-expired": Reason(
        "delivery", "The host never showed that the model got the result.", NOTHING_TO_DO
    ),
}

UNAVAILABLE: dict[str, Reason] = {
    "home-missing": Reason(
        None,
        "No state folder can be found: there is no usable home directory.",
        "Set READMARK_HOME to an absolute path, or HOME.",
    ),
    "home-relative": Reason(
        None, "READMARK_HOME is not an absolute path.", "Set READMARK_HOME to an absolute path."
    ),
    "home-foreign": Reason(
        None,
        "The state folder belongs to another user.",
        "Run as its owner, or set READMARK_HOME to a folder of your own.",
    ),
    "home-unusable": Reason(
        None,
        "The state folder cannot be made or entered.",
        "Check the path and its permissions, or set READMARK_HOME.",
    ),
    "host-folder-relative": Reason(
        None,
        "The variable that moves the host's folder is not an absolute path, so it would be another folder in"
        " each project.",
        "Set it to an absolute path, or unset it.",
    ),
    "folder-gone": Reason(
        None, "The folder that this command was started in is gone.", "Change into a folder that is there."
    ),
    "pause-stuck": Reason(
        None,
        "A folder stands where the mark of a pause should be; it goes on pausing, and readmark removes no"
        " folder.",
        "Remove it by hand.",
    ),
    "stream-unusable": Reason(None, "Standard input cannot be read.", "Check what it is connected to."),
    "store-foreign": Reason(
        None, "The ledger's file belongs to another user.", "Run as its owner, or move the file away."
    ),
    "store-linked": Reason(
        None,
        "The ledger's file is a symbolic link, has hard links, or is no regular file.",
        "Move it away; a fresh one starts at the next write.",
    ),
    "store-locked": Reason(
        None,
        "Another process held the ledger longer than this one may wait.",
        "Try again; where it was a hook, the agent's work went on.",
    ),
    "store-read-only": Reason(
        None,
        "The ledger cannot be written here.",
        "Check the permissions of the state folder and the file system.",
    ),
    "store-full": Reason(
        None,
        "There is no space left for the ledger.",
        "Free some space; what was recorded can still be read.",
    ),
    "store-newer": Reason(None, "The ledger was written by a newer readmark.", "Update readmark."),
    "store-corrupt": Reason(
        None,
        "The ledger's file is damaged or not a ledger.",
        "It is moved aside at the next write, and a fresh one starts.",
    ),
    "store-failed": Reason(
        None, "The ledger's file could not be used.", "Check the state folder and its file system."
    ),
    "config-invalid": Reason(
        None, "The configuration has a fault.", "Run `readmark config`; it names the place."
    ),
    "page-unwritable": Reason(
        None, "The page cannot be written there.", "Name another place with --out FILE."
    ),
    "project-invalid": Reason(
        None,
        "A project's `.readmark.toml` has a fault; nothing is recorded or briefed in that project.",
        "Run `readmark config` in the project; it names the place.",
    ),
    "evidence-unusable": Reason(
        None, "A real host, or a folder that it needs, cannot be used.", "See what is said of it."
    ),
    "deadline": Reason(
        None,
        "The time that a hook may take ran out.",
        "Nothing to do unless it comes often: then the machine is too busy, or the state folder's disk is too"
        " slow.",
    ),
    "internal-error": Reason(
        None,
        "readmark itself failed.",
        "Please report it, with its line of `diagnostics.jsonl` in the state folder.",
    ),
}

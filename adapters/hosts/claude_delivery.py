"""Tells from a batch or a transcript of Claude Code whether the model was sent a result that a hook saw.

A `PostToolBatch` states what was sent. After an Esc there is none (`first/tui_esc_during_posthook`), and of
some batches the model got a part without one (`tui_interrupt`); the transcript holds both. Of a loaded skill
the batch has no more than its name; its text follows in the transcript (`skill_project`).
"""

from collections.abc import Mapping, Sequence

from adapters.hosts import claude_skill_text, claude_transcript
from contracts.read import Locator, PendingRead, result_digest

LAUNCHING = "Launching skill: "
"""The whole result of a loaded skill, but for its name."""

SETTLE_BYTES = 8 * claude_transcript.WINDOW_BYTES
"""How many bytes of transcripts one look at all pending reads takes at most, without those before a skill."""


def sent(texts: Mapping[str, str], pending: Sequence[PendingRead]) -> dict[str, bool]:
    """Tell, by event id, which reads' whole results the model was sent, and which certainly not.

    `texts` are what a batch states, by event id; where it states none, the read's transcript is asked.
    What is not shown is left out.
    """
    verdicts: dict[str, bool] = {}
    left = SETTLE_BYTES
    # The newest first: a read that is never settled must not use up the bytes of those after it.
    for read in reversed(pending):
        text = texts.get(read.event_id)
        if text is not None and not _launched(text):
            verdicts[read.event_id] = _is_of(text, read)
        elif read.locator is not None and left > 0:
            lines = claude_transcript.window(read.locator, left)
            left -= len(lines)
            verdict = _shown(lines, read, read.locator)
            if verdict is not None:
                verdicts[read.event_id] = verdict
    return verdicts


def _shown(lines: bytes, read: PendingRead, locator: Locator) -> bool | None:
    """Return whether the model got a read's result, as a transcript shows it, or None if it does not yet."""
    result = claude_transcript.find(lines, read.event_id)
    if result is None:
        return None
    if result.failed or not _is_of(result.text, read):
        return False
    if read.read.file is None or not _launched(result.text):
        return True
    # The call itself was written before its hook ran, or the host was late with it.
    earlier = claude_transcript.before(locator, claude_transcript.WINDOW_BYTES)
    given = claude_transcript.given(earlier + lines, read.event_id)
    if given is None:
        return None
    shown = claude_transcript.loaded(lines, locator, read.event_id, given)
    return None if shown is None else claude_skill_text.sent(read, shown)


def _is_of(text: str, read: PendingRead) -> bool:
    """Whether a result's text is the one that was noted; the model gets a file's with numbers before it."""
    if result_digest(text) == read.result_digest:
        return True
    lines = text.split("\n")
    marks = [f"{number}\t" for number in range(1, len(lines) + 1)]
    if not all(map(str.startswith, lines, marks)):
        return False
    plain = "\n".join(line[len(mark) :] for line, mark in zip(lines, marks, strict=True))
    return result_digest(plain) == read.result_digest


def _launched(text: str) -> bool:
    return text.startswith(LAUNCHING)

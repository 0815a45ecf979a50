"""Tells from a batch or a transcript of Claude Code whether the model was sent a result that a hook saw.

A `PostToolBatch` states what was sent. After an Esc there is none (`first/tui_esc_during_posthook`), and of
some batches the model got a part without one (`tui_interrupt`); the transcript holds both. Of a loaded skill
the batch has no more than its name; its text follows in the transcript (`skill_project`).
"""

import re
from collections.abc import Mapping, Sequence

from adapters.hosts import claude_skill_text, claude_transcript
from contracts.read import Locator, PendingRead, Read, Sent, Settlement, result_digest

LAUNCHING = "Launching skill: "
"""The whole result of a loaded skill, but for its name."""

_NUMBERED = re.compile(r"(\d{1,9})\t")

SETTLE_BYTES = 8 * claude_transcript.WINDOW_BYTES
"""How many bytes of transcripts one look at all pending reads takes at most, without those before a skill."""


def delivered(texts: Mapping[str, str], pending: Sequence[PendingRead], sent: Sent) -> list[Settlement]:
    """Tell of which reads the model was sent how much, in their order; `sent` says what a text proves.

    `texts` are what a batch states, by event id; where it states none, the read's transcript is asked.
    What is not shown is left out.
    """
    settled: dict[str, tuple[Read, ...]] = {}
    left = SETTLE_BYTES
    # The newest first: a read that is never settled must not use up the bytes of those after it.
    for read in reversed(pending):
        text = texts.get(read.event_id)
        if text is not None and not _launched(text):
            settled[read.event_id] = _sent(text, read, sent)
        elif read.locator is not None and left > 0:
            lines = claude_transcript.window(read.locator, left)
            left -= len(lines)
            found = _shown(lines, read, read.locator, sent)
            if found is not None:
                settled[read.event_id] = found
    return [Settlement(read.event_id, settled[read.event_id]) for read in pending if read.event_id in settled]


def _shown(lines: bytes, read: PendingRead, locator: Locator, sent: Sent) -> tuple[Read, ...] | None:
    """Return what the model got of a read, as a transcript shows it, or None if it does not yet."""
    result = claude_transcript.find(lines, read.event_id)
    if result is None:
        return None
    if result.failed:
        return ()
    if not _launched(result.text) or read.reads[0].file is None:
        return _sent(result.text, read, sent)
    # The call itself was written before its hook ran, or the host was late with it.
    earlier = claude_transcript.before(locator, claude_transcript.WINDOW_BYTES)
    given = claude_transcript.given(earlier + lines, read.event_id)
    loaded = None if given is None else claude_transcript.loaded(lines, locator, read.event_id, given)
    same = None if loaded is None else claude_skill_text.sent(read.reads[0], loaded)
    return None if same is None else read.reads if same else ()


def _sent(text: str, read: PendingRead, sent: Sent) -> tuple[Read, ...]:
    """Return what a text proves; the model gets a file's lines with their numbers before them."""
    if (first := _NUMBERED.match(text)) and result_digest(_plain(text, int(first[1]))) == read.result_digest:
        return read.reads
    return sent(read, text)


def _plain(text: str, first: int) -> str:
    """Return a text without the numbers before its lines, as it is where one of them is wrong."""
    lines = text.split("\n")
    marks = [f"{number}\t" for number in range(first, first + len(lines))]
    if not all(map(str.startswith, lines, marks)):
        return text
    return "\n".join(line[len(mark) :] for line, mark in zip(lines, marks, strict=True))


def _launched(text: str) -> bool:
    return text.startswith(LAUNCHING)

"""`readmark record`: a payload's way for a person or a script, explained gate by gate."""

import os
import sys

import click

from adapters.hosts import load
from contracts.outcome import Life, Noted, Settled, Skipped, Unavailable
from contracts.report import Explained, RecordedRead, RecordReport, SettledReads
from ledger.cli import access
from ledger.cli.failure import DONE, REFUSED, UNAVAILABLE_CODE, explain, sentence
from ledger.cli.output import hint, print_json, print_text, say, spoken, symbol
from ledger.cli.parameters import examples, host_option, json_option
from ledger.cli.table import table
from ledger.errors import ReadmarkError
from ledger.escape import one_line
from ledger.hook import read_payload
from ledger.library import look
from ledger.outcomes import gates, summary
from ledger.pipeline import Briefed, Handled, event_name, handle

CODES = {"skipped": REFUSED, "unavailable": UNAVAILABLE_CODE}

WORDS = {
    "pending": "Proven but for delivery: it becomes a candidate once the host shows that the model got it.",
    "repeated": "The same event came before; nothing changed.",
    "briefed": "A subagent starts; it receives this text:",
    "nothing-to-brief": "A subagent starts; there is nothing to tell it.",
    "begun": "A new, empty life of the conversation.",
    "resumed": "The conversation goes on.",
    "cleared": "The conversation was cleared.",
    "recorded": "The host has shown that the model got what was read before.",
    "withdrawn": "What was read before becomes no candidate.",
    "ignored": "The event asks nothing of the ledger.",
}


def _read(file: str) -> bytes | None:
    if file == "-":
        if sys.stdin is not None and sys.stdin.isatty():
            hint("Reading one payload from the terminal; end it with Ctrl-D.")
        if sys.stdin is None:
            # Its number may be that of a file by now, which is nobody's payload.
            raise ReadmarkError("stream-unusable", "it is closed")
        try:
            return read_payload()
        except OSError as error:
            raise ReadmarkError("stream-unusable", error.strerror or type(error).__name__) from None
    try:
        descriptor = os.open(file, os.O_RDONLY)
    except OSError as error:
        raise click.BadParameter(f"{one_line(file)}: {error.strerror}.", param_hint="FILE") from None
    try:
        return read_payload(descriptor)
    except OSError as error:
        raise click.BadParameter(f"{one_line(file)}: {error.strerror}.", param_hint="FILE") from None
    finally:
        os.close(descriptor)


def _handle(host: str, payload: bytes | None) -> Handled:
    if payload is None:
        return Handled("Refused", Skipped("payload-too-large"))
    off = access.switched_off(host)
    if off is not None:
        return Handled("Refused", off)
    with access.opened() as ledger:
        return handle(load(host), payload, ledger, look=look(os.environ))


def _settled(settled: Settled | Unavailable) -> SettledReads:
    if isinstance(settled, Unavailable):
        return SettledReads(unavailable=explain(settled.reason, settled.detail))
    return SettledReads(
        [
            RecordedRead(one.candidate.read.item_id, one.candidate.ordinal, one.change)
            for one in settled.recorded
        ],
        [explain(one.why.reason, one.why.detail) for one in settled.withdrawn],
    )


def report(handled: Handled, event: str) -> RecordReport:
    """Return what came of one payload of an event, in the form that `--json` prints."""
    outcome = handled.outcome
    why: Explained | None = None
    if isinstance(outcome, Skipped | Unavailable):
        why = explain(outcome.reason, outcome.detail)
    return RecordReport(
        state=summary(handled).outcome,  # type: ignore[arg-type] # its words are those of the report
        event=event,
        refusal=why,
        gates=gates(handled),
        item=outcome.read.item_id if isinstance(outcome, Noted) else None,
        briefing=outcome.text if isinstance(outcome, Briefed) else None,
        incarnation=outcome.incarnation if isinstance(outcome, Life) else None,
        dropped=outcome.dropped if isinstance(outcome, Life) else None,
        settled=_settled(handled.settled),
    )


def _tell(told: RecordReport) -> None:
    """Say to a person what came of the payload: the outcome, the gates, then what settled on the way."""
    if told.refusal is None:
        say(f"{told.state}: {WORDS[told.state]}")
    else:
        say(f"{spoken(told.state)}: {told.refusal.reason}")
        say(told.refusal.meaning + (f" ({one_line(told.refusal.detail)})" if told.refusal.detail else ""))
        say(told.refusal.remedy)
    if told.item is not None:
        say(f"Item: {one_line(told.item)}")
    if told.briefing:
        # Exactly as the subagent gets it: not wrapped.
        print_text(f"\n{told.briefing}\n")
    if told.dropped:
        say(f"Candidates gone with the life that ended: {told.dropped}.")
    if told.gates is not None:
        signs = {
            "passed": symbol("✓", "+"),
            "failed": symbol("✗", "x"),
            "waiting": symbol("…", "~"),
            "not-asked": "-",
        }
        rows = [(gate, f"{signs[state]} {spoken(state)}") for gate, state in told.gates.items()]
        say("", table(("Gate", "State"), rows))
    for one in told.settled.recorded:
        say(f"Settled: {one_line(one.id)} is candidate {one.read_ordinal} ({one.change}).")
    for withdrawn in told.settled.refused:
        say(f"Withdrawn: {sentence(withdrawn)}")
    if told.settled.unavailable is not None:
        say(f"Could not settle: {sentence(told.settled.unavailable)}")


@click.command(
    short_help="Take one payload and say what comes of it, gate by gate.",
    epilog=examples(
        "readmark record --host codex payload.json",
        "readmark record --host claude-code --json < payload.json",
    ),
)
@host_option(required=True)
@click.argument("file", default="-", metavar="[FILE]")
@json_option
def record(host: str, file: str, *, as_json: bool) -> int:
    """Take one payload of a host the way that the hook takes it, and say what came of it.

    It really writes to the ledger, as the hook would: a read is kept, a clear clears. FILE is read to
    its end, "-" or nothing means standard input. The payload must prove the read by itself: there is no
    way to claim one by hand. A briefing is only shown, so it is not kept as told. Exits 3 if the payload
    is refused and 4 if the ledger is unavailable.
    """
    payload = _read(file)
    told = report(_handle(host, payload), event_name(load(host), payload or b""))
    if as_json:
        print_json(told)
    else:
        _tell(told)
    if told.settled.unavailable is not None:
        return UNAVAILABLE_CODE
    return CODES.get(told.state, DONE)

"""`readmark record`: a payload's way for a person or a script, explained gate by gate."""

import os
import sys

import click

from adapters.hosts import load
from adapters.verdicts import Standing, standing
from contracts.outcome import Life, Noted, Settled, Skipped, Unavailable, Withdrawn
from contracts.report.base import Explained
from contracts.report.record import PendingItem, RecordedRead, RecordReport, RefusedItem, SettledReads
from ledger.cli import access
from ledger.cli.failure import DONE, REFUSED, UNAVAILABLE_CODE, explain, sentence
from ledger.cli.gates import sign
from ledger.cli.output import hint, print_json, print_text, say
from ledger.cli.parameters import examples, host_option, json_option
from ledger.cli.table import table
from ledger.cli.words import pairs, part, printable, spoken
from ledger.errors import ReadmarkError
from ledger.escape import one_line
from ledger.hook import read_payload
from ledger.library import look
from ledger.outcomes import gates, summary
from ledger.pipeline import Briefed, Handled, end_only, event_name, handle
from ledger.quiet import why_not
from ledger.runtime import open_unbounded

UNSTATED = "Nothing here states the version of the host; a person who knows it can give --host-version."
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


def _handle(name: str, payload: bytes | None, stands: Standing) -> Handled:
    """Do what `ledger.hook` does with a payload, but for what stands between a briefing and its subagent."""
    if payload is None:
        return Handled("Refused", Skipped("payload-too-large"))
    host = load(name)
    off = why_not(os.environ, name, stands.off)
    if off is not None:
        with open_unbounded(os.environ, access.PATIENCE_MS) as ledger:
            return Handled("Refused", end_only(host, payload, ledger) or off)
    with access.opened() as ledger:
        return handle(host, payload, ledger, strict=not stands.proven, look=look(os.environ))


def _settled(settled: Settled | Unavailable) -> SettledReads:
    if isinstance(settled, Unavailable):
        return SettledReads(unavailable=explain(settled.reason, settled.detail))
    return SettledReads(
        [
            RecordedRead(read.item_id, one.candidate.ordinal, one.change, *pairs(read.lines))
            for one in settled.recorded
            for read in [one.candidate.read]
        ],
        [_refused(one) for one in settled.withdrawn],
    )


def _refused(one: Withdrawn) -> RefusedItem:
    why = explain(one.why.reason, one.why.detail)
    return RefusedItem(why.reason, why.meaning, why.remedy, why.detail, id=one.read.item_id)


def report(handled: Handled, event: str, version: str, *, proven: bool) -> RecordReport:
    """Return what came of one payload of an event, in the form that `--json` prints.

    `version` is that of the host, empty where nothing states it.
    """
    outcome = handled.outcome
    why: Explained | None = None
    if isinstance(outcome, Skipped | Unavailable):
        why = explain(outcome.reason, outcome.detail)
    noted = outcome if isinstance(outcome, Noted) else Noted(())
    items = [PendingItem(read.item_id, *pairs(read.lines)) for read in noted.reads]
    return RecordReport(
        state=summary(handled).outcome,  # type: ignore[arg-type] # its words are those of the report
        event=event,
        host_version=printable(version),
        version_proven=proven,
        refusal=why,
        gates=gates(handled),
        item=items[0].id if items else None,
        items=items,
        refused=[_refused(one) for one in noted.withdrawn],
        briefing=outcome.text if isinstance(outcome, Briefed) else None,
        incarnation=outcome.incarnation if isinstance(outcome, Life) else None,
        dropped=outcome.dropped if isinstance(outcome, Life) else None,
        settled=_settled(handled.settled),
    )


def tell(told: RecordReport) -> None:
    """Say to a person what came of the payload: the outcome, the gates, then what settled on the way."""
    if told.refusal is None:
        say(f"{told.state}: {WORDS[told.state]}")
    else:
        say(f"{spoken(told.state)}: {told.refusal.reason}")
        say(told.refusal.meaning + (f" ({one_line(told.refusal.detail)})" if told.refusal.detail else ""))
        say(told.refusal.remedy)
        if told.refusal.reason == "version-unproven":
            say(f"The version is {one_line(told.host_version)}." if told.host_version else UNSTATED)
    for item in told.items:
        say(f"Item: {one_line(item.id)}{part(item.lines, item.of)}")
    for refused in told.refused:
        say(f"Refused: {one_line(refused.id)}: {sentence(refused)}")
    if told.briefing:
        # Exactly as the subagent gets it: not wrapped.
        print_text(f"\n{told.briefing}\n")
    if told.dropped:
        say(f"Candidates gone with the life that ended: {told.dropped}.")
    if told.gates is not None:
        rows = [(gate, f"{sign(state)} {spoken(state)}") for gate, state in told.gates.items()]
        say("", table(("Gate", "State"), rows))
    _tell_settled(told.settled)


def _tell_settled(settled: SettledReads) -> None:
    for one in settled.recorded:
        shown = part(one.lines, one.of)
        say(f"Settled: {one_line(one.id)} is candidate {one.read_ordinal} ({one.change}){shown}.")
    for withdrawn in settled.refused:
        say(f"Withdrawn: {one_line(withdrawn.id)}: {sentence(withdrawn)}")
    if settled.unavailable is not None:
        say(f"Could not settle: {sentence(settled.unavailable)}")


def exit_code(told: RecordReport) -> int:
    """Return the exit code of a report: a ledger that could not settle is never a success."""
    return CODES.get(told.state, DONE) if told.settled.unavailable is None else UNAVAILABLE_CODE


@click.command(
    short_help="Take one payload and say what comes of it, gate by gate.",
    epilog=examples(
        "readmark record --host codex payload.json",
        "readmark record --host claude-code --json < payload.json",
        "readmark record --host codex --host-version 0.171.0 payload.json",
    ),
)
@host_option(required=True)
@click.option(
    "--host-version",
    "stated",
    metavar="VERSION",
    help="Version of the host that sent the payload; by default what the environment says, as in a hook.",
)
@click.argument("file", default="-", metavar="[FILE]")
@json_option
def record(host: str, file: str, *, stated: str | None, as_json: bool) -> int:
    """Take one payload of a host the way that the hook takes it, and say what came of it.

    It really writes to the ledger, as the hook would: a read is kept, a clear clears. FILE is read to
    its end, "-" or nothing means standard input. The payload must prove the read by itself: there is no
    way to claim one by hand. One of a version that is unknown or not proven must have exactly the recorded
    shape. A briefing is only shown, so it is not kept as told. Exits 3 if the payload is refused and 4 if
    the ledger is unavailable.
    """
    payload = _read(file)
    adapter = load(host)
    version = (adapter.version(os.environ) or "") if stated is None else stated
    stands = standing(host, version)
    handled = _handle(host, payload, stands)
    told = report(handled, event_name(adapter, payload or b""), version, proven=stands.proven)
    if as_json:
        print_json(told)
    else:
        tell(told)
    return exit_code(told)

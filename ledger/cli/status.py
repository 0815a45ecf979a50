"""`readmark status`: how the ledger is, what hooks did last, and what to do about what is wrong."""

import click

from contracts.reasons import NOTHING_TO_DO
from contracts.report import HostActivity, SeenEvent, StatusReport
from ledger.cli.examination import examine
from ledger.cli.failure import DONE, REFUSED, UNAVAILABLE_CODE, sentence
from ledger.cli.output import counted, print_json, say, spoken
from ledger.cli.parameters import examples, json_option
from ledger.cli.table import fields, indented, table
from ledger.escape import one_line

CODES = {"healthy": DONE, "attention": REFUSED, "unavailable": UNAVAILABLE_CODE}
NEVER = "never"
UNITS = {"_bytes": " bytes", "_seconds": " s", "_units": " UTF-16 units"}
"""The unit of a limit, by the end of its key; the others count things."""


def _store(told: StatusReport) -> str:
    store = told.store
    if store is None:
        return "unknown: there is no state folder"
    if store.state == "absent":
        return "absent: it is made at the first write"
    if store.state == "unavailable":
        return f"unavailable: {store.reason}" + (f" ({store.detail})" if store.detail else "")
    return f"healthy, schema {store.schema}, {(store.bytes or 0) / 1024:,.1f} KiB"


def _unit(key: str) -> str:
    return next((unit for ending, unit in UNITS.items() if key.endswith(ending)), "")


def _moment(seen: SeenEvent | None) -> str:
    if seen is None:
        return NEVER
    why = f": {seen.reason}" if seen.reason else ""
    return f"{seen.at[:19].replace('T', ' ')} {seen.event}, {spoken(seen.outcome)}{why}"


def _host(one: HostActivity) -> tuple[str, str, str]:
    return f"{one.host} ({'on' if one.on else 'off'})", _moment(one.last_event), _moment(one.last_briefing)


def _tell(told: StatusReport) -> None:
    folder = "none" if told.folder is None else f"{told.folder.path} (by {told.folder.source})"
    counts = told.counts
    held = "unknown"
    if counts is not None:
        held = f"{counted(counts.conversations, 'conversation')}, {counted(counts.candidates, 'candidate')}, "
        held += f"{counted(counts.pending, 'pending read')}; "
        held += counted(counts.cleared, "cleared conversation")
    bounds = ", ".join(f"{key} {value}{_unit(key)}" for key, value in told.limits.items())
    say(f"readmark {told.version}: {told.state}", "")
    say(fields((("Folder", folder), ("Store", _store(told)), ("Holds", held), ("Limits", bounds))), "")
    say(table(("Host", "Last event (UTC)", "Last briefing (UTC)"), [_host(one) for one in told.hosts]))
    if all(one.last_event is None for one in told.hosts):
        say(
            "",
            "No hook has ever called: `readmark install HOST` registers them with a host.",
        )
    for one in told.hosts:
        if one.on and one.last_event is not None and not one.proven:
            stated = f"{one.host} {one_line(one.version)}" if one.version else f"The version of {one.host}"
            say(
                "",
                f"{stated} is unproven: it counts only while each payload has exactly the recorded shape"
                " (`readmark hosts`).",
            )
    if told.refusals:
        say("", "Last refusals:")
        for seen in told.refusals:
            say(f"  {seen.at[:19].replace('T', ' ')} {one_line(seen.host)} {one_line(seen.event)}")
            say(indented(sentence(seen.why), 4))
        if any(seen.why.remedy == NOTHING_TO_DO for seen in told.refusals):
            say(indented("Where no remedy is named: nothing to do, the agent's own work went on.", 2))
    if told.problems:
        say("", "What is wrong, and how to fix it:")
        for problem in told.problems:
            say(indented(sentence(problem), 2))


@click.command(
    short_help="Show how the ledger is and how to fix it.",
    epilog=examples("readmark status", "readmark status --json"),
)
@json_option
def status(*, as_json: bool) -> int:
    """Show the state folder, the ledger in it, what hooks did last, and how to fix what is wrong.

    It works whatever state the ledger is in, and changes nothing. Exits 3 if something wants attention
    and 4 if the ledger is unavailable.
    """
    told = examine()
    if as_json:
        print_json(told)
    else:
        _tell(told)
    return CODES[told.state]

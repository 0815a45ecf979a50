"""`readmark status` for a person: one screen, host by host."""

import os
from collections.abc import Iterator
from datetime import datetime

from contracts.findings import DIAGNOSTICS_UNREADABLE
from contracts.report.status import HostStatus, InstalledHooks, SeenEvent, StatusReport
from ledger.cli.failure import explain, sentence
from ledger.cli.output import say
from ledger.cli.table import fields, indented
from ledger.cli.words import ago, counted
from ledger.escape import one_line

NEVER = "never"
STATES = {
    "current": "",
    "elsewhere": "calls another readmark",
    "outdated": "outdated",
    "incomplete": "some hooks are missing",
    "program-missing": "the readmark that it calls is missing",
    "unreadable": "has a fault",
}
TRUST = {
    "trusted": "trusted",
    "untrusted": "NOT trusted",
    "changed": "NOT trusted: changed since",
    "off": "switched off",
    "unseen": "not run by the host",
    "unknown": "trust unknown",
}


def tell(told: StatusReport, now: int) -> None:
    """Print the whole report; `now` is in milliseconds since the epoch."""
    say(f"readmark {told.version}: {told.state}")
    silence = "no hook has ever called"
    if any(problem.reason == DIAGNOSTICS_UNREADABLE for problem in told.problems):
        silence = "unknown: what hooks said cannot be read"
    for one in told.hosts:
        if one.found or one.last_event is not None or one.installed:
            say("", _title(one), fields((f"  {name}", value) for name, value in _lines(one, now, silence)))
    missing = [one.host for one in told.hosts if not one.found]
    if missing:
        say("", f"Not on this machine: {', '.join(missing)}.")
    if not any(one.installed for one in told.hosts):
        say("", "`readmark install HOST` registers readmark's hooks with a host.")
    aside = [
        ("Set aside", f"{_shortened(one)}: damaged; what it held is not told any more")
        for one in told.set_aside
    ]
    say("", fields((("Folder", _folder(told)), ("Ledger", _store(told)), *aside)))
    _problems(told)
    if told.hint is not None:
        say("", f"{told.hint.meaning} {told.hint.remedy}")


def _title(one: HostStatus) -> str:
    known = one.version or one.heard_version
    said = f"{one.host} {one_line(known)}"
    if not known:
        said = f"{one.host}, version unknown{_because(one.version_unknown)}"
    if one.off is not None and one.off.reason == "version-failed":
        return f"{said}: off, its own verdict does not pass ({one.off.detail}; `readmark hosts`)"
    if not one.on:
        return f"{said}: off, no version of it is proven (`readmark hosts`)"
    if not known:
        return said
    if one.proven:
        return f"{said}: proven"
    return f"{said}: unproven, so a payload counts only in exactly the recorded shape (`readmark hosts`)"


def _because(why: str) -> str:
    """Return one of our sentences as a remark in brackets."""
    return f" ({why[0].lower()}{why[1:].rstrip('.')})" if why else ""


def _lines(one: HostStatus, now: int, silence: str) -> Iterator[tuple[str, str]]:
    if not one.installed:
        yield "hooks", "not installed"
    for place in one.installed:
        yield "hooks", _place(place)
    if one.disabled and one.installed:
        yield "off", f"{one.disabled} switches all hooks off"
    for other in one.others:
        yield (
            "other",
            f"{one_line(other.event)} runs {other.command}, which is left alone: {_shortened(other.file)}",
        )
    if one.version and one.heard_version not in {"", one.version}:
        yield "heard", f"{one_line(one.heard_version)} spoke last, not the version that is installed"
    if one.last_event is None:
        yield "last", silence
        return
    yield "last", ", ".join(f"{event} {_when(seen, now)}" for event, seen in one.events.items())
    recorded = one.last_recorded
    if recorded is not None:
        yield "recorded", f"{_ago(recorded.at, now)}: {one_line(recorded.title or recorded.id)}"
    else:
        yield "recorded", "nothing is kept"
    yield "briefed", _when(one.last_briefed, now)
    refused = one.last_refused
    if refused is None:
        yield "refused", NEVER
    else:
        why = sentence(explain(refused.reason, refused.detail))
        yield "refused", f"{_when(refused, now)}, {one_line(refused.event)}: {why}"


def _place(place: InstalledHooks) -> str:
    words = [f"installed for the {place.scope}" + (" by a plugin" if place.how == "plugin" else "")]
    if place.state == "unreadable":
        words = [f"the {place.scope}'s file"]
    words += [STATES[place.state]] if STATES[place.state] else []
    if place.trust is not None:
        words.append(TRUST[place.trust] + _because(place.trust_unknown))
    return f"{', '.join(words)}: {one_line(_shortened(place.file))}"


def _shortened(path: str) -> str:
    """Return a path as people write it, with a sign for their home."""
    home = os.environ.get("HOME", "")
    return "~" + path.removeprefix(home) if len(home) > 1 and path.startswith(f"{home}/") else path


def _when(seen: SeenEvent | None, now: int) -> str:
    return NEVER if seen is None else _ago(seen.at, now)


def _ago(at: str, now: int) -> str:
    return ago(int(datetime.fromisoformat(at).timestamp() * 1000), now)


def _folder(told: StatusReport) -> str:
    return "none" if told.folder is None else f"{_shortened(told.folder.path)} (by {told.folder.source})"


def _store(told: StatusReport) -> str:
    store, counts = told.store, told.counts
    if store is None:
        return "unknown: there is no state folder"
    if store.state == "absent":
        return "absent: it is made at the first write"
    if store.state == "unavailable":
        return f"unusable: {store.reason}" + (f" ({store.detail})" if store.detail else "")
    held = (
        ""
        if counts is None
        else (
            f"; {counted(counts.conversations, 'conversation')}, {counted(counts.candidates, 'candidate')}, "
            f"{counted(counts.pending, 'pending read')}"
        )
    )
    return f"healthy, schema {store.schema}, {(store.bytes or 0) / 1024:,.1f} KiB{held}"


def _problems(told: StatusReport) -> None:
    if told.problems:
        say("", "What is wrong, and how to fix it:")
        for problem in told.problems:
            say(indented(sentence(problem), 2))

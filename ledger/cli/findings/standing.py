"""How each host stands, put together from what was looked for, asked and heard; and what is wrong with it."""

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

import msgspec

from adapters import verdicts
from contracts.findings import FINDINGS
from contracts.outcome import Conversed
from contracts.report.base import Explained
from contracts.report.status import HostStatus, InstalledHooks, OtherHook
from contracts.trust import HooksListed, HookTrust, TrustUnknown
from ledger.cli.failure import explain
from ledger.cli.findings import activity
from ledger.cli.findings.answers import NO_PROGRAM, UNTRIED, Answers
from ledger.cli.findings.presence import Place, Presence
from ledger.cli.installed import shortened
from ledger.cli.words import printable
from ledger.diagnostics import Entry
from ledger.escape import one_line

Trust = Literal["trusted", "untrusted", "changed", "off", "unseen"]
WARNING_LENGTH = 300
"""Longest warning of a host that is shown whole."""
WORST: tuple[Trust, ...] = ("untrusted", "changed", "off")
"""What is told of hooks in several states: what has to be done first."""


class Heard(msgspec.Struct, frozen=True):
    """What is known of the past: the diagnostics, oldest first, and what the ledger keeps."""

    entries: list[Entry]
    kept: tuple[Conversed, ...]


def host_status(found: Presence, answers: Answers, heard: Heard) -> HostStatus:
    """Return all that a status says of a host."""
    entries = heard.entries
    newest = activity.last(entries, found.host)
    heard_version = "" if newest is None else newest.version
    stands = verdicts.standing(found.host, answers.version or heard_version)
    events = dict.fromkeys(hook.event for hook in found.registration.hooks)
    here = found.found
    return HostStatus(
        host=found.host,
        on=stands.off is None,
        off=None if stands.off is None else explain(stands.off.reason, stands.off.detail),
        found=here,
        program="" if found.program is None else printable(found.program),
        version=answers.version,
        version_unknown=(answers.why if found.program else NO_PROGRAM) if here else "",
        heard_version=heard_version,
        proven=stands.proven,
        installed=[_installed(place, answers.trust) for place in found.places],
        disabled="" if found.off is None else f"`{found.off.key}` in {printable(found.off.file)}",
        others=tuple(
            OtherHook(printable(file), printable(one.event), shortened(one.command))
            for file, one in found.others
        ),
        events=activity.by_event(entries, found.host, events),
        last_event=activity.seen(newest),
        last_recorded=activity.last_recorded(heard.kept, found.host),
        last_refused=activity.seen(activity.last_refused(entries, found.host)),
        last_briefed=activity.seen(activity.last_briefed(entries, found.host)),
    )


def _installed(place: Place, told: HooksListed | TrustUnknown | None) -> InstalledHooks:
    unknown = told.why if isinstance(told, TrustUnknown) else ""
    trust = None
    if place.commands and told is not None:
        trust = "unknown" if isinstance(told, TrustUnknown) else trust_of(place, told.hooks)
    return InstalledHooks(
        how=place.how,
        scope=place.scope,
        file=printable(place.file),
        target=None if place.target == place.file else printable(place.target),
        state=place.state,
        program=printable(place.program),
        trust=trust,
        trust_unknown=unknown if trust else "",
        warning=_warning(place, told) if trust == "unseen" and isinstance(told, HooksListed) else "",
    )


def _warning(place: Place, told: HooksListed) -> str:
    """Return what a host says of the file of a place, on one line, in bounds and without a home's path."""
    names = [str(place.file), str(place.target)]
    said = next((one for one in told.warnings if any(name in one for name in names)), "")
    home = os.environ.get("HOME", "")
    scrubbed = said.replace(f"{home}/", "~/") if len(home) > 1 else said
    shown = one_line(printable(" ".join(scrubbed.split())))
    return shown if len(shown) <= WARNING_LENGTH else f"{shown[:WARNING_LENGTH]}…"


def trust_of(place: Place, told: Iterable[HookTrust]) -> Trust:
    """Return what a host says of our hooks in one place; one that it does not list is unseen."""
    target = os.path.realpath(place.target)
    known = {(one.event, one.command): one.state for one in told if os.path.realpath(one.file) == target}
    states = [known.get((event, line)) for event, lines in place.commands.items() for line in lines]
    if None in states:
        return "unseen"
    return next((state for state in WORST if state in states), "trusted")


def problems(found: Sequence[Presence], told: Sequence[HostStatus]) -> list[Explained]:
    """Return what keeps hosts from calling readmark, with what to do about it."""
    wrong: list[Explained] = []
    for one, status in zip(found, told, strict=True):
        say = _speaker(one)
        if one.fault:
            wrong.append(say("host-folder-unusable", "", ""))
        for place, shown in zip(one.places, status.installed, strict=True):
            scope = "plugin" if place.how == "plugin" else place.scope
            trust = "hooks-refused" if shown.warning else _TRUST.get(shown.trust or "")
            details = {_NAMES.get(place.state): _detail(place), trust: shown.warning or _detail(place)}
            wrong += [say(name, scope, detail) for name, detail in details.items() if name]
            if shown.trust == "unknown" and shown.trust_unknown not in UNTRIED:
                why = f"{printable(place.file)}: {shown.trust_unknown}"
                wrong.append(say("hooks-unconfirmed", place.scope, why))
        if any(place.commands for place in one.places):
            wrong += _of_hooks(one, status, say)
    if not any(one.places for one in found):
        here = [one for one in found if one.found]
        name = "not-installed" if here else "no-host"
        install = " or ".join(_install(one.host) for one in here or found)
        finding = FINDINGS[name]
        wrong.append(Explained(name, finding.meaning, finding.remedy.format(install=install)))
    return wrong


def _of_hooks(
    one: Presence, status: HostStatus, say: Callable[[str, str, str], Explained]
) -> list[Explained]:
    """Return what is wrong with a host as a whole, where hooks of ours are in it."""
    wrong = []
    if status.disabled:
        wrong.append(say("hooks-disabled", "", status.disabled))
    if one.program is None and status.last_event is None:
        wrong.append(say("host-unheard", "", ""))
    if status.off is not None:
        wrong.append(explain(status.off.reason, f"{one.host} {status.off.detail}".strip()))
    return wrong


_NAMES = {
    "unreadable": "hooks-unreadable",
    "program-missing": "program-missing",
    "incomplete": "hooks-incomplete",
    "outdated": "hooks-outdated",
    "elsewhere": "hooks-elsewhere",
}
_TRUST = {
    "untrusted": "hooks-untrusted",
    "changed": "hooks-changed",
    "off": "hooks-off",
    "unseen": "hooks-unseen",
}


def _speaker(one: Presence) -> Callable[[str, str, str], Explained]:
    def say(name: str, scope: str, detail: str) -> Explained:
        words = {
            "host": one.host,
            "program": one.registration.program,
            "variable": one.registration.folder_variable,
            "install": _install(one.host, scope),
        }
        finding = FINDINGS[name]
        return Explained(name, finding.meaning.format(**words), finding.remedy.format(**words), detail)

    return say


def _install(host: str, scope: str = "user") -> str:
    if scope == "plugin":
        return f"`readmark plugin build {host} DIR` again, then the commands that it prints"
    return f"`readmark install {host}{' --scope project' if scope == 'project' else ''}`"


def _detail(place: Place) -> str:
    file = printable(place.file)
    if place.refusal is not None:
        where = f", line {place.refusal.line}, column {place.refusal.column}" if place.refusal.line else ""
        return f"{file}{where}: {place.refusal.message}"
    if place.state in {"elsewhere", "program-missing"}:
        return f"{file}: {printable(place.program)}"
    return file

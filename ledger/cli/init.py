"""`readmark init`: find the documents of a project and list them in its `.readmark.toml`."""

import os
import sys
from pathlib import Path

import click
import msgspec

from contracts.outcome import Unavailable
from contracts.report.init import InitFault, InitReport, OfferedGlob
from ledger.cli import switches
from ledger.cli.failure import DONE, REFUSED, say_error, unavailable
from ledger.cli.output import print_json, say
from ledger.cli.parameters import examples, json_option
from ledger.cli.table import table
from ledger.cli.words import counted, printable
from ledger.errors import HomeError
from ledger.escape import one_line
from ledger.install.files import BOM, Changed, Found, Refusal, failed, read, unkept, unwritable, write
from ledger.install.likeness import Unkept
from ledger.project import FILE, Contents, find, understood
from ledger.survey import Survey, never, survey

HEADER = (
    "# The Markdown that counts as a read of the main agent, and of which its subagents are told.\n"
    "# `readmark why FILE` says whether a file counts, `readmark config` shows what holds.\n"
)
NO_TERMINAL = Refusal(
    "Nothing was written: there is no terminal to ask at.", "Run `readmark init --yes` to write it."
)
NO_PROJECT = Refusal(
    "{folder} is no project: a home, `/` and the folder for temporary files never are.",
    "Run it in a project's own folder.",
)
BY_HAND = Refusal(
    "It lists documents already, and readmark changes no list of yours.",
    "Add these patterns by hand: {globs}",
)
CHANGED = Refusal("It changed meanwhile.", "Try again.")


def _line(globs: list[str]) -> str:
    """Return the line of TOML that lists patterns."""
    # Of printable texts without a backslash, JSON and TOML have one form.
    listed = "".join(f"  {msgspec.json.encode(glob).decode()},\n" for glob in globs)
    return f"documents = [\n{listed}]\n"


def _written(found: Found, globs: list[str], before: Contents) -> Refusal | None:
    """Put a list into the project's file, of which every other byte stays; return why it could not be."""
    mark = BOM if found.data.startswith(BOM) else b""
    end = "\r\n" if b"\r\n" in found.data else "\n"
    text = _line(globs) if found.status is not None else HEADER + _line(globs)
    data = mark + text.replace("\n", end).encode() + found.data.removeprefix(BOM)
    patterns = msgspec.structs.replace(before.patterns, documents=tuple(globs))
    if understood(data) != msgspec.structs.replace(before, patterns=patterns):
        return Refusal(
            "It could not be changed without harm.", f"Add by hand: {' '.join(_line(globs).split())}"
        )
    refusal = unwritable(found)
    if refusal is not None:
        return refusal
    try:
        write(found, data)
    except Changed:
        return CHANGED
    except Unkept as error:
        return unkept(error)
    except OSError as error:
        return failed(error)
    return None


def _show(file: Path, found: Survey) -> None:
    say(f"Markdown in {one_line(printable(file.parent))} that could be listed:", "")
    rows = [(one.glob, counted(one.files, "file")) for one in found.offers]
    say(table(("Pattern", "Stands for"), rows))
    if found.rules:
        say("", f"{counted(found.rules, 'rule')} of Cursor in `.mdc` cannot be listed: only `.md` counts.")
    if not found.whole:
        say("", "The project is too large to be looked through as a whole.")


def _asked(found: Found) -> bool | Refusal:
    """Ask a person whether to write; without one, say how to."""
    if sys.stdin is None or not sys.stdin.isatty():
        return NO_TERMINAL
    what = "Add them to" if found.status is not None else "Make"
    return click.confirm(f"\n{what} {one_line(printable(found.target))}?", default=True, err=True)


def _refused(file: Path, why: Refusal, offers: list[OfferedGlob], *, as_json: bool) -> int:
    fault = InitFault(
        file=printable(file), message=printable(why.message), remedy=printable(why.remedy), documents=offers
    )
    if as_json:
        print_json(fault)
    else:
        say_error(f"{one_line(fault.file)}: {one_line(fault.message)} {one_line(fault.remedy)}")
    return REFUSED


@click.command(
    short_help="Find a project's documents and list them.",
    epilog=examples("readmark init", "readmark init --dry-run", "readmark init --yes --json"),
)
@click.option("--yes", is_flag=True, help="Write without a question.")
@click.option("--dry-run", is_flag=True, help="Show what would be listed; write nothing.")
@json_option
def init(*, yes: bool, dry_run: bool, as_json: bool) -> int:
    """Look for Markdown that agents should know in this project, and list it in its `.readmark.toml`.

    It looks where projects keep such files (docs, decision records, designs, AGENTS.md, rules of editors),
    shows the patterns with how many files each stands for, and writes them after a yes. A file that lists
    documents already is never changed: it says what to add by hand, and exits 3. Without a terminal it
    writes only with --yes. Run it again at any time: where nothing is left to do, it says so.
    """
    folder = switches.here()
    if folder is None:
        raise HomeError("folder-gone")
    project = find(folder)
    if project.fault is not None:
        return unavailable(Unavailable("project-invalid", project.fault.place), as_json=as_json)
    file = project.file or project.root / FILE
    if never(project.root, os.environ):
        why = Refusal(NO_PROJECT.message.format(folder=project.root), NO_PROJECT.remedy)
        return _refused(file, why, [], as_json=as_json)
    found = survey(project, os.environ)
    offers = [OfferedGlob(one.glob, one.files) for one in found.offers]
    told = InitReport(
        state="offered" if offers else "unchanged",
        file=printable(file),
        documents=offers,
        listed=found.listed,
        other_rules=found.rules,
        whole=found.whole,
    )
    if not as_json and offers:
        _show(file, found)
    if offers and not dry_run:
        globs = [one.glob for one in offers]
        held = read(file)
        refusal = held if isinstance(held, Refusal) else None
        if project.contents.patterns.documents:
            listed = ", ".join(msgspec.json.encode(glob).decode() for glob in globs)
            refusal = Refusal(BY_HAND.message, BY_HAND.remedy.format(globs=listed))
        answer = True if yes or refusal is not None or isinstance(held, Refusal) else _asked(held)
        if isinstance(answer, Refusal):
            refusal = answer
        elif answer and refusal is None and not isinstance(held, Refusal):
            refusal = _written(held, globs, project.contents)
            told = msgspec.structs.replace(told, state="written")
        if refusal is not None:
            return _refused(file, refusal, offers, as_json=as_json)
    _tell(told, as_json=as_json)
    return DONE


def _tell(told: InitReport, *, as_json: bool) -> None:
    if as_json:
        print_json(told)
    elif told.state == "unchanged":
        verb = "counts" if told.listed == 1 else "count"
        counts = f"{counted(told.listed, 'Markdown file')} of this project {verb}"
        say(f"Nothing is left to do: {counts} already.")
    elif told.state == "written":
        say("", f"Listed in {one_line(told.file)}. Once an agent has read them, its subagents are told.")
    else:
        say("", "Nothing was written.")

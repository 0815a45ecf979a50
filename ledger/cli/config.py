"""`readmark config`: limits, lists and the project in force, where each came from, and what is wrong."""

import os
from difflib import get_close_matches

import click

from contracts.limits import Limits
from contracts.reasons import UNAVAILABLE
from contracts.report.config import ConfigFault, ConfigReport, LimitReport, PatternReport, ProjectReport
from ledger.cli import switches
from ledger.cli.failure import DONE, REFUSED, say_error
from ledger.cli.output import print_json, print_text, say
from ledger.cli.parameters import examples, json_option
from ledger.cli.table import fields, indented, table
from ledger.cli.words import printable
from ledger.escape import one_line
from ledger.home import config_file
from ledger.patterns import LISTS, Patterns
from ledger.project import FILE, SCOPE, Project, find
from ledger.settings import OTHERS, PREFIX, Fault, Settings, load, unknown_variables, variable

MEANINGS = {
    "candidate_bytes": "Bytes of UTF-8 of one item's title, conditions and sources.",
    "candidates": "Items of one conversation; the oldest read goes first.",
    "conversations": "Conversations in all; the least recently active goes first.",
    "idle_seconds": "Seconds after which an idle conversation is gone.",
    "pending_seconds": "Seconds that a host has to show that the model got a result.",
    "briefing_units": "UTF-16 units of the text that a subagent receives, at most 9000.",
}
LIST_MEANINGS = {
    "documents": 'Globs of Markdown files that count as documents in each project: ["docs/**/*.md", "*.md"]',
    "ignore": 'What never counts, a name alone at any depth: ["drafts/", "/docs/old", "*.draft.md"]',
}
NONE_LISTED = (
    "No documents are listed, so only practices and skills are recorded. List some in the file above or in "
    "{file} of a project, before any section:"
)
LISTS_SOME = 'documents = ["docs/**/*.md"]'
PROJECT_EXAMPLE = """\
# A project's own .readmark.toml: every key with its default. Uncomment a line to change it.

# Whether readmark records and briefs in this project.
# enabled = true

# One name for all checkouts of this project: then what was read in one is the same item in another.
# scope = ""

# Globs of Markdown files that count as documents, of paths in the project: ["docs/**/*.md", "README.md"]
# documents = []

# What never counts, a name alone at any depth: ["drafts/", "/docs/old", "*.draft.md"]
# ignore = []
"""
REMEDIES = {
    "file": "Put it right in that place, or take it out: `readmark config --example` prints every key.",
    "project": "Put it right in that place, or take it out: `readmark config --example --project` prints "
    "every key.",
    "environment": "Put the variable right, or unset it.",
}


def example() -> str:
    """Return a configuration that says what holds without one."""
    lines = ["# readmark: every key with its default. Uncomment a line to change it."]
    for key in LISTS:
        lines += ["", f"# {LIST_MEANINGS[key]}", f"# {key} = []"]
    lines += [
        "",
        "# A project's own .readmark.toml takes both lists too: readmark config --example --project",
    ]
    lines += ["", "[limits]"]
    for key, value in zip(Limits.__struct_fields__, Limits.__struct_defaults__, strict=True):
        lines += ["", f"# {MEANINGS[key]}", f"# Environment: {variable(key)}", f"# {key} = {value}"]
    return "\n".join(lines) + "\n"


def limits(settings: Settings) -> dict[str, LimitReport]:
    """Return every limit with its origin."""
    return {
        key: LimitReport(getattr(settings.limits, key), settings.origins[key], variable(key))
        for key in Limits.__struct_fields__
    }


def _fault(file: str, fault: Fault, whose: str) -> ConfigFault:
    return ConfigFault(file, printable(fault.place), printable(fault.message), REMEDIES[whose])


def _lists(own: Patterns, project: Patterns, key: str) -> list[PatternReport]:
    """Return one list with the origin of each pattern."""
    return [
        *(PatternReport(pattern, "file") for pattern in getattr(own, key)),
        *(PatternReport(pattern, "project") for pattern in getattr(project, key)),
    ]


def _project(found: Project) -> ProjectReport:
    file = None if found.file is None else printable(found.file)
    says = found.contents
    return ProjectReport(root=printable(found.root), file=file, enabled=says.enabled, scope=says.scope)


def _say_fault(fault: ConfigFault, reason: str, *, in_file: bool, as_json: bool) -> int:
    if as_json:
        print_json(fault)
        return REFUSED
    say(UNAVAILABLE[reason].meaning)
    where = [("File", fault.file)] if in_file else []
    say(fields([*where, ("Place", fault.place), ("Fault", fault.message), ("Fix", fault.remedy)]))
    return REFUSED


def _tell(told: ConfigReport) -> None:
    say(f"File: {one_line(told.file)}" + ("" if told.found else " (there is none)"))
    project = told.project
    if project is not None and project.file is None:
        say(f"Project: {one_line(project.root)} (it has no file of its own)")
    elif project is not None:
        state = "" if project.enabled else " (readmark is off in it)"
        say(f"Project: {one_line(project.file or '')}{state}")
    rows = [(key, str(one.value), one.origin, one.variable) for key, one in told.limits.items()]
    say("", table(("Limit", "#Value", "Origin", "Variable"), rows))
    lists = [(key, one.pattern, one.origin) for key in LISTS for one in getattr(told, key)]
    if project is not None and project.scope:
        lists.append((SCOPE, project.scope, "project"))
    if lists:
        say("", table(("Files", "Value", "Origin"), lists))
    if not told.documents:
        say("", NONE_LISTED.format(file=FILE), indented(LISTS_SOME, 2))


def _warn_of_strangers() -> None:
    """Say which variables look like ours and do nothing."""
    # Compared without what all of them begin with, or everything would be like everything.
    known = [name.removeprefix(PREFIX) for name in OTHERS] + [key.upper() for key in Limits.__struct_fields__]
    for name in unknown_variables(os.environ):
        near = get_close_matches(name.removeprefix(PREFIX), known, n=1)
        question = f" Did you mean {PREFIX}{near[0]}?" if near else ""
        say_error(f"{one_line(printable(name))} is no variable of readmark, and does nothing.{question}")


@click.command(
    short_help="Show the configuration in force and its origins.",
    epilog=examples(
        "readmark config",
        "readmark config --json",
        "readmark config --example",
        "readmark config --example --project > .readmark.toml",
    ),
)
@click.option("--example", "as_example", is_flag=True, help="Print a commented TOML file with the defaults.")
@click.option("--project", "of_project", is_flag=True, help="With --example: that of a project's own file.")
@json_option
def config(*, as_example: bool, of_project: bool, as_json: bool) -> int:
    """Show the limits in force and where each came from: a default, the file, or the environment.

    Beside them stand the project of this folder, with its `.readmark.toml`, the documents and patterns that
    both files list, and the project's `scope`: one name that makes all its checkouts one store. A
    fault is shown with its place, and exits 3; until it is put right nothing is recorded. A variable
    that looks like one of readmark's and is none is named on standard error.
    """
    if as_example:
        if as_json:
            raise click.UsageError("--example prints TOML; it takes no --json.")
        print_text(PROJECT_EXAMPLE if of_project else example())
        return DONE
    if of_project:
        raise click.UsageError("--project says which --example to print.")
    _warn_of_strangers()
    path = config_file(os.environ)
    file = printable(path)
    found = load(path, os.environ)
    if isinstance(found, Fault):
        fault = _fault(file, found, found.origin)
        return _say_fault(fault, "config-invalid", in_file=found.origin == "file", as_json=as_json)
    folder = switches.here()
    project = None if folder is None else find(folder)
    if project is not None and project.fault is not None:
        fault = _fault(printable(project.file or project.root), project.fault, "project")
        return _say_fault(fault, "project-invalid", in_file=True, as_json=as_json)
    its = Patterns() if project is None else project.contents.patterns
    told = ConfigReport(
        file=file,
        found=path.exists(),
        limits=limits(found),
        documents=_lists(found.patterns, its, "documents"),
        ignore=_lists(found.patterns, its, "ignore"),
        project=None if project is None else _project(project),
    )
    if as_json:
        print_json(told)
    else:
        _tell(told)
    return DONE

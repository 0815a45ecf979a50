"""Whether the project of a folder has documents and lists none, which a person should know."""

import os
from pathlib import Path

from contracts.report.base import Explained
from ledger.cli.words import counted
from ledger.errors import ReadmarkError
from ledger.project import find
from ledger.runtime import settings
from ledger.survey import never, survey

REASON = "documents-unlisted"
REMEDY = "Run `readmark init` to choose; until then only its skills count."


def hint(folder: Path | None) -> Explained | None:
    """Return what a project that lists nothing could list; None outside of projects. Never raises."""
    project = None if folder is None else find(folder)
    if project is None or project.fault is not None or never(project.root, os.environ):
        return None
    try:
        users = settings(os.environ).patterns.documents
    except ReadmarkError:
        return None
    known = project.file is not None or os.path.lexists(project.root / ".git")
    if not known or not project.contents.enabled or project.contents.patterns.documents or users:
        return None
    found = survey(project, os.environ).unlisted
    if not found:
        return None
    meaning = f"This project has {counted(found, 'Markdown file')} that agents may read, and lists none."
    return Explained(REASON, meaning, REMEDY)

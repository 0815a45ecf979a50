"""What `readmark init` prints."""

from typing import Literal

from contracts.report.base import Part, Report


class OfferedGlob(Report, frozen=True):
    """A pattern of `documents`, and how many Markdown files of the project it stands for."""

    glob: str
    files: int


class InitReport(Part, frozen=True, kw_only=True):
    """What a project could list as documents, and what became of its file.

    `state` is `written`, `unchanged` where nothing is left to do, or `offered` where nothing was written (a
    dry run). `documents` are the patterns in question, `listed` counts files that count already.
    `other_rules` are rules of Cursor that do not count, since their names do not end in `.md`. `whole` is
    absent unless the project is too large to be looked through, and then false.
    """

    state: Literal["written", "unchanged", "offered"]
    file: str
    documents: list[OfferedGlob]
    listed: int
    other_rules: int = 0
    whole: bool = True


class InitFault(Part, frozen=True, tag="fault", tag_field="state", kw_only=True):
    """A project whose file was left as it is, why, and the patterns that could be put there by hand."""

    file: str
    message: str
    remedy: str
    documents: list[OfferedGlob]

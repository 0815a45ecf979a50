"""What `readmark completion` prints."""

from contracts.report.base import Report


class CompletionReport(Report, frozen=True, tag="ready", tag_field="state"):
    """A shell's completion script."""

    shell: str
    script: str

"""What would become of a file, as a unified diff that a person can read."""

import difflib
import io

from ledger.cli.words import printable
from ledger.escape import one_line
from ledger.install.change import Change


def diff(change: Change) -> str:
    """Return what would change, as a unified diff; how lines end shows only where it is not as usual."""
    before, after = (
        [] if data is None else list(io.StringIO(data.decode().replace("\r\n", "\n"), newline="\n"))
        for data in (change.before, change.after)
    )
    name = printable(change.target)
    names = (
        "/dev/null" if change.before is None else name,
        "/dev/null" if change.after is None else name,
    )
    lines = []
    for line in difflib.unified_diff(before, after, *names):
        shown = line.removesuffix("\n")
        lines.append(one_line(shown[:1]) + "".join(c if c == "\t" else one_line(c) for c in shown[1:]))
        if not line.endswith("\n"):
            lines.append("\\ No newline at end of file")
    return "\n".join(lines) + "\n" if lines else ""

"""`readmark show`: everything that readmark knows as one local page for a person."""

import errno
import os
import sys
from pathlib import Path

import click

from adapters import hosts as known
from contracts.outcome import Ready, Unavailable
from contracts.report.base import Failed
from contracts.report.show import ShowReport
from ledger.cli import access
from ledger.cli.failure import DONE, REFUSED, UNAVAILABLE_CODE, explain, say_error, sentence
from ledger.cli.hosts import host_report
from ledger.cli.output import print_json, print_text, write
from ledger.cli.page.answer import Answer, ask
from ledger.cli.page.file import NAME, aimed, put
from ledger.cli.parameters import check_path, examples, json_option
from ledger.cli.words import counted, printable
from ledger.diagnostics import entries
from ledger.errors import ReadmarkError
from ledger.escape import one_line
from ledger.home import state_folder
from ledger.private import ensure_private

STDOUT = "-"
ELSEWHERE = "Or name another place with --out FILE."


def _target(out: str | None) -> Path | Unavailable:
    """Return the file to write, in the state folder unless another is named."""
    if out is not None:
        return Path(os.path.abspath(out))  # noqa: PTH100 - Path.resolve would follow links
    try:
        folder = state_folder(os.environ).path
        ensure_private(folder)
    except ReadmarkError as error:
        return Unavailable(error.reason, printable(error.detail))
    return folder / NAME


def _written(out: str | None, html: bytes) -> Path | Unavailable:
    """Write the page and return its file, by the name that was given."""
    target = _target(out)
    if isinstance(target, Unavailable):
        return target
    try:
        file = target if out is None else aimed(target)
        if isinstance(file, str):
            return Unavailable("page-unwritable", file)
        put(file, html)
    except (OSError, ValueError) as error:
        number = error.errno if isinstance(error, OSError) else None
        return Unavailable("page-unwritable", errno.errorcode.get(number or 0, type(error).__name__))
    return target


def on_a_desktop() -> bool:
    """Whether a person sits before a screen: a terminal, and a desktop that shows a browser's window.

    Elsewhere Python would start a browser in the terminal itself, over what the person is doing.
    """
    if sys.stdout is None or not sys.stdout.isatty() or os.environ.get("CI"):
        return False
    if sys.platform in {"darwin", "win32"}:
        return not os.environ.get("SSH_CONNECTION")
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _opens(url: str) -> bool:
    import webbrowser  # noqa: PLC0415 - rarely needed

    try:
        return webbrowser.open(url)
    except (OSError, webbrowser.Error):
        return False


def _render(answer: Answer) -> tuple[bytes, int]:
    """Return the page and how many reads it has no room for."""
    from ledger.cli.page.model import page  # noqa: PLC0415 - only this verb needs the page
    from ledger.cli.page.render import render  # noqa: PLC0415 - jinja2 takes as long to load as a command runs

    folder = access.folder()
    seen = [] if folder is None else entries(folder)
    made = render(page(answer, seen, [host_report(name) for name in known.HOSTS]))
    return made.html, made.left_out


@click.command(
    short_help="Show everything on a local page.",
    epilog=examples(
        "readmark show",
        "readmark show --open",
        "readmark show --out readmark.html --no-open",
        "readmark show --out - > readmark.html",
    ),
)
@click.option(
    "--out",
    metavar="FILE",
    callback=check_path,
    help="Where the page goes, - for standard output [default: show.html in the state folder].",
)
@click.option(
    "--open/--no-open",
    "wanted",
    default=None,
    help="Open it in the browser [default: at a terminal on a desktop].",
)
@json_option
def show(out: str | None, *, wanted: bool | None, as_json: bool) -> int:
    """Write what readmark knows as one HTML page that needs no network, and tell where it is.

    It shows conversations on a time line with their reads, what each subagent was told, refusals by
    reason, and the gates of each host, as of now. Nothing else is changed. Exits 4 if the ledger is
    unavailable; the page is written all the same and says so.

    --out follows a link of yours, replaces a file of yours that you may write, and refuses anything else: a
    read-only file, a folder, a pipe, a device.

    Some browsers in a sandbox (Snap, Flatpak) cannot open files in hidden folders: use --out there.
    """
    if out == STDOUT and (as_json or wanted):
        raise click.UsageError("--out - prints the page itself; it takes no --json and no --open.")
    answer = ask()
    found = answer.found
    html, left_out = _render(answer)
    code = UNAVAILABLE_CODE if isinstance(found, Unavailable) else DONE
    if out == STDOUT:
        write(html)
        if isinstance(found, Unavailable):
            say_error(sentence(explain(found.reason, found.detail)))
        return code
    target = _written(out, html)
    if isinstance(target, Unavailable):
        return _unwritten(target, as_json=as_json)
    url = target.as_uri()
    opened = _opens(url) if (on_a_desktop() and not as_json if wanted is None else wanted) else False
    report = _report(found, target, opened=opened, size=len(html), left_out=left_out)
    if as_json:
        print_json(report)
    else:
        _tell(report, found)
    if wanted and not opened:
        say_error(f"no browser could be opened; open {url} in one.")
        return code or REFUSED
    return code


def _unwritten(why: Unavailable, *, as_json: bool) -> int:
    """Say that there is no page, and how there can be one."""
    if as_json:
        print_json(Failed(why.reason, why.detail))
    else:
        elsewhere = "" if why.reason == "page-unwritable" else f" {ELSEWHERE}"
        say_error(f"no page was written. {sentence(explain(why.reason, why.detail))}{elsewhere}")
    return UNAVAILABLE_CODE


def _report(
    found: Ready | Unavailable, target: Path, *, opened: bool, size: int, left_out: int
) -> ShowReport:
    file, url = printable(target), target.as_uri()
    if isinstance(found, Unavailable):
        return ShowReport(
            state="unavailable",
            file=file,
            url=url,
            bytes=size,
            opened=opened,
            reason=found.reason,
            detail=found.detail,
        )
    return ShowReport(
        state="ready",
        file=file,
        url=url,
        bytes=size,
        opened=opened,
        conversations=len(found.conversations),
        candidates=sum(len(one.candidates) for one in found.conversations),
        left_out=left_out,
    )


def _tell(report: ShowReport, found: Ready | Unavailable) -> None:
    """Say where the page is; paths are never wrapped, so that they can be copied."""
    if isinstance(found, Unavailable):
        say_error(f"{sentence(explain(found.reason, found.detail))} The page says so, too.")
        held = "the ledger is unavailable"
    else:
        held = (
            f"{counted(report.conversations or 0, 'conversation')}, {counted(report.candidates or 0, 'read')}"
        )
    print_text(f"{one_line(report.file)}\n{report.url}\n{held}, {report.bytes / 1024:,.0f} KiB\n")

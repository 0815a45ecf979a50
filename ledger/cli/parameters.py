"""The parameters that verbs share: a host's name, a conversation's reference, JSON instead of text."""

import os
from collections.abc import Callable
from difflib import get_close_matches
from typing import Any

import click
from click.shell_completion import CompletionItem

from adapters.hosts import HOSTS
from contracts.conversation import REFERENCE_BYTES
from contracts.outcome import Unavailable
from ledger.errors import ReadmarkError
from ledger.escape import one_line
from ledger.runtime import open_ledger

Verb = Callable[..., Any]

COMPLETION_MS = 200
"""Longest wait for another process while a person waits for a completion."""


def check_host(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Return the name of a known host; another is wrong usage, answered with the nearest and all of them."""
    if value is None or value in HOSTS:
        return value
    near = get_close_matches(value.lower(), HOSTS, n=1)
    question = f" Did you mean {near[0]}?" if near else ""
    raise click.BadParameter(
        f"{one_line(value)} is no known host.{question} Known: {', '.join(HOSTS)}.", ctx, param
    )


def complete_host(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the hosts whose names begin like this."""
    del ctx, param
    return [CompletionItem(name) for name in HOSTS if name.startswith(incomplete)]


def check_reference(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Return a conversation's reference: opaque, but never empty, beyond the bound, or no text."""
    if value is None:
        return None
    try:
        size = len(value.encode())
    except UnicodeEncodeError:
        raise click.BadParameter("The reference is not valid UTF-8.", ctx, param) from None
    if not 1 <= size <= REFERENCE_BYTES:
        raise click.BadParameter(
            f"A reference has 1 to {REFERENCE_BYTES} bytes; this one has {size}.", ctx, param
        )
    return value


def check_path(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Return a path; an empty one is a slip, such as a variable without a value, and no folder of work."""
    if value is not None and not value:
        raise click.BadParameter("An empty path names nothing.", ctx, param)
    return value


def complete_reference(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the conversations of the ledger that begin like this; none where it cannot answer."""
    del param
    try:
        with open_ledger(os.environ, COMPLETION_MS) as ledger:
            found = ledger.list(ctx.params.get("host"))
    except ReadmarkError:
        return []
    if isinstance(found, Unavailable):
        return []
    known = {one.conversation.reference for one in found.conversations}
    # A shell reads the answer by lines and words.
    fit = {one for one in known if one_line(one) == one and not set(one) & set(" ,")}
    return [CompletionItem(one) for one in sorted(fit) if one.startswith(incomplete)]


def host_option(*, required: bool) -> Callable[[Verb], Verb]:
    """Return the option that names a host."""
    return click.option(
        "--host",
        required=required,
        metavar="HOST",
        callback=check_host,
        shell_complete=complete_host,
        help=f"One of: {', '.join(HOSTS)}.",
    )


def host_argument(*, required: bool) -> Callable[[Verb], Verb]:
    """Return the argument that names a host."""
    return click.argument(
        "host",
        required=required,
        metavar="HOST" if required else "[HOST]",
        callback=check_host,
        shell_complete=complete_host,
    )


def conversation_option(*, required: bool) -> Callable[[Verb], Verb]:
    """Return the option that names a conversation."""
    return click.option(
        "--conversation",
        required=required,
        metavar="REF",
        callback=check_reference,
        shell_complete=complete_reference,
        help="The conversation, as its host names it (see `readmark list`).",
    )


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")


def examples(*lines: str) -> str:
    """Return examples as the last part of a verb's help, one a line."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)

"""The parameters that verbs share: a host's name, a conversation's reference, JSON instead of text."""

from collections.abc import Callable
from difflib import get_close_matches
from typing import Any

import click
from click.shell_completion import CompletionItem

from adapters.hosts import HOSTS
from contracts.conversation import REFERENCE_BYTES
from ledger.escape import one_line

Verb = Callable[..., Any]


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
        "host", required=required, metavar="HOST", callback=check_host, shell_complete=complete_host
    )


def conversation_option(*, required: bool) -> Callable[[Verb], Verb]:
    """Return the option that names a conversation."""
    return click.option(
        "--conversation",
        required=required,
        metavar="REF",
        callback=check_reference,
        help="The conversation, as its host names it (see `readmark list`).",
    )


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")


def examples(*lines: str) -> str:
    """Return examples as the last part of a verb's help, one a line."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)

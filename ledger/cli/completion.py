"""`readmark completion`: a shell's completion script."""

import click
from click.shell_completion import get_completion_class

from contracts.report.completion import CompletionReport
from ledger.cli.failure import DONE
from ledger.cli.output import print_json, write
from ledger.cli.parameters import examples, json_option

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_READMARK_COMPLETE"


def script(root: click.Command, shell: str) -> str:
    """Return the script that lets a shell ask `readmark` what could follow."""
    made = get_completion_class(shell)
    if made is None:
        raise ValueError("click knows no such shell.")
    return made(root, {}, "readmark", VARIABLE).source()


@click.command(
    short_help="Print a shell's completion script.",
    epilog=examples(
        "mkdir -p ~/.local/share/bash-completion/completions",
        "readmark completion bash \\",
        "  > ~/.local/share/bash-completion/completions/readmark",
        "",
        "mkdir -p ~/.zfunc && readmark completion zsh > ~/.zfunc/_readmark",
        "",
        "mkdir -p ~/.config/fish/completions",
        "readmark completion fish > ~/.config/fish/completions/readmark.fish",
    ),
)
@click.argument("shell", type=click.Choice(SHELLS))
@json_option
@click.pass_context
def completion(ctx: click.Context, shell: str, *, as_json: bool) -> int:
    """Print the completion script of a shell; to install it, put it where the shell looks.

    A new shell then completes verbs, options, the names of hosts, and conversations. zsh looks into
    ~/.zfunc once ~/.zshrc holds `fpath=(~/.zfunc $fpath)` before its `compinit`.
    """
    text = script(ctx.find_root().command, shell)
    if as_json:
        print_json(CompletionReport(shell, text))
    else:
        write(text.encode() + b"\n")
    return DONE

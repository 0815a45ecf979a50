"""The command `readmark`: a hook call takes the short way, all else goes to the command line."""

import os
import sys

HOOK_WORDS = 3


def main() -> int:
    """Run the command; `readmark hook HOST` imports no command line library.

    Measured: click costs about one more Python start (see benchmarks/hook.py).
    """
    if len(sys.argv) == HOOK_WORDS and sys.argv[1] == "hook" and not sys.argv[2].startswith("-"):
        try:
            from ledger.hook import run  # noqa: PLC0415 - only a hook call needs it

            run(sys.argv[2])
        except BaseException:  # noqa: BLE001 - a broken installation must not stand in the agent's way either
            os._exit(0)
    from ledger.cli import main as command_line  # noqa: PLC0415 - only a person's call needs it

    return command_line()


if __name__ == "__main__":
    sys.exit(main())

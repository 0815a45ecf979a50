"""Plays scenarios from a shell: `python -m adapters.evidence HOST BINARY [SCENARIO …] [--out DIR]`."""

import argparse
import sys
from pathlib import Path

from adapters.evidence import several
from adapters.evidence.runner import Options
from adapters.evidence.scenario import named, scenarios


def main(arguments: list[str]) -> int:
    """Play the named scenarios, or all of a host; return 1 where one failed."""
    parser = argparse.ArgumentParser(prog="python -m adapters.evidence", description=__doc__)
    parser.add_argument("host")
    parser.add_argument("binary", type=Path)
    parser.add_argument("scenarios", nargs="*")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--keep", type=Path, help="a folder for the raw labs, unscrubbed")
    parser.add_argument("--readmark", type=Path, help="the readmark to prove: the hook of every event")
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args(arguments)
    scenes = [named(chosen.host, name) for name in chosen.scenarios] or list(scenarios(chosen.host))

    def report(result: several.Result) -> None:
        sys.stdout.write(several.line(result) + "\n")
        sys.stdout.flush()

    readmark = (str(chosen.readmark.absolute()),) if chosen.readmark else ()
    options = Options(keep=chosen.keep, jobs=chosen.jobs, readmark=readmark)
    results = several.play_all(scenes, chosen.binary, chosen.out, report, options)
    return 0 if all(result.good for result in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

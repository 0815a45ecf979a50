"""Plays scenarios from a shell: `python -m adapters.evidence HOST BINARY [SCENARIO …] [--out DIR]`."""

import argparse
import sys
from pathlib import Path

from adapters.evidence import scenario as scenes
from adapters.evidence.form import write
from adapters.evidence.holds import failures
from adapters.evidence.runner import Options, play


def main(arguments: list[str]) -> int:
    """Play the named scenarios, or all of a host; return 1 where one had a fault."""
    parser = argparse.ArgumentParser(prog="python -m adapters.evidence", description=__doc__)
    parser.add_argument("host")
    parser.add_argument("binary", type=Path)
    parser.add_argument("scenarios", nargs="*")
    parser.add_argument("--out", type=Path, default=Path("contracts/evidence"))
    parser.add_argument("--keep", type=Path, help="a folder for the raw labs, unscrubbed")
    chosen = parser.parse_args(arguments)
    failed = 0
    for scene in scenes.scenarios(chosen.host):
        if chosen.scenarios and scene.name not in chosen.scenarios:
            continue
        keep = chosen.keep / scene.name if chosen.keep else None
        played = play(scene, chosen.binary, Options(keep=keep))
        write(played.recording, chosen.out)
        faults = [*played.faults, *failures(played.recording, scene.holds)]
        failed += bool(faults)
        state = "; ".join(faults) or f"{len(played.recording.events)} events"
        sys.stdout.write(f"{scene.name:24} {played.seconds:6.1f} s  {played.codes}  {state}\n")
        sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""What a comparison costs, in a process that nothing traces."""

import json
import subprocess
import sys
from pathlib import Path

import benchmarks.corpus

BENCHMARK = Path(benchmarks.corpus.__file__).with_name("comparison.py")


def test_a_usual_comparison_costs_less_than_5_milliseconds() -> None:
    """Tracing alone doubles it, so it is not measured among the other tests."""
    ran = subprocess.run([sys.executable, BENCHMARK], capture_output=True, text=True, check=True, timeout=60)
    figures = json.loads(ran.stdout)
    assert figures["found"] == [0, 3, 7]
    assert figures["least"] < 5

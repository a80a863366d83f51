"""What a user waits for: import, first compilation, and the start from a warm cache.

Each figure is a process of its own with a fresh or a used cache folder; the smallest of three.

    python bench/start.py [--json] [--tiny]
"""

import json
import os
import subprocess
import sys
import tempfile
import time

TINY = "--tiny" in sys.argv  # the tests of this file: everything runs, no number is worth reading
REPEATS = 1 if TINY else 3
MODEL = "import poinsot as ps; ps.Mechanism().add('a', ps.Body(1.0, (1.0, 2.0, 2.5)), ps.Revolute((0, 1, 0)))"
IMPORTS = {
    "python": "pass",
    "import numpy": "import numpy",
    "import numba": "import numba",
    "import poinsot": "import poinsot",
    "a first model": MODEL,
}
RUN = (
    "import poinsot as ps; s = ps.scenario('{scenario}');"
    "ps.simulate(s.mechanism, s.start, '{method}', step=s.step, steps=10)"
)
CASES = [("fast-top", "srkn4"), ("fast-top", "nmb"), ("soft-wall", "srkn4")][: 1 if TINY else None]
COMMANDS = [["methods"], ["run", "fast-top"]][: 1 if TINY else None]


def seconds(arguments, cache):
    begin = time.perf_counter()
    subprocess.run(
        [sys.executable, *arguments],
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "POINSOT_CACHE_DIR": cache},
    )
    return time.perf_counter() - begin


def main():
    result = {}
    with tempfile.TemporaryDirectory() as cache:
        for name, code in IMPORTS.items():
            result[name] = min(seconds(["-c", code], cache) for _ in range(REPEATS))
        for scenario, method in CASES:
            code = RUN.format(scenario=scenario, method=method)
            result[f"{scenario} {method}, cold"] = seconds(["-c", code], cache)
            result[f"{scenario} {method}, warm"] = min(seconds(["-c", code], cache) for _ in range(REPEATS))
        for command in COMMANDS:
            name = "poinsot " + " ".join(command)
            seconds(["-m", "poinsot", *command], cache)
            result[f"{name}, warm"] = min(seconds(["-m", "poinsot", *command], cache) for _ in range(REPEATS))
    if "--json" in sys.argv:
        print(json.dumps(result))
        return
    for name, value in result.items():
        print(f"  {name:28}{value:7.2f} s")


if __name__ == "__main__":
    main()

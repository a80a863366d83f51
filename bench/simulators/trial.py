"""Test your simulator: run every engine that is installed through every case, write numbers and the page.

    make simulators                      all engines; bench/simulators/results.json and docs/simulators.md
    python bench/simulators/trial.py --engines scipy,dart --cases free-body,chain-4
    python bench/simulators/trial.py --page      the page again, from the numbers

Each engine runs in a process of its own.  A case is a file in cases/; adapter.py says what an adapter is.
"""

import argparse
import importlib
import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

HERE = Path(__file__).parent
CASES = HERE / "cases"
ADAPTERS = {  # module in adapters/: its class
    "ours": "Poinsot",
    "mujoco": "MuJoCo",
    "pinocchio": "Pinocchio",
    "scipy": "SciPy",
    "drake": "Drake",
    "dart": "Dart",
    "pybullet": "PyBullet",
}


def load(name):
    """A case."""
    return json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))


def names():
    """All cases."""
    return sorted(path.stem for path in CASES.glob("*.json"))


def one_engine(module, cases):
    """The results of an engine, by setting and case."""
    from judge import result

    warnings.simplefilter("ignore")  # steps that are too large are part of the test
    engine = getattr(importlib.import_module(f"adapters.{module}"), ADAPTERS[module])
    rows = {
        label: {name: result(engine(**options), load(name)) for name in cases}
        for label, options in engine.settings.items()
    }
    return {"engine": engine.engine, "version": engine.version(), "settings": rows}


def in_process(module, cases):
    """The same from a new process; what went wrong where there is no such engine."""
    command = [sys.executable, __file__, "--one", module, "--cases", ",".join(cases)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=os.environ.get("TMPDIR", "/tmp")
    )
    if done.returncode == 0:
        return json.loads(done.stdout.splitlines()[-1])
    last = done.stderr.strip().splitlines()[-1:] or ["no message"]
    if "ModuleNotFoundError" not in last[0]:
        raise SystemExit(f"{module}: {done.stderr}")
    return {"engine": ADAPTERS[module], "version": None, "settings": {}, "missing": "is not installed"}


def main():
    """Run and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engines", default=",".join(ADAPTERS), help="modules in adapters/, with commas")
    parser.add_argument("--cases", default=",".join(names()), help="files in cases/, with commas")
    parser.add_argument("--json", type=Path, default=HERE / "results.json", help="where the numbers go")
    parser.add_argument("--page", action="store_true", help="write docs/simulators.md from the numbers only")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    given = parser.parse_args()
    cases = given.cases.split(",")
    if given.one:
        print(json.dumps(one_engine(given.one, cases)))
        return
    if not given.page:
        found = []
        for module in given.engines.split(","):
            found.append(in_process(module, cases))
            print(found[-1]["engine"], found[-1]["version"] or "is not installed", flush=True)
        python = ".".join(map(str, sys.version_info[:3]))
        content = {"python": python, "command": "make simulators", "engines": found}
        given.json.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    if given.json == HERE / "results.json":
        from page import PAGE, page

        PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()

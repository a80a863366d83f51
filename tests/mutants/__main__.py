"""`make mutants`: small wrong changes of random lines, each run against the tests that reach its function.

    python -m mutants --reach                        once: which tests call which functions (slow)
    python -m mutants --seed 7 --count 100           a hundred mutants of the library outside its core
    python -m mutants --count 20 --folder control    of one folder (core: each one compiles its kernels)

Every mutant lives in a copy of the sources.  It is killed if a test fails that was green before, or if the
tests take ten times as long; otherwise it survived, and is either equivalent or asks for a test.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

from mutants.sites import Mutant, mutants

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "poinsot"
REACH = ROOT / "build" / "reach"
APART = ("core", "elementary")  # compiled: only if their folder is named
ENOUGH = 150.0  # seconds of tests for one mutant, fastest files first
PATIENCE = 10.0  # times the seconds that the tests take otherwise


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="mutants", description=__doc__.split("\n")[0])
    parser.add_argument("--reach", action="store_true", help="note which tests call which functions")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--folder", default="", help="a folder or file below src/poinsot")
    chosen = parser.parse_args()
    if chosen.reach or not REACH.exists():
        note_reach()
    tests = [json.loads(file.read_text()) for file in sorted(REACH.glob("*.json"))]
    return run(Random(chosen.seed), chosen.count, chosen.folder, [one for one in tests if one["green"]])


def note_reach() -> None:
    """Run the tests once under the plugin that notes what they call."""
    shutil.rmtree(REACH, ignore_errors=True)
    words = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", "-m", "not slow"]
    subprocess.run([*words, "-p", "mutants.reach"], cwd=ROOT, env={**os.environ, "POINSOT_REACH": str(REACH)})


def run(random: Random, count: int, folder: str, tests: list[dict[str, Any]]) -> int:
    """Try `count` mutants, one line each; return 1 if fewer than 85 % died."""
    verdicts: list[tuple[Mutant, str]] = []
    with tempfile.TemporaryDirectory(prefix="mutants-") as place:
        home = Path(place)
        for name in ("src", "tests", "docs"):
            shutil.copytree(ROOT / name, home / name, ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "Makefile"):
            shutil.copy(ROOT / name, home / name)
        for mutant in sample(random, count, folder):
            verdict = try_one(home, mutant, files_that_reach(mutant, tests))
            verdicts.append((mutant, verdict))
            where = f"{mutant.file}:{mutant.line} {mutant.function}"
            print(f"{len(verdicts):4d}  {verdict:28s} {where}\n      {one_line(mutant)}", flush=True)
    survivors = [one for one, verdict in verdicts if verdict.startswith("survived")]
    unreached = [one for one, verdict in verdicts if verdict == "no test reaches it"]
    killed = len(verdicts) - len(survivors) - len(unreached)
    print(f"\n{killed} of {len(verdicts)} killed, {len(survivors)} survived, {len(unreached)} not reached")
    for one in [*survivors, *unreached]:
        print(f"  {one.file}:{one.line} {one.function}: {one_line(one)}")
    return int(killed < 0.85 * len(verdicts))


def one_line(mutant: Mutant) -> str:
    """Return what was there and what is there now."""
    return " ".join(f"{mutant.before}  ->  {mutant.after}".split())[:150]


def sample(random: Random, count: int, folder: str) -> list[Mutant]:
    """Return mutants of random lines: first a line, then one of its changes."""
    lines: dict[tuple[str, int], list[Mutant]] = {}
    for path in sorted(SOURCES.rglob("*.py")):
        file = path.relative_to(SOURCES).as_posix()
        if file.startswith(folder) and (folder or file.split("/")[0] not in APART):
            for mutant in mutants(file, path.read_text()):
                lines.setdefault((file, mutant.line), []).append(mutant)
    chosen = random.sample(sorted(lines), min(count, len(lines)))
    return [random.choice(lines[place]) for place in chosen]


def files_that_reach(mutant: Mutant, tests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the files of tests that call the function (of a kernel: its file's namesakes), fastest first."""
    found = [one for one in tests if mutant.function in one["functions"].get(mutant.file, ())]
    if not found:  # compiled, or run in a process of its own: tests of the same folder
        home = str(Path(mutant.file).parent)
        found = [one for one in tests if str(Path(one["tests"]).parent) == home]
    found.sort(key=lambda one: one["seconds"])
    total, chosen = 0.0, []
    for one in found:
        total += one["seconds"]
        if chosen and total > ENOUGH:
            break
        chosen.append(one)
    return chosen


def try_one(home: Path, mutant: Mutant, tests: list[dict[str, Any]]) -> str:
    """Return what the tests say of a mutant."""
    if not tests:
        return "no test reaches it"
    target = home / "src" / "poinsot" / mutant.file
    source = target.read_text()
    words = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        "-m",
        "not slow",
    ]
    path = os.pathsep.join([str(home / "src"), str(home / "tests")])
    limit = 60.0 + PATIENCE * sum(one["seconds"] for one in tests)
    begun = time.monotonic()
    try:
        target.write_text(mutant.text(source))
        done = subprocess.run(
            [*words, "-m", "not slow", *(str(home / "tests" / one["tests"]) for one in tests)],
            cwd=home,
            env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            timeout=limit,
        )
    except subprocess.TimeoutExpired:
        return "killed (it does not end)"
    finally:
        target.write_text(source)
    seconds = time.monotonic() - begun
    return f"{'killed' if done.returncode else 'survived'} ({len(tests)} files, {seconds:.0f} s)"


if __name__ == "__main__":
    sys.exit(main())

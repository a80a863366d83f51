"""`make attack`: all attacks for some minutes, and a table of what was tried and what held.

    python -m attacks --seconds 600 --seed 7        all of them, each in a process of its own
    python -m attacks kills names --seconds 60      some of them
    python -m attacks names --seed 7 --attempts 40  the first attempts of a seed again

Every attempt follows from the seed (except the moment of a kill).  The exit code is 1 if anything did not
hold; the table is followed by the failures and by what repeats them.
"""

import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

SHARES = {  # of the time
    "arguments": 0.42,  # all of them, if the machine is not busy
    "commands": 0.14,
    "kills": 0.12,
    "archives": 0.09,
    "threads": 0.07,
    "names": 0.05,
    "toml": 0.03,
    "disks": 0.05,
    "meshes": 0.03,
    "identities": 0.03,
    "overlaps": 0.02,
    "interrupts": 0.03,
    "coincidences": 0.03,
    "limits": 0.02,
    "live": 0.03,
}
LATE = 600  # seconds that an attack may need beyond its time, for the attempt under way
SHOWN = 40  # failures in the report


def fight(name: str, seed: int, seconds: float, most: int | None, notes: Path) -> None:
    """Make attempts in this process; write how many were made and what failed, as they are made."""
    attempts = import_module(f"attacks.{name}").attempts
    begun, failures, count = time.monotonic(), [], 0
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        found = attempts(Random(f"{seed} {name}"), Path(folder))
        for one in itertools.islice(found, most):
            count += 1
            if one.failure:
                failures.append([count, one.what, one.failure])
            late = time.monotonic() - begun
            if one.failure or count % 50 == 0 or late > seconds:
                note(notes, count, failures)
            if late > seconds:
                break
        note(notes, count, failures)
        found.close()


def note(notes: Path, count: int, failures: list[Any]) -> None:
    """Write what is known so far."""
    notes.write_text(json.dumps({"tried": count, "failures": failures}))


def result(name: str, seed: int, seconds: float, most: int | None, folder: Path) -> dict[str, Any]:
    """Run an attack in a process of its own, and return its notes; a crash is a failure."""
    notes = folder / f"{name}.json"
    words = [sys.executable, "-m", "attacks", "--inside", str(notes), name, "--seed", str(seed)]
    words += ["--seconds", str(seconds), *(["--attempts", str(most)] if most else [])]
    begun = time.monotonic()
    with open(folder / f"{name}.log", "w+b") as log:
        try:
            code = subprocess.run(words, stdout=log, stderr=log, timeout=seconds + LATE).returncode
            end = "" if code == 0 else f"the process of the attack ended with {code}"
        except subprocess.TimeoutExpired:
            end = f"the process of the attack did not end within {LATE} s after its time"
        log.seek(0)
        last = log.read().decode("utf-8", "replace").strip().splitlines()[-1:]
    found = json.loads(notes.read_text()) if notes.exists() else {"tried": 0, "failures": []}
    if end:
        found["failures"].append([found["tried"], "after the last note", f"{end}: {' '.join(last)[:200]}"])
    return {**found, "seconds": time.monotonic() - begun}


def main() -> None:
    """Run the attacks and print the table."""
    parser = argparse.ArgumentParser(prog="attacks", description="Attack Poinsot, and say what held.")
    parser.add_argument("names", nargs="*", choices=[*SHARES, []], help="attacks; default: all")
    parser.add_argument("--seconds", type=float, default=600.0, help="time for all of them (600)")
    parser.add_argument("--seed", type=int, default=None, help="default: a new one, which is printed")
    parser.add_argument("--attempts", type=int, default=None, help="most attempts of each attack")
    parser.add_argument("--inside", type=Path, default=None, help=argparse.SUPPRESS)
    given = parser.parse_args()
    seed = SystemRandom().randrange(10**6) if given.seed is None else given.seed
    names = given.names or list(SHARES)
    if given.inside is not None:
        fight(names[0], seed, given.seconds, given.attempts, given.inside)
        return
    print(f"seed {seed}, {given.seconds:g} s, {os.cpu_count()} processors")
    print(f"{'attack':12}{'tried':>9}{'held':>9}{'failed':>8}{'seconds':>9}", flush=True)
    whole = sum(SHARES[name] for name in names)
    failed: list[tuple[str, list[Any]]] = []
    with tempfile.TemporaryDirectory(prefix="attacks-") as folder:
        for name in names:
            share = given.seconds * SHARES[name] / whole
            one = result(name, seed, share, given.attempts, Path(folder))
            bad = len(one["failures"])
            line = f"{name:12}{one['tried']:9d}{one['tried'] - bad:9d}{bad:8d}{one['seconds']:9.0f}"
            print(line, flush=True)
            failed += [(name, failure) for failure in one["failures"]]
    for name, (count, what, failure) in failed[:SHOWN]:
        print(f"\n{name}, attempt {count}: {ascii(what)[1:-1]}\n  {ascii(failure)[1:-1]}")
        print(f"  again: make attack ATTACK='{name} --seed {seed} --attempts {count}'")
    if len(failed) > SHOWN:
        print(f"\nand {len(failed) - SHOWN} more")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

"""Mutated archives through `ps.load`, `report`, tables and pages, `ps.replay` and `ps.resume`.

What must hold: a run or a PoinsotError of one line.  If bits were flipped, lost or moved, every sample that
is read is a sample of the good file, bit for bit, and what is missing is told.
"""

import contextlib
import warnings
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import numpy as np

import poinsot as ps
from attacks.arguments import Hangs, patience, told
from attacks.attempt import Attempt, Attempts
from attacks.odd_archives import SIMPLE, WITH_BLOCKS
from poinsot.run.run import Run
from support.data import ARCHIVES

PATIENCE = 60


def rows(run: Run) -> set[bytes]:
    """Return the samples as bytes."""
    parts = run.trajectory
    return {row.tobytes() for row in np.column_stack([parts.time, parts.q, parts.v])}


def used(run: Run, folder: Path, paged: bool) -> None:
    """Do with a run what users do."""
    str(run.report()), repr(run), str(run.mechanism)
    run.to_csv(folder / "out.csv")
    if paged:
        run.to_html(folder / "out.html")


def again(path: Path) -> None:
    """Compute the run again, and go on with it for no steps: an edited header may ask for many."""
    for action in (ps.replay, ps.resume):
        with mock.patch("poinsot.simulation.driver.drive", _no_steps), contextlib.suppress(ps.PoinsotError):
            action(path)


def _no_steps(plan: Any, engine: Any, recorder: Any, *more: Any) -> None:
    recorder.begin()


def outcome(path: Path, folder: Path, whole: set[bytes] | None, paged: bool) -> str:
    """Return what did not hold for one file; its samples must be among the `whole`, if these are given."""
    try:
        with warnings.catch_warnings(record=True) as caught, patience(PATIENCE):
            warnings.simplefilter("always")
            run = ps.load(path)
            if whole is not None:
                found = rows(run)
                if not found <= whole:
                    return "a sample that is not in the good file was read"
                told_of = any(isinstance(one.message, ps.ArchiveWarning) for one in caught)
                if found != whole and not told_of and not run.interrupted:
                    return f"{len(whole) - len(found)} samples are missing without a word"
            used(run, folder, paged)
            again(path)
    except ps.PoinsotError as error:
        return "" if "\n" not in str(error) else f"a message of several lines: {str(error)[:80]!r}"
    except (Exception, Hangs) as error:
        return told(error)
    return ""


def attempts(rng: Random, folder: Path) -> Attempts:
    """Yield mutated archives without end."""
    good: dict[Path, Any] = {}
    for path in sorted(ARCHIVES.glob("*.poinsot")):
        fresh = folder / path.name
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fresh = ps.load(path).save(fresh)  # in the newest format
            good[fresh] = fresh.read_bytes(), rows(ps.load(fresh))
    bad = folder / "mutated.poinsot"
    while True:
        path = rng.choice(list(good))
        data, whole = good[path]
        kind = rng.choice([*SIMPLE, *WITH_BLOCKS])
        changed = SIMPLE[kind](data, rng) if kind in SIMPLE else WITH_BLOCKS[kind](data, rng, path)
        bad.write_bytes(changed)
        true = whole if kind in SIMPLE else None
        yield Attempt(f"{path.name}: {kind}", outcome(bad, folder, true, paged=rng.random() < 0.02))

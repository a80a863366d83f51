"""`ps.load`: the run or the ensemble in a file."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import ArchiveError, ArchiveWarning, PoinsotError, warn
from poinsot.formats.data import event_of, from_data
from poinsot.formats.paths import PathLike
from poinsot.model import plain
from poinsot.model.state import State
from poinsot.run.archive.blocks import blocks, value
from poinsot.run.archive.reader import damage, load_run
from poinsot.run.run import Run

if TYPE_CHECKING:
    from poinsot.ensemble.ensemble import Ensemble
    from poinsot.ensemble.problem import Problem


def load(path: PathLike) -> "Run | Ensemble":
    """Read the run or the ensemble in an archive.

    Forces that are functions are not in the file; their work and potential energy are.  Such a run can be
    examined and shown, but a new run from its mechanism needs the forces again.

    Parameters
    ----------
    path : Archive that `Run.save`, `Ensemble.save`, `ps.simulate(archive=...)`, `ps.ensemble(archive=...)` or
        `poinsot run --out` wrote.  Of a damaged or unfinished file, every intact block is read; an
        ArchiveWarning says what was skipped.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> s = ps.scenario("dzhanibekov")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "nut.poinsot"
    ...     run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.02, until=1.0, archive=path)
    ...     again = ps.load(path)
    >>> again
    Run(srkn4, step=0.02, 50 steps, 51 samples, t = 0 .. 1)
    """
    for kind, payload in blocks(path):
        if kind == "H":
            if value(path, payload).get("kind") == "ensemble":
                return load_ensemble(path)
            break
    return load_run(path)


def load_ensemble(path: PathLike) -> "Ensemble":
    """Return the ensemble in a file."""
    from poinsot.ensemble.ensemble import Ensemble  # which needs a compiler; a run does without
    from poinsot.ensemble.journal import read_journal

    found = read_journal(path)
    for text in found.skipped:
        warn(f"{path}: {text}", ArchiveWarning)
    with damage(path):
        problem = _problem(found.head["problem"]) if found.head.get("problem") else None
    return Ensemble(problem, found.members, found.table, found.head)


def _problem(data: Mapping[str, Any]) -> "Problem":
    """Return the problem of its data in a header."""
    from poinsot.ensemble.problem import Given, Problem

    source, start, events = data["source"], data["start"], data["events"]
    try:
        made = from_data(source["model"]) if isinstance(source, Mapping) else str(source)
        given = Given(**data["given"], events=None if events is None else tuple(map(event_of, events)))
    except PoinsotError as error:
        raise ArchiveError(f"the problem of the ensemble cannot be built: {error}") from None
    first = None if start is None else State(start[0], np.array(start[1]), np.array(start[2]))
    return Problem(made, plain.read(data["parameters"]), first, given, dict(data["reductions"]))

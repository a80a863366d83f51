"""Reading archives: `ps.load`.  Of a damaged file, everything up to the last intact block is read."""

from typing import Any

import numpy as np

from poinsot.core.methods import ALL
from poinsot.diagnostics.trajectory import Forces, Trajectory
from poinsot.errors import ArchiveError
from poinsot.formats.data import from_data
from poinsot.formats.paths import PathLike
from poinsot.model import checks
from poinsot.model.state import State
from poinsot.run.archive.blocks import blocks, value
from poinsot.run.archive.records import restored
from poinsot.run.run import Run


def load(path: PathLike) -> Run:
    """Read the run in an archive.

    Forces that are functions are not in the file; their work and potential energy are.  Such a run can be
    examined and shown, but a new run from its mechanism needs the forces again.

    Parameters
    ----------
    path : str or path-like
        Archive that `Run.save`, `ps.simulate(archive=...)` or `poinsot run --out` wrote.  Of a damaged or
        unfinished file, everything up to the last intact block is read.

    Returns
    -------
    Run
        The run.

    Raises
    ------
    ArchiveError
        If the file cannot be read, is not a Poinsot archive, or holds no samples.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> import poinsot as ps
    >>> s = ps.scenario("dzhanibekov")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "nut.poinsot"
    ...     run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.02, until=1.0, archive=path)
    ...     again = ps.load(path)
    >>> again
    Run(srkn4, step=0.02, 50 steps, 51 samples, t = 0 .. 1)
    """
    head: dict[str, Any] | None = None
    end: dict[str, Any] = {}
    final: State | None = None
    rows: list[np.ndarray[Any, Any]] = []
    try:
        for kind, payload in blocks(path):
            if kind == "H" and head is None:
                head = value(path, payload)
            elif kind == "S" and head is not None:
                width = head["nq"] + head["nv"] + 3 + len(head.get("driven", ()))
                rows.append(np.frombuffer(payload, "<f8").reshape(-1, width))
            elif kind == "C":
                final = restored(value(path, payload))
            elif kind == "E":
                end = value(path, payload)
        if head is None or not rows:
            raise ArchiveError(f"{path}: the archive holds no samples")
        return _run(head, np.concatenate(rows), final, end)
    except (KeyError, TypeError, ValueError, ArithmeticError, AttributeError, StopIteration) as error:
        raise ArchiveError(f"{path}: the archive is damaged: {type(error).__name__} {error}") from None


def _run(head: dict[str, Any], rows: Any, final: State | None, end: dict[str, Any]) -> Run:
    """Return the run of the blocks of an archive."""
    mechanism, nq, nv = from_data(head["model"]), head["nq"], head["nv"]
    joints = [link.joint for link in mechanism.links]
    if head["format"] != 1 or (nq, nv) != (sum(j.nq for j in joints), sum(j.nv for j in joints)):
        raise ValueError("unknown format or wrong number of coordinates")
    step = checks.number("archive", "step", head["step"], positive=True)
    parts = np.split(rows, np.cumsum([1, nq, nv, 1, 1]), axis=1)
    time, q, v, work, potential, inputs = (np.ascontiguousarray(part) for part in parts)
    trajectory = Trajectory(
        mechanism,
        time[:, 0],
        q,
        v,
        work[:, 0],
        potential[:, 0],
        Forces(*head["forces"]),
        inputs,
        tuple(map(str, head.get("driven", ()))),
    )
    method = next(method for method in ALL if method.name == head["method"])
    if final is None or final.time != time[-1, 0]:  # the file ends between the samples and their checkpoint
        final = State(float(time[-1, 0]), q[-1].copy(), v[-1].copy())
    steps = end.get("steps", round((float(time[-1, 0]) - head["start"]) / step))
    return Run(
        trajectory=trajectory,
        method=method,
        step=step,
        steps=steps,
        every=head["every"],
        evaluations=end.get("evaluations", 0),
        iterations=end.get("iterations", 0),
        seconds=end.get("seconds", 0.0),
        final=final,
        versions=head["versions"],
        reason=head["reason"],
        interrupted=end.get("interrupted", True),
        command=str(head.get("command", "")),
    )

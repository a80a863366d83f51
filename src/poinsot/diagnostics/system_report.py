"""The report of a run of a system of equations: the drift of what it conserves, and what the run cost."""

import numpy as np

from poinsot.diagnostics.drift import DriftMeter
from poinsot.diagnostics.report import NONE, Report
from poinsot.diagnostics.system_trajectory import SystemTrajectory

MOMENTA = ("angular momentum", "linear momentum")  # which a system does not know


def system_report(run: SystemTrajectory, title: str, cost: tuple[int, int, int, float, float]) -> Report:
    """Return the report; the cost has steps, evaluations, iterations, seconds and the overshoot.

    The row "orthogonality" is that of the constraints on redundant coordinates.
    """
    energy, constraints = DriftMeter(), DriftMeter()
    size, worked = 0.0, False
    for part in run.parts():
        assert isinstance(part, SystemTrajectory)
        energy.add(part.time, part.total)
        constraints.add(part.time, part.answer("residual")[:, 0])
        size = float(np.maximum(size, np.abs(part.total + part.work).max(initial=0.0)))
        worked = worked or bool(part.work.any())
    steps, evaluations, iterations, seconds, overshoot = cost
    known = run.facts is not None and {*run.facts.widths} & {"energy", "hamiltonian"}
    redundant = constraints.high.max() > 0.0
    notes = {"orthogonality": "of the constraints"}
    if worked:
        notes["energy"] = f"less the work of forces, {float(run.work[-1]):.2e}"
    return Report(
        title=title,
        energy=energy.drift(size) if known else NONE,
        angular_momentum=NONE,
        linear_momentum=NONE,
        orthogonality=constraints.drift(1.0),
        axial_momentum=NONE,
        evaluations=evaluations,
        iterations=iterations,
        steps=steps,
        seconds=seconds,
        rotations=bool(redundant),
        notes=notes,
        unknown=MOMENTA if known else (*MOMENTA, "energy"),
        zero=("energy",) if known and size == 0 else (),
        overshoot=overshoot,
    )

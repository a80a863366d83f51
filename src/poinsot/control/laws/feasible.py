"""Checks that inputs can fly a reference: the forces that it needs against those that they can give.

M xi_R' + f = B u      has a solution, which the limits allow at the first time                    (1)
"""

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.checks import Array, show
from poinsot.model.state import State

if TYPE_CHECKING:
    from poinsot.control.laws.tracking import TrackingLaw

FEASIBLE = 1e-5  # relative: forces that no input can give, along a reference
RATE, LONGEST = 4.0, 60.0  # checks per second of a flight, and seconds that are checked


def forces_at(law: "TrackingLaw", t: float) -> tuple[State, Array, Array, Array]:
    """Return the reference at a time, the forces that it needs, and inputs that give them."""
    reference, acceleration = law.reference_at(t)
    B = law.matrix(reference)
    needed = law.plant.mass(reference) @ acceleration + law.plant.bias(reference)
    u = np.asarray(np.linalg.lstsq(B, needed, rcond=None)[0], dtype=np.float64)  # (1)
    miss, size = float(np.abs(B @ u - needed).max()), float(np.abs(needed).max())
    if miss > FEASIBLE * max(size, 1e-9):
        raise ModelError(
            f"reference at t = {t:g}: the inputs cannot give its forces, the residual is {miss:.3g} of "
            f"{size:.3g} (N or N m)"
        )
    return reference, acceleration, needed, u


def check_times(law: "TrackingLaw", times: Iterable[float]) -> None:
    """Raise a ModelError if no input gives the forces of the reference at one of these times."""
    for t in times:
        try:
            law.reference_at(t)
        except ModelError:
            continue  # it ends before
        forces_at(law, t)


def check_flight(law: "TrackingLaw", begin: float, end: float) -> None:
    """Check the reference between two times."""
    span = min(end - begin, LONGEST)
    count = max(2, math.ceil(RATE * span))
    check_times(law, (begin + span * np.arange(count + 1) / count).tolist())


def check_limits(law: "TrackingLaw", reference: State, acceleration: Array, needed: Array, u: Array) -> None:
    """Raise a ModelError if no admissible input gives the forces that are needed."""
    if not len(law.b) or (law.Z @ u - law.b <= FEASIBLE * np.maximum(1.0, np.abs(law.b))).all():
        return
    best = law.decided(reference, reference, acceleration).law
    miss = np.abs(law.matrix(reference) @ best.u - needed).max()
    if miss > FEASIBLE * max(float(np.abs(needed).max()), 1e-9):
        raise ModelError(
            f"reference at t = {reference.time:g}: the limits of the inputs do not allow it, it needs "
            f"u = {show(u)}, and the nearest admissible input is {show(best.u)} "
            f"(residual {best.residual:.3g})"
        )

"""Sixty-four prisms coiled up in a horizontal plane drop from rest: seed 002, section 3.3.4.

The thesis says no more of the coil than that it lies in the x/y-plane.  This one is a spiral that opens
outwards from the joint in space: with turns one metre apart, the radius at the length s along it follows from
π (r² - r₀²) = s · pitch, and link and next link make the angle 2 m / r.
"""

from math import cos, pi, sin, sqrt

from poinsot.gallery.scenario import Recipe
from poinsot.gallery.scenarios._chain import SIZE, bodies
from poinsot.model.forces.force import Force
from poinsot.model.forces.joint import JointDamper

LINKS, PITCH, INNER = 64, 1.0, 2.0


def turn(k: int) -> tuple[float, float, float, float]:
    """Of joint k: the first lays the chain down, the others turn it about the vertical, which is its x."""
    if k == 1:
        return cos(pi / 4), 0.0, sin(pi / 4), 0.0
    half = SIZE[2] / sqrt(INNER**2 + SIZE[2] * (k - 1) * PITCH / pi) / 2
    return cos(half), sin(half), 0.0, 0.0


def forces() -> list[Force]:
    return [JointDamper(f"link{k}", 70.0) for k in range(1, LINKS + 1)]


RECIPE = Recipe(
    title="Coil of sixty-four links, dropped",
    bodies=bodies(LINKS),
    start={f"link{k}": {"rotation": turn(k)} for k in range(1, LINKS + 1)},
    step=0.01,
    until=3.0,
    method="gauss3",
    forces=forces,
    notes="Twist is damped at 210/s and more: fixed points diverge, and the method goes on with Newton's.",
    reference={
        "energy at 0": 0.0,
        "energy at 2": -30301.246,
        "R33 at 3": 0.963675,
    },  # ours, gauss3 with half the step
)

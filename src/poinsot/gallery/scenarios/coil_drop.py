"""Sixty-four prisms, coiled up in a horizontal plane, drop from rest (N-body pendulum thesis, section 3.3.4).

The thesis says only that the coil lies in the x/y-plane.  Here it is a spiral that opens outwards from the
joint in space: with turns one metre apart, the radius at the length s along it follows from
π (r² - r₀²) = s · pitch, and two neighbouring links make the angle 2 m / r.
"""

from math import cos, pi, sin, sqrt

from poinsot.gallery.scenario import Recipe
from poinsot.gallery.scenarios._chain import SIZE, bodies
from poinsot.model.forces.force import Force
from poinsot.model.forces.joint import JointDamper

LINKS, PITCH, INNER = 64, 1.0, 2.0


def rotation(k: int) -> tuple[float, float, float, float]:
    """Return the rotation of joint k: the first lays the chain down, the others bend it in the plane."""
    if k == 1:
        return cos(pi / 4), 0.0, sin(pi / 4), 0.0
    half = SIZE[2] / sqrt(INNER**2 + SIZE[2] * (k - 1) * PITCH / pi) / 2
    return cos(half), sin(half), 0.0, 0.0


def forces() -> list[Force]:
    """Return a damper for each joint."""
    return [JointDamper(f"link{k}", 70.0) for k in range(1, LINKS + 1)]


RECIPE = Recipe(
    title="Coil of sixty-four links, dropped",
    bodies=bodies(LINKS),
    start={f"link{k}": {"rotation": rotation(k)} for k in range(1, LINKS + 1)},
    step=0.01,
    until=3.0,
    method="gauss3",
    forces=forces,
    notes="Twist is damped at 210/s and more: fixed-point iterations diverge, and the method uses Newton's.",
    reference={
        "energy at 0": 0.0,
        "energy at 2": -30301.246,
        "R33 at 3": 0.963675,
    },  # ours, gauss3 with half the step
)

"""The forced rod of Beckman (2023), Forced Motion Demos: a constant torque across a rod.

By mistake, the notebook uses the inertia of its cylinder for the rod; here it is that of the rod.
"""

from math import cos

from poinsot.gallery.scenario import Recipe
from poinsot.model.forces.applied import Torque
from poinsot.model.forces.force import Force
from poinsot.model.shapes.solids import Cylinder

MASS, RADIUS, LENGTH = 5.0, 0.02, 2.4
ACROSS = MASS * (3.0 * RADIUS**2 + LENGTH**2) / 12.0
TORQUE = -1.0  # about y


def push(t, R, w, p, v):  # type: ignore[no-untyped-def]
    return 0.0, TORQUE, 0.0


def forces() -> list[Force]:
    """Return the torque."""
    return [Torque("rod", push)]


RECIPE = Recipe(
    title="Forced rod: no precession, no nutation",
    gravity=(0.0, 0.0, 0.0),
    bodies={"rod": {"mass": MASS, "shape": Cylinder(RADIUS, LENGTH), "joint": "spherical"}},
    start={},
    step=0.03,
    until=9.0,
    method="srkn4",  # as for the cylinder
    forces=forces,
    notes="From rest about a principal axis: it rotates ever faster in one plane, as the text says.",
    reference={"R33 at 9": cos(TORQUE / ACROSS * 9.0**2 / 2.0)},
)

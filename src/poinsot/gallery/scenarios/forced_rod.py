"""The forced rod of Beckman's notebook (seed 000, Forced Motion Demos): a constant torque across a rod.

The notebook takes the rod's inertia from the shape of its cylinder, a slip; here it is the rod's own.
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
    notes="From rest about a principal axis: it turns ever faster in one plane, as the text says it must.",
    reference={"R33 at 9": cos(TORQUE / ACROSS * 9.0**2 / 2.0)},
)

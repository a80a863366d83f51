"""The forced cylinder of Beckman (2023), Forced Motion Demos: a constant torque in space."""

from math import pi

from poinsot.gallery.scenario import Recipe
from poinsot.model.forces.applied import Torque
from poinsot.model.forces.force import Force
from poinsot.model.shapes.solids import Cylinder

TORQUE = (-0.4, -0.5, 0.0)


def push(t, R, w, p, v):  # type: ignore[no-untyped-def]
    return TORQUE


def forces() -> list[Force]:
    """Return the torque."""
    return [Torque("cylinder", push)]


RECIPE = Recipe(
    title="Forced cylinder: precession and nutation",
    gravity=(0.0, 0.0, 0.0),
    bodies={"cylinder": {"mass": 5.0, "shape": Cylinder(0.5, 0.5), "joint": "spherical"}},
    start={"cylinder": {"angular_velocity": (0.0, 0.0, 2.0 * pi)}},
    step=0.03,
    until=12.0,
    method="srkn4",  # its kicks add the torque exactly: the momentum is L0 + t T to rounding
    forces=forces,
    notes="The momentum rotates towards the torque, and the axis circles it.  The text finds precession and "
    "nutation imperceptible near a kinetic energy of 37: by then the precession has slowed down to a third, "
    "while the axis still circles the momentum at one degree.",
    reference={"R33 at 12": 0.468616247636},  # ours: srkn4 and rkmk4 agree on these digits
)

"""Sixteen prisms with dampers in the joints, on a spring and a damper (N-body pendulum thesis, 3.3.3).

Stiffness and damping are those of table 3.6, and the prisms have sides of 1/4 m.  The point in space, the
length of the spring and the first angle cannot be read in the thesis: they are ours.
"""

from poinsot.gallery.scenario import Recipe
from poinsot.gallery.scenarios._chain import bent, bodies
from poinsot.model.forces.force import Force
from poinsot.model.forces.joint import JointDamper
from poinsot.model.forces.springs import Damper, Spring
from poinsot.model.shapes.solids import Box

ANCHOR, LENGTH = (3.0, 12.0, -28.0), 4.0
ENDS = {"at_a": ANCHOR, "at_b": (0.0, 0.0, -1.0)}


def forces() -> list[Force]:
    """Return the spring, the damper, and the dampers of the joints."""
    joints = [JointDamper(f"link{k}", 70.0) for k in range(1, 17)]
    return [
        Spring("world", "link16", 800.0, LENGTH, **ENDS),
        Damper("world", "link16", 50.0, **ENDS),
        *joints,
    ]


RECIPE = Recipe(
    title="Sixteen-body pendulum on a spring and dampers",
    bodies={name: {**body, "shape": Box((0.25, 0.25, 2.0))} for name, body in bodies(16).items()},
    start=bent(1, 0.1),
    step=0.01,
    until=10.0,
    method="gauss3",
    forces=forces,
    notes="The spring pulls the end aside, a wave runs up the chain, and the dampers take its energy.",
    reference={"R33 at 10": 0.978874809752, "energy at 10": -121275.592159},  # dop853 and a finer gauss3
)

"""Two free blocks on a spring with a damper, spinning in weightlessness: momenta are kept, energy is lost."""

from poinsot.gallery.scenario import Recipe
from poinsot.model.forces.force import Force
from poinsot.model.forces.springs import Damper, Spring
from poinsot.model.shapes.solids import Box

ENDS = {"at_a": (0.2, 0.0, 0.0), "at_b": (-0.2, 0.0, 0.0)}


def forces() -> list[Force]:
    """Return the spring and the damper."""
    return [Spring("left", "right", 40.0, 0.8, **ENDS), Damper("left", "right", 0.6, **ENDS)]


RECIPE = Recipe(
    title="Two blocks on a spring",
    gravity=(0.0, 0.0, 0.0),
    bodies={
        "left": {"mass": 2.0, "shape": Box((0.4, 0.3, 0.2)), "joint": "free"},
        "right": {"mass": 1.0, "shape": Box((0.4, 0.2, 0.3)), "joint": "free"},
    },
    start={
        "left": {
            "position": (-0.8, 0.0, 0.0),
            "velocity": (0.0, -0.3, 0.0),
            "angular_velocity": (0.5, 1.0, 0.2),
        },
        "right": {
            "position": (0.8, 0.0, 0.0),
            "velocity": (0.0, 0.6, 0.2),
            "angular_velocity": (0.0, -1.0, 2.0),
        },
    },
    step=0.005,
    until=10.0,
    forces=forces,
    notes="Newton's third law: both momenta are constant to rounding while the damper takes energy.",
)

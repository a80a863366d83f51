"""An arm with six hinges and no motors: it falls, swings, and is damped at its joints."""

from typing import Any

from poinsot.gallery.scenario import Recipe
from poinsot.model.forces.force import Force
from poinsot.model.forces.joint import JointDamper
from poinsot.model.shapes.solids import Capsule, Cylinder

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
AXES = {"base": Z, "shoulder": Y, "elbow": Y, "roll": Z, "wrist": Y, "flange": Z}


def link(axis: Any, mass: float, length: float, parent: str, at: float, radius: float) -> dict[str, Any]:
    """Return a capsule that stands on its joint."""
    return {
        "mass": mass,
        "shape": Capsule(radius, length),
        "joint": {"kind": "revolute", "axis": axis},
        "parent": parent,
        "at": (0.0, 0.0, at),
        "body_at": (0.0, 0.0, length / 2),
    }


def forces() -> list[Force]:
    """Return a damper for each joint."""
    return [JointDamper(name, 0.4 if name in ("base", "shoulder", "elbow") else 0.05) for name in AXES]


RECIPE = Recipe(
    title="Robot arm, six hinges",
    bodies={
        "base": {
            "mass": 8.0,
            "shape": Cylinder(0.14, 0.2),
            "joint": {"kind": "revolute", "axis": Z},
            "body_at": (0.0, 0.0, 0.1),
        },
        "shoulder": link(Y, 6.0, 0.5, "base", 0.1, 0.06),
        "elbow": link(Y, 3.5, 0.4, "shoulder", 0.25, 0.05),
        "roll": link(Z, 1.5, 0.2, "elbow", 0.2, 0.045),
        "wrist": link(Y, 0.8, 0.15, "roll", 0.1, 0.04),
        "flange": link(Z, 0.3, 0.08, "wrist", 0.075, 0.035),
    },
    start={
        "base": {"rate": 2.0},
        "shoulder": {"angle": 0.3},
        "elbow": {"angle": 0.5},
        "roll": {"angle": 0.4, "rate": 1.0},
        "wrist": {"angle": -0.6},
    },
    step=0.005,
    until=6.0,
    forces=forces,
    notes="The work of the dampers is counted: energy - work is constant.",
)

"""A tricopter with a suspended load (Konz 2024, example 6): fifteen degrees of freedom (6 + 3 + 3 + 3).

The thesis gives no parameters: these are ours.  Three arms tilt about their own length, held by springs;
propellers spin freely and pull along z of their arm with a third of the weight each; the load swings.
"""

from math import cos, pi, sin
from typing import Any

from poinsot.gallery.scenario import Recipe
from poinsot.model.forces.applied import Wrench
from poinsot.model.forces.force import Force
from poinsot.model.forces.joint import JointDamper, JointSpring
from poinsot.model.shapes.solids import Sphere

ARM, HUB, BALL = 0.25, 0.04, 0.05
ANGLES = (pi / 3, pi, -pi / 3)
THRUST = (0.9 + 0.35 + 3 * 0.14) * 9.81 / 3


def lift(t, R, w, p, v):  # type: ignore[no-untyped-def]
    return 0.0, 0.0, 0.0, 0.0, 0.0, THRUST


def forces() -> list[Force]:
    """Return the thrusts, and springs and dampers of the arms."""
    arms = [f"arm{n}" for n in (1, 2, 3)]
    return [
        *(Wrench(arm, lift, at=(0.0, 0.0, HUB), frame="body") for arm in arms),
        *(JointSpring(arm, 0.5) for arm in arms),
        *(JointDamper(arm, 0.01) for arm in arms),
    ]


def arm(n: int) -> dict[str, dict[str, Any]]:
    """Return an arm and its propeller."""
    a = ANGLES[n - 1]
    return {
        f"arm{n}": {
            "mass": 0.12,
            "inertia": (4e-5, 9e-5, 8e-5),
            "center_of_mass": (0.02, 0.0, 0.015),
            "joint": {"kind": "revolute", "axis": (1.0, 0.0, 0.0)},
            "parent": "center",
            "at": (ARM * cos(a), ARM * sin(a), 0.0),
            "rotation": (cos(a / 2), 0.0, 0.0, sin(a / 2)),
        },
        f"propeller{n}": {
            "mass": 0.02,
            "inertia": (2e-5, 9e-5, 1.1e-4),
            "center_of_mass": (0.001, 0.0, 0.0),
            "joint": {"kind": "revolute", "axis": (0.0, 0.0, 1.0)},
            "parent": f"arm{n}",
            "at": (0.0, 0.0, HUB),
        },
    }


RECIPE = Recipe(
    title="Tricopter with a suspended load",
    bodies={
        "center": {
            "mass": 0.9,
            "inertia": (0.011, 0.011, 0.018),
            "center_of_mass": (0.0, 0.0, 0.01),
            "joint": "free",
        },
        "load": {
            "mass": 0.35,
            "shape": Sphere(BALL),
            "joint": "spherical",
            "parent": "center",
            "at": (0.0, 0.0, -0.03),
            "body_at": (0.0, 0.0, -0.45),
        },
        **arm(1),
        **arm(2),
        **arm(3),
    },
    start={
        "load": {"rotation": (cos(0.2), sin(0.2), 0.0, 0.0)},
        **{f"propeller{n}": {"rate": 60.0 * (-1) ** n} for n in (1, 2, 3)},
    },
    step=0.002,
    until=4.0,
    method="gauss3",
    forces=forces,
    notes="The thrust carries the weight without control: the load tilts the vehicle and drags it away.",
    reference={"R33 at 4": 0.993385951697, "energy at 4": 1.25904922805},  # dop853 and a finer gauss3
)

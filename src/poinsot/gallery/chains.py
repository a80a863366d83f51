"""Chains of equal prisms of the N-body pendulum thesis (`movingframe`): 2 m long, 0.2 m wide, 50 kg.

The 4-, 16- and 64-body pendulums hang at an angle.  One has dampers in the joints, a spring and a damper
(3.3.3; stiffness and damping are those of table 3.6, and its prisms have sides of 1/4 m; the point in space,
the length of the spring and the first angle cannot be read in the thesis: they are ours).  Three have torsion
springs of three kinds (3.3.2).  A coil of 64 links in a horizontal plane drops from rest (3.3.4): the thesis
says only that it lies in the x/y-plane.  Here it is a spiral that opens outwards from the joint in space:
with turns one metre apart, the radius at the length s along it follows from π (r² - r₀²) = s · pitch, and
two neighbouring links make the angle 2 m / r.
"""

from functools import partial
from math import cos, pi, sin, sqrt
from typing import Any

from poinsot.model.forces.force import Force
from poinsot.model.forces.joint import Form, JointDamper, JointSpring
from poinsot.model.forces.springs import Damper, Spring
from poinsot.model.shapes.solids import Box
from poinsot.scenario.scenario import Recipe

SIZE, MASS = (0.2, 0.2, 2.0), 50.0
PITCH, INNER = 1.0, 2.0  # of the coil
STIFFNESS = (4000.0, 3000.0, 2000.0, 1000.0)  # table 3.5, N m
BEND = 0.3  # about the first, then the second axis of every joint; the thesis is not readable here
UNIT = "Quaternions keep unit length without projection; the energy is constant to rounding."


def bodies(n: int, size: tuple[float, float, float] = SIZE) -> dict[str, dict[str, Any]]:
    """Return n links, each hanging from the lower end of the one before, the first from the origin."""
    return {
        f"link{k}": {
            "mass": MASS,
            "shape": Box(size),
            "joint": "spherical",
            "parent": f"link{k - 1}" if k > 1 else "world",
            "at": (0.0, 0.0, -SIZE[2] / 2 if k > 1 else 0.0),
            "body_at": (0.0, 0.0, -SIZE[2] / 2),
        }
        for k in range(1, n + 1)
    }


def rotations_of(n: int, *rotations: tuple[float, ...]) -> dict[str, dict[str, Any]]:
    """Return a start at rest with rotations of the first n joints; the last one is that of all others."""
    return {f"link{k + 1}": {"rotation": rotations[min(k, len(rotations) - 1)]} for k in range(n)}


def about_x(angle: float) -> tuple[float, ...]:
    """Return the rotation by an angle about x."""
    return cos(angle / 2), sin(angle / 2), 0.0, 0.0


def pendulum(n: int, words: str, angle: float, value: float) -> Recipe:
    """Return n links with every joint rotated by an angle about x."""
    return Recipe(
        title=f"{words}-body pendulum",
        bodies=bodies(n),
        start=rotations_of(n, about_x(angle)),
        step=0.01,
        until=10.0,
        method="gauss3",
        notes=UNIT,
        reference={"R33 at 10": value},  # gauss4 with a quarter of the step, and dop853
    )


def springs(form: Form) -> list[Force]:
    """Return the springs of table 3.5."""
    return [JointSpring(f"link{n}", k, form=form) for n, k in enumerate(STIFFNESS, start=1)]


def torsion(form: Form, words: str, notes: str, value: float) -> Recipe:
    """Return the pendulum with torsion springs of one form."""
    c, s = cos(BEND / 2), sin(BEND / 2)
    return Recipe(
        title=f"Four-body pendulum, torsion springs by {words}",
        bodies=bodies(4),
        start=rotations_of(4, (c * c, c * s, c * s, s * s)),
        step=0.0025,
        until=15.0,
        method="gauss3",
        forces=partial(springs, form),
        notes=notes,
        reference={"R33 at 15": value},  # gauss3 with a quarter of the step and dop853 agree on these digits
    )


def dampers(n: int) -> list[Force]:
    """Return a damper for each joint."""
    return [JointDamper(f"link{k}", 70.0) for k in range(1, n + 1)]


def springs_and_dampers() -> list[Force]:
    """Return the spring, the damper, and the dampers of the joints."""
    ends: dict[str, Any] = {"at_a": (3.0, 12.0, -28.0), "at_b": (0.0, 0.0, -1.0)}
    spring = Spring("world", "link16", 800.0, 4.0, **ends)
    return [spring, Damper("world", "link16", 50.0, **ends), *dampers(16)]


def coil() -> list[tuple[float, ...]]:
    """Return the rotations of a coil: the first lays the chain down, the others bend it in the plane."""
    radii = [sqrt(INNER**2 + SIZE[2] * k * PITCH / pi) for k in range(1, 64)]
    halves = [SIZE[2] / radius / 2 for radius in radii]
    return [(cos(pi / 4), 0.0, sin(pi / 4), 0.0), *((cos(half), sin(half), 0.0, 0.0) for half in halves)]


RECIPES = {
    "pendulum-4": pendulum(4, "Four", 0.1, 0.997324216876),
    "pendulum-16": pendulum(16, "Sixteen", 0.1, 0.84505676395),
    "pendulum-64": pendulum(64, "Sixty-four", 0.02, 0.926689343978),
    "pendulum-16-damped": Recipe(
        title="Sixteen-body pendulum on a spring and dampers",
        bodies=bodies(16, (0.25, 0.25, 2.0)),
        start=rotations_of(1, about_x(0.1)),
        step=0.01,
        until=10.0,
        method="gauss3",
        forces=springs_and_dampers,
        notes="The spring pulls the end aside, a wave runs up the chain, and the dampers take its energy.",
        reference={"R33 at 10": 0.978874809752, "energy at 10": -121275.592159},  # dop853 and a finer gauss3
    ),
    "torsion-euler": torsion(
        "euler",
        "Euler angles",
        "Moments by Euler angles are not the gradient of a potential: hundreds of joules come and go as "
        "work.",
        0.81989112009,
    ),
    "torsion-log": torsion(
        "log",
        "the logarithm",
        "The springs have the potential k angle^2/2: the energy is constant.",
        0.819114313224,
    ),
    "torsion-trace": torsion(
        "trace",
        "a potential",
        "The potential k tr(1 - R)/2 is smooth everywhere: the energy is constant.",
        0.879461152608,
    ),
    "coil-drop": Recipe(
        title="Coil of sixty-four links, dropped",
        bodies=bodies(64),
        start=rotations_of(64, *coil()),
        step=0.01,
        until=3.0,
        method="gauss3",
        forces=partial(dampers, 64),
        notes="Twist is damped at 210/s and more: fixed-point iterations diverge, and the method uses "
        "Newton's.",
        reference={
            "energy at 0": 0.0,
            "energy at 2": -30301.246,
            "R33 at 3": 0.963675,
        },  # ours, gauss3 with half the step
    ),
}

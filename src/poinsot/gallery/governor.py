"""The stiff flyball governor: benchmark A05 of the IFToMM library (González et al. 2006).

A rotating shaft, a slider on it, and two rods with a mass of 5 kg at their ends, hinged to a cross-piece of
0.1 m at its top.  Springs of 8e5 N/m with dampers of 4e4 Ns/m couple the rods to the slider: the time scales
range from 0.03 ms to a second.  With `couplers="rigid"`, rods without mass replace them, which is the limit.
The shaft starts with one turn per second and is not driven.
"""

from math import pi
from typing import Any

from poinsot.errors import ScenarioError
from poinsot.model.checks import show
from poinsot.model.forces.force import Force
from poinsot.model.forces.springs import Damper, Spring
from poinsot.model.loops import Distance, Loop
from poinsot.model.shapes.solids import Box, Sphere
from poinsot.scenario.scenario import Recipe

DENSITY, STIFFNESS, DAMPING, COUPLER = 3000.0, 8e5, 4e4, 0.5
SHAFT, ROD, SLIDER = (0.01, 0.01, 1.0), (1.0, 0.01, 0.01), (0.1, 0.1, 0.1)
Z = (0.0, 0.0, 1.0)
SLOPE = pi / 6  # of the rods, below the horizontal
SIDES = {"right": 1.0, "left": -1.0}


def mass(size: tuple[float, float, float]) -> float:
    """Return the mass of a box."""
    return DENSITY * size[0] * size[1] * size[2]


def forces() -> list[Force]:
    """Return the couplers as springs and dampers."""
    ends = {name: {"at_a": (0.05 * side, 0.0, 0.0)} for name, side in SIDES.items()}
    springs = [Spring("slider", name, STIFFNESS, COUPLER, **end) for name, end in ends.items()]
    return [*springs, *(Damper("slider", name, DAMPING, **end) for name, end in ends.items())]


def loops() -> list[Loop]:
    """Return the couplers as rigid rods."""
    return [
        Loop("slider", name, Distance(COUPLER), at_a=(0.05 * side, 0.0, 0.0)) for name, side in SIDES.items()
    ]


def bodies() -> dict[str, dict[str, Any]]:
    """Return the bodies; the angle of a rod is 0 where it is level."""
    found: dict[str, dict[str, Any]] = {
        "shaft": {
            "mass": mass(SHAFT),
            "shape": Box(SHAFT),
            "joint": {"kind": "revolute", "axis": Z},
            "body_at": (0.0, 0.0, 0.5),
        },
        "slider": {
            "mass": mass(SLIDER),
            "shape": Box(SLIDER),
            "joint": {"kind": "prismatic", "axis": Z},
            "parent": "shaft",
            "at": (0.0, 0.0, -0.5),
        },
    }
    for name, side in SIDES.items():
        found[name] = {
            "mass": mass(ROD),
            "shape": Box(ROD),
            "joint": {"kind": "revolute", "axis": (0.0, side, 0.0)},
            "parent": "shaft",
            "at": (0.05 * side, 0.0, 0.5),
            "body_at": (0.5 * side, 0.0, 0.0),
        }
        found[f"{name} ball"] = {
            "mass": 5.0,
            "inertia": (0.0, 0.0, 0.0),
            "shape": Sphere(0.05),
            "joint": "fixed",
            "parent": name,
            "at": (0.5 * side, 0.0, 0.0),
        }
    return found


def family(couplers: str) -> Recipe:
    """Return the governor with these couplers."""
    if couplers not in ("springs", "rigid"):
        raise ScenarioError(f"governor: couplers must be 'springs' or 'rigid', got {show(couplers)}")
    return Recipe(
        title="Stiff flyball governor",
        bodies=bodies(),
        start={
            "shaft": {"rate": 2 * pi},
            "slider": {"displacement": 0.5},
            "right": {"angle": SLOPE},
            "left": {"angle": SLOPE},
        },
        step=0.01 if couplers == "springs" else 0.001,
        until=10.0,
        forces=forces if couplers == "springs" else list,
        loops=loops if couplers == "rigid" else list,
        notes="Balls and slider rise and fall while the shaft rotates slower and faster.",
        reference={"energy at 10": 238.882328581} if couplers == "springs" else {},  # gauss3, gauss4, finer
        options={"couplers": couplers},
        family=family,
    )


RECIPE = family("springs")
RECIPES = {"governor": RECIPE}

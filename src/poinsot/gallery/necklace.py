"""A necklace: sixty-four links on ball joints; the last link is attached to the nail that holds the first.

It starts as an upright circle and rotates about the vertical so fast that it stays open.  (If it is slower,
it collapses and cracks like a whip, which needs very small steps for a moment.)
"""

from math import cos, pi, sin
from typing import Any

from poinsot.errors import ScenarioError
from poinsot.model.checks import show
from poinsot.model.joints import Spherical
from poinsot.model.loops import Loop
from poinsot.model.shapes.solids import Capsule
from poinsot.scenario.scenario import Recipe

LENGTH, RADIUS, MASS, RATE = 0.05, 0.01, 0.02, 8.0
MOST = 100_000  # links


def bodies(n: int) -> dict[str, dict[str, Any]]:
    """Return n links, each attached to the end of the one before."""
    return {
        f"link{k}": {
            "mass": MASS,
            "shape": Capsule(RADIUS, LENGTH),
            "joint": "spherical",
            "parent": f"link{k - 1}" if k > 1 else "world",
            "at": (0.0, 0.0, -LENGTH / 2 if k > 1 else 0.0),
            "body_at": (0.0, 0.0, -LENGTH / 2),
        }
        for k in range(1, n + 1)
    }


def start(n: int) -> dict[str, dict[str, Any]]:
    """Return a regular polygon below the nail that rotates as one body."""
    bend = 2 * pi / n
    first = bend / 2 - pi / 2
    others = {f"link{k}": {"rotation": (cos(bend / 2), 0.0, sin(bend / 2), 0.0)} for k in range(2, n + 1)}
    spin = (-RATE * sin(first), 0.0, RATE * cos(first))
    return {
        "link1": {"rotation": (cos(first / 2), 0.0, sin(first / 2), 0.0), "angular_velocity": spin},
        **others,
    }


def family(n: int) -> Recipe:
    """Return the necklace of n links."""
    if not isinstance(n, int) or isinstance(n, bool) or not 3 <= n <= MOST:
        raise ScenarioError(f"necklace: n must be a whole number from 3 to {MOST}, got {show(n)}")
    ends = {"at_a": (0.0, 0.0, -LENGTH / 2)}
    return Recipe(
        title=f"Necklace of {n} links",
        bodies=bodies(n),
        start=start(n),
        step=0.001,
        until=3.0,
        loops=lambda: [Loop(f"link{n}", "world", Spherical(), **ends, name="clasp")],
        notes=f"{3 * n - 3} degrees of freedom; three constraints close the loop.",
        options={"n": n},
        family=family,
    )


RECIPE = family(64)
RECIPES = {"necklace": RECIPE}

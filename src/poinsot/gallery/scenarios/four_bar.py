"""A four-bar linkage: a crank that makes full turns, a coupler, and a rocker that swings.

Lengths 0.4, 1.2, 0.9 m on a ground of 1 m: the shortest and the longest together are shorter than the two
others (Grashof), so the crank can make full turns.  The coupler closes the loop:

    |P + c e(t) - Q - r e(s)| = 0,    e(t) = (sin t, cos t)                                     (1)
"""

from math import acos, atan2, cos, hypot, sin

from poinsot.gallery.scenario import Recipe
from poinsot.model.joints import Revolute
from poinsot.model.loops import Loop
from poinsot.model.shapes.solids import Box

Y = (0.0, 1.0, 0.0)
GROUND, CRANK, COUPLER, ROCKER = 1.0, 0.4, 1.2, 0.9
ANGLE, RATE = 0.3, 4.0  # of the crank, from the vertical


def closed(angle: float, rate: float) -> tuple[float, float, float, float]:
    """Return the angles of coupler and rocker for that of the crank, and their rates, by (1)."""
    x, z = (
        GROUND - CRANK * sin(angle),
        -CRANK * cos(angle),
    )  # from the crank pin to the ground pivot of the rocker
    far = hypot(x, z)
    t = atan2(x, z) - acos((far**2 + COUPLER**2 - ROCKER**2) / (2 * far * COUPLER))
    s = atan2(COUPLER * sin(t) - x, COUPLER * cos(t) - z)
    pin = -rate * CRANK / sin(t - s)  # the velocity of the crank pin, seen along rocker and coupler
    return t, s, pin * sin(angle - s) / COUPLER, pin * sin(angle - t) / ROCKER


def bar(length: float) -> dict[str, object]:
    """Return a hinged bar of 1 kg/m."""
    return {
        "mass": length,
        "shape": Box((0.05, 0.05, length)),
        "joint": {"kind": "revolute", "axis": Y},
        "body_at": (0.0, 0.0, length / 2),
    }


COUPLER_ANGLE, ROCKER_ANGLE, COUPLER_RATE, ROCKER_RATE = closed(ANGLE, RATE)


def loops() -> list[Loop]:
    """Return the pin between coupler and rocker."""
    ends = {"at_a": (0.0, 0.0, COUPLER / 2), "at_b": (0.0, 0.0, ROCKER / 2)}
    return [Loop("coupler", "rocker", Revolute(Y), **ends, name="pin")]


RECIPE = Recipe(
    title="Four-bar linkage",
    bodies={
        "crank": bar(CRANK),
        "coupler": {**bar(COUPLER), "parent": "crank", "at": (0.0, 0.0, CRANK / 2)},
        "rocker": {**bar(ROCKER), "at": (GROUND, 0.0, 0.0)},
    },
    start={
        "crank": {"angle": ANGLE, "rate": RATE},
        "coupler": {"angle": COUPLER_ANGLE - ANGLE, "rate": COUPLER_RATE - RATE},
        "rocker": {"angle": ROCKER_ANGLE, "rate": ROCKER_RATE},
    },
    step=0.001,
    until=5.0,
    loops=loops,
    notes="One degree of freedom: three hinges and a loop of five constraints, of which three are redundant.",
)

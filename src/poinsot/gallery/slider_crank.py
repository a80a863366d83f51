"""A slider-crank driven at constant speed, and the torque that the crank needs.

The crank has the angle p = w t from the line of the slider, the rod the angle b below it:

    sin b = r/l sin p,      slider at x = r cos p + l cos b                                      (1)

Everything is known as a function of p.  The torque does the work that kinetic energy T and weight V take,

    torque w = d(T + V)/dt,     T = w^2/2 (J_crank + m_rod |c'|^2 + J_rod b'^2 + m_slider x'^2)      (2)

with derivatives by p, and c the centre of the rod.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.model.forces.drive import Drive
from poinsot.model.forces.force import Force
from poinsot.model.joints import Revolute
from poinsot.model.loops import Loop
from poinsot.model.shapes.solids import Box
from poinsot.scenario.scenario import Recipe

if TYPE_CHECKING:
    from poinsot.run.run import Run

AXIS = (0.0, -1.0, 0.0)  # so that the crank rises from the x axis
CRANK, ROD = 0.1, 0.3  # m
RATE = 20.0  # rad/s


def turning(t: float) -> float:
    """Return the angle of the crank."""
    return RATE * t


def forces() -> list[Force]:
    """Return the motor of the crank."""
    return [Drive("crank", turning)]


def loops() -> list[Loop]:
    """Return the pin between rod and slider."""
    return [Loop("rod", "slider", Revolute(AXIS), at_a=(ROD / 2, 0.0, 0.0), name="pin")]


def bar(mass: float, length: float) -> dict[str, Any]:
    """Return a hinged bar along x."""
    return {
        "mass": mass,
        "shape": Box((length, 0.02, 0.02)),
        "joint": {"kind": "revolute", "axis": AXIS},
        "body_at": (length / 2, 0.0, 0.0),
    }


def story(run: "Run", settings: Mapping[str, Any]) -> str:
    """Describe the run."""
    torque, turn = run.input("crank")[:, 0], 2 * np.pi
    turns, rpm = run.joint("crank")[-1, 0] / turn, 60 * run.rate("crank")[-1, 0] / turn
    return (
        f"The crank made {turns:.1f} turns at {rpm:.0f} rpm. Its motor pushed with up to {torque.max():.2f} "
        f"N m and braked with up to {-torque.min():.2f} N m. Nothing rubs: in a whole turn it does no work."
    )


RECIPE = Recipe(
    title="Slider-crank driven at constant speed",
    bodies={
        "crank": bar(0.8, CRANK),
        "rod": {**bar(0.6, ROD), "parent": "crank", "at": (CRANK / 2, 0.0, 0.0)},
        "slider": {
            "mass": 1.5,
            "shape": Box((0.08, 0.06, 0.06)),
            "joint": {"kind": "prismatic", "axis": (1.0, 0.0, 0.0)},
        },
    },
    start={
        "crank": {"rate": RATE},
        "rod": {"rate": -RATE * (1.0 + CRANK / ROD)},
        "slider": {"displacement": CRANK + ROD},
    },
    step=0.001,
    until=2.0,
    forces=forces,
    loops=loops,
    story=story,
    notes="The drive takes the one degree of freedom; run.input('crank') is the torque of its motor.",
    reference={"torque at 1": 1.797756513761355, "torque at 2": -3.530482856053247},  # (2), 30 digits
)
RECIPES = {"slider-crank": RECIPE}

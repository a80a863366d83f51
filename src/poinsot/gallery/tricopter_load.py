"""A tricopter carries a load on a rigid rod: the load is led, the copter stays level.

A pendulum that is driven at its joint is a PVTOL with the offset -(l + I/(m l)), its centre of oscillation;
it does not matter what carries it.
"""

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from poinsot.gallery import copters, tracking
from poinsot.gallery.tracking import ORIGIN, Settings
from poinsot.model.body import Body
from poinsot.model.checks import Array
from poinsot.model.controller import Controller
from poinsot.model.feedback import Feedback
from poinsot.model.joints import Free
from poinsot.model.mechanism import Mechanism
from poinsot.model.rotations import matrix
from poinsot.model.shapes.solids import Sphere
from poinsot.model.state import State
from poinsot.run.run import Run
from poinsot.scenario.scenario import Recipe

if TYPE_CHECKING:
    from poinsot.control import Pair
    from poinsot.control.references.motions import Reference

JOINT = np.array([0.0, 0.0, -0.03])
MASS, LENGTH, MOMENT = 0.35, 0.45, 3.5e-4  # of the load
OSCILLATION = LENGTH + MOMENT / (MASS * LENGTH)
COPTER = copters.tricopter()
UP = np.array([0.0, 0.0, 1.0])


@cache
def reference() -> "Reference":
    """Return the motion of the centre of oscillation by (2, 0.5, 0.3) m in 2.5 s, the copter being level."""
    from poinsot.control.references import flat_quadcopter, rest_to_rest  # the gallery is listed without it

    ghost = Mechanism().add("load", Body(1.0, (1.0, 1.0, 1.0)), Free())
    path = rest_to_rest([0.0, 0.0, 0.0], [(0.2, 2.5, [2.0, 0.5, 0.3])])
    flat = flat_quadcopter(ghost, "load", path)

    def motion(t: float) -> tuple[State, Array]:
        state, rate = flat(t)
        R, w, wd, y = matrix(state.q[3:]), state.v[:3], rate[:3], path(t)
        arm = OSCILLATION * UP
        r = y[0] + R @ arm - JOINT
        v = y[1] + R @ np.cross(w, arm)
        a = y[2] + R @ (np.cross(wd, arm) + np.cross(w, np.cross(w, arm)))
        q = np.concatenate([r, [1.0, 0.0, 0.0, 0.0], state.q[3:]])
        zero = np.zeros(3)
        return State(t, q, np.concatenate([zero, v, w])), np.concatenate([zero, a, wd])

    return motion


def pairs() -> "list[Pair]":
    """Return the template: a matched one of the load, and the attitude of the copter with its flown gains."""
    from poinsot.control import Pair, match_poles  # the gallery is listed without it

    x = match_poles(1.6, (2.0, 0.9), (5.5, 0.7), -OSCILLATION)
    top, middle, k = (0.0, 0.0, x.height), (0.0, 0.0, x.inertia_height), x.rotational_stiffness
    load = Pair(
        "load",
        inertia=(x.mass, middle, (x.moment, x.moment, 0.02)),
        damping=(x.damping, top, ORIGIN),
        stiffness=(x.stiffness, top, (k, k, 0.0)),
    )
    gains = (19.2e-3, 19.2e-3, 30.8e-3), (0.3, 0.3, 0.25), (1.7, 1.7, 0.7)
    return [load, Pair("copter", "world", *((0.0, ORIGIN, gain) for gain in gains))]


def law(m: Mechanism, settings: Settings, period: float | None) -> Controller | Feedback:
    """Return the tracking law: nine freedoms, six inputs."""
    return tracking.track(m, settings["law"], pairs(), reference(), COPTER.inputs, period=period)


def load_errors(run: Run) -> tuple[Array, Array]:
    """Return distances (m) and angles (rad) of the centre of oscillation and the rod from the reference."""
    distance, angle = [], []
    for t, q in zip(run.time, run.trajectory.q, strict=True):
        there = reference()(float(t))[0].q
        ends = []
        for x in (q, there):
            R = matrix(x[3:7])
            rod = R @ matrix(x[7:]) @ UP
            ends.append((x[:3] + R @ JOINT - OSCILLATION * rod, rod))
        distance.append(np.linalg.norm(ends[0][0] - ends[1][0]))
        angle.append(np.arccos(np.clip(ends[0][1] @ ends[1][1], -1.0, 1.0)))
    return np.array(distance), np.array(angle)


def story(run: Run, settings: Settings) -> str:
    """Describe the run."""
    distance, swing = load_errors(run)
    return (
        f"The load started {distance[0]:.2f} m off, swinging by {np.rad2deg(swing[0]):.0f} degrees; "
        f"{tracking.arrival(run, distance, 0.01)}. "
        f"At the end it is off by {tracking.short(1000 * distance[-1])} mm and "
        f"{tracking.short(np.rad2deg(swing[-1]))} degrees."
    )


RECIPE = Recipe(
    title="Tricopter with a load on a rod: the load comes to rest without swinging",
    bodies={
        "copter": copters.data(COPTER),
        "load": {
            "mass": MASS,
            "inertia": (MOMENT, MOMENT, MOMENT),
            "center_of_mass": (0.0, 0.0, -LENGTH),
            "shape": Sphere(0.05),
            "joint": "spherical",
            "parent": "copter",
            "at": tuple(JOINT),
        },
    },
    start={
        "copter": {"position": (0.3, -0.2, 0.1 + OSCILLATION + 0.03)},
        "load": {"rotation": (0.973669121345, 0.172153090886, 0.147155694971, -0.02601839493)},
    },
    step=0.01,
    until=5.0,
    method="rk4",
    control={"period": 0.01, "law": "particle"},
    controller=tracking.controller_of(law),
    reference={"coordinates at 1.6, continuous loop": (1.34867309405, 0.190642410798, 0.676723905694)},
    story=story,
    notes="Nine freedoms, six inputs; the spin of the load about its rod is free.",
)
RECIPES = {"tricopter-load": RECIPE}

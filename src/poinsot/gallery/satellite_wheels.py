"""A satellite turns by 180 degrees with three wheels; the total angular momentum stays zero."""

from typing import TYPE_CHECKING

import numpy as np

from poinsot.gallery import tracking
from poinsot.gallery.tracking import ORIGIN, Settings
from poinsot.model.checks import Array, quaternion
from poinsot.model.controller import Controller
from poinsot.model.feedback import Feedback
from poinsot.model.inputs import Actuator
from poinsot.model.mechanism import Mechanism
from poinsot.model.shapes.solids import Box, Wheel
from poinsot.model.state import State
from poinsot.run.run import Run
from poinsot.scenario.scenario import Recipe

if TYPE_CHECKING:
    from poinsot.control.references.motions import Reference

J, WHEEL = (0.9, 1.1, 1.3), 0.02  # kg m^2: of the satellite, and of a wheel about its axis
WHEELS = {"wheel x": (1.0, 0.0, 0.0), "wheel y": (0.0, 1.0, 0.0), "wheel z": (0.0, 0.0, 1.0)}
AXIS = (0.6, 0.0, 0.8)


def reference() -> "Reference":
    """Return the rotation by 180 degrees in 8 s; the wheels may do what they like."""
    from poinsot.control.references import rest_to_rest, turning  # the gallery is listed without it

    attitude = turning(AXIS, rest_to_rest([0.0], [(0.5, 8.0, [np.pi])]))

    def motion(t: float) -> tuple[State, Array]:
        R, w, wd = attitude(t)
        q = quaternion("satellite", "attitude", R)
        none = np.zeros(3)
        return State(t, np.concatenate([q, none]), np.concatenate([w, none])), np.concatenate([wd, none])

    return motion


def law(m: Mechanism, settings: Settings, period: float | None) -> Controller | Feedback:
    """Return the tracking law of the attitude, with motors of limited torque at the wheels."""
    from poinsot.control import Pair  # the gallery is listed without it

    pair = Pair(
        "satellite", "world", *((0.0, ORIGIN, x * np.array(J)) for x in tracking.oscillator(1.0, 1.5))
    )
    motors = [Actuator(name, limit=settings["limit"]) for name in WHEELS]
    return tracking.track(
        m, settings["law"], [pair], reference(), motors, period=period, completion=1e-4, check=False
    )


def story(run: Run, settings: Settings) -> str:
    """Describe the run."""
    there = [reference()(float(t))[0].q[:4] for t in run.time]
    cosine = [min(1.0, abs(float(q[:4] @ r))) for q, r in zip(run.trajectory.q, there, strict=True)]
    angle = np.rad2deg(2 * np.arccos(cosine))
    spin = np.abs(run.trajectory.v[:, 3:]).max() * 60 / (2 * np.pi)
    torque = max(np.abs(run.input(name)).max() for name in WHEELS)
    return (
        f"It started {angle[0]:.0f} degrees off and ends {tracking.short(angle[-1])} degrees off. "
        f"The wheels turned at most {spin:.0f} times a minute with at most {torque:.2f} N m; "
        f"the angular momentum stayed below {np.abs(run.angular_momentum).max():.0e} kg m2/s."
    )


RECIPE = Recipe(
    title="Satellite: half a turn with three reaction wheels",
    gravity=(0.0, 0.0, 0.0),
    bodies={
        "satellite": {"mass": 40.0, "inertia": J, "shape": Box((0.5, 0.4, 0.3)), "joint": "spherical"},
        **{
            name: {
                "mass": 1.0,
                "inertia": tuple(0.5 * WHEEL + 0.5 * WHEEL * abs(x) for x in axis),
                "shape": Wheel(0.09, 0.01),
                "joint": {"kind": "revolute", "axis": axis},
                "parent": "satellite",
            }
            for name, axis in WHEELS.items()
        },
    },
    start={"satellite": {"rotation": (np.cos(0.2), 0.0, np.sin(0.2), 0.0)}},
    step=0.005,
    until=12.0,
    method="rk4",
    control={"period": 0.02, "law": "body", "limit": 0.6},
    controller=tracking.controller_of(law),
    reference={"R33 at 12": 0.28},  # half a turn about AXIS
    story=story,
    notes="The wheels are bodies: what the satellite gains in angular momentum they lose.",
)
RECIPES = {"satellite-wheels": RECIPE}

"""A body turns by 360 degrees about its pitch axis, from 60 degrees off, without a singularity."""

from typing import TYPE_CHECKING

import numpy as np

from poinsot.gallery.tracking import ORIGIN, Settings, controller_of, short, track
from poinsot.model.checks import Array, quaternion
from poinsot.model.controller import Controller
from poinsot.model.feedback import Feedback
from poinsot.model.mechanism import Mechanism
from poinsot.model.shapes.solids import Box
from poinsot.model.state import State
from poinsot.run.run import Run
from poinsot.scenario.scenario import Recipe

if TYPE_CHECKING:
    from poinsot.control.references.motions import Reference

J = (17.9e-3, 18e-3, 30.7e-3)
RATE = 6.0  # 1/s, of the critically damped error


def reference() -> "Reference":
    """Return the flip in 2 s."""
    from poinsot.control.references import rest_to_rest, turning  # the gallery is listed without it

    attitude = turning((0, 1, 0), rest_to_rest([0.0], [(0.0, 2.0, [2 * np.pi])]))

    def motion(t: float) -> tuple[State, Array]:
        R, w, wd = attitude(t)
        return State(t, quaternion("flip", "attitude", R), w), wd

    return motion


def law(m: Mechanism, settings: Settings, period: float | None) -> Controller | Feedback:
    """Return the tracking law."""
    from poinsot.control import Pair  # the gallery is listed without it

    each = [(0.0, ORIGIN, factor * np.array(J)) for factor in (1.0, 2 * RATE, RATE**2)]
    return track(m, settings["law"], [Pair("body", "world", *each)], reference(), ["body"], period=period)


def story(run: Run, settings: Settings) -> str:
    """Describe the run."""
    motion = reference()
    cosine = [abs(float(q @ motion(t)[0].q)) for t, q in zip(run.time, run.trajectory.q, strict=True)]
    angle = np.rad2deg(2 * np.arccos(np.minimum(cosine, 1.0)))
    return (
        f"It started {angle[0]:.0f} degrees off and turned by 360 degrees; at the end it is off by "
        f"{short(angle[-1])} degrees. The torque was at most {np.abs(run.input('body')).max():.2f} N m."
    )


RECIPE = Recipe(
    title="Attitude flip: a body turns over under control, without a singularity",
    gravity=(0.0, 0.0, 0.0),
    bodies={"body": {"mass": 1.0, "inertia": J, "shape": Box((0.4, 0.4, 0.05)), "joint": "spherical"}},
    start={"body": {"rotation": (np.cos(0.5), np.sin(0.5) / 3, 2 * np.sin(0.5) / 3, 2 * np.sin(0.5) / 3)}},
    step=0.01,
    until=4.0,
    method="rk4",
    control={"period": 0.01, "law": "energy"},
    controller=controller_of(law),
    reference={"R33 at 4": 1.0},  # after a whole turn
    story=story,
    notes="Energy template; control.law is particle, body, energy or energy2. Computed torque in Euler "
    "angles stops at 90 degrees.",
)
RECIPES = {"attitude-flip": RECIPE}

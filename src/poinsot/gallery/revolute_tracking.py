"""A hinge follows a sine: the template is a damped pendulum, which knows that angles close (Konz)."""

from typing import TYPE_CHECKING

import numpy as np

from poinsot.gallery import tracking
from poinsot.gallery.tracking import Settings, about, oscillator
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.controller import Controller
from poinsot.model.feedback import Feedback
from poinsot.model.mechanism import Mechanism
from poinsot.model.shapes.solids import Box
from poinsot.model.state import State
from poinsot.run.run import Run
from poinsot.scenario.scenario import Recipe

if TYPE_CHECKING:
    from poinsot.control.references.motions import Reference

Z, RATE = (0.0, 0.0, 1.0), 2 * np.pi * 0.4


def reference(settings: Settings) -> "Reference":
    """Return the sine."""
    A = np.deg2rad(checks.number("scenario", "control.amplitude", settings["amplitude"]))

    def motion(t: float) -> tuple[State, Array]:
        s, c = A * np.sin(RATE * t), A * RATE * np.cos(RATE * t)
        return State(t, np.array([s]), np.array([c])), np.array([-RATE * RATE * s])

    return motion


def law(m: Mechanism, settings: Settings, period: float | None) -> Controller | Feedback:
    """Return the tracking law: J = 1 kg m^2, 3 rad/s, damping 0.7."""
    from poinsot.control import Pair  # the gallery is listed without it

    pair = Pair("arm", "world", *(about(Z, x) for x in oscillator(1.0, 3.0, 0.7)))
    return tracking.track(m, settings["law"], [pair], reference(settings), ["arm"], period=period)


def story(run: Run, settings: Settings) -> str:
    """Describe the run."""
    e = tracking.deviations(run, reference(settings))[:, 0]
    turns = round(float(e[-1]) / (2 * np.pi))
    near = np.abs(e - 2 * np.pi * turns)
    return (
        f"It started {np.rad2deg(e[0]):.0f} degrees off; "
        f"{tracking.arrival(run, np.rad2deg(near), 1.0, 'degree')}. "
        f"It settled {turns} turns from where the linear law would go."
    )


RECIPE = Recipe(
    title="Hinge: tracking on a circle",
    gravity=(0.0, 0.0, 0.0),
    bodies={
        "arm": {
            "mass": 1.0,
            "inertia": (0.01, 0.2, 0.2),
            "shape": Box((0.8, 0.06, 0.06)),
            "joint": {"kind": "revolute", "axis": Z},
        }
    },
    start={"arm": {"angle": -np.pi / 4}},
    step=0.005,
    until=5.0,
    method="rk4",
    control={"period": 0.005, "law": "body", "amplitude": 45.0},
    controller=tracking.controller_of(law),
    reference={"coordinates at 1, continuous loop": (0.282322192434,)},
    story=story,
    notes="Law 'body' (= 'energy') has the energy of a damped pendulum with saddles at +-180 degrees; with "
    "'particle' it rises first.",
)
RECIPES = {"revolute-tracking": RECIPE}

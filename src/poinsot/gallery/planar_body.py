"""A body in a plane, drawn to a turning reference: each law takes another path (Konz)."""

from typing import TYPE_CHECKING

import numpy as np

from poinsot.gallery import tracking
from poinsot.gallery.tracking import ORIGIN, Settings
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


def reference() -> "Reference":
    """Return the rotation with half a turn a second at the origin."""

    def motion(t: float) -> tuple[State, Array]:
        return State(t, np.array([0.0, 0.0, np.pi * t]), np.array([0.0, 0.0, np.pi])), np.zeros(3)

    return motion


def law(m: Mechanism, settings: Settings, period: float | None) -> Controller | Feedback:
    """Return the tracking law: 1 kg, 4 kg/s, 4 N/m, and 6 rad/s with damping 0.95 for the rotation."""
    from poinsot.control import Pair  # the gallery is listed without it

    J, s, k = tracking.oscillator(0.3, 6.0, 0.95)
    each = (1.0, J), (4.0, s), (4.0, k)
    pair = Pair("body", "world", *((total, ORIGIN, (0.0, 0.0, moment)) for total, moment in each))
    return tracking.track(m, settings["law"], [pair], reference(), ["body"], period=period)


def story(run: Run, settings: Settings) -> str:
    """Describe the run."""
    r = run.trajectory.q[:, :2]
    distance = np.linalg.norm(r, axis=1)
    length = np.linalg.norm(np.diff(r, axis=0), axis=1).sum()
    return (
        f"It came {distance[0] - distance[-1]:.2f} m nearer on a path of {length:.2f} m; "
        f"{tracking.arrival(run, distance, 0.05)}."
    )


RECIPE = Recipe(
    title="Planar body: straight in space, straight in the moving frame, or in a spiral",
    gravity=(0.0, 0.0, 0.0),
    bodies={
        "body": {
            "mass": 1.0,
            "inertia": (0.2, 0.2, 0.3),
            "shape": Box((0.4, 0.25, 0.1)),
            "joint": {"kind": "planar", "normal": (0.0, 0.0, 1.0)},
        }
    },
    start={"body": {"displacement": (0.0, 1.0)}},
    step=0.01,
    until=5.0,
    method="rk4",
    control={"period": 0.01, "law": "energy"},
    controller=tracking.controller_of(law),
    reference={"coordinates at 0.5, continuous loop": (-0.504518145715, 0.371566329539)},
    story=story,
    notes="'particle' and 'energy2' go straight in space, 'body' in the turning frame, 'energy' spirals.",
)
RECIPES = {"planar-body": RECIPE}

"""A quadcopter flies to a point and back, turning by 90 degrees on its way (data of Konz)."""

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from poinsot.gallery.scenario import Recipe
from poinsot.gallery.scenarios import _copters, _tracking
from poinsot.gallery.scenarios._tracking import Settings
from poinsot.model.controller import Controller
from poinsot.model.feedback import Feedback
from poinsot.model.mechanism import Mechanism
from poinsot.model.shapes.solids import Cylinder
from poinsot.run.run import Run

if TYPE_CHECKING:
    from poinsot.control.laws.tracking import Reference

COPTER = _copters.quadcopter()


@cache
def reference() -> "Reference":
    """Return the transitions: 1 m in 2 s; then 2 m, 0.3 m up and 90 degrees in 1.5 s."""
    from poinsot.control import flat_quadcopter, rest_to_rest  # the gallery is listed without it

    path = rest_to_rest([0.0, 0.0, 0.0], [(0.2, 2.0, [-1.0, 0.0, 0.0]), (2.6, 1.5, [1.0, 0.0, 0.3])])
    heading = rest_to_rest([0.0], [(2.6, 1.5, [np.pi / 2])], degree=5)
    return flat_quadcopter(COPTER.mechanism, "copter", path, heading)


def law(m: Mechanism, settings: Settings, period: float | None) -> Controller | Feedback:
    """Return the tracking law."""
    return _tracking.track(m, settings["law"], [COPTER.pair], reference(), COPTER.inputs, period=period)


def story(run: Run, settings: Settings) -> str:
    """Describe the run."""
    return _copters.told(run, reference())


RECIPE = Recipe(
    title="Quadcopter: transitions between points",
    bodies={"copter": _copters.data(COPTER, Cylinder(0.3, 0.05))},
    start={
        "copter": {
            "rotation": (0.980066577841242, 0.0867064044414, 0.1734128088828, 0.0433532022207),
            "position": (0.15, -0.1, 0.1),
        }
    },
    step=0.005,
    until=5.0,
    method="rk4",
    control={"period": 0.005, "law": "particle"},
    controller=_tracking.sampled(law),
    story=story,
    notes="The attitude follows from the path: the thrust points where the acceleration needs it.",
)

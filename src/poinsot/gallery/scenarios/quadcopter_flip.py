"""A quadcopter turns over in a short hop (data of Konz; the shape of the hop is ours)."""

from functools import cache
from typing import TYPE_CHECKING

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
    """Return the flip in 2.2 s: 757 degrees a second at most."""
    from poinsot.control import flat_quadcopter, flip  # the gallery is listed without it

    return flat_quadcopter(COPTER.mechanism, "copter", flip(begin=1.0))


def law(m: Mechanism, settings: Settings, period: float | None) -> Controller | Feedback:
    """Return the tracking law."""
    return _tracking.track(m, settings["law"], [COPTER.pair], reference(), COPTER.inputs, period=period)


def story(run: Run, settings: Settings) -> str:
    """Describe the run."""
    return _copters.told(run, reference())


RECIPE = Recipe(
    title="Quadcopter: a flip",
    bodies={"copter": _copters.data(COPTER, Cylinder(0.3, 0.05))},
    start={
        "copter": {
            "rotation": (0.980066577841242, 0.0867064044414, 0.1734128088828, 0.0433532022207),
            "position": (0.15, -0.1, 0.1),
        }
    },
    step=0.005,
    until=4.0,
    method="rk4",
    control={"period": 0.005, "law": "particle"},
    controller=_tracking.sampled(law),
    story=story,
    notes="It turns over because the path is so steep; no attitude is prescribed.",
)

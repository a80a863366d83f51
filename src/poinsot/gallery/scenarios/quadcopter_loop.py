"""A quadcopter flies a loop of 1 m radius from 0.2 m and 23 degrees off (data of Konz)."""

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from poinsot.gallery.scenario import Recipe
from poinsot.gallery.scenarios import _copters
from poinsot.model.controller import Controller
from poinsot.model.mechanism import Mechanism
from poinsot.model.shapes.solids import Cylinder
from poinsot.run.run import Run

if TYPE_CHECKING:
    from poinsot.control.laws.tracking import Reference

COPTER = _copters.quadcopter()


@cache
def reference() -> "Reference":
    """Return the loop, upside down at its top."""
    from poinsot.control import flat_quadcopter, loop  # the gallery is listed without it

    return flat_quadcopter(COPTER.mechanism, "copter", loop(1.0, 3.6))


def controller(m: Mechanism, method: str, step: float, settings: Mapping[str, Any]) -> Controller:
    """Return the tracking controller."""
    from poinsot.control import Template, track  # the gallery is listed without it

    template = Template(settings["law"], [COPTER.pair])
    found = track(m, template, reference(), COPTER.inputs, period=settings["period"])
    assert isinstance(found, Controller)
    return found


def story(run: Run, settings: Mapping[str, Any]) -> str:
    """Describe the run."""
    return _copters.told(run, reference())


RECIPE = Recipe(
    title="Quadcopter: a loop, flown upside down at its top",
    bodies={"copter": _copters.data(COPTER, Cylinder(0.3, 0.05))},
    start={
        "copter": {
            "rotation": (0.980066577841242, 0.0867064044414, 0.1734128088828, 0.0433532022207),
            "position": (0.15, -0.1, 0.1),
        }
    },
    step=0.005,
    until=4.5,
    method="rk4",
    control={"period": 0.01, "law": "particle"},
    controller=controller,
    story=story,
    notes="Four rotors for six freedoms: flat reference, particle template with poles at 4 and 20 rad/s.",
)

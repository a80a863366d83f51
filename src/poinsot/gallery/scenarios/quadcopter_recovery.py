"""A quadcopter is dropped upside down and recovers with motors of 0.2 to 9 N."""

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.gallery.scenario import Recipe
from poinsot.gallery.scenarios import _copters
from poinsot.model.controller import Controller
from poinsot.model.mechanism import Mechanism
from poinsot.model.shapes.solids import Cylinder
from poinsot.run.run import Run

if TYPE_CHECKING:
    from poinsot.control.references.checked import Reference

COPTER = _copters.quadcopter((2.5, 0.9), (10.0, 0.8), (0.2, 9.0))
HALF = np.deg2rad(179) / 2


@cache
def reference() -> "Reference":
    """Return the hover at the origin."""
    from poinsot.control import constant  # the gallery is listed without it

    return constant(COPTER.mechanism.state())


def controller(m: Mechanism, method: str, step: float, settings: Mapping[str, Any]) -> Controller:
    """Return the tracking controller."""
    from poinsot.control import Template, track  # the gallery is listed without it

    template = Template(settings["law"], [COPTER.pair])
    period, metric = settings["period"], settings["metric"]
    found = track(m, template, reference(), COPTER.inputs, period=period, metric=metric)
    assert isinstance(found, Controller)
    return found


def story(run: Run, settings: Mapping[str, Any]) -> str:
    """Describe the run."""
    return _copters.told(run, reference())


RECIPE = Recipe(
    title="Quadcopter: recovery from upside down within the limits of its motors",
    bodies={"copter": _copters.data(COPTER, Cylinder(0.3, 0.05))},
    start={"copter": {"rotation": (np.cos(HALF), np.sin(HALF), 0.0, 0.0)}},
    step=0.005,
    until=6.0,
    method="rk4",
    control={"period": 0.01, "law": "particle", "metric": (300.0, 300.0, 300.0, 1.0, 1.0, 1.0)},
    controller=controller,
    reference={"position at 1": (-0.04431585202671, -0.04051604668214, -4.39547046093842)},
    story=story,
    notes="Where the limits act, rotation weighs 300 times as much: it must turn before it can fly.",
)

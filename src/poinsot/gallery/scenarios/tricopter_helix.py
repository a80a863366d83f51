"""A tricopter with tilting rotors flies a helix with a full roll, from 179 degrees and 1 m off (Konz)."""

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

COPTER = _copters.tricopter()
AXIS = np.array([1.0, 2.0, 3.0]) / np.sqrt(14.0)
HALF = np.deg2rad(179) / 2


@cache
def reference() -> "Reference":
    """Return the helix with a roll by 360 degrees."""
    from poinsot.control import free_motion, helix, rest_to_rest, turning  # the gallery is listed without it

    roll = turning((1, 0, 0), rest_to_rest([0.0], [(0.5, 3.0, [2 * np.pi])]))
    return free_motion(COPTER.mechanism, "copter", helix(1.0, 0.3, (0, 0, 0.2)), roll)


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
    title="Tricopter: a helix with a full roll, from upside down",
    bodies={"copter": _copters.data(COPTER, Cylinder(0.3, 0.05))},
    start={
        "copter": {
            "rotation": (np.cos(HALF), *(np.sin(HALF) * AXIS)),
            "position": (1.6, -0.6, 0.5),
            "velocity": _copters.carried(np.cos(HALF), np.sin(HALF) * AXIS, (0.0, 0.6 * np.pi, 0.2)),
        }
    },
    step=0.005,
    until=5.0,
    method="rk4",
    control={"period": 0.01, "law": "energy2"},
    controller=controller,
    reference={"coordinates at 1, continuous loop": (-0.105092021158, 0.590563367476, 0.449894520157)},
    story=story,
    notes="Six inputs for six freedoms, with the gains that were flown: within 5 cm after 2.0 s in the "
    "continuous loop.",
)

"""A tricopter with tilting rotors flies to points while it tilts and turns on its own (data of Konz)."""

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
    from poinsot.control.references.checked import Reference

COPTER = _copters.tricopter((0.3, 7.0), float(np.pi / 4))
TILT = float(np.deg2rad(15))


@cache
def reference() -> "Reference":
    """Return positions and angles that have nothing to do with each other."""
    from poinsot.control import euler_attitude, free_motion, rest_to_rest  # the gallery is listed without it

    path = rest_to_rest([0.0, 0.0, 0.0], [(0.2, 2.0, [-1.0, 0.0, 0.0]), (2.4, 2.3, [1.0, 0.0, 0.2])])
    angles = rest_to_rest(
        [0.0, 0.0, 0.0], [(0.5, 1.0, [0.0, TILT, 0.0]), (2.4, 1.0, [-TILT, 0.0, np.pi / 2])], degree=5
    )
    return free_motion(COPTER.mechanism, "copter", path, euler_attitude(angles))


def law(m: Mechanism, settings: Settings, period: float | None) -> Controller | Feedback:
    """Return the tracking law."""
    return _tracking.track(m, settings["law"], [COPTER.pair], reference(), COPTER.inputs, period=period)


def story(run: Run, settings: Settings) -> str:
    """Describe the run."""
    c, s = run.input("rotors").reshape(len(run.time), -1, 2).transpose(2, 0, 1)
    thrust, tilt = np.hypot(c, s), np.rad2deg(np.arctan2(s, c))
    return (
        f"{_copters.told(run, reference())} Thrusts {thrust.min():.1f} to {thrust.max():.1f} N, "
        f"tilts up to {np.abs(tilt).max():.0f} degrees."
    )


RECIPE = Recipe(
    title="Tricopter: transitions with a tilt of its own",
    bodies={"copter": _copters.data(COPTER, Cylinder(0.3, 0.05))},
    start={
        "copter": {
            "rotation": (0.968912421711, 0.174941017281, 0.174941017281, 0.0),
            "position": (0.2, -0.3, 0.1),
        }
    },
    step=0.005,
    until=6.0,
    method="rk4",
    control={"period": 0.01, "law": "energy2"},
    controller=_tracking.sampled(law),
    reference={"R33 at 6": float(np.cos(np.pi / 12))},  # the roll at the end
    story=story,
    notes="Six inputs for six freedoms: it may tilt forwards and fly backwards.",
)

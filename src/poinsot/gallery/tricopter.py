"""A tricopter with tilting rotors (data of Konz): a helix with a full roll, from 179 degrees and 1 m off, and
flights to points while it tilts and turns on its own."""

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from poinsot.gallery import copters, tracking
from poinsot.gallery.tracking import Settings
from poinsot.run.run import Run
from poinsot.scenario.scenario import Recipe

if TYPE_CHECKING:
    from poinsot.control.references.motions import Reference

COPTER = copters.tricopter()
AXIS = np.array([1.0, 2.0, 3.0]) / np.sqrt(14.0)
HALF = np.deg2rad(179) / 2
LIMITED = copters.tricopter((0.3, 7.0), float(np.pi / 4))
TILT = float(np.deg2rad(15))


@cache
def helix_reference() -> "Reference":
    """Return the helix with a roll by 360 degrees."""
    from poinsot.control.references import (  # the gallery is listed without it
        free_motion,
        helix,
        rest_to_rest,
        turning,
    )

    roll = turning((1, 0, 0), rest_to_rest([0.0], [(0.5, 3.0, [2 * np.pi])]))
    return free_motion(COPTER.mechanism, "copter", helix(1.0, 0.3, (0, 0, 0.2)), roll)


HELIX = Recipe(
    title="Tricopter: a helix with a full roll, from upside down",
    bodies={"copter": copters.data(COPTER)},
    start={
        "copter": {
            "rotation": (np.cos(HALF), *(np.sin(HALF) * AXIS)),
            "position": (1.6, -0.6, 0.5),
            "velocity": copters.in_space(np.cos(HALF), np.sin(HALF) * AXIS, (0.0, 0.6 * np.pi, 0.2)),
        }
    },
    step=0.005,
    until=5.0,
    method="rk4",
    control={"period": 0.01, "law": "energy2"},
    controller=tracking.controller_of(copters.law_of(COPTER, helix_reference)),
    reference={"coordinates at 1, continuous loop": (-0.105092021158, 0.590563367476, 0.449894520157)},
    story=copters.story_of(helix_reference),
    notes="Six inputs for six freedoms, with the gains that were flown: within 5 cm after 2.0 s in the "
    "continuous loop.",
)


@cache
def transitions() -> "Reference":
    """Return positions and angles that have nothing to do with each other."""
    from poinsot.control.references import (  # the gallery is listed without it
        euler_attitude,
        free_motion,
        rest_to_rest,
    )

    path = rest_to_rest([0.0, 0.0, 0.0], [(0.2, 2.0, [-1.0, 0.0, 0.0]), (2.4, 2.3, [1.0, 0.0, 0.2])])
    angles = rest_to_rest(
        [0.0, 0.0, 0.0], [(0.5, 1.0, [0.0, TILT, 0.0]), (2.4, 1.0, [-TILT, 0.0, np.pi / 2])], degree=5
    )
    return free_motion(LIMITED.mechanism, "copter", path, euler_attitude(angles))


def story(run: Run, settings: Settings) -> str:
    """Describe the run."""
    c, s = run.input("rotors").reshape(len(run.time), -1, 2).transpose(2, 0, 1)
    thrust, tilt = np.hypot(c, s), np.rad2deg(np.arctan2(s, c))
    return (
        f"{copters.describe(run, transitions())} Thrusts {thrust.min():.1f} to {thrust.max():.1f} N, "
        f"tilts up to {np.abs(tilt).max():.0f} degrees."
    )


TRANSITIONS = Recipe(
    title="Tricopter: transitions with a tilt of its own",
    bodies={"copter": copters.data(LIMITED)},
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
    controller=tracking.controller_of(copters.law_of(LIMITED, transitions)),
    reference={"R33 at 6": float(np.cos(np.pi / 12))},  # the roll at the end
    story=story,
    notes="Six inputs for six freedoms: it may tilt forwards and fly backwards.",
)

RECIPES = {"tricopter-helix": HELIX, "tricopter-transitions": TRANSITIONS}

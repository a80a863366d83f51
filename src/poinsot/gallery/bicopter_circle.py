"""A bicopter flies a vertical circle from the published start, within the polygons of its rotors (Konz).

In its plane it is a PVTOL; the circle is that of its centre of mass without tilt.
"""

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from poinsot.gallery import copters, tracking
from poinsot.model.body import Body
from poinsot.model.checks import Array
from poinsot.model.joints import Planar
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State
from poinsot.scenario.scenario import Recipe

if TYPE_CHECKING:
    from poinsot.control.references.motions import Reference

COPTER = copters.bicopter()
OFFSET = copters.BICOPTER_OFFSET  # of the flat output


@cache
def reference() -> "Reference":
    """Return the circle with 1.5 m radius at 0.5 Hz in the yz plane."""
    from poinsot.control.references import circle, flat_pvtol  # the gallery is listed without it
    from poinsot.control.references.motions import free_state

    plane = Mechanism(gravity=(0, -9.81, 0)).add("pvtol", Body(1.0, (1.0, 1.0, 17e-3)), Planar((0, 0, 1)))
    around = circle(1.5, 0.5, across=(0, 1, 0), up=(0, 0, 1), center=(0, 0, OFFSET))
    flat = flat_pvtol(plane, "pvtol", lambda t: around(t)[:, 1:], offset=OFFSET)

    def motion(t: float) -> tuple[State, Array]:
        state, rate = flat(t)
        (y, z, angle), (vy, vz, w), (ay, az, wd) = state.q, state.v, rate
        c, s = np.cos(angle), np.sin(angle)
        R = np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
        r = np.array([[0.0, y, z], [0.0, vy, vz], [0.0, ay, az]])
        return free_state(t, r, R, np.array([w, 0.0, 0.0]), np.array([wd, 0.0, 0.0]))

    return motion


RECIPE = Recipe(
    title="Bicopter: a vertical circle within the polygons of its rotors",
    bodies={"copter": copters.data(COPTER)},
    start={
        "copter": {
            "rotation": (np.sqrt(0.5), 0.0, 0.0, -np.sqrt(0.5)),
            "position": (0.5, 1.0, -0.5),
            "velocity": (0.0, 0.0, 2.0),
        }
    },
    step=0.005,
    until=5.0,
    method="rk4",
    control={"period": 0.01, "law": "particle"},
    controller=tracking.controller_of(copters.law_of(COPTER, reference)),
    reference={"coordinates at 1, continuous loop": (-0.380793084747, -1.3873683694, -0.508931243102)},
    story=copters.story_of(reference, COPTER),
    notes="Two tilting rotors: within 5 cm after 2.45 s in the continuous loop; laws body and energy fail.",
)
RECIPES = {"bicopter-circle": RECIPE}

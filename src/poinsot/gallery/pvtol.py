"""A planar vehicle with two inclined rotors flies to (2, 1) m from off its path (Konz)."""

from typing import TYPE_CHECKING

import numpy as np

from poinsot.gallery import tracking
from poinsot.gallery.tracking import ORIGIN, Settings
from poinsot.model.controller import Controller
from poinsot.model.feedback import Feedback
from poinsot.model.inputs import Thrust
from poinsot.model.mechanism import Mechanism
from poinsot.model.shapes.solids import Box
from poinsot.run.run import Run
from poinsot.scenario.scenario import Recipe

if TYPE_CHECKING:
    from poinsot.control import Pair
    from poinsot.control.references.motions import Reference

J, ARM, LEAN = 0.017, 0.22, np.deg2rad(20)
OFFSET = J * np.tan(LEAN) / ARM  # of the flat output above the centre of mass
INPUTS = [
    Thrust("pvtol", (side * ARM, 0.0, 0.0), (side * np.sin(LEAN), np.cos(LEAN), 0.0), 0.0, None, "rotors")
    for side in (1.0, -1.0)
]


def reference(m: Mechanism, settings: Settings) -> "Reference":
    """Return the transition in 2 s, or a circle of 1.5 m at 0.5 Hz."""
    from poinsot.control.references import (  # the gallery is listed without it
        circle,
        flat_pvtol,
        rest_to_rest,
    )

    if tracking.choose(settings, "path", "transition", "circle") == "circle":
        around = circle(1.5, 0.5, across=(1, 0, 0), up=(0, 1, 0))
        return flat_pvtol(m, "pvtol", lambda t: around(t)[:, :2], offset=OFFSET)
    return flat_pvtol(m, "pvtol", rest_to_rest([0.0, 0.0], [(0.0, 2.0, [2.0, 1.0])]), offset=OFFSET)


def pair() -> "Pair":
    """Return the template with poles at 3 and 12 rad/s."""
    from poinsot.control import Pair, match_poles  # the gallery is listed without it

    x = match_poles(1.0, (3.0, 0.8), (12.0, 0.8), OFFSET)
    top, middle = (0.0, x.height, 0.0), (0.0, x.inertia_height, 0.0)
    return Pair(
        "pvtol",
        inertia=(x.mass, middle, (0.0, 0.0, x.moment)),
        damping=(x.damping, top, ORIGIN),
        stiffness=(x.stiffness, top, (0.0, 0.0, x.rotational_stiffness)),
    )


def law(m: Mechanism, settings: Settings, period: float | None) -> Controller | Feedback:
    """Return the tracking law."""
    return tracking.track(m, settings["law"], [pair()], reference(m, settings), INPUTS, period=period)


def story(run: Run, settings: Settings) -> str:
    """Describe the run."""
    e = tracking.deviations(run, reference(run.mechanism, settings))
    distance = np.linalg.norm(e[:, :2], axis=1)
    u = run.input("rotors")
    return (
        f"It started {distance[0]:.2f} m and {np.rad2deg(abs(e[0, 2])):.0f} degrees off; "
        f"{tracking.arrival(run, distance, 0.01)}. The thrusts lay between {u.min():.1f} and {u.max():.1f} N."
    )


RECIPE = Recipe(
    title="PVTOL: two rotors for three freedoms",
    gravity=(0.0, -9.81, 0.0),
    bodies={
        "pvtol": {
            "mass": 1.0,
            "inertia": (0.01, 0.01, J),
            "shape": Box((0.44, 0.05, 0.1)),
            "joint": {"kind": "planar", "normal": (0.0, 0.0, 1.0)},
        }
    },
    start={"pvtol": {"displacement": (-0.3, 0.2 - OFFSET), "angle": 0.3}},
    step=0.005,
    until=5.0,
    method="rk4",
    control={"period": 0.005, "law": "particle", "path": "transition"},
    controller=tracking.controller_of(law),
    reference={"coordinates at 1, continuous loop": (0.922704982849, 0.506225383449)},
    story=story,
    notes="control.path is 'transition' or 'circle'; on the circle 'body' and 'energy' do not converge.",
)
RECIPES = {"pvtol": RECIPE}

"""A pole on a cart in a plane is raised from 40 degrees and brought to its place by one force.

A pole that is driven at its foot is a PVTOL with the offset of its centre of oscillation, l + I/(m l): a
template matched to it has the wanted poles.  Far from upright there is no proof: from 52 degrees it falls.
"""

import numpy as np

from poinsot.gallery import tracking
from poinsot.gallery.tracking import ORIGIN, Settings
from poinsot.model.controller import Controller
from poinsot.model.feedback import Feedback
from poinsot.model.mechanism import Mechanism
from poinsot.model.shapes.solids import Box, Capsule
from poinsot.run.run import Run
from poinsot.scenario.scenario import Recipe

LENGTH, MASS, MOMENT = 0.5, 0.3, 0.025  # of the pole: to its centre of mass in m, in kg, about it in kg m^2
OSCILLATION = LENGTH + MOMENT / (MASS * LENGTH)
SLOW, FAST = (1.5, 0.9), (5.0, 0.8)  # wanted poles: rad/s, damping ratio


def law(m: Mechanism, settings: Settings, period: float | None) -> Controller | Feedback:
    """Return the tracking law, which holds the pole upright at the origin."""
    from poinsot.control import Pair, match_poles  # the gallery is listed without it
    from poinsot.control.references import constant

    x = match_poles(1.0, SLOW, FAST, OSCILLATION)
    top, middle = (0.0, 0.0, x.height), (0.0, 0.0, x.inertia_height)
    pair = Pair(
        "pole",
        inertia=(x.mass, middle, (0.0, x.moment, 0.0)),
        damping=(x.damping, top, ORIGIN),
        stiffness=(x.stiffness, top, (0.0, x.rotational_stiffness, 0.0)),
    )
    return tracking.track(m, settings["law"], [pair], constant(m.state()), ["cart"], period=period)


def story(run: Run, settings: Settings) -> str:
    """Describe the run."""
    x, angle = run.trajectory.q.T
    return (
        f"The pole started {np.rad2deg(angle[0]):.0f} degrees from upright; "
        f"{tracking.arrival(run, np.abs(np.rad2deg(angle)), 1.0, 'degree')}. "
        f"The cart went {np.abs(x).max():.2f} m away and ends at {tracking.short(100 * x[-1])} cm; "
        f"the force was at most {np.abs(run.input('cart')).max():.1f} N."
    )


RECIPE = Recipe(
    title="Cart and pole in a plane: one force for two freedoms",
    bodies={
        "cart": {
            "mass": 1.0,
            "inertia": (0.01, 0.01, 0.01),
            "shape": Box((0.3, 0.15, 0.1)),
            "joint": {"kind": "prismatic", "axis": (1.0, 0.0, 0.0)},
        },
        "pole": {
            "mass": MASS,
            "inertia": (MOMENT, MOMENT, 1e-4),
            "center_of_mass": (0.0, 0.0, LENGTH),
            "shape": Capsule(0.02, 2 * LENGTH),
            "joint": {"kind": "revolute", "axis": (0.0, 1.0, 0.0)},
            "parent": "cart",
        },
    },
    start={"cart": {"displacement": 0.5}, "pole": {"angle": np.deg2rad(40)}},
    step=0.005,
    until=6.0,
    method="rk4",
    control={"period": 0.005, "law": "particle"},
    controller=tracking.controller_of(law),
    reference={"coordinates at 2": (0.7960535701189715, 0.10166029175077015)},
    story=story,
    notes="The same template as of a quadcopter, with the centre of oscillation of the pole as offset.",
)
RECIPES = {"cart-pole": RECIPE}

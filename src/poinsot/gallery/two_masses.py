"""Two masses with a spring, of which only the first is driven: a template with the wanted poles (Konz)."""

from typing import TYPE_CHECKING

import numpy as np

from poinsot.gallery import tracking
from poinsot.gallery.tracking import Settings
from poinsot.model.checks import Array
from poinsot.model.controller import Controller
from poinsot.model.feedback import Feedback
from poinsot.model.forces.force import Force
from poinsot.model.forces.joint import JointSpring
from poinsot.model.mechanism import Mechanism
from poinsot.model.shapes.solids import Box
from poinsot.model.state import State
from poinsot.run.run import Run
from poinsot.scenario.scenario import Recipe

if TYPE_CHECKING:
    from poinsot.control.references.motions import Reference

K, M2, X = 8.0, 0.5, (1.0, 0.0, 0.0)
SQUARE = K / M2  # of the frequency of the second mass
POLES = (-2 + 1.5j, -2 - 1.5j, -5 + 3j, -5 - 3j)


def forces() -> list[Force]:
    """Return the spring between the masses."""
    return [JointSpring("second", K)]


def reference() -> "Reference":
    """Return the motion by 1 m of the second mass; the first one must lead: z1 = z2 + z2''/w^2."""
    from poinsot.control.references import rest_to_rest  # the gallery is listed without it

    move = rest_to_rest([0.0], [(0.5, 2.0, [1.0])])

    def motion(t: float) -> tuple[State, Array]:
        z = move(t)[:, 0]
        ahead = z[2:] / SQUARE  # z1 - z2 and its derivatives
        q, v, a = (np.array([z[k] + ahead[k], -ahead[k]]) for k in range(3))
        return State(t, q, v), a

    return motion


def law(m: Mechanism, settings: Settings, period: float | None) -> Controller | Feedback:
    """Return the tracking law with the wanted poles."""
    from poinsot.control import two_mass_pairs  # the gallery is listed without it

    pairs = two_mass_pairs("first", "second", SQUARE, POLES, 0.3)
    return tracking.track(m, settings["law"], pairs, reference(), ["first"], period=period)


def story(run: Run, settings: Settings) -> str:
    """Describe the run."""
    z2 = run.trajectory.q.sum(axis=1)
    error = np.abs(z2 - [float(sum(reference()(float(t))[0].q)) for t in run.time])
    return (
        f"The second mass started {100 * error[0]:.0f} cm off; {tracking.arrival(run, error, 1e-3)}. "
        f"The force on the first one was at most {np.abs(run.input('first')).max():.1f} N."
    )


RECIPE = Recipe(
    title="Two masses and a spring: one force tracks both",
    gravity=(0.0, 0.0, 0.0),
    bodies={
        "first": {
            "mass": 1.0,
            "inertia": (1e-3, 1e-3, 1e-3),
            "shape": Box((0.2, 0.2, 0.2)),
            "joint": {"kind": "prismatic", "axis": X},
        },
        "second": {
            "mass": M2,
            "inertia": (1e-3, 1e-3, 1e-3),
            "shape": Box((0.15, 0.15, 0.15)),
            "joint": {"kind": "prismatic", "axis": X},
            "parent": "first",
        },
    },
    start={"first": {"displacement": 0.2}, "second": {"displacement": -0.3, "speed": 0.3}},
    forces=forces,
    step=0.005,
    until=5.0,
    method="rk4",
    control={"period": 0.005, "law": "particle"},
    controller=tracking.controller_of(law),
    reference={"coordinates at 1, continuous loop": (0.417506082046, -0.098922662231)},
    story=story,
    notes="Single dampers and springs of the template are negative; only their sums count.",
)
RECIPES = {"two-masses": RECIPE}

"""A six-axis arm on a free base in space: six torques lead the tool, and the base drifts away beneath it."""

from typing import TYPE_CHECKING

import numpy as np

from poinsot.gallery import six_axes, tracking
from poinsot.gallery.tracking import Settings
from poinsot.model.checks import Array
from poinsot.model.controller import Controller
from poinsot.model.feedback import Feedback
from poinsot.model.kinematics import motions
from poinsot.model.mechanism import Mechanism
from poinsot.model.shapes.solids import Box
from poinsot.model.state import State
from poinsot.run.run import Run
from poinsot.scenario.scenario import Recipe

if TYPE_CHECKING:
    from poinsot.control.references.motions import Reference

FROM, TO = (0.0, 0.3, 0.4, 0.2, 0.9, 0.1), (0.4, 0.1, 0.6, -0.1, 1.1, 0.4)
OFF = (0.1, -0.1, 0.1, 0.1, 0.1, -0.1)


def reference() -> "Reference":
    """Return the motion of the tool that the arm would make in 4 s if its base stood still."""
    from poinsot.control.references import rest_to_rest  # the gallery is listed without it

    move = rest_to_rest(FROM, [(0.5, 4.0, TO)])
    still, at = np.zeros(6), np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])

    def motion(t: float) -> tuple[State, Array]:
        q, v, a = move(t)[:3]
        return State(t, np.concatenate([at, q]), np.concatenate([still, v])), np.concatenate([still, a])

    return motion


def law(m: Mechanism, settings: Settings, period: float | None) -> Controller | Feedback:
    """Return the tracking law of the tool alone; the rest of the motion is that of the mechanism itself."""
    pair = six_axes.tool_pair(3.0, (0.05, 0.05, 0.05), (4.0, 4.0))
    return tracking.track(
        m,
        settings["law"],
        [pair],
        reference(),
        list(six_axes.NAMES),
        period=period,
        completion=settings["completion"],
        check=False,  # no input holds the base at rest, and nobody wants to
    )


def story(run: Run, settings: Settings) -> str:
    """Describe the run."""
    m = run.mechanism
    wanted = np.array([reference()(float(t))[0].q for t in run.time])
    none = np.zeros((len(wanted), m.lengths[1]))
    here, there = (motions(m, q, none)["flange"] for q in (run.trajectory.q, wanted))
    distance, angle = six_axes.tool_errors(here.rotation, here.origin, there.rotation, there.origin)
    drift = 2 * np.arccos(min(1.0, abs(float(run.final.q[3]))))
    momentum = max(np.abs(run.linear_momentum).max(), np.abs(run.angular_momentum).max())
    return (
        f"The tool started {100 * distance[0]:.0f} cm and {np.rad2deg(angle[0]):.0f} degrees off and ends "
        f"{tracking.short(1000 * distance[-1])} mm off. "
        f"The base turned by {np.rad2deg(drift):.1f} degrees and moved by "
        f"{100 * np.linalg.norm(run.final.q[:3]):.0f} cm; the momentum stayed below {momentum:.0e} (SI)."
    )


RECIPE = Recipe(
    title="Six-axis arm on a free base: the tool is led, the base drifts",
    gravity=(0.0, 0.0, 0.0),
    bodies={
        "base": {
            "mass": 200.0,
            "inertia": (20.0, 20.0, 22.0),
            "shape": Box((0.8, 0.8, 0.6)),
            "joint": "free",
        },
        **six_axes.bodies("base", (0.0, 0.0, 0.45)),
    },
    start={name: {"angle": q + off} for name, q, off in zip(six_axes.NAMES, FROM, OFF, strict=True)},
    step=0.01,
    until=6.0,
    method="rk4",
    control={"period": 0.01, "law": "body", "completion": 1e-3},
    controller=tracking.controller_of(law),
    reference={"tool at 6": (0.7887327183667486, 0.29538147782133384, 0.49183208940148804)},
    story=story,
    notes="Twelve freedoms, six torques, no outer force: both momenta stay zero.",
)
RECIPES = {"arm-free-base": RECIPE}

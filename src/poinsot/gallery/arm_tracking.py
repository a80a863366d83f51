"""A six-axis arm moves from one posture to another, controlled in its joints or at its tool (Konz)."""

from typing import TYPE_CHECKING

import numpy as np

from poinsot.gallery import six_axes, tracking
from poinsot.gallery.tracking import Settings
from poinsot.model.controller import Controller
from poinsot.model.feedback import Feedback
from poinsot.model.kinematics import motions
from poinsot.model.mechanism import Mechanism
from poinsot.run.run import Run
from poinsot.scenario.scenario import Recipe

if TYPE_CHECKING:
    from poinsot.control.references.motions import Reference

FROM, TO = (0.0, 0.3, 0.4, 0.2, 0.9, 0.1), (1.2, -0.2, 0.8, -0.5, 1.3, 0.8)
OFF = {"joint": (0.5, -0.4, 0.3, -0.6, 0.4, 0.8), "tool": (0.2, -0.15, 0.2, 0.3, 0.2, -0.3)}  # at the start


def reference(m: Mechanism) -> "Reference":
    """Return the motion in 2 s."""
    from poinsot.control.references import joint_motion, rest_to_rest  # the gallery is listed without it

    return joint_motion(m, rest_to_rest(FROM, [(0.0, 2.0, TO)]))


def law(m: Mechanism, settings: Settings, period: float | None) -> Controller | Feedback:
    """Return the tracking law in the space of the joints or of the tool."""
    in_tool = tracking.choose(settings, "space", "joint", "tool") == "tool"
    pairs = [six_axes.tool_pair()] if in_tool else six_axes.joint_pairs()
    more = settings["completion"] if in_tool else 0.0
    return tracking.track(
        m, settings["law"], pairs, reference(m), list(six_axes.NAMES), period=period, completion=more
    )


def story(run: Run, settings: Settings) -> str:
    """Describe the run."""
    m = run.mechanism
    wanted = np.array([reference(m)(float(t))[0].q for t in run.time])
    here, there = (motions(m, q, 0 * q)["flange"] for q in (run.trajectory.q, wanted))
    distance, angle = six_axes.tool_errors(here.rotation, here.origin, there.rotation, there.origin)
    worst = np.abs(run.trajectory.q - wanted).max(axis=1)
    torque = max(np.abs(run.input(name)).max() for name in six_axes.NAMES)
    return (
        f"The tool started {distance[0]:.2f} m and {np.rad2deg(angle[0]):.0f} degrees off; "
        f"{tracking.arrival(run, distance, 1e-3)}. "
        f"A joint is off by {tracking.short(worst[-1])} rad at the end; "
        f"the torques were at most {torque:.0f} N m."
    )


RECIPE = Recipe(
    title="Six-axis arm: tracking in joint space or in tool space",
    bodies=six_axes.bodies(),
    start={name: {"angle": q + off} for name, q, off in zip(six_axes.NAMES, FROM, OFF["tool"], strict=True)},
    step=0.005,
    until=3.0,
    method="rk4",
    control={"period": 0.005, "law": "body", "space": "tool", "completion": 0.0},
    controller=tracking.controller_of(law),
    reference={
        "coordinates at 1, continuous loop": (
            0.610719224875,
            0.0428951677321,
            0.609683032618,
            -0.141342610904,
            1.10174342822,
            0.451063452678,
        )
    },
    story=story,
    notes="control.space is 'joint' or 'tool'; near singular postures, control.completion = 1e-3 helps.",
)
RECIPES = {"arm-tracking": RECIPE}
